// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Runs the system until its firmware prints the character 4 (end of text), and prints what it
// prints. Exit code 1: it has not after the cycles that argv[1] names.
#include <cstdio>
#include <cstdlib>

#include "Vsim.h"
#include "verilated.h"

int main(int argc, char **argv) {
  const long long bound = argc > 1 ? std::atoll(argv[1]) : 0;
  enum { ResetCycles = 4, EndOfText = 4 };
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Vsim top(&context);
  top.serial_source_ready = 1;
  for (long long cycle = 0; cycle < bound; cycle++) {
    top.sys_rst = cycle < ResetCycles;
    top.sys_clk = 0;
    top.eval();
    // What the UART offers before the edge is taken at it.
    const bool valid = top.serial_source_valid && cycle >= ResetCycles;
    const int character = top.serial_source_data;
    top.sys_clk = 1;
    top.eval();
    if (valid && character == EndOfText) {
      return 0;
    }
    if (valid) {
      std::putchar(character);
      std::fflush(stdout);
    }
  }
  std::fprintf(stderr, "not at its end after %lld cycles\n", bound);
  return 1;
}
