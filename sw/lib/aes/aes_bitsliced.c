// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_bitsliced.h"

#include <string.h>

#include "bytes.h"
#include "wipe.h"

enum { PlaneBits = 8 * sizeof(aes_plane_t), RowBits = PlaneBits / 4, ColumnBits = PlaneBits / 16 };

// A plane with the same bits in every row.
#define ROWS(bits) ((aes_plane_t)(bits) * (((aes_plane_t)-1) / (((aes_plane_t)1 << RowBits) - 1)))
// A plane with the same byte everywhere.
#define BYTES(byte) (((aes_plane_t)-1) / 0xff * (byte))

// S-box of the four bytes of a word. The bits that are not masked off are idle.
static uint32_t sub_word(uint32_t w) {
  aes_plane_t p[8];
  uint32_t out = 0;
  for (unsigned j = 0; j < 8; j++) {
    p[j] = w >> j;
  }
  aes_gates_sub(p);
  for (unsigned j = 0; j < 8; j++) {
    out |= (uint32_t)(p[j] & 0x01010101u) << j;
  }
  return out ^ 0x63636363u;
}

void cry_aes_bitsliced_expand_key_c(uint32_t *round_keys, unsigned rounds, const uint8_t *key) {
  unsigned key_words = rounds - 6;
  unsigned end = 4 * (rounds + 1);
  uint32_t rcon = 1;
  memcpy(round_keys, key, 4 * key_words);
  uint32_t t = load32_le(key + 4 * key_words - 4);
  for (unsigned i = key_words, phase = 0; i < end; i++) {
    if (phase == 0) {
      t = sub_word(t >> 8 | t << 24) ^ rcon;
      rcon = (rcon << 1 ^ (rcon >> 7) * 0x1b) & 0xff;
    } else if (key_words == 8 && phase == 4) {
      t = sub_word(t);
    }
    round_keys[i] = t ^= round_keys[i - key_words];
    phase = phase + 1 == key_words ? 0 : phase + 1;
  }
}

// Exchanges the bits of `a` under mask << shift with those of `b` under the mask.
static void exchange(aes_plane_t *a, aes_plane_t *b, unsigned shift, aes_plane_t mask) {
  aes_plane_t t = (*a >> shift ^ *b) & mask;
  *a ^= t << shift;
  *b ^= t;
}

// Transposes the bit matrices (index of the plane, bit in a byte). Its own inverse.
static void transpose(aes_plane_t p[8]) {
  for (unsigned j = 0; j < 8; j += 2) {
    exchange(&p[j], &p[j + 1], 1, BYTES(0x55));
  }
  for (unsigned j = 0; j < 8; j += 4) {
    exchange(&p[j], &p[j + 2], 2, BYTES(0x33));
    exchange(&p[j + 1], &p[j + 3], 2, BYTES(0x33));
  }
  for (unsigned j = 0; j < 4; j++) {
    exchange(&p[j], &p[j + 4], 4, BYTES(0x0f));
  }
}

// Words of columns to planes and back. words[4 * b + c] is column c of block b.
#if UINTPTR_MAX > 0xffffffffu
static uint64_t spread(uint32_t w) {
  uint64_t x = (w | (uint64_t)w << 16) & 0x0000ffff0000ffffu;
  return (x | x << 8) & 0x00ff00ff00ff00ffu;
}

static uint32_t gather(uint64_t x) {
  x &= 0x00ff00ff00ff00ffu;
  x = (x | x >> 8) & 0x0000ffff0000ffffu;
  return (uint32_t)(x | x >> 16);
}

static void pack(aes_plane_t p[8], const uint32_t words[16]) {
  for (unsigned i = 0; i < 8; i++) {
    const uint32_t *w = words + 4 * (i & 3) + i / 4;
    p[i] = spread(w[0]) | spread(w[2]) << 8;
  }
  transpose(p);
}

static void unpack(uint32_t words[16], aes_plane_t p[8]) {
  transpose(p);
  for (unsigned i = 0; i < 8; i++) {
    uint32_t *w = words + 4 * (i & 3) + i / 4;
    w[0] = gather(p[i]);
    w[2] = gather(p[i] >> 8);
  }
}
#else
static void pack(aes_plane_t p[8], const uint32_t words[8]) {
  for (unsigned i = 0; i < 8; i++) {
    p[i] = words[4 * (i & 1) + i / 2];
  }
  transpose(p);
}

static void unpack(uint32_t words[8], aes_plane_t p[8]) {
  transpose(p);
  for (unsigned i = 0; i < 8; i++) {
    words[4 * (i & 1) + i / 2] = p[i];
  }
}
#endif

// Row r takes its columns from `step` * r columns to the right.
static void shift_rows(uint32_t column[4], unsigned step) {
  uint32_t from[4];
  memcpy(from, column, sizeof(from));
  for (unsigned c = 0; c < 4; c++) {
    column[c] = 0;
    for (unsigned r = 0; r < 4; r++) {
      column[c] |= from[(c + step * r) & 3] & 0xffu << 8 * r;
    }
  }
}

void cry_aes_bitsliced_slice_keys_c(aes_plane_t *sliced, const uint32_t *round_keys,
                                    unsigned rounds) {
  uint32_t words[4 * AES_PASS_BLOCKS];
  for (unsigned t = 0; t <= rounds; t++) {
    for (unsigned c = 0; c < 4; c++) {
      words[c] = round_keys[4 * t + c] ^ (t == 0 ? 0 : 0x63636363u);
    }
    shift_rows(words, 1 - t);
    for (unsigned b = 1; b < AES_PASS_BLOCKS; b++) {
      memcpy(words + 4 * b, words, 16);
    }
    pack(sliced + 8 * t, words);
  }
  wipe(words, sizeof(words));
}

static void add_key(aes_plane_t p[8], const aes_plane_t key[8]) {
  for (unsigned j = 0; j < 8; j++) {
    p[j] ^= key[j];
  }
}

static aes_plane_t rotate_rows(aes_plane_t x, unsigned rows) {
  return x >> RowBits * rows | x << (PlaneBits - RowBits * rows);
}

static aes_plane_t rotate_columns(aes_plane_t x, unsigned columns) {
  unsigned bits = ColumnBits * columns;
  aes_plane_t stay = ROWS(((aes_plane_t)1 << (RowBits - bits)) - 1);
  return (x >> bits & stay) | (x & ROWS(((aes_plane_t)1 << bits) - 1)) << (RowBits - bits);
}

// The byte one row down, and `step` columns to the right.
static aes_plane_t down(aes_plane_t x, unsigned step) {
  return rotate_columns(rotate_rows(x, 1), step);
}

static aes_plane_t down_two(aes_plane_t x, unsigned step) {
  return rotate_columns(rotate_rows(x, 2), 2 * step & 3);
}

// a' = 2 (a + down) + down + down^2 + down^3, after b = a + down.
static void mix_columns(aes_plane_t p[8], unsigned step) {
  aes_plane_t b[8];
  for (unsigned j = 0; j < 8; j++) {
    aes_plane_t below = down(p[j], step);
    b[j] = p[j] ^ below;
    p[j] = below;
  }
  for (unsigned j = 0; j < 8; j++) {
    p[j] ^= down_two(b[j], step) ^ b[(j + 7) & 7];
  }
  p[1] ^= b[7];
  p[3] ^= b[7];
  p[4] ^= b[7];
}

// The inverse is the forward map after adding 4 (a + down^2).
static void inv_mix_columns(aes_plane_t p[8], unsigned step) {
  aes_plane_t b[8];
  for (unsigned j = 0; j < 8; j++) {
    b[j] = p[j] ^ down_two(p[j], step);
  }
  for (unsigned j = 0; j < 8; j++) {
    p[j] ^= b[(j + 6) & 7];
  }
  p[1] ^= b[6];
  p[3] ^= b[6];
  p[4] ^= b[6];
  p[2] ^= b[7];
  p[4] ^= b[7];
  p[5] ^= b[7];
  mix_columns(p, step);
}

static void load_blocks(uint32_t *words, const uint8_t *in, unsigned step) {
  for (unsigned i = 0; i < 4 * AES_PASS_BLOCKS; i++) {
    words[i] = load32_le(in + 4 * i);
  }
  for (unsigned b = 0; b < AES_PASS_BLOCKS; b++) {
    shift_rows(words + 4 * b, step);
  }
}

static void store_blocks(uint8_t *out, uint32_t *words, unsigned step) {
  for (unsigned b = 0; b < AES_PASS_BLOCKS; b++) {
    shift_rows(words + 4 * b, step);
  }
  for (unsigned i = 0; i < 4 * AES_PASS_BLOCKS; i++) {
    store32_le(out + 4 * i, words[i]);
  }
}

void cry_aes_bitsliced_encrypt_c(const aes_plane_t *sliced, unsigned rounds, const void *in,
                                 void *out) {
  uint32_t words[4 * AES_PASS_BLOCKS];
  aes_plane_t p[8];
  load_blocks(words, in, 1);
  pack(p, words);
  for (unsigned t = 1; t <= rounds; t++) {
    add_key(p, sliced);
    aes_gates_sub(p);
    sliced += 8;
    if (t != rounds) {
      mix_columns(p, (t - 1) & 3);
    }
  }
  add_key(p, sliced);
  unpack(words, p);
  store_blocks(out, words, rounds - 1);
  wipe(words, sizeof(words));
  wipe(p, sizeof(p));
}

void cry_aes_bitsliced_decrypt_c(const aes_plane_t *sliced, unsigned rounds, const void *in,
                                 void *out) {
  uint32_t words[4 * AES_PASS_BLOCKS];
  aes_plane_t p[8];
  sliced += 8 * rounds;
  load_blocks(words, in, 1 - rounds);
  pack(p, words);
  for (unsigned t = rounds; t >= 1; t--) {
    add_key(p, sliced);
    if (t != rounds) {
      inv_mix_columns(p, (t - 1) & 3);
    }
    aes_gates_inv_sub(p);
    sliced -= 8;
  }
  add_key(p, sliced);
  unpack(words, p);
  store_blocks(out, words, 3);
  wipe(words, sizeof(words));
  wipe(p, sizeof(p));
}

void cry_aes_bitsliced_ctr_c(const aes_plane_t *sliced, unsigned rounds, uint32_t counter[4],
                             const void *in, void *out, size_t passes) {
  uint8_t *number = (uint8_t *)&counter[3];
  const uint8_t *source = in;
  uint8_t *target = out;
  uint8_t stream[AES_PASS_BYTES];
  for (; passes != 0; passes--) {
    for (size_t i = 0; i < sizeof stream; i += 16) {
      memcpy(stream + i, counter, 16);
      store32_be(number, load32_be(number) + 1);
    }
    cry_aes_bitsliced_encrypt_c(sliced, rounds, stream, stream);
    for (size_t i = 0; i < sizeof stream; i++) {
      target[i] = source[i] ^ stream[i];
    }
    source += sizeof stream;
    target += sizeof stream;
  }
  wipe(stream, sizeof stream);
}
