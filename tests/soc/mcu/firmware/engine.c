// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The core and the engine on the same banks: AES-128-CTR over a buffer while the core walks through
// the same memory. Sends the ciphertext to the output.
#include "hwpe_regs.h"
#include "test.h"

#define ENGINE(reg) HWPE(offsetof(hwpe_t, reg))

enum { kLength = 4096, kModeCtr = 2, kWriteOutput = 2, kStep = 0x9E3779B9u };

static uint8_t text[kLength + 4], cipher[kLength + 4];
static const uint8_t key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t iv[16] = {0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7,
                               0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF};
static volatile uint32_t scratch[16];

static void start(void) {
  ENGINE(SRC_PTR) = (uint32_t)text + 1;
  ENGINE(DST_PTR) = (uint32_t)cipher + 3;
  ENGINE(LEN) = kLength;
  ENGINE(KEY_PTR) = (uint32_t)key;
  ENGINE(IV_PTR) = (uint32_t)iv;
  ENGINE(CTRL) = kModeCtr;
  ENGINE(TRIGGER) = 0;
}

int main(void) {
  for (uint32_t i = 0; i < kLength; i++)
    text[i + 1] = (uint8_t)(i * 7);
  start();
  uint32_t rounds = 0;
  while (!(MCU(EVENT.STATUS) & MCU__EVENT__STATUS__HWPE_bm)) {
    for (uint32_t i = 0; i < 16; i++)
      scratch[i] = rounds + i * (uint32_t)kStep;
    for (uint32_t i = 0; i < 16; i++)
      CHECK(scratch[i] == rounds + i * (uint32_t)kStep);
    rounds++;
  }
  CHECK(rounds > 2);
  CHECK(MCU(SOC_CTRL.ERROR) == 0);
  MCU(EVENT.STATUS) = MCU__EVENT__STATUS__HWPE_bm;

  // Once more, asleep until the event.
  MCU(EVENT.MASK) = MCU__EVENT__MASK__HWPE_bm;
  __asm__ volatile("csrw mie, %0" : : "r"(1u << 16));
  for (uint32_t i = 0; i < kLength; i++)
    cipher[i + 3] = 0;
  start();
  sleep();
  CHECK(MCU(EVENT.STATUS) == MCU__EVENT__STATUS__HWPE_bm);

  MCU(HOST.ARG0) = (uint32_t)cipher + 3;
  MCU(HOST.ARG1) = kLength;
  MCU(HOST.CMD) = kWriteOutput;
  CHECK(MCU(HOST.RESULT) == kLength);

  // A source outside the memory: the engine ends the job, and the error is kept.
  MCU(EVENT.STATUS) = MCU__EVENT__STATUS__HWPE_bm;
  ENGINE(SRC_PTR) = 0x20000000u;
  ENGINE(TRIGGER) = 0;
  sleep();
  CHECK(MCU(SOC_CTRL.ERROR) == MCU__SOC_CTRL__ERROR__HWPE_bm);
  return 0;
}
