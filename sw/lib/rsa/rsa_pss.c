// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <stdbool.h>
#include <string.h>

#include "hash/hash_core.h"
#include "rsa/rsa_public.h"

// Adds MGF1 of a seed (RFC 8017, appendix B.2.1) to bytes.
static void unmask(uint8_t *bytes, size_t len, const cryptile_hash_alg_t *alg,
                   const uint8_t *seed) {
  uint8_t block[CRYPTILE_HASH_MAX_DIGEST], counter[4] = {0};
  cryptile_hash_ctx_t hash;
  for (size_t done = 0; done < len; done += alg->digest_size) {
    (void)cry_hash_core_init(&hash, alg);
    (void)cry_hash_core_update(&hash, seed, alg->digest_size);
    (void)cry_hash_core_update(&hash, counter, sizeof counter);
    (void)cry_hash_core_final(&hash, block);
    for (size_t i = 0; i < alg->digest_size && done + i < len; i++) {
      bytes[done + i] ^= block[i];
    }
    counter[3]++;  // at most 512 / 28 blocks
  }
}

// Checks an encoded message of so many bits (RFC 8017, section 9.1.2).
static bool is_encoded(uint8_t *encoded, size_t bits, const cryptile_hash_alg_t *alg,
                       const uint8_t *digest, size_t salt_len) {
  static const uint8_t kZeros[8] = {0};
  uint8_t expected[CRYPTILE_HASH_MAX_DIGEST];
  cryptile_hash_ctx_t hash;
  size_t len = (bits + 7) / 8, size = alg->digest_size, masked = len - size - 1;
  uint8_t unused = (uint8_t)(0xff00 >> (8 * len - bits));  // bits of the first byte
  if (encoded[len - 1] != 0xbc || encoded[0] & unused) {
    return false;
  }
  const uint8_t *seed = encoded + masked;
  unmask(encoded, masked, alg, seed);
  encoded[0] &= (uint8_t)~unused;
  size_t padding = 0;
  while (padding < masked && encoded[padding] == 0) {
    padding++;
  }
  if (padding == masked || encoded[padding] != 1) {
    return false;
  }
  size_t salt = masked - padding - 1;
  if (salt_len != CRYPTILE_RSA_ANY_SALT && salt != salt_len) {
    return false;
  }
  (void)cry_hash_core_init(&hash, alg);
  (void)cry_hash_core_update(&hash, kZeros, sizeof kZeros);
  (void)cry_hash_core_update(&hash, digest, size);
  (void)cry_hash_core_update(&hash, encoded + masked - salt, salt);
  (void)cry_hash_core_final(&hash, expected);
  return memcmp(expected, seed, size) == 0;
}

cryptile_status_t cry_rsa_pss_verify(rsa_public_t public_of, const cryptile_rsa_public_key_t *key,
                                     const cryptile_hash_alg_t *alg, const uint8_t *digest,
                                     size_t salt_len, const uint8_t *signature,
                                     size_t signature_len) {
  uint8_t message[RSA_MAX_BYTES];
  if (!key || !key->modulus || !alg || alg->oid == 0 || !digest || !signature) {
    return CRYPTILE_ERR_PARAM;
  }
  size_t bits = cry_rsa_bits(key);
  if (bits == 0) {
    return CRYPTILE_ERR_KEY;
  }
  bits--;  // the encoded message is less than any modulus of that length
  if (salt_len != CRYPTILE_RSA_ANY_SALT && salt_len > (bits + 7) / 8 - alg->digest_size - 2u) {
    return CRYPTILE_ERR_PARAM;
  }
  const cryptile_status_t status =
      signature_len == key->modulus_len ? public_of(message, key, signature) : CRYPTILE_ERR_AUTH;
  if (status != CRYPTILE_OK) {
    return status;
  }
  // A modulus of 8 k + 1 bits leaves a byte in front, which must be zero.
  size_t front = key->modulus_len - (bits + 7) / 8;
  if (front > 0 && message[0] != 0) {
    return CRYPTILE_ERR_AUTH;
  }
  return is_encoded(message + front, bits, alg, digest, salt_len) ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

cryptile_status_t cryptile_rsa_pss_verify(const cryptile_rsa_public_key_t *key,
                                          const cryptile_hash_alg_t *alg, const uint8_t *digest,
                                          size_t salt_len, const uint8_t *signature,
                                          size_t signature_len) {
  return cry_rsa_pss_verify(cry_rsa_public, key, alg, digest, salt_len, signature, signature_len);
}
