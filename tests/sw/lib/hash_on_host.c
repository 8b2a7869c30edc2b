// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Portable C on the host, built with sanitizers.
//   hash_on_host NAME SEED COUNT  prints COUNT checkpoints of SHAVS 6.4, the Monte Carlo test, and
//   then the last bytes of the longest output of HKDF, with the seed as its key.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cryptile/hkdf.h"

enum { Steps = 1000, MaxBlocks = 255 };

static const cryptile_hash_alg_t *find(const char *name) {
  static const cryptile_hash_alg_t *const All[] = {
      &cryptile_sha224, &cryptile_sha256,     &cryptile_sha384,
      &cryptile_sha512, &cryptile_sha512_224, &cryptile_sha512_256,
  };
  for (size_t i = 0; i < sizeof(All) / sizeof(All[0]); i++) {
    if (strcmp(All[i]->name, name) == 0) {
      return All[i];
    }
  }
  abort();
}

static void print(const uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    printf("%02x", bytes[i]);
  }
  printf("\n");
}

static void must(cryptile_status_t status) {
  if (status != CRYPTILE_OK) {
    abort();
  }
}

static void checkpoint(const cryptile_hash_alg_t *alg, uint8_t *seed) {
  uint8_t last[3][CRYPTILE_HASH_MAX_DIGEST];
  size_t size = alg->digest_size;
  for (size_t i = 0; i < 3; i++) {
    memcpy(last[i], seed, size);
  }
  for (size_t step = 0; step < Steps; step++) {
    cryptile_hash_ctx_t ctx;
    must(cryptile_hash_init(&ctx, alg));
    for (size_t i = 0; i < 3; i++) {
      must(cryptile_hash_update(&ctx, last[(step + i) % 3], size));
    }
    must(cryptile_hash_final(&ctx, last[step % 3]));
  }
  memcpy(seed, last[(Steps - 1) % 3], size);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    return EXIT_FAILURE;
  }
  const cryptile_hash_alg_t *alg = find(argv[1]);
  uint8_t seed[CRYPTILE_HASH_MAX_DIGEST];
  for (size_t i = 0; i < alg->digest_size; i++) {
    char digits[3] = {argv[2][2 * i], argv[2][2 * i + 1], 0};
    seed[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  uint8_t okm[MaxBlocks * CRYPTILE_HASH_MAX_DIGEST];
  size_t okm_len = (size_t)MaxBlocks * alg->digest_size;
  if (cryptile_hkdf(alg, NULL, 0, seed, alg->digest_size, NULL, 0, okm, okm_len) != CRYPTILE_OK) {
    return EXIT_FAILURE;
  }
  for (unsigned long count = strtoul(argv[3], NULL, 10); count != 0; count--) {
    checkpoint(alg, seed);
    print(seed, alg->digest_size);
  }
  print(okm + okm_len - alg->digest_size, alg->digest_size);
  return EXIT_SUCCESS;
}
