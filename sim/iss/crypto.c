// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Bit by bit after the definitions of the Zb* and Zk* extensions; AES tables are computed.
#include "crypto.h"

static uint8_t sbox[256], inverse_sbox[256];

static uint8_t times2(uint8_t a) {
  return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static uint8_t times(uint8_t a, unsigned b) {
  uint8_t product = 0;
  for (; b != 0; b >>= 1, a = times2(a))
    if (b & 1)
      product ^= a;
  return product;
}

void crypto_init(void) {
  if (sbox[0] != 0)
    return;
  for (unsigned value = 0; value < 256; ++value) {
    uint8_t inverse = 1;  // value^254
    for (unsigned i = 0; i < 254; ++i)
      inverse = times(inverse, value);
    uint8_t affine = 0x63;
    for (unsigned turn = 0; turn < 5; ++turn)
      affine ^= (uint8_t)(inverse << turn | inverse >> (8 - turn));
    sbox[value] = affine;
    inverse_sbox[affine] = (uint8_t)value;
  }
}

// A byte's column after (Inv)MixColumns, byte 0 of the column lowest.
static uint32_t mix_byte(uint8_t b, int decrypt) {
  if (decrypt)
    return times(b, 14) | (uint32_t)times(b, 9) << 8 | (uint32_t)times(b, 13) << 16 |
           (uint32_t)times(b, 11) << 24;
  return times(b, 2) | (uint32_t)b << 8 | (uint32_t)b << 16 | (uint32_t)times(b, 3) << 24;
}

static uint32_t rotate(uint32_t value, unsigned left) {
  return left == 0 ? value : value << left | value >> (32 - left);
}

static uint32_t mix_column(uint32_t column, int decrypt) {
  uint32_t mixed = 0;
  for (unsigned i = 0; i < 4; ++i)
    mixed ^= rotate(mix_byte((uint8_t)(column >> 8 * i), decrypt), 8 * i);
  return mixed;
}

static uint32_t sub_word(uint32_t word) {
  return sbox[word & 255] | (uint32_t)sbox[word >> 8 & 255] << 8 |
         (uint32_t)sbox[word >> 16 & 255] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

uint32_t aes32(uint32_t rs1, uint32_t rs2, uint32_t shift, int decrypt, int mix) {
  const uint8_t in = (uint8_t)(rs2 >> shift);
  const uint8_t out = decrypt ? inverse_sbox[in] : sbox[in];
  return rs1 ^ rotate(mix ? mix_byte(out, decrypt) : out, shift);
}

uint64_t aes64_round(uint64_t rs1, uint64_t rs2, int decrypt, int mix) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    // Byte i of the result: row i % 4 of column i / 4; rs1 holds columns 0 and 1, rs2 2 and 3.
    const unsigned row = i % 4;
    const unsigned column = (i / 4 + (decrypt ? 4 - row : row)) % 4;
    const uint64_t half = column < 2 ? rs1 : rs2;
    const uint8_t in = (uint8_t)(half >> (8 * (column % 2 * 4 + row)));
    result |= (uint64_t)(decrypt ? inverse_sbox[in] : sbox[in]) << 8 * i;
  }
  if (!mix)
    return result;
  return mix_column((uint32_t)result, decrypt) |
         (uint64_t)mix_column((uint32_t)(result >> 32), decrypt) << 32;
}

uint64_t aes64_inverse_mix(uint64_t rs1) {
  return mix_column((uint32_t)rs1, 1) | (uint64_t)mix_column((uint32_t)(rs1 >> 32), 1) << 32;
}

uint64_t aes64_key_1(uint64_t rs1, uint32_t round) {
  static const uint8_t constants[10] = {1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36};
  uint32_t word = (uint32_t)(rs1 >> 32);
  if (round < 10)
    word = sub_word(rotate(word, 24)) ^ constants[round];
  else
    word = sub_word(word);
  return word | (uint64_t)word << 32;
}

uint64_t aes64_key_2(uint64_t rs1, uint64_t rs2) {
  const uint32_t low = (uint32_t)(rs1 >> 32) ^ (uint32_t)rs2;
  return low | (uint64_t)(low ^ (uint32_t)(rs2 >> 32)) << 32;
}

uint64_t carryless(uint64_t a, uint64_t b, unsigned width, unsigned shift) {
  unsigned __int128 product = 0;
  for (unsigned i = 0; i < width; ++i)
    if (b >> i & 1)
      product ^= (unsigned __int128)a << i;
  return (uint64_t)(product >> shift);
}

uint64_t permute(uint64_t rs1, uint64_t rs2, unsigned width, unsigned element) {
  const uint64_t mask = (1u << element) - 1;
  uint64_t result = 0;
  for (unsigned at = 0; at < width; at += element) {
    const unsigned from = (unsigned)(rs2 >> at & mask) * element;
    if (from < width)
      result |= (rs1 >> from & mask) << at;
  }
  return result;
}

uint64_t or_combine(uint64_t value) {
  value |= value >> 1 & 0x7f7f7f7f7f7f7f7f;
  value |= value >> 2 & 0x3f3f3f3f3f3f3f3f;
  value |= value >> 4 & 0x0f0f0f0f0f0f0f0f;
  return (value & 0x0101010101010101) * 0xff;
}

uint64_t reverse_in_bytes(uint64_t value) {
  value = (value >> 1 & 0x5555555555555555) | (value & 0x5555555555555555) << 1;
  value = (value >> 2 & 0x3333333333333333) | (value & 0x3333333333333333) << 2;
  return (value >> 4 & 0x0f0f0f0f0f0f0f0f) | (value & 0x0f0f0f0f0f0f0f0f) << 4;
}

uint32_t zip(uint32_t value) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 16; ++i)
    result |= (value >> i & 1) << 2 * i | (value >> (i + 16) & 1) << (2 * i + 1);
  return result;
}

uint32_t unzip(uint32_t value) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 16; ++i)
    result |= (value >> 2 * i & 1) << i | (value >> (2 * i + 1) & 1) << (i + 16);
  return result;
}
