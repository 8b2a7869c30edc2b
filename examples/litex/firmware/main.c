// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Encrypts message.h on the engine and prints what comes of it; then decrypts that, as it is and
// with a tag that is wrong. soc.py compares what is printed.
#include <generated/csr.h>
#include <string.h>
#include <system.h>

#include "axis_engine.h"
#include "message.h"

enum { TagBytes = 16, Limit = 10000000, EndOfText = 4 };

static uint8_t buffer[sizeof(kMessage) + TagBytes];

uint32_t port_cycles(void) {
  timer0_uptime_latch_write(1);
  return (uint32_t)timer0_uptime_cycles_read();
}

static void put(char c) {
  while (uart_txfull_read() != 0) {
  }
  uart_rxtx_write((uint8_t)c);
}

static void text(const char *s) {
  while (*s != 0) {
    put(*s++);
  }
}

static void hex(const uint8_t *data, size_t len) {
  for (size_t i = 0; i < len; i++) {
    put("0123456789abcdef"[data[i] >> 4]);
    put("0123456789abcdef"[data[i] & 15]);
  }
  put('\n');
}

static void number(uint32_t value) {
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

// One message in place, with the tag behind it. The engine writes memory behind the core's data
// cache, which is emptied before anybody looks.
static cryptile_status_t crypt(bool decrypt, uint32_t *cycles) {
  axis_job_t job = {.mode = ModeChaCha20Poly1305Chacha20Poly1305,
                    .decrypt = decrypt,
                    .key = kKey,
                    .key_bytes = sizeof(kKey),
                    .iv = {kNonce[0], kNonce[1], kNonce[2]},
                    .aad = kAad,
                    .aad_len = sizeof(kAad),
                    .src = buffer,
                    .dst = buffer,
                    .len = sizeof(kMessage),
                    .tag = buffer + sizeof(kMessage)};
  uint32_t start = port_cycles();
  cryptile_status_t status = cry_axis_engine_start(&job);
  if (status == CRYPTILE_OK) {
    status = cry_axis_engine_wait(Limit);
  }
  *cycles = port_cycles() - start;
  flush_cpu_dcache();
  return status;
}

static void say(const char *what, cryptile_status_t status) {
  text(what);
  text(status == CRYPTILE_OK ? "ok\n" : status == CRYPTILE_ERR_AUTH ? "wrong tag\n" : "failed\n");
}

int main(void) {
  static uint8_t sealed[sizeof(buffer)];
  uint32_t cycles;
  memcpy(buffer, kMessage, sizeof(kMessage));
  say("encrypt: ", crypt(false, &cycles));
  memcpy(sealed, buffer, sizeof(buffer));
  text("sealed: ");
  hex(sealed, sizeof(sealed));
  text("cycles: ");
  number(cycles);

  say("decrypt: ", crypt(true, &cycles));
  text("opened: ");
  hex(buffer, sizeof(kMessage));

  memcpy(buffer, sealed, sizeof(buffer));
  buffer[sizeof(buffer) - 1] ^= 1;
  say("forged: ", crypt(true, &cycles));
  put(EndOfText);
  for (;;) {
  }
}

// The start-up code of LiteX wants it; no interrupt is enabled.
void isr(void) {
}
