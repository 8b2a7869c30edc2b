// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The host mailbox: prints the parameters, then copies input to output through a misaligned buffer
// in pieces of odd lengths; refused commands first.
#include "test.h"

enum { kReadInput = 1, kWriteOutput = 2, kReadParams = 3 };

static uint8_t buffer[4100];

static uint32_t host(uint32_t command, uint32_t addr, uint32_t length) {
  MCU(HOST.ARG0) = addr;
  MCU(HOST.ARG1) = length;
  MCU(HOST.CMD) = command;
  return MCU(HOST.RESULT);
}

int main(void) {
  CHECK(host(0, TCDM, 4) == 0xFFFFFFFFu);
  CHECK(host(99, TCDM, 4) == 0xFFFFFFFFu);
  CHECK(host(kReadInput, TCDM + 0x3FFFC, 5) == 0xFFFFFFFFu);
  CHECK(host(kReadInput, 0xFFFFFFFCu, 8) == 0xFFFFFFFFu);
  CHECK(host(kReadInput, TCDM, 0xFFFFFFFFu) == 0xFFFFFFFFu);

  char params[65];
  const uint32_t count = host(kReadParams, (uint32_t)params, 64);
  params[count] = '\0';
  print(params);

  uint32_t length = 1;
  for (;;) {
    const uint32_t got = host(kReadInput, (uint32_t)buffer + 3, length);
    if (got == 0)
      return 0;
    CHECK(got <= length);
    CHECK(host(kWriteOutput, (uint32_t)buffer + 3, got) == got);
    length = length * 3 % 4097;
  }
}
