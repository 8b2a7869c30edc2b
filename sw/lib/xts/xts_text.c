// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "xts/xts_text.h"

#include <stdbool.h>
#include <string.h>

#include "bytes.h"

enum { Block = 16, ChunkBlocks = 8 };

// Blocks as words in the order of memory, aligned for the AES.
typedef union {
  uint64_t align;
  uint32_t words[4 * ChunkBlocks];
  uint8_t bytes[Block * ChunkBlocks];
} chunk_t;

// Multiplies by x in GF(2^128), bits in the order of IEEE 1619.
static void next_tweak(uint32_t next[4], const uint32_t tweak[4]) {
  const uint32_t reduction = 0x87 & (0 - (order32_le(tweak[3]) >> 31));
  uint32_t carry = 0;
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t word = order32_le(tweak[i]);
    next[i] = order32_le(word << 1 | carry);
    carry = word >> 31;
  }
  next[0] ^= order32_le(reduction);
}

static void add(chunk_t *text, const chunk_t *tweaks, size_t len) {
  for (size_t i = 0; i < len / 4; i++) {
    text->words[i] ^= tweaks->words[i];
  }
}

// Works on whole blocks and moves the tweak on.
static void whole_blocks(const aes_key_t *key, cryptile_direction_t direction, uint32_t tweak[4],
                         const uint8_t *in, uint8_t *out, size_t len) {
  chunk_t tweaks, text;
  while (len != 0) {
    const size_t part = len < sizeof text ? len : sizeof text;
    for (size_t i = 0; i < part / 4; i += 4) {
      memcpy(tweaks.words + i, __builtin_assume_aligned(tweak, sizeof *tweak), Block);
      next_tweak(tweak, tweak);
    }
    memcpy(text.bytes, in, part);
    add(&text, &tweaks, part);
    cry_aes_ecb(key, direction, text.bytes, text.bytes, part);
    add(&text, &tweaks, part);
    memcpy(out, text.bytes, part);
    in += part;
    out += part;
    len -= part;
  }
}

// Works on the last whole block and the `extra` bytes behind it (ciphertext stealing): on the
// block, then on those bytes with what the block gives beside them. Encryption takes the tweaks in
// order.
static void steal(const aes_key_t *key, cryptile_direction_t direction, const uint32_t tweak[4],
                  const uint8_t *in, uint8_t *out, size_t extra) {
  uint32_t tweaks[2][4];
  uint8_t block[Block], behind[Block];
  const bool decrypts = direction == CRYPTILE_DECRYPT;
  memcpy(tweaks[decrypts], tweak, Block);
  next_tweak(tweaks[!decrypts], tweak);
  memcpy(behind, in + Block, extra);
  whole_blocks(key, direction, tweaks[0], in, block, Block);
  memcpy(out + Block, block, extra);
  memcpy(block, behind, extra);
  whole_blocks(key, direction, tweaks[1], block, out, Block);
}

void cry_xts_text(const aes_key_t *key, cryptile_direction_t direction, uint32_t tweak[4],
                  const uint8_t *in, uint8_t *out, size_t len) {
  const size_t extra = len % Block;
  const size_t whole = len - extra - (extra != 0 ? (size_t)Block : 0);
  whole_blocks(key, direction, tweak, in, out, whole);
  if (extra != 0) {
    steal(key, direction, tweak, in + whole, out + whole, extra);
  }
}
