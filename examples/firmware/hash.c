// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A hash, at once and in parts.

#include "console.h"
#include "cryptile.h"

int example(void) {
  uint8_t digest[32];
  cryptile_status_t status = cryptile_hash(&cryptile_sha256, "abc", 3, digest);
  if (status != CRYPTILE_OK) {
    print(cryptile_strerror(status));
    return 1;
  }
  print_bytes("SHA-256", digest, sizeof digest);

  cryptile_hash_ctx_t ctx;
  if (cryptile_hash_init(&ctx, &cryptile_sha3_256) != CRYPTILE_OK ||
      cryptile_hash_update(&ctx, "a", 1) != CRYPTILE_OK ||
      cryptile_hash_update(&ctx, "bc", 2) != CRYPTILE_OK ||
      cryptile_hash_final(&ctx, digest) != CRYPTILE_OK) {
    return 1;
  }
  print_bytes("SHA3-256", digest, sizeof digest);
  return 0;
}
