// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "rsa/rsa_public.h"

// The encoding of a digest (RFC 8017, section 9.2): 00 01 ff ... ff 00, then DigestInfo in DER, an
// algorithm without parameters but NULL and the digest.
static void encode(uint8_t *message, size_t len, const cryptile_hash_alg_t *alg,
                   const uint8_t *digest) {
  enum { kInfo = 19 };
  uint8_t size = alg->digest_size;
  const uint8_t info[kInfo] = {
      0x30,     (uint8_t)(17 + size),
      0x30,     13,
      6,        9,
      0x60,     0x86,
      0x48,     0x01,
      0x65,     3,
      4,        2,
      alg->oid, 5,
      0,        4,
      size,
  };
  uint8_t *end = message + len;
  memset(message, 0xff, len);
  message[0] = 0;
  message[1] = 1;
  *(end - size - kInfo - 1) = 0;
  memcpy(end - size - kInfo, info, kInfo);
  memcpy(end - size, digest, size);
}

cryptile_status_t cry_rsa_pkcs1_verify(rsa_public_t public_of, const cryptile_rsa_public_key_t *key,
                                       const cryptile_hash_alg_t *alg, const uint8_t *digest,
                                       const uint8_t *signature, size_t signature_len) {
  uint8_t message[RSA_MAX_BYTES], expected[RSA_MAX_BYTES];
  if (!key || !key->modulus || !alg || alg->oid == 0 || !digest || !signature) {
    return CRYPTILE_ERR_PARAM;
  }
  if (cry_rsa_bits(key) == 0) {
    return CRYPTILE_ERR_KEY;
  }
  const cryptile_status_t status =
      signature_len == key->modulus_len ? public_of(message, key, signature) : CRYPTILE_ERR_AUTH;
  if (status != CRYPTILE_OK) {
    return status;
  }
  encode(expected, key->modulus_len, alg, digest);
  return memcmp(message, expected, key->modulus_len) == 0 ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

cryptile_status_t cryptile_rsa_pkcs1_verify(const cryptile_rsa_public_key_t *key,
                                            const cryptile_hash_alg_t *alg, const uint8_t *digest,
                                            const uint8_t *signature, size_t signature_len) {
  return cry_rsa_pkcs1_verify(cry_rsa_public, key, alg, digest, signature, signature_len);
}
