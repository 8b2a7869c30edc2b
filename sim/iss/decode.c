// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// From encodings to insn_t.
#include "decode.h"

#include <stddef.h>

enum {
  F_R,
  F_I,
  F_S,
  F_B,
  F_U,
  F_J,
  F_SHIFT,
  F_SHIFTW,
  F_UNARY,
  F_AES32,
  F_RNUM,
  F_CSR,
  F_FENCE,
  F_EXACT,
  F_GETC
};

static const uint32_t masks[] = {
    [F_R] = 0xfe00707f,     [F_I] = 0x707f,         [F_S] = 0x707f,         [F_B] = 0x707f,
    [F_U] = 0x7f,           [F_J] = 0x7f,           [F_SHIFT] = 0xfc00707f, [F_SHIFTW] = 0xfe00707f,
    [F_UNARY] = 0xfff0707f, [F_AES32] = 0x3e00707f, [F_RNUM] = 0xff00707f,  [F_CSR] = 0x000ff07f,
    [F_FENCE] = 0x707f,     [F_EXACT] = 0xffffffff, [F_GETC] = 0xfffff07f,
};

typedef struct {
  uint32_t match, extensions;
  uint8_t op, format, class, widths;
} entry_t;

static const entry_t entries[] = {
#define INSN(name, match, format, class, widths, extensions) \
  {match, extensions, OP_##name, F_##format, ISS_CLASS_##class, widths},
#include "instructions.def"
#undef INSN
};

// Marks memory public: a hint that hardware runs as no operation.
#define DECLASSIFY 0x7d102013u  // slti x0, x0, 0x7d1

// Bits high..low of an encoding.
static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned width) {
  return (int32_t)(value << (32 - width)) >> (32 - width);
}

static int32_t imm_branch(uint32_t e) {
  return sign_extend(
      bits(e, 31, 31) << 12 | bits(e, 7, 7) << 11 | bits(e, 30, 25) << 5 | bits(e, 11, 8) << 1, 13);
}

static int32_t imm_jump(uint32_t e) {
  return sign_extend(
      bits(e, 31, 31) << 20 | bits(e, 19, 12) << 12 | bits(e, 20, 20) << 11 | bits(e, 30, 21) << 1,
      21);
}

static void operands(uint32_t e, unsigned format, insn_t *insn) {
  const uint8_t rd = (uint8_t)bits(e, 11, 7);
  const uint8_t rs1 = (uint8_t)bits(e, 19, 15);
  const uint8_t rs2 = (uint8_t)bits(e, 24, 20);
  insn->rd = rd;
  insn->rs1 = rs1;
  insn->rs2 = 0;
  insn->imm = 0;
  switch (format) {
    case F_R:
      insn->rs2 = rs2;
      break;
    case F_AES32:
      insn->rs2 = rs2;
      insn->imm = (int32_t)bits(e, 31, 30) * 8;
      break;
    case F_I:
      insn->imm = sign_extend(e >> 20, 12);
      break;
    case F_SHIFT:
    case F_SHIFTW:
      insn->imm = (int32_t)bits(e, 25, 20);
      break;
    case F_RNUM:
      insn->imm = (int32_t)bits(e, 23, 20);
      break;
    case F_S:
      insn->rd = 0;
      insn->rs2 = rs2;
      insn->imm = sign_extend(bits(e, 31, 25) << 5 | rd, 12);
      break;
    case F_B:
      insn->rd = 0;
      insn->rs2 = rs2;
      insn->imm = imm_branch(e);
      break;
    case F_U:
      insn->rs1 = 0;
      insn->imm = (int32_t)(e & 0xfffff000);
      break;
    case F_J:
      insn->rs1 = 0;
      insn->imm = imm_jump(e);
      break;
    case F_CSR:
      insn->rs1 = 0;
      insn->imm = (int32_t)(e >> 20);
      break;
    case F_FENCE:
    case F_EXACT:
      insn->rd = 0;
      insn->rs1 = 0;
      break;
    default:  // F_UNARY, F_GETC
      break;
  }
}

static const entry_t *find(uint32_t encoding, uint32_t xlen, uint32_t extensions) {
  for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); ++i) {
    const entry_t *entry = &entries[i];
    uint32_t mask = masks[entry->format];
    if (entry->format == F_SHIFT && xlen == 32)
      mask |= 1u << 25;
    if ((encoding & mask) == entry->match && (entry->widths & xlen) != 0 &&
        (entry->extensions & extensions) != 0)
      return entry;
  }
  return NULL;
}

// The counters, and mhartid.
static int csr_exists(uint32_t csr, uint32_t xlen) {
  const uint32_t high = csr & 0x80;
  switch (csr & ~0x80u) {
    case 0xb00:  // mcycle, minstret
    case 0xb02:
    case 0xc00:  // cycle, time, instret
    case 0xc01:
    case 0xc02:
      return high == 0 || xlen == 32;
    default:
      return csr == 0xf14;
  }
}

int decode(uint32_t encoding, uint32_t xlen, uint32_t extensions, const iss_timing_t *timing,
           insn_t *insn) {
  uint32_t word = encoding;
  insn->halfwords = 2;
  if ((encoding & 3) != 3) {
    word = extensions & ISS_EXT_C ? decode_expand((uint16_t)encoding, xlen) : 0;
    insn->halfwords = 1;
  }
  const entry_t *entry = find(word, xlen, extensions);
  if (entry == NULL)
    return -1;
  insn->op = entry->op;
  insn->class = entry->class;
  operands(word, entry->format, insn);
  if (insn->op == OP_AES64KS1I && insn->imm > 10)
    return -1;
  if (insn->op == OP_CSRRS && !csr_exists((uint32_t)insn->imm, xlen))
    return -1;
  if ((extensions & ISS_EXT_E) != 0 && (insn->rd | insn->rs1 | insn->rs2) > 15)
    return -1;
  if (word == DECLASSIFY)
    insn->op = OP_DECLASSIFY;
  else if (insn->op == OP_ADDI && insn->rd == 2)
    insn->op = OP_ADDI_SP;
  if (insn->rd == 0)
    insn->rd = REG_SINK;
  insn->cycles = (uint8_t)timing->cycles[insn->class];
  if (insn->op == OP_JALR && insn->rd == insn->rs1)
    insn->cycles += (uint8_t)timing->jump_same;
  insn->early = insn->op == OP_JALR ? (uint8_t)timing->jump_operand : 0;
  insn->latency = (uint8_t)timing->latency[insn->class];
  return 0;
}
