// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "ascon/ascon.h"
#include "ascon/lanes.h"

static uint64_t rotate(uint64_t x, unsigned n) {
  return x >> n | x << (64 - n);
}

static uint64_t diffuse(uint64_t x, unsigned m, unsigned n) {
  return x ^ rotate(x, m) ^ rotate(x, n);
}

// The lanes are variables, not an array: so compilers keep what they can in registers.
void cry_ascon_permute_c(uint64_t state[5], unsigned rounds) {
  uint64_t a = ascon_from_state(state[0]), b = ascon_from_state(state[1]),
           c = ascon_from_state(state[2]), d = ascon_from_state(state[3]),
           e = ascon_from_state(state[4]);
  for (unsigned round = 12 - rounds; round < 12; round++) {
    c ^= (15 - round) << 4 | round;
    a ^= e;
    e ^= d;
    c ^= b;
    const uint64_t v = a ^ (~b & c), w = b ^ (~c & d), x = c ^ (~d & e), y = d ^ (~e & a),
                   z = e ^ (~a & b);
    a = diffuse(v ^ z, 19, 28);
    b = diffuse(w ^ v, 61, 39);
    c = diffuse(~x, 1, 6);
    d = diffuse(y ^ x, 10, 17);
    e = diffuse(z, 7, 41);
  }
  state[0] = ascon_to_state(a);
  state[1] = ascon_to_state(b);
  state[2] = ascon_to_state(c);
  state[3] = ascon_to_state(d);
  state[4] = ascon_to_state(e);
}

void cry_ascon_blocks_c(uint64_t state[5], const void *in, void *out, size_t blocks, int mode) {
  const uint8_t *from = in;
  uint8_t *to = out;
  for (; blocks != 0; blocks--) {
    for (unsigned n = 0; n < 2; n++, from += 8) {
      const uint64_t word = ascon_load_lane(from), mixed = ascon_from_state(state[n]) ^ word;
      if (mode != ASCON_ABSORB) {
        ascon_store_lane(to, mixed);
        to += 8;
      }
      state[n] = ascon_to_state(mode == ASCON_DECRYPT ? word : mixed);
    }
    cry_ascon_permute_c(state, 8);
  }
}
