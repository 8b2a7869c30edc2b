// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Authenticated encryption by PSA Crypto: a key with a policy, buffers by the macros for sizes, and
// a message that was changed on its way.

#include "console.h"
#include "psa/crypto.h"

enum { Length = 13 };

// A key of your own comes from a key derivation, an agreement, or psa_generate_key().
static const uint8_t kKey[16] = "a key of 16 byte";
// Never use a nonce twice with one key.
static const uint8_t kNonce[PSA_AEAD_NONCE_LENGTH(PSA_KEY_TYPE_AES, PSA_ALG_GCM)] = {1};
static const uint8_t kHeader[] = {0xca, 0xfe};

int example(void) {
  const uint8_t text[Length] = "Hello, world!";
  uint8_t sealed[PSA_AEAD_ENCRYPT_OUTPUT_SIZE(PSA_KEY_TYPE_AES, PSA_ALG_GCM, Length)];
  uint8_t opened[Length];
  size_t sealed_length, opened_length;
  psa_key_id_t key;
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
  psa_set_key_algorithm(&attributes, PSA_ALG_GCM);

  if (psa_crypto_init() != PSA_SUCCESS ||
      psa_import_key(&attributes, kKey, sizeof kKey, &key) != PSA_SUCCESS ||
      psa_aead_encrypt(key, PSA_ALG_GCM, kNonce, sizeof kNonce, kHeader, sizeof kHeader, text,
                       sizeof text, sealed, sizeof sealed, &sealed_length) != PSA_SUCCESS) {
    return 1;
  }
  print_bytes("AES-128-GCM", sealed, sealed_length);
  if (psa_aead_decrypt(key, PSA_ALG_GCM, kNonce, sizeof kNonce, kHeader, sizeof kHeader, sealed,
                       sealed_length, opened, sizeof opened, &opened_length) != PSA_SUCCESS) {
    return 2;
  }
  print_bytes("opened", opened, opened_length);
  sealed[0] ^= 1;
  if (psa_aead_decrypt(key, PSA_ALG_GCM, kNonce, sizeof kNonce, kHeader, sizeof kHeader, sealed,
                       sealed_length, opened, sizeof opened,
                       &opened_length) != PSA_ERROR_INVALID_SIGNATURE) {
    return 3;
  }
  print("a changed message is refused\n");
  return psa_destroy_key(key) == PSA_SUCCESS ? 0 : 4;
}
