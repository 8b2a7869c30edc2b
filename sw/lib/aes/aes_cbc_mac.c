// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_cbc_mac.h"

#include <string.h>

static void add_block(uint32_t chain[4], const uint8_t *in) {
  uint32_t block[4];
  memcpy(block, in, sizeof block);
  for (unsigned i = 0; i < 4; i++) {
    chain[i] ^= block[i];
  }
}

void cry_aes_cbc_mac_add(aes_cbc_mac_t *mac, const aes_key_t *key, const uint8_t *in, size_t len) {
  uint8_t *chain = (uint8_t *)mac->chain;
  while (len != 0) {
    if (mac->used == AesBlock) {
      cry_aes_encrypt_block(key, chain, chain);
      mac->used = 0;
    }
    const size_t left = (size_t)AesBlock - mac->used;
    const size_t part = len < left ? len : left;
    if (part == AesBlock) {
      add_block(mac->chain, in);
    } else {
      for (size_t i = 0; i < part; i++) {
        chain[mac->used + i] ^= in[i];
      }
    }
    mac->used = (uint8_t)(mac->used + part);
    in += part;
    len -= part;
  }
}
