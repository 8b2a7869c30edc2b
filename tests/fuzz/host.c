// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What a back end of the fuzz needs inside the program: a call with any number of arguments, a
// source of random numbers that can be told to fail, and the sizes of the contexts.
#include "cryptile.h"
#include "psa/crypto.h"

typedef uintptr_t word_t;
typedef word_t (*function_t)(word_t, word_t, word_t, word_t, word_t, word_t, word_t, word_t, word_t,
                             word_t, word_t);

word_t fuzz_call(function_t function, const word_t *a);
word_t fuzz_call(function_t function, const word_t *a) {
  return function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
}

static uint32_t state;
static uint32_t calls_left;

// Restarts the source: it works so often, then fails.
void fuzz_random_restart(word_t seed, word_t calls);
void fuzz_random_restart(word_t seed, word_t calls) {
  state = (uint32_t)seed;
  calls_left = (uint32_t)calls;
}

bool fuzz_random(uint8_t *out, size_t len);
bool fuzz_random(uint8_t *out, size_t len) {
  if (calls_left == 0) {
    return false;
  }
  calls_left--;
  for (size_t i = 0; i < len; i++) {
    state = state * 1664525u + 1013904223u;
    out[i] = (uint8_t)(state >> 24);
  }
  return true;
}

// The size of a symbol is that of the context.
#define SIZE(name, type)          \
  extern char fuzz_size_##name[]; \
  char fuzz_size_##name[sizeof(type)]
SIZE(cipher, cryptile_cipher_ctx_t);
SIZE(chacha20, cryptile_chacha20_ctx_t);
SIZE(xts, cryptile_xts_ctx_t);
SIZE(aead, cryptile_aead_ctx_t);
SIZE(hash, cryptile_hash_ctx_t);
SIZE(hmac, cryptile_hmac_ctx_t);
SIZE(cmac, cryptile_cmac_ctx_t);
SIZE(drbg, cryptile_drbg_ctx_t);
SIZE(xof, cryptile_xof_ctx_t);
SIZE(kmac, cryptile_kmac_ctx_t);
SIZE(ascon, cryptile_ascon_xof_t);
SIZE(psa_hash, psa_hash_operation_t);
SIZE(psa_xof, psa_xof_operation_t);
SIZE(psa_mac, psa_mac_operation_t);
SIZE(psa_cipher, psa_cipher_operation_t);
SIZE(psa_aead, psa_aead_operation_t);
SIZE(psa_derivation, psa_key_derivation_operation_t);
