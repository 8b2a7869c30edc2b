// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Runs a random program, prints its cycles, and hands its results to the host. The program is
// generated, see iss_random.py; RESULTS is their size.
#include "measure.h"

extern uint32_t results[];
kernel_t random_program;

int main(void) {
  start_counting();
  report(random_program);
  MCU(HOST.ARG0) = (uint32_t)results;
  MCU(HOST.ARG1) = RESULTS;
  MCU(HOST.CMD) = 2;
  return MCU(HOST.RESULT) == RESULTS ? 0 : 1;
}
