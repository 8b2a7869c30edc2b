// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cipher/pkcs7.h"

#include <string.h>

void cry_pkcs7_pad(uint8_t block[16], size_t used) {
  memset(block + used, (int)(16 - used), 16 - used);
}

size_t cry_pkcs7_check(const uint8_t block[16]) {
  uint32_t pad = block[15];
  // Bits above the low 8 of a difference are all ones when it is negative: masks without branches.
  uint32_t bad = (pad - 1u) >> 8 | (16u - pad) >> 8;
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t is_padding = ((15u - i) - pad) >> 8;
    bad |= is_padding & (block[i] ^ pad);
  }
  uint32_t good_mask = (uint32_t)(((uint64_t)bad - 1u) >> 32);
  return pad & good_mask;
}
