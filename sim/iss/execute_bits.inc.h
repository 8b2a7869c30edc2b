// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware
// License exception (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH
// SHL-2.1

// The cases of the Zb* and Zk* extensions: part of execute.inc.h.

REGISTERS(SH1ADD, (a << 1) + b, upward(ta << 1 | tb))
REGISTERS(SH2ADD, (a << 2) + b, upward(ta << 2 | tb))
REGISTERS(SH3ADD, (a << 3) + b, upward(ta << 3 | tb))
REGISTERS(ANDN, a & ~b, (ta & (~b | tb)) | (tb & a))
REGISTERS(ORN, a | ~b, (ta & (b | tb)) | (tb & ~a))
REGISTERS(XNOR, ~(a ^ b), ta | tb)
IMMEDIATE(CLZ, a != 0 ? COUNT_LEADING(a) : XLEN, spread(ta))
IMMEDIATE(CTZ, a != 0 ? COUNT_TRAILING(a) : XLEN, spread(ta))
IMMEDIATE(CPOP, COUNT_ONES(a), spread(ta))
IMMEDIATE(SEXT_B, (sx)(int8_t)a, (sx)(int8_t)ta)
IMMEDIATE(SEXT_H, (sx)(int16_t)a, (sx)(int16_t)ta)
REGISTERS(MAX, (sx)a > (sx)b ? a : b, spread(ta | tb))
REGISTERS(MAXU, a > b ? a : b, spread(ta | tb))
REGISTERS(MIN, (sx)a < (sx)b ? a : b, spread(ta | tb))
REGISTERS(MINU, a < b ? a : b, spread(ta | tb))
#define ROTATE_LEFT(value, by) rotate_right((value), 0 - (by))
BY_REGISTER(ROL, ROTATE_LEFT, )
BY_REGISTER(ROR, rotate_right, )
IMMEDIATE(RORI, rotate_right(a, imm), rotate_right(ta, imm))
IMMEDIATE(ORC_B, or_combine(a), or_combine(ta))

REGISTERS(PACK, (a << XLEN / 2 >> XLEN / 2) | b << XLEN / 2,
          (ta << XLEN / 2 >> XLEN / 2) | tb << XLEN / 2)
REGISTERS(PACKH, (a & 0xff) | (b & 0xff) << 8, (ta & 0xff) | (tb & 0xff) << 8)
IMMEDIATE(BREV8, reverse_in_bytes(a), reverse_in_bytes(ta))

REGISTERS(CLMUL, carryless(a, b, XLEN, 0), upward(ta | tb))
REGISTERS(CLMULH, carryless(a, b, XLEN, XLEN), spread(ta | tb))
REGISTERS(CLMULR, carryless(a, b, XLEN, XLEN - 1), spread(ta | tb))

#define BIT(at) ((ux)1 << ((at) % XLEN))
REGISTERS(BCLR, a & ~BIT(b), tb != 0 ? spread(tb) : ta & ~BIT(b))
REGISTERS(BEXT, a >> b % XLEN & 1, tb != 0 ? 1 : ta >> b % XLEN & 1)
REGISTERS(BINV, a ^ BIT(b), tb != 0 ? spread(tb) : ta)
REGISTERS(BSET, a | BIT(b), tb != 0 ? spread(tb) : ta & ~BIT(b))
IMMEDIATE(BCLRI, a & ~BIT(imm), ta & ~BIT(imm))
IMMEDIATE(BEXTI, a >> imm & 1, ta >> imm & 1)
IMMEDIATE(BINVI, a ^ BIT(imm), ta)
IMMEDIATE(BSETI, a | BIT(imm), ta & ~BIT(imm))

REGISTERS(XPERM4, permute(a, b, XLEN, 4), spread(ta | tb))
REGISTERS(XPERM8, permute(a, b, XLEN, 8), spread(ta | tb))

IMMEDIATE(SHA256SUM0, sha_rotate(a, 2, 13, 22), spread(ta))
IMMEDIATE(SHA256SUM1, sha_rotate(a, 6, 11, 25), spread(ta))
IMMEDIATE(SHA256SIG0, sha_shift(a, 7, 18, 3), spread(ta))
IMMEDIATE(SHA256SIG1, sha_shift(a, 17, 19, 10), spread(ta))

#if XLEN == 32
IMMEDIATE(REV8_32, SWAP_BYTES(a), SWAP_BYTES(ta))
IMMEDIATE(ZEXT_H_32, a & 0xffff, ta & 0xffff)
IMMEDIATE(ZIP, zip(a), zip(ta))
IMMEDIATE(UNZIP, unzip(a), unzip(ta))
REGISTERS(AES32ESI, aes32(a, b, (uint32_t)d->imm, 0, 0), spread(ta | tb))
REGISTERS(AES32ESMI, aes32(a, b, (uint32_t)d->imm, 0, 1), spread(ta | tb))
REGISTERS(AES32DSI, aes32(a, b, (uint32_t)d->imm, 1, 0), spread(ta | tb))
REGISTERS(AES32DSMI, aes32(a, b, (uint32_t)d->imm, 1, 1), spread(ta | tb))
REGISTERS(SHA512SUM0R, a << 25 ^ a << 30 ^ a >> 28 ^ b >> 7 ^ b >> 2 ^ b << 4,
          spread(ta | tb))
REGISTERS(SHA512SUM1R, a << 23 ^ a >> 14 ^ a >> 18 ^ b >> 9 ^ b << 18 ^ b << 14,
          spread(ta | tb))
REGISTERS(SHA512SIG0L, a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 25 ^ b << 24,
          spread(ta | tb))
REGISTERS(SHA512SIG0H, a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 24,
          spread(ta | tb))
REGISTERS(SHA512SIG1L, a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 26 ^ b << 13,
          spread(ta | tb))
REGISTERS(SHA512SIG1H, a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 13,
          spread(ta | tb))
#else
#define LOW(v) ((v)&0xffffffff)
REGISTERS(ADD_UW, LOW(a) + b, upward(LOW(ta) | tb))
REGISTERS(SH1ADD_UW, (LOW(a) << 1) + b, upward(LOW(ta) << 1 | tb))
REGISTERS(SH2ADD_UW, (LOW(a) << 2) + b, upward(LOW(ta) << 2 | tb))
REGISTERS(SH3ADD_UW, (LOW(a) << 3) + b, upward(LOW(ta) << 3 | tb))
IMMEDIATE(SLLI_UW, LOW(a) << imm, LOW(ta) << imm)
IMMEDIATE(CLZW, (uint32_t)a != 0 ? __builtin_clz((uint32_t)a) : 32,
          spread(LOW(ta)))
IMMEDIATE(CTZW, (uint32_t)a != 0 ? __builtin_ctz((uint32_t)a) : 32,
          spread(LOW(ta)))
IMMEDIATE(CPOPW, __builtin_popcount((uint32_t)a), spread(LOW(ta)))
#define ROTATE_RIGHT_32(value, by)                                             \
  extend(rotate_right_32((uint32_t)(value), (by)))
#define ROTATE_LEFT_32(value, by)                                              \
  extend(rotate_right_32((uint32_t)(value), 0 - (by)))
BY_REGISTER(ROLW, ROTATE_LEFT_32, )
BY_REGISTER(RORW, ROTATE_RIGHT_32, )
IMMEDIATE(RORIW, ROTATE_RIGHT_32(a, imm), ROTATE_RIGHT_32(ta, imm))
IMMEDIATE(REV8_64, SWAP_BYTES(a), SWAP_BYTES(ta))
IMMEDIATE(ZEXT_H_64, a & 0xffff, ta & 0xffff)
REGISTERS(PACKW, extend((uint32_t)((a & 0xffff) | b << 16)),
          extend((uint32_t)((ta & 0xffff) | tb << 16)))
REGISTERS(AES64ES, aes64_round(a, b, 0, 0), spread(ta | tb))
REGISTERS(AES64ESM, aes64_round(a, b, 0, 1), spread(ta | tb))
REGISTERS(AES64DS, aes64_round(a, b, 1, 0), spread(ta | tb))
REGISTERS(AES64DSM, aes64_round(a, b, 1, 1), spread(ta | tb))
IMMEDIATE(AES64IM, aes64_inverse_mix(a), spread(ta))
IMMEDIATE(AES64KS1I, aes64_key_1(a, (uint32_t)imm), spread(ta))
REGISTERS(AES64KS2, aes64_key_2(a, b), spread(ta | tb))
IMMEDIATE(SHA512SUM0,
          rotate_right(a, 28) ^ rotate_right(a, 34) ^ rotate_right(a, 39),
          spread(ta))
IMMEDIATE(SHA512SUM1,
          rotate_right(a, 14) ^ rotate_right(a, 18) ^ rotate_right(a, 41),
          spread(ta))
IMMEDIATE(SHA512SIG0, rotate_right(a, 1) ^ rotate_right(a, 8) ^ a >> 7,
          spread(ta))
IMMEDIATE(SHA512SIG1, rotate_right(a, 19) ^ rotate_right(a, 61) ^ a >> 6,
          spread(ta))
#endif
