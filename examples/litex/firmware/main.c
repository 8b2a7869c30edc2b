// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Encrypts message.h on the engine and prints what comes of it; then decrypts that, as it is and
// with a tag that is wrong. soc.py compares what is printed.
#include <generated/csr.h>
#include <string.h>
#include <system.h>

#include "axis_engine.h"
#include "console.h"
#include "message.h"

enum { TagBytes = 16, Limit = 10000000 };

static uint8_t buffer[sizeof(kMessage) + TagBytes];

uint32_t port_cycles(void) {
  timer0_uptime_latch_write(1);
  return (uint32_t)timer0_uptime_cycles_read();
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
  console_text(what);
  console_text(status == CRYPTILE_OK         ? "ok\n"
               : status == CRYPTILE_ERR_AUTH ? "wrong tag\n"
                                             : "failed\n");
}

int main(void) {
  static uint8_t sealed[sizeof(buffer)];
  uint32_t cycles;
  memcpy(buffer, kMessage, sizeof(kMessage));
  say("encrypt: ", crypt(false, &cycles));
  memcpy(sealed, buffer, sizeof(buffer));
  console_text("sealed: ");
  console_hex(sealed, sizeof(sealed));
  console_text("cycles: ");
  console_number(cycles);

  say("decrypt: ", crypt(true, &cycles));
  console_text("opened: ");
  console_hex(buffer, sizeof(kMessage));

  memcpy(buffer, sealed, sizeof(buffer));
  buffer[sizeof(buffer) - 1] ^= 1;
  say("forged: ", crypt(true, &cycles));
  console_end();
  for (;;) {
  }
}

// The start-up code of LiteX wants it; no interrupt is enabled.
void isr(void) {
}
