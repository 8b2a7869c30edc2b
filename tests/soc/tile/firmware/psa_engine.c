// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// PSA Crypto with the tile's engines: keys are made, sign and agree with keys of the host, whose
// public keys it reads in the same order. It writes public keys, signatures and secrets. So do keys
// of the PSA layer, then those in the tile's slots, before the seal and behind it.

#include <stddef.h>

#include "host.h"
#include "psa/crypto.h"
#include "random_queue.h"
#include "rbg.h"
#include "test.h"
#include "tile_psa.h"

enum { Limit = 2000000 };

enum { Nonces = 0, Held = 1u << 1 };  // key slots; one for all keys, so that each is destroyed

static tile_pka_t pka;
static psa_key_lifetime_t lifetime;
static uint8_t room[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
static const uint8_t kMessage[] = "a message";

static void give(const uint8_t *data, size_t length) {
  fence();
  cry_host_write(data, length);
}

// Makes a key, and gives the host the public one.
static psa_key_id_t made(psa_key_type_t type, size_t bits, psa_key_usage_t usage,
                         psa_algorithm_t alg) {
  psa_key_attributes_t attributes = psa_key_attributes_init();
  psa_key_id_t key;
  size_t length;
  psa_set_key_type(&attributes, type);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_usage_flags(&attributes, usage);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_lifetime(&attributes, lifetime);
  CHECK(psa_generate_key(&attributes, &key) == PSA_SUCCESS);
  CHECK(psa_export_public_key(key, room, sizeof room, &length) == PSA_SUCCESS);
  give(room, length);
  return key;
}

static void sign(psa_key_type_t type, size_t bits, psa_algorithm_t alg) {
  const psa_key_usage_t usage = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;
  const psa_key_id_t key = made(type, bits, usage, alg);
  size_t length;
  CHECK(psa_sign_message(key, alg, kMessage, sizeof kMessage - 1, room, sizeof room, &length) ==
        PSA_SUCCESS);
  CHECK(psa_verify_message(key, alg, kMessage, sizeof kMessage - 1, room, length) == PSA_SUCCESS);
  give(room, length);
  room[0] ^= 1;
  CHECK(psa_verify_message(key, alg, kMessage, sizeof kMessage - 1, room, length) ==
        PSA_ERROR_INVALID_SIGNATURE);
  CHECK(psa_destroy_key(key) == PSA_SUCCESS);
}

static void agree(psa_key_type_t type, size_t bits, size_t peer_length) {
  static uint8_t peer[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
  const psa_key_id_t key = made(type, bits, PSA_KEY_USAGE_DERIVE, PSA_ALG_ECDH);
  size_t length;
  CHECK(cry_host_read(peer, peer_length) == peer_length);
  forget_cached();
  CHECK(psa_raw_key_agreement(PSA_ALG_ECDH, key, peer, peer_length, room, sizeof room, &length) ==
        PSA_SUCCESS);
  give(room, length);
  CHECK(psa_destroy_key(key) == PSA_SUCCESS);
}

static void sign_and_agree(void) {
  const psa_key_type_t kNist = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
  sign(kNist, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
  sign(kNist, 384, PSA_ALG_ECDSA(PSA_ALG_SHA_384));
  sign(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS), 255, PSA_ALG_PURE_EDDSA);
  agree(kNist, 256, 65);
  agree(kNist, 384, 97);
  agree(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255, 32);
}

int main(void) {
  CHECK(random_queue_open() == CRYPTILE_OK);
  CHECK(cry_rbg_start(RbgStartLimit) == CRYPTILE_OK);
  cryptile_psa_set_random(cry_tile_random_source);
  cry_tile_pka_use(&pka, &random_queue, Limit);
  cryptile_psa_set_engine(cry_tile_psa_engine(&pka, NULL));
  CHECK(psa_crypto_init() == PSA_SUCCESS);
  sign_and_agree();

  lifetime = PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
      PSA_KEY_PERSISTENCE_VOLATILE, PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT);
  cry_tile_psa_hold(Held, Nonces);
  sign_and_agree();
  cry_tile_seal();
  sign_and_agree();
  return 0;
}
