// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The least program that encrypts some blocks with AES-128 in ECB, to see how much code a way to
// compute takes. Built once per implementation: SIZE_COMPACT, SIZE_TABLE,
// SIZE_BITSLICED, SIZE_ENGINE, or none of them for the runtime alone.

#include "aes/aes_bitsliced.h"
#include "aes/aes_compact.h"
#include "aes/aes_table.h"
#include "cryptile.h"
#include "hwpe.h"

enum { Blocks = 4 };

static const uint8_t kKey[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
// First block of NIST SP 800-38A, F.1.1, and what becomes of it.
static _Alignas(4) uint8_t data[Blocks][16] = {{0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                                0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a}};
static const uint8_t kExpected[4] = {0x3a, 0xd7, 0x7b, 0xb4};

static int encrypt(void) {
#if defined(SIZE_COMPACT)
  uint32_t round_keys[44];
  cry_aes_compact_expand_key(round_keys, 10, kKey);
  for (unsigned i = 0; i < Blocks; i++) {
    cry_aes_compact_encrypt(round_keys, 10, data[i], data[i]);
  }
  return 0;
#elif defined(SIZE_TABLE)
  uint32_t round_keys[44];
  cry_aes_table_expand_key(round_keys, 10, kKey);
  cry_aes_table_encrypt_asm(round_keys, 10, data, data, Blocks);
  return 0;
#elif defined(SIZE_BITSLICED)
  uint32_t round_keys[44];
  aes_plane_t sliced[88];
  cry_aes_bitsliced_expand_key(round_keys, 10, kKey);
  cry_aes_bitsliced_slice_keys(sliced, round_keys, 10);
  for (unsigned i = 0; i < Blocks; i += AES_PASS_BLOCKS) {
    cry_aes_bitsliced_encrypt(sliced, 10, data[i], data[i]);
  }
  return 0;
#elif defined(SIZE_ENGINE)
  hwpe_job_t job = {.src = data, .dst = data, .len = sizeof(data), .key = kKey};
  unsigned id;
  if (cry_hwpe_submit(&job, &id) != CRYPTILE_OK) {
    return 1;
  }
  return cry_hwpe_wait_poll(id, cry_hwpe_limit(sizeof(data)));
#else
  (void)kKey;
  return 0;
#endif
}

int main(void) {
  if (encrypt() != 0) {
    return 1;
  }
  for (unsigned i = 0; i < sizeof(kExpected); i++) {
    if (data[0][i] != kExpected[i]) {
      return 2;
    }
  }
  return 0;
}
