// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The compression of SHA-256 and SHA-512 (FIPS 180-4, sections 6.2 and 6.4), which differ in their
// words, rounds and constants. Who includes this defines word_t, ROUNDS, ROUND_CONSTANTS and the
// bits of the functions of section 4.1. The sixteen words of the message schedule in use are a
// ring.

static inline word_t rotr(word_t x, unsigned n) {
  return x >> n | x << (8 * sizeof x - n);
}

static inline word_t sum(word_t x, unsigned first, unsigned second, unsigned third) {
  return rotr(x, first) ^ rotr(x, second) ^ rotr(x, third);
}

static inline word_t sigma(word_t x, unsigned first, unsigned second, unsigned shift) {
  return rotr(x, first) ^ rotr(x, second) ^ x >> shift;
}

static inline word_t load_be(const uint8_t *in) {
  word_t word = 0;
  for (unsigned i = 0; i < sizeof word; i++) {
    word = word << 8 | in[i];
  }
  return word;
}

// One round; the caller renames the variables instead of moving them.
static inline void step(word_t a, word_t b, word_t c, word_t *d, word_t e, word_t f, word_t g,
                        word_t *h, word_t word) {
  word_t t = *h + sum(e, SUM1) + (((f ^ g) & e) ^ g) + word;
  *d += t;
  *h = t + sum(a, SUM0) + ((a & b) | ((a | b) & c));
}

static inline word_t next_word(const word_t w[16], unsigned t) {
  return w[t % 16] + sigma(w[(t + 1) % 16], SIGMA0) + w[(t + 9) % 16] +
         sigma(w[(t + 14) % 16], SIGMA1);
}

static void compress(word_t state[8], const uint8_t *in) {
  word_t a = state[0], b = state[1], c = state[2], d = state[3];
  word_t e = state[4], f = state[5], g = state[6], h = state[7];
  word_t w[16];
  for (unsigned i = 0; i < 16; i++) {
    w[i] = load_be(in + sizeof *w * i);
  }
  for (unsigned t = 0; t < ROUNDS; t += 8) {
    const word_t *k = ROUND_CONSTANTS + t;
    word_t *word = w + t % 16;
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
