// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// FIPS 180-4, section 6.2. The sixteen words of the message schedule in use are a ring.

#include "sha2/sha256.h"

static inline uint32_t rotr(uint32_t x, unsigned n) {
  return x >> n | x << (32 - n);
}

static inline uint32_t load_be(const uint8_t *in) {
  uint32_t word = 0;
  for (unsigned i = 0; i < 4; i++) {
    word = word << 8 | in[i];
  }
  return word;
}

// One round; the caller renames the variables instead of moving them.
static inline void step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t word) {
  uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
  uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
  uint32_t t = *h + sum1 + (((f ^ g) & e) ^ g) + word;
  *d += t;
  *h = t + sum0 + ((a & b) | ((a | b) & c));
}

static inline uint32_t next_word(const uint32_t w[16], unsigned t) {
  uint32_t early = w[(t + 1) % 16];
  uint32_t late = w[(t + 14) % 16];
  uint32_t sig0 = rotr(early, 7) ^ rotr(early, 18) ^ early >> 3;
  uint32_t sig1 = rotr(late, 17) ^ rotr(late, 19) ^ late >> 10;
  return w[t % 16] + sig0 + w[(t + 9) % 16] + sig1;
}

static void compress(uint32_t state[8], const uint8_t *in) {
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  uint32_t w[16];
  for (unsigned i = 0; i < 16; i++) {
    w[i] = load_be(in + 4 * i);
  }
  for (unsigned t = 0; t < 64; t += 8) {
    const uint32_t *k = cry_sha256_k + t;
    uint32_t *word = w + t % 16;
    step(a, b, c, &d, e, f, g, &h, word[0] + k[0]);
    step(h, a, b, &c, d, e, f, &g, word[1] + k[1]);
    step(g, h, a, &b, c, d, e, &f, word[2] + k[2]);
    step(f, g, h, &a, b, c, d, &e, word[3] + k[3]);
    step(e, f, g, &h, a, b, c, &d, word[4] + k[4]);
    step(d, e, f, &g, h, a, b, &c, word[5] + k[5]);
    step(c, d, e, &f, g, h, a, &b, word[6] + k[6]);
    step(b, c, d, &e, f, g, h, &a, word[7] + k[7]);
    for (unsigned i = t; i < t + 8; i++) {
      w[i % 16] = next_word(w, i);
    }
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

void cry_sha256_blocks_c(uint32_t state[8], const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += SHA256_BLOCK) {
    compress(state, in);
  }
}
