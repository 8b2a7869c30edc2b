// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keys of PSA Crypto made of the hardware's random bits: an ECDSA signature with a new key of P-256
// and both sides of X25519, for the host to check. It writes the public key, the signature of
// "random", two public keys of X25519, and the secret that they agree on.

#include <string.h>

#include "host.h"
#include "psa/crypto.h"
#include "random_queue.h"
#include "rbg.h"
#include "test.h"

enum { Pair256 = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1) };
enum { Pair25519 = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY) };

static const uint8_t kMessage[] = "random";

static psa_key_id_t new_key(psa_key_type_t type, size_t bits, psa_key_usage_t usage,
                            psa_algorithm_t alg) {
  psa_key_attributes_t attributes = psa_key_attributes_init();
  psa_key_id_t key;
  psa_set_key_type(&attributes, type);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_usage_flags(&attributes, usage);
  psa_set_key_algorithm(&attributes, alg);
  CHECK(psa_generate_key(&attributes, &key) == PSA_SUCCESS);
  return key;
}

static void give(const uint8_t *data, size_t length) {
  fence();
  cry_host_write(data, length);
}

int main(void) {
  static uint8_t made[65], peer[2][32], secret[2][32];
  size_t length;
  CHECK(random_queue_open() == CRYPTILE_OK);
  cryptile_psa_set_random(cry_tile_random_source);
  CHECK(psa_crypto_init() == PSA_SUCCESS);
  CHECK(cry_rbg_start(RbgStartLimit) == CRYPTILE_OK);

  const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
  psa_key_id_t key = new_key(Pair256, 256, PSA_KEY_USAGE_SIGN_MESSAGE, alg);
  CHECK(psa_export_public_key(key, made, sizeof made, &length) == PSA_SUCCESS && length == 65);
  give(made, length);
  CHECK(psa_sign_message(key, alg, kMessage, sizeof kMessage - 1, made, sizeof made, &length) ==
        PSA_SUCCESS);
  give(made, length);

  psa_key_id_t pair[2];
  for (int i = 0; i < 2; i++) {
    pair[i] = new_key(Pair25519, 255, PSA_KEY_USAGE_DERIVE, PSA_ALG_ECDH);
    CHECK(psa_export_public_key(pair[i], peer[i], sizeof peer[i], &length) == PSA_SUCCESS);
    give(peer[i], length);
  }
  for (int i = 0; i < 2; i++)
    CHECK(psa_raw_key_agreement(PSA_ALG_ECDH, pair[i], peer[1 - i], sizeof peer[0], secret[i],
                                sizeof secret[i], &length) == PSA_SUCCESS);
  CHECK(memcmp(secret[0], secret[1], sizeof secret[0]) == 0);
  give(secret[0], sizeof secret[0]);
  return 0;
}
