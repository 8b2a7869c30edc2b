// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Compressed instructions: their 32-bit equivalents.
#include "decode.h"

static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

// Encoders for the formats that compressed instructions expand to. Immediates may have more bits
// than their field: the rest is cut off.
static uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t imm) {
  return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t s_type(uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t imm) {
  return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(imm, 4, 0) << 7 |
         0x23;
}

static uint32_t r_type(uint32_t match, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return match | rs2 << 20 | rs1 << 15 | rd << 7;
}

static uint32_t jal(uint32_t rd, uint32_t imm) {
  return bits(imm, 20, 20) << 31 | bits(imm, 10, 1) << 21 | bits(imm, 11, 11) << 20 |
         bits(imm, 19, 12) << 12 | rd << 7 | 0x6f;
}

static uint32_t branch(uint32_t funct3, uint32_t rs1, uint32_t imm) {
  return bits(imm, 12, 12) << 31 | bits(imm, 10, 5) << 25 | rs1 << 15 | funct3 << 12 |
         bits(imm, 4, 1) << 8 | bits(imm, 11, 11) << 7 | 0x63;
}

static uint32_t sign(uint32_t c, unsigned at) {
  return bits(c, 12, 12) ? ~0u << at : 0;
}

static uint32_t imm6(uint32_t c) {
  return sign(c, 5) | bits(c, 6, 2);
}

static uint32_t imm_jump(uint32_t c) {
  return sign(c, 11) | bits(c, 11, 11) << 4 | bits(c, 10, 9) << 8 | bits(c, 8, 8) << 10 |
         bits(c, 7, 7) << 6 | bits(c, 6, 6) << 7 | bits(c, 5, 3) << 1 | bits(c, 2, 2) << 5;
}

static uint32_t imm_branch(uint32_t c) {
  return sign(c, 8) | bits(c, 11, 10) << 3 | bits(c, 6, 5) << 6 | bits(c, 4, 3) << 1 |
         bits(c, 2, 2) << 5;
}

static uint32_t word_offset(uint32_t c) {
  return bits(c, 12, 10) << 3 | bits(c, 6, 6) << 2 | bits(c, 5, 5) << 6;
}

static uint32_t double_offset(uint32_t c) {
  return bits(c, 12, 10) << 3 | bits(c, 6, 5) << 6;
}

static uint32_t quadrant0(uint32_t c, uint32_t xlen) {
  const uint32_t rs1 = 8 + bits(c, 9, 7);
  const uint32_t rd = 8 + bits(c, 4, 2);
  switch (bits(c, 15, 13)) {
    case 0: {  // c.addi4spn
      const uint32_t imm =
          bits(c, 12, 11) << 4 | bits(c, 10, 7) << 6 | bits(c, 6, 6) << 2 | bits(c, 5, 5) << 3;
      return imm != 0 ? i_type(0x13, 0, rd, 2, imm) : 0;
    }
    case 2:  // c.lw
      return i_type(0x03, 2, rd, rs1, word_offset(c));
    case 3:  // c.ld
      return xlen == 64 ? i_type(0x03, 3, rd, rs1, double_offset(c)) : 0;
    case 6:  // c.sw
      return s_type(2, rs1, rd, word_offset(c));
    case 7:  // c.sd
      return xlen == 64 ? s_type(3, rs1, rd, double_offset(c)) : 0;
    default:
      return 0;
  }
}

static uint32_t arithmetic(uint32_t c, uint32_t xlen) {
  static const uint32_t matches[8] = {0x40000033, 0x4033, 0x6033, 0x7033,  // sub xor or and
                                      0x4000003b, 0x003b, 0,      0};      // subw addw
  const uint32_t rd = 8 + bits(c, 9, 7);
  const uint32_t shamt = bits(c, 12, 12) << 5 | bits(c, 6, 2);
  const uint32_t funct2 = bits(c, 11, 10);
  if (funct2 == 2)  // c.andi
    return i_type(0x13, 7, rd, rd, imm6(c));
  if (funct2 < 2)  // c.srli, c.srai
    return xlen == 64 || shamt < 32 ? i_type(0x13, 5, rd, rd, shamt | funct2 << 10) : 0;
  const uint32_t which = bits(c, 12, 12) << 2 | bits(c, 6, 5);
  if (matches[which] == 0 || (which > 3 && xlen == 32))
    return 0;
  return r_type(matches[which], rd, rd, 8 + bits(c, 4, 2));
}

static uint32_t quadrant1(uint32_t c, uint32_t xlen) {
  const uint32_t rd = bits(c, 11, 7);
  switch (bits(c, 15, 13)) {
    case 0:  // c.addi, c.nop
      return i_type(0x13, 0, rd, rd, imm6(c));
    case 1:  // c.jal, c.addiw
      if (xlen == 32)
        return jal(1, imm_jump(c));
      return rd != 0 ? i_type(0x1b, 0, rd, rd, imm6(c)) : 0;
    case 2:  // c.li
      return i_type(0x13, 0, rd, 0, imm6(c));
    case 3:
      if ((bits(c, 12, 12) << 5 | bits(c, 6, 2)) == 0)
        return 0;
      if (rd == 2) {  // c.addi16sp
        const uint32_t imm = sign(c, 9) | bits(c, 6, 6) << 4 | bits(c, 5, 5) << 6 |
                             bits(c, 4, 3) << 7 | bits(c, 2, 2) << 5;
        return i_type(0x13, 0, 2, 2, imm);
      }
      return imm6(c) << 12 | rd << 7 | 0x37;  // c.lui
    case 4:
      return arithmetic(c, xlen);
    case 5:  // c.j
      return jal(0, imm_jump(c));
    case 6:  // c.beqz
      return branch(0, 8 + bits(c, 9, 7), imm_branch(c));
    default:  // c.bnez
      return branch(1, 8 + bits(c, 9, 7), imm_branch(c));
  }
}

static uint32_t jump_or_move(uint32_t c) {
  const uint32_t rd = bits(c, 11, 7);
  const uint32_t rs2 = bits(c, 6, 2);
  if (rs2 != 0)  // c.mv is an addi so that taint and timing see one operand; c.add
    return bits(c, 12, 12) ? r_type(0x33, rd, rd, rs2) : i_type(0x13, 0, rd, rs2, 0);
  if (rd != 0)  // c.jr, c.jalr
    return i_type(0x67, 0, bits(c, 12, 12), rd, 0);
  return bits(c, 12, 12) ? 0x00100073 : 0;  // c.ebreak
}

static uint32_t quadrant2(uint32_t c, uint32_t xlen) {
  const uint32_t rd = bits(c, 11, 7);
  const uint32_t rs2 = bits(c, 6, 2);
  switch (bits(c, 15, 13)) {
    case 0: {  // c.slli
      const uint32_t shamt = bits(c, 12, 12) << 5 | bits(c, 6, 2);
      return xlen == 64 || shamt < 32 ? i_type(0x13, 1, rd, rd, shamt) : 0;
    }
    case 2:  // c.lwsp
      return rd != 0 ? i_type(0x03, 2, rd, 2,
                              bits(c, 12, 12) << 5 | bits(c, 6, 4) << 2 | bits(c, 3, 2) << 6)
                     : 0;
    case 3:  // c.ldsp
      return rd != 0 && xlen == 64
                 ? i_type(0x03, 3, rd, 2,
                          bits(c, 12, 12) << 5 | bits(c, 6, 5) << 3 | bits(c, 4, 2) << 6)
                 : 0;
    case 4:
      return jump_or_move(c);
    case 6:  // c.swsp
      return s_type(2, 2, rs2, bits(c, 12, 9) << 2 | bits(c, 8, 7) << 6);
    case 7:  // c.sdsp
      return xlen == 64 ? s_type(3, 2, rs2, bits(c, 12, 10) << 3 | bits(c, 9, 7) << 6) : 0;
    default:
      return 0;
  }
}

uint32_t decode_expand(uint16_t encoding, uint32_t xlen) {
  switch (encoding & 3) {
    case 0:
      return quadrant0(encoding, xlen);
    case 1:
      return quadrant1(encoding, xlen);
    default:
      return quadrant2(encoding, xlen);
  }
}
