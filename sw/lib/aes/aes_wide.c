// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_wide.h"

enum { FieldBits = 2 * sizeof(aes_plane_t) };

void cry_aes_wide_keys_c(aes_plane_t *wide, const uint32_t *round_keys, unsigned rounds) {
  const aes_plane_t ones = (aes_plane_t)-1 / (((aes_plane_t)1 << FieldBits) - 1);
  for (unsigned t = 0; t <= rounds; t++) {
    for (unsigned r = 0; r < 4; r++) {
      aes_plane_t row = 0;
      for (unsigned c = 0; c < 4; c++) {
        uint32_t byte = (round_keys[4 * t + c] >> 8 * r & 0xff) ^ (t == 0 ? 0 : 0x63);
        row |= (aes_plane_t)byte << FieldBits * c;
      }
      for (unsigned j = 0; j < 8; j++) {
        aes_plane_t bits = row >> j & ones;
        *wide++ = (bits << FieldBits) - bits;
      }
    }
  }
}
