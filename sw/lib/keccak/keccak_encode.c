// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "keccak/keccak_encode.h"

#include "keccak/keccak.h"

enum { LEFT, RIGHT };

static void encode(cryptile_sponge_t *ctx, uint64_t value, int side) {
  uint8_t bytes[10];  // the count of bytes, the bytes, the count again
  unsigned count = 1;
  while (count < 8 && value >> 8 * count != 0) {
    count++;
  }
  bytes[0] = bytes[count + 1] = (uint8_t)count;
  for (unsigned n = 0; n < count; n++) {
    bytes[count - n] = (uint8_t)(value >> 8 * n);
  }
  cry_keccak_absorb(ctx, bytes + (side == RIGHT), count + 1);
}

void cry_keccak_left_encode(cryptile_sponge_t *ctx, uint64_t value) {
  encode(ctx, value, LEFT);
}

void cry_keccak_right_encode(cryptile_sponge_t *ctx, uint64_t value) {
  encode(ctx, value, RIGHT);
}

void cry_keccak_encode_string(cryptile_sponge_t *ctx, const void *string, size_t len) {
  cry_keccak_left_encode(ctx, (uint64_t)len * 8);
  cry_keccak_absorb(ctx, string, len);
}

void cry_keccak_cshake(cryptile_sponge_t *ctx, cryptile_xof_strength_t strength, const void *name,
                       size_t name_len, const void *custom, size_t custom_len) {
  cry_keccak_init(ctx, (unsigned)strength, KECCAK_SUFFIX_CSHAKE);
  cry_keccak_left_encode(ctx, (unsigned)strength);
  cry_keccak_encode_string(ctx, name, name_len);
  cry_keccak_encode_string(ctx, custom, custom_len);
  cry_keccak_fill(ctx);
}
