// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_bitsliced_stream.h"

#include "aes/aes_bulk.h"
#include "aes/aes_wide.h"
#include "bytes.h"
#include "wipe.h"

static void narrow_passes(const void *sliced, unsigned rounds, uint32_t counter[4], const void *in,
                          void *out, size_t passes) {
  cry_aes_bitsliced_ctr(sliced, rounds, counter, in, out, passes);
}

static void narrow(const aes_bitsliced_keys_t *keys, uint32_t counter[4], const uint8_t *in,
                   uint8_t *out, size_t len) {
  const aes_bulk_t bulk = {keys->sliced, keys->rounds, AES_PASS_BLOCKS};
  cry_aes_bulk_ctr(&bulk, narrow_passes, counter, in, out, len);
}

#if HAVE_CRY_AES_WIDE_CTR_ASM
// From this length on the wide code, with its keys prepared anew, is faster.
enum { WideFrom = 512 };

static void wide_passes(const void *wide, unsigned rounds, uint32_t counter[4], const void *in,
                        void *out, size_t passes) {
  cry_aes_wide_ctr_asm(wide, rounds, counter, in, out, passes);
}

// Not inlined: only long messages pay for the keys on the stack.
static __attribute__((noinline)) void wide(const aes_bitsliced_keys_t *keys, uint32_t counter[4],
                                           const uint8_t *in, uint8_t *out, size_t len) {
  aes_plane_t words[AES_WIDE_KEY_WORDS(14)];
  const aes_bulk_t bulk = {words, keys->rounds, AES_WIDE_BLOCKS};
  if (keys->round_keys != NULL) {
    cry_aes_wide_keys_asm(words, keys->round_keys, keys->rounds);
  } else {
    aes_plane_t round_keys[15 * 16 / sizeof(aes_plane_t)];
    cry_aes_bitsliced_unslice_keys_asm((uint32_t *)round_keys, keys->sliced, keys->rounds);
    cry_aes_wide_keys_asm(words, (const uint32_t *)round_keys, keys->rounds);
    wipe(round_keys, sizeof round_keys);
  }
  cry_aes_bulk_ctr(&bulk, wide_passes, counter, in, out, len);
  wipe(words, AES_WIDE_KEY_WORDS(keys->rounds) * sizeof(aes_plane_t));
}

void cry_aes_bitsliced_stream(const aes_bitsliced_keys_t *keys, uint32_t counter[4],
                              const uint8_t *in, uint8_t *out, size_t len) {
  if (len >= WideFrom) {
    uint32_t number = load32_be((const uint8_t *)&counter[3]);
    size_t lead = 16 * (-number % AES_WIDE_BLOCKS);
    narrow(keys, counter, in, out, lead);
    in += lead;
    out += lead;
    len -= lead;
    size_t part = len - len % AES_WIDE_BYTES;
    wide(keys, counter, in, out, part);
    in += part;
    out += part;
    len -= part;
  }
  narrow(keys, counter, in, out, len);
}
#else
void cry_aes_bitsliced_stream(const aes_bitsliced_keys_t *keys, uint32_t counter[4],
                              const uint8_t *in, uint8_t *out, size_t len) {
  narrow(keys, counter, in, out, len);
}
#endif
