// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Multiples of the base point B of Ed25519.
#ifndef CRYPTILE_LIB_ED25519_BASE_H
#define CRYPTILE_LIB_ED25519_BASE_H

#include "curve25519/ed25519_point.h"
#include "curve25519/ed25519_scalar.h"

// Entry [t][i] is 2^(64 t) (+-B +-2^16 B +-2^32 B + 2^48 B), where bit j of i gives the sign of
// 2^(16 j) B, 1 for plus: y + x, y - x and 2 d x y, eight words each.
extern const uint32_t cry_ed25519_comb[4][8][24];

// r = a B. Constant time: every look-up reads the whole of its table.
void cry_ed25519_base_mul(ed25519_point_t *r, const ed25519_scalar_t a);

// r = a B + h P. NOT constant-time.
void cry_ed25519_base_muladd(ed25519_point_t *r, const ed25519_scalar_t a, const ed25519_scalar_t h,
                             const ed25519_point_t *p);

#endif  // CRYPTILE_LIB_ED25519_BASE_H
