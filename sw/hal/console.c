// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "console.h"

#include "mcu.h"

static void put(char c) {
  MCU_REG(CONSOLE.DATA) = (uint8_t)c;
}

void cry_console_text(const char *text) {
  while (*text != 0) {
    put(*text++);
  }
}

void cry_console_decimal(uint32_t value) {
  char digits[10];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count != 0) {
    put(digits[--count]);
  }
}

void cry_console_hex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) {
    put("0123456789abcdef"[value >> shift & 15]);
  }
}
