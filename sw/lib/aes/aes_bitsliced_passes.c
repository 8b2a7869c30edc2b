// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_bitsliced.h"

void cry_aes_bitsliced_encrypt_passes(const void *sliced, unsigned rounds, const void *in,
                                      void *out, size_t passes) {
  const uint8_t *source = in;
  uint8_t *target = out;
  for (; passes != 0; passes--, source += AES_PASS_BYTES, target += AES_PASS_BYTES) {
    cry_aes_bitsliced_encrypt(sliced, rounds, source, target);
  }
}

void cry_aes_bitsliced_decrypt_passes(const void *sliced, unsigned rounds, const void *in,
                                      void *out, size_t passes) {
  const uint8_t *source = in;
  uint8_t *target = out;
  for (; passes != 0; passes--, source += AES_PASS_BYTES, target += AES_PASS_BYTES) {
    cry_aes_bitsliced_decrypt(sliced, rounds, source, target);
  }
}
