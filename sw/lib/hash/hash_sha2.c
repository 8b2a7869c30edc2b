// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "hash/hash_sha2.h"

#include <string.h>

enum { SmallBlock = 64, SmallShift = 6 };

// The block size is a power of two; without the M extension a division would be a loop.
static size_t used_of(const cryptile_hash_alg_t *alg, const cryptile_sha2_t *sha2) {
  return (size_t)sha2->total & (alg->block_size - 1u);
}

void hash_sha2_init(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state) {
  cryptile_sha2_t *sha2 = &state->sha2;
  memcpy(&sha2->chain, alg->initial, alg->block_size / 2);
  sha2->total = 0;
}

void hash_sha2_update(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
                      const uint8_t *in, size_t len) {
  cryptile_sha2_t *sha2 = &state->sha2;
  size_t block = alg->block_size;
  size_t used = used_of(alg, sha2);
  sha2->total += len;
  if (used != 0) {
    size_t part = block - used < len ? block - used : len;
    memcpy(sha2->block + used, in, part);
    in += part;
    len -= part;
    if (used + part < block) {
      return;
    }
    alg->blocks(sha2, sha2->block, 1);
  }
  size_t whole = len >> (block == SmallBlock ? SmallShift : SmallShift + 1);
  if (whole != 0) {
    alg->blocks(sha2, in, whole);
  }
  size_t rest = len & (block - 1);
  if (rest != 0) {
    memcpy(sha2->block, in + (len - rest), rest);
  }
}

// Pads with a one, zeros, and the length in bits as a big-endian number of an eighth of a block.
static void pad(const cryptile_hash_alg_t *alg, cryptile_sha2_t *sha2) {
  size_t block = alg->block_size;
  size_t used = used_of(alg, sha2);
  sha2->block[used++] = 0x80;
  if (used > block - block / 8) {
    memset(sha2->block + used, 0, block - used);
    alg->blocks(sha2, sha2->block, 1);
    used = 0;
  }
  memset(sha2->block + used, 0, block - used);
  uint64_t bits = sha2->total << 3;
  for (size_t i = 1; i <= 8; i++, bits >>= 8) {
    sha2->block[block - i] = (uint8_t)bits;
  }
  alg->blocks(sha2, sha2->block, 1);
}

void hash_sha2_final(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
                     uint8_t *digest) {
  cryptile_sha2_t *sha2 = &state->sha2;
  pad(alg, sha2);
  for (size_t i = 0; i < alg->digest_size; i++) {
    digest[i] = alg->block_size == SmallBlock
                    ? (uint8_t)(sha2->chain.w32[i / 4] >> (24 - 8 * (i % 4)))
                    : (uint8_t)(sha2->chain.w64[i / 8] >> (56 - 8 * (i % 8)));
  }
}
