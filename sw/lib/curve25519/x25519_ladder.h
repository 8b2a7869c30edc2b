// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Montgomery's ladder.
#ifndef CRYPTILE_LIB_X25519_LADDER_H
#define CRYPTILE_LIB_X25519_LADDER_H

#include "curve25519/fe25519.h"

// xz = X and Z, one behind the other, of k times the point with the coordinate x. Bits 254 to 0 of
// the 32 bytes of `k` count, bit 0 must be 0.
void cry_x25519_ladder_c(fe25519_t xz[2], const fe25519_t x, const uint8_t k[32]);
void cry_x25519_ladder_asm(uint32_t xz[2][8], const uint32_t x[8], const uint8_t k[32]);

#if HAVE_CRY_X25519_LADDER_ASM
#define cry_x25519_ladder cry_x25519_ladder_asm
#else
#define cry_x25519_ladder cry_x25519_ladder_c
#endif

#endif  // CRYPTILE_LIB_X25519_LADDER_H
