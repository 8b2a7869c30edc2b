// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Gives CVA6's floating-point unit instructions from a file, and writes what they leave.
//
//   fpu INSTRUCTIONS RESULTS

#include <verilated.h>

#include <cstdint>
#include <cstdio>

#include "Vtb_fpu.h"

namespace {

struct Instruction {
  uint32_t word, frm;
  uint64_t registers[3];
};

struct Result {
  uint64_t bits, flags;
};

constexpr int kMostCycles = 100;

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  std::FILE *from = std::fopen(argv[1], "rb"), *to = std::fopen(argv[2], "wb");
  if (from == nullptr || to == nullptr)
    return 2;
  Vtb_fpu dut;
  const auto tick = [&] {
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
  };
  tick();
  dut.rst_ni = 1;
  for (Instruction next; std::fread(&next, sizeof next, 1, from) == 1;) {
    dut.instruction_i = next.word;
    dut.frm_i = next.frm;
    for (int i = 0; i < 3; i++) {
      dut.registers_i[2 * i] = static_cast<uint32_t>(next.registers[i]);
      dut.registers_i[2 * i + 1] = static_cast<uint32_t>(next.registers[i] >> 32);
    }
    dut.valid_i = 1;
    dut.clk_i = 0;
    dut.eval();
    if (dut.illegal_o || !dut.ready_o) {
      std::fprintf(stderr, "%08x: illegal or not ready\n", next.word);
      return 1;
    }
    int cycles = 0;
    while (!dut.valid_o) {
      tick();
      dut.valid_i = 0;
      if (++cycles > kMostCycles) {
        std::fprintf(stderr, "%08x: no result\n", next.word);
        return 1;
      }
    }
    const Result result = {dut.result_o, dut.flags_o};
    std::fwrite(&result, sizeof result, 1, to);
    dut.valid_i = 0;
    tick();
  }
  return std::fclose(to) == 0 ? 0 : 2;
}
