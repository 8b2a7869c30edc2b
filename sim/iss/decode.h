// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Instructions in the form that the interpreter runs.
#ifndef CRYPTILE_ISS_DECODE_H
#define CRYPTILE_ISS_DECODE_H

#include "iss.h"

enum {
  OP_NONE,  // not decoded yet
  OP_DECLASSIFY,
  OP_ADDI_SP,  // moves the stack pointer
#define INSN(name, match, format, class, widths, extensions) OP_##name,
#include "instructions.def"
#undef INSN
};

// Register numbers beyond the architecture's: where results for x0 go, and the multiplier's timing.
enum { REG_SINK = 32, REG_MUL = 33, REGS = 34 };

typedef struct {
  uint16_t op;
  uint8_t rd, rs1, rs2;  // registers that are not used are 0 (sources) and REG_SINK
  uint8_t halfwords;     // length
  uint8_t class;
  uint8_t cycles, latency;
  uint8_t early;  // how much earlier than at issue rs1 must be there
  int32_t imm;
} insn_t;

// The 32-bit equivalent of a compressed instruction, or 0 if there is none.
uint32_t decode_expand(uint16_t encoding, uint32_t xlen);

// Decodes; -1 if the instruction does not exist in this set.
int decode(uint32_t encoding, uint32_t xlen, uint32_t extensions, const iss_timing_t *timing,
           insn_t *insn);

#endif
