// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The AES S-box as logic on bit planes (x[j] holds bit j of many bytes), by nothing but AND and
// XOR. Bits 0, 1, 5 and 6 come out inverted, that is the constant 0x63 is left out: round keys
// bring it.
#ifndef CRYPTILE_LIB_AES_GATES_H
#define CRYPTILE_LIB_AES_GATES_H

#include <stdint.h>

// As wide as a register: the number of blocks worked on at once.
#if UINTPTR_MAX > 0xffffffffu
typedef uint64_t aes_plane_t;
#else
typedef uint32_t aes_plane_t;
#endif

// The inversion in GF(2^8) by way of GF(2^4), and the linear maps around it: 113 gates. Boyar and
// Peralta, "A small depth-16 circuit for the AES S-box" (SEC 2012), which gives the parts up to
// the products z; the map behind them is Calik's (NIST circuit complexity project, 2016).
static inline void aes_gates_sub(aes_plane_t p[8]) {
  const aes_plane_t x0 = p[7], x1 = p[6], x2 = p[5], x3 = p[4];
  const aes_plane_t x4 = p[3], x5 = p[2], x6 = p[1], x7 = p[0];
  const aes_plane_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
  const aes_plane_t y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6;
  const aes_plane_t y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7;
  const aes_plane_t y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11;
  const aes_plane_t y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

  const aes_plane_t t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2, t7 = y13 & y16;
  const aes_plane_t t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7, t12 = y9 & y11;
  const aes_plane_t t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
  const aes_plane_t t21 = t4 ^ y20 ^ t14, t22 = t6 ^ t16 ^ y19;
  const aes_plane_t t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
  const aes_plane_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22;
  const aes_plane_t t30 = t23 ^ t24, t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24, t34 = t23 ^ t33;
  const aes_plane_t t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36;
  const aes_plane_t t40 = t25 ^ (t29 & t38), t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40;
  const aes_plane_t t44 = t33 ^ t37, t45 = t42 ^ t41;

  const aes_plane_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1;
  const aes_plane_t z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12;
  const aes_plane_t z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13, z13 = t40 & y5;
  const aes_plane_t z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

  const aes_plane_t u1 = z15 ^ z16, u2 = z10 ^ u1, u3 = z9 ^ u2, u4 = z0 ^ z2, u6 = z3 ^ z4;
  const aes_plane_t u8 = z7 ^ u6, u10 = u8 ^ z8 ^ z12 ^ u4, u14 = u4 ^ z3 ^ z5, u16 = z6 ^ u8;
  const aes_plane_t u17 = z14 ^ u10, u18 = z13 ^ u1 ^ u14, s3 = u3 ^ u6 ^ z1 ^ z0;
  p[7] = u3 ^ u16;
  p[6] = s3 ^ u16;
  p[5] = u17 ^ z15 ^ u16 ^ z17;
  p[4] = s3;
  p[3] = u14 ^ s3;
  p[2] = u2 ^ z11 ^ u17;
  p[1] = u10 ^ u18;
  p[0] = z12 ^ u18;
}

// The inverse of the linear map in the S-box: bit j of the result is the sum of bits j + 2, j + 5
// and j + 7 (modulo 8).
static inline void aes_gates_unmap(aes_plane_t p[8]) {
  aes_plane_t q[8];
  for (unsigned j = 0; j < 8; j++) {
    q[j] = p[(j + 2) & 7] ^ p[(j + 5) & 7] ^ p[(j + 7) & 7];
  }
  for (unsigned j = 0; j < 8; j++) {
    p[j] = q[j];
  }
}

// The inverse S-box without its constant: of bytes to which 0x63 has been added already.
static inline void aes_gates_inv_sub(aes_plane_t p[8]) {
  aes_gates_unmap(p);
  aes_gates_sub(p);
  aes_gates_unmap(p);
}

#endif  // CRYPTILE_LIB_AES_GATES_H
