// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ed25519: a signed message, and whether it is what was signed.

#include "console.h"
#include "cryptile.h"

// The private key of RFC 8032, section 7.1, test 2. Make your own of 32 random bytes.
static const uint8_t kSeed[32] = {0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3,
                                  0x46, 0xec, 0x11, 0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab,
                                  0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb};

int example(void) {
  uint8_t public_key[32], signature[64];
  if (cryptile_ed25519_public(public_key, kSeed) != CRYPTILE_OK ||
      cryptile_ed25519_sign(signature, "r", 1, kSeed, public_key) != CRYPTILE_OK) {
    return 1;
  }
  print_bytes("Ed25519", signature, sizeof signature);
  if (cryptile_ed25519_verify(signature, "r", 1, public_key) != CRYPTILE_OK) {
    return 2;
  }
  if (cryptile_ed25519_verify(signature, "s", 1, public_key) != CRYPTILE_ERR_AUTH) {
    return 3;
  }
  print("another message is refused\n");
  return 0;
}
