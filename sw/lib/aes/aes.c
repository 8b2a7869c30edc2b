// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes.h"

#include <string.h>

#include "wipe.h"

void aes_set_encrypt_key(aes_key_t *key, const uint8_t *bytes, unsigned key_len) {
  uint32_t round_keys[60];
  key->rounds = 6 + key_len / 4;
  aes_bitsliced_expand_key(round_keys, key->rounds, bytes);
  aes_bitsliced_slice_keys(key->sliced, round_keys, key->rounds);
  wipe(round_keys, sizeof(round_keys));
}

void aes_encrypt_block(const aes_key_t *key, const uint8_t in[16], uint8_t out[16]) {
  uint8_t blocks[AES_PASS_BYTES] = {0};
  memcpy(blocks, in, 16);
  aes_bitsliced_encrypt(key->sliced, key->rounds, blocks, blocks);
  memcpy(out, blocks, 16);
  wipe(blocks, sizeof(blocks));
}

// Without branches: in GCM the first counter depends on the key, unless the nonce has 12 bytes.
static void increment(uint8_t counter[16]) {
  unsigned carry = 1;
  for (unsigned i = 16; i-- > 12;) {
    carry += counter[i];
    counter[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

void aes_ctr32(const aes_key_t *key, uint8_t counter[16], const uint8_t *in, uint8_t *out,
               size_t len) {
  uint8_t stream[AES_PASS_BYTES] = {0};
  while (len != 0) {
    size_t part = len < AES_PASS_BYTES ? len : AES_PASS_BYTES;
    for (size_t i = 0; i < part; i += 16) {
      memcpy(stream + i, counter, 16);
      increment(counter);
    }
    aes_bitsliced_encrypt(key->sliced, key->rounds, stream, stream);
    for (size_t i = 0; i < part; i++) {
      out[i] = in[i] ^ stream[i];
    }
    in += part;
    out += part;
    len -= part;
  }
  wipe(stream, sizeof(stream));
}
