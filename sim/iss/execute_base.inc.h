// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The cases of the base instruction set, M, Zicsr and Zifencei: part of execute.inc.h.

REGISTERS(LUI, IMM, 0)
REGISTERS(AUIPC, PC + IMM, 0)
case OP_JAL:
  target = (ux)(PC + IMM);
  if (issue == long_end)
    cycle -= timing->jump_hidden;
  x[d->rd] = PC + 2u * d->halfwords;
  TAINT(0);
  goto jump;
case OP_JALR: {
  if (CHECKED)
    SECRET_OPERAND(ISS_VIOLATION_JUMP);
  target = (ux)((x[d->rs1] + IMM) & ~(ux)1);
  if (issue == long_end)
    cycle -= timing->jump_hidden;
  x[d->rd] = PC + 2u * d->halfwords;
  TAINT(0);
  goto jump;
}
  BRANCH(BEQ, a == b)
  BRANCH(BNE, a != b)
  BRANCH(BLT, (sx)a < (sx)b)
  BRANCH(BGE, (sx)a >= (sx)b)
  BRANCH(BLTU, a < b)
  BRANCH(BGEU, a >= b)

  LOAD(LB, int8_t)
  LOAD(LH, int16_t)
  LOAD(LW, int32_t)
  LOAD(LBU, uint8_t)
  LOAD(LHU, uint16_t)
  STORE(SB, uint8_t)
  STORE(SH, uint16_t)
  STORE(SW, uint32_t)

  IMMEDIATE(ADDI, a + imm, imm != 0 ? upward(ta) : ta)
case OP_ADDI_SP: {
  const ux value = x[d->rs1] + IMM;
  x[2] = value;
  TAINT(upward(t[d->rs1]));
  if (value - stack_base < stack_span)
    stack_span = value - stack_base;
  break;
}
  IMMEDIATE(SLTI, (sx)a < (sx)imm, ta != 0)
  IMMEDIATE(SLTIU, a < imm, ta != 0)
  IMMEDIATE(XORI, a ^ imm, ta)
  IMMEDIATE(ORI, a | imm, ta & ~imm)
  IMMEDIATE(ANDI, a &imm, ta &imm)
  IMMEDIATE(SLLI, a << imm, ta << imm)
  IMMEDIATE(SRLI, a >> imm, ta >> imm)
  IMMEDIATE(SRAI, (sx)a >> imm, (sx)ta >> imm)
  REGISTERS(ADD, a + b, upward(ta | tb))
  REGISTERS(SUB, a - b, upward(ta | tb))
#define SHIFT_LEFT(value, by)  ((value) << ((by) % XLEN))
#define SHIFT_RIGHT(value, by) ((value) >> ((by) % XLEN))
  BY_REGISTER(SLL, SHIFT_LEFT, )
  BY_REGISTER(SRL, SHIFT_RIGHT, )
  BY_REGISTER(SRA, SHIFT_RIGHT, (sx))
  REGISTERS(SLT, (sx)a < (sx)b, (ta | tb) != 0)
  REGISTERS(SLTU, a < b, (ta | tb) != 0)
  REGISTERS(XOR, a ^ b, ta | tb)
  REGISTERS(OR, a | b, (ta & (~b | tb)) | (tb & ~a))
  REGISTERS(AND, a &b, (ta & (b | tb)) | (tb & a))

case OP_FENCE:
  break;
case OP_FENCE_I:
  break;  // decoded instructions follow every store already
case OP_DECLASSIFY:
  if (CHECKED)
    (void)iss_taint(iss, x[10], x[11], 0);
  break;
case OP_ECALL:
  iss->info.stop = ISS_STOP_ECALL;
  iss->info.pc = PC + 4;
  goto done;
case OP_EBREAK:
  STOP(ISS_STOP_EBREAK);
case OP_CSRRS: {
  uint64_t value;
  switch (d->imm & 0x7f) {
    case 0:  // cycle
    case 1:  // time
      value = iss->info.cycles + issue;
      break;
    case 2:  // instret
      value = iss->info.instructions + (max_instructions - left) - 1;
      break;
    default:  // mhartid
      value = 0;
      break;
  }
  const bool high = (d->imm & 0x80) != 0 && d->imm != 0xf14;
  x[d->rd] = (ux)(high ? value >> 32 : value);
  TAINT(0);
  break;
}

#define SIGNED_WIDE(v)                ((wide_s)(sx)(v))
#define UNSIGNED_WIDE(v)              ((wide_s)(wide_u)(v))
#define MULTIPLY_HIGH(a_wide, b_wide) ((wide_u)((a_wide) * (b_wide)) >> XLEN)
  MULTIPLY(MUL, a *b, upward(ta | tb))
  MULTIPLY(MULH, MULTIPLY_HIGH(SIGNED_WIDE(a), SIGNED_WIDE(b)), spread(ta | tb))
  MULTIPLY(MULHSU, MULTIPLY_HIGH((wide_u)SIGNED_WIDE(a), (wide_u)b), spread(ta | tb))
  MULTIPLY(MULHU, MULTIPLY_HIGH((wide_u)a, (wide_u)b), spread(ta | tb))
  DIVIDE(DIV, sx, 1, XLEN, -1, 0 - (ux)a, a / b)
  DIVIDE(DIVU, ux, 0, XLEN, -1, 0, a / b)
  DIVIDE(REM, sx, 1, XLEN, a, 0, a % b)
  DIVIDE(REMU, ux, 0, XLEN, a, 0, a % b)

#if XLEN == 64
  LOAD(LWU, uint32_t)
  LOAD(LD, int64_t)
  STORE(SD, uint64_t)
  IMMEDIATE(ADDIW, extend((uint32_t)(a + imm)),
            extend(imm != 0 ? upward_32((uint32_t)ta) : (uint32_t)ta))
  IMMEDIATE(SLLIW, extend((uint32_t)a << imm), extend((uint32_t)ta << imm))
  IMMEDIATE(SRLIW, extend((uint32_t)a >> imm), extend((uint32_t)ta >> imm))
  IMMEDIATE(SRAIW, (sx)((int32_t)a >> imm), (sx)((int32_t)ta >> imm))
  REGISTERS(ADDW, extend((uint32_t)(a + b)), extend(upward_32((uint32_t)(ta | tb))))
  REGISTERS(SUBW, extend((uint32_t)(a - b)), extend(upward_32((uint32_t)(ta | tb))))
#define SHIFT_LEFT_32(value, by)       extend((uint32_t)(value) << ((by) % 32))
#define SHIFT_RIGHT_32(value, by)      extend((uint32_t)(value) >> ((by) % 32))
#define SHIFT_ARITHMETIC_32(value, by) ((sx)((int32_t)(value) >> ((by) % 32)))
  BY_REGISTER(SLLW, SHIFT_LEFT_32, )
  BY_REGISTER(SRLW, SHIFT_RIGHT_32, )
  BY_REGISTER(SRAW, SHIFT_ARITHMETIC_32, )
  MULTIPLY(MULW, extend((uint32_t)(a *b)), extend(upward_32((uint32_t)(ta | tb))))
  DIVIDE(DIVW, int32_t, 1, 32, -1, 0 - (uint32_t)a, a / b)
  DIVIDE(DIVUW, uint32_t, 0, 32, -1, 0, a / b)
  DIVIDE(REMW, int32_t, 1, 32, a, 0, a % b)
  DIVIDE(REMUW, uint32_t, 0, 32, a, 0, a % b)
#endif

  WITH_CARRY(ADC, x[d->rs2], carry, 0)
  WITH_CARRY(ADCS, x[d->rs2], 0, 0)
  WITH_CARRY(SBB, ~x[d->rs2], carry, 1)
  WITH_CARRY(SBBS, ~x[d->rs2], 0, 1)
case OP_GETC:
  x[d->rd] = carry;
  TAINT(carry_taint);
  break;
