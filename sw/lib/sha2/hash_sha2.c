// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "sha2/hash_sha2.h"

#include <string.h>

#include "bytes.h"

enum { SmallBlock = 64, SmallShift = 6 };

// The block size is a power of two; without the M extension a division would be a loop.
static size_t used_of(const cryptile_hash_alg_t *alg, const cryptile_sha2_t *sha2) {
  return (size_t)sha2->total & (alg->block_size - 1u);
}

void cry_hash_sha2_init(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state) {
  cryptile_sha2_t *sha2 = &state->sha2;
  memcpy(&sha2->chain, alg->initial, alg->block_size / 2);
  sha2->total = 0;
}

void cry_hash_sha2_update(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
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

// Zeros the end of the block; bytes up to a word boundary first, for a memset() of words.
static void clear_from(cryptile_sha2_t *sha2, size_t used, size_t block) {
  for (; used % 8 != 0; used++) {
    sha2->block[used] = 0;
  }
  memset(sha2->block + used, 0, block - used);
}

// Pads with a one, zeros, and the length in bits as a big-endian number of an eighth of a block.
static void pad(const cryptile_hash_alg_t *alg, cryptile_sha2_t *sha2) {
  size_t block = alg->block_size;
  size_t used = used_of(alg, sha2);
  sha2->block[used++] = 0x80;
  if (used > block - block / 8) {
    clear_from(sha2, used, block);
    alg->blocks(sha2, sha2->block, 1);
    used = 0;
  }
  clear_from(sha2, used, block);
  store32_be(sha2->block + block - 8, (uint32_t)(sha2->total >> 29));
  store32_be(sha2->block + block - 4, (uint32_t)(sha2->total << 3));
  alg->blocks(sha2, sha2->block, 1);
}

void cry_hash_sha2_final(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
                         uint8_t *digest) {
  cryptile_sha2_t *sha2 = &state->sha2;
  pad(alg, sha2);
  if (alg->block_size == SmallBlock) {
    for (size_t i = 0; i < alg->digest_size; i += 4) {
      store32_be(digest + i, sha2->chain.w32[i / 4]);
    }
  } else {
    for (size_t i = 0; i < alg->digest_size; i += 8) {
      store32_be(digest + i, (uint32_t)(sha2->chain.w64[i / 8] >> 32));
      store32_be(digest + i + 4, (uint32_t)sha2->chain.w64[i / 8]);
    }
  }
}
