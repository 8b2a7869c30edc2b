// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "console.h"

#include <generated/csr.h>

static void put(char c) {
  while (uart_txfull_read() != 0) {
  }
  uart_rxtx_write((uint8_t)c);
}

void console_text(const char *s) {
  while (*s != 0) {
    put(*s++);
  }
}

void console_hex(const uint8_t *data, size_t len) {
  for (size_t i = 0; i < len; i++) {
    put("0123456789abcdef"[data[i] >> 4]);
    put("0123456789abcdef"[data[i] & 15]);
  }
  put('\n');
}

void console_number(uint32_t value) {
  char digits[10];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count != 0) {
    put(digits[--count]);
  }
  put('\n');
}

void console_end(void) {
  enum { EndOfText = 4 };
  put(EndOfText);
}
