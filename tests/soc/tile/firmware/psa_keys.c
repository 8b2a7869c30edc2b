// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keys of PSA Crypto made of the hardware's random bits agree with keys of the host. It reads the
// host's public keys of P-256 and X25519, and writes for each its own public key and the secret.

#include <stddef.h>

#include "host.h"
#include "psa/crypto.h"
#include "random_queue.h"
#include "rbg.h"
#include "test.h"

static void agree(psa_key_type_t type, size_t bits, size_t peer_length) {
  static uint8_t peer[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE], made[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
  psa_key_attributes_t attributes = psa_key_attributes_init();
  psa_key_id_t key;
  size_t length;
  psa_set_key_type(&attributes, type);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
  psa_set_key_algorithm(&attributes, PSA_ALG_ECDH);
  CHECK(psa_generate_key(&attributes, &key) == PSA_SUCCESS);

  CHECK(psa_export_public_key(key, made, sizeof made, &length) == PSA_SUCCESS);
  CHECK(length == peer_length);
  fence();
  cry_host_write(made, length);

  CHECK(cry_host_read(peer, peer_length) == peer_length);
  forget_cached();
  CHECK(psa_raw_key_agreement(PSA_ALG_ECDH, key, peer, peer_length, made, sizeof made, &length) ==
        PSA_SUCCESS);
  fence();
  cry_host_write(made, length);
  CHECK(psa_destroy_key(key) == PSA_SUCCESS);
}

int main(void) {
  CHECK(random_queue_open() == CRYPTILE_OK);
  cryptile_psa_set_random(cry_tile_random_source);
  CHECK(psa_crypto_init() == PSA_SUCCESS);
  CHECK(cry_rbg_start(RbgStartLimit) == CRYPTILE_OK);
  agree(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, 65);
  agree(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255, 32);
  return 0;
}
