// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_rsa.h"

#include "cryptile/rsa.h"
#include "psa/psa_public.h"
#include "rsa/rsa_public.h"

enum { Integer = 0x02, Sequence = 0x30 };

// What is left of an encoding.
typedef struct {
  const uint8_t *data;
  size_t length;
} der_t;

// Takes one element off the front: false if it has another tag, is cut short, or its length is not
// in its shortest form.
static bool take(der_t *from, uint8_t tag, der_t *value) {
  if (from->length < 2 || from->data[0] != tag) {
    return false;
  }
  size_t head = 2, length = from->data[1];
  if (length >= 0x80) {
    const size_t more = length - 0x80;  // bytes of the length
    if (more < 1 || more > 2 || from->length < 2 + more) {
      return false;
    }
    length = from->data[2];
    if (more == 2) {
      length = length << 8 | from->data[3];
    }
    if (length < (more == 1 ? 0x80u : 0x100u)) {
      return false;
    }
    head += more;
  }
  if (length > from->length - head) {
    return false;
  }
  *value = (der_t){from->data + head, length};
  from->data += head + length;
  from->length -= head + length;
  return true;
}

// Takes an INTEGER that is positive and in its shortest form, and drops the byte of its sign.
static bool take_positive(der_t *from, der_t *number) {
  if (!take(from, Integer, number) || number->length == 0 || number->data[0] >= 0x80) {
    return false;
  }
  if (number->data[0] == 0) {
    number->data++;
    number->length--;
    return number->length != 0 && number->data[0] >= 0x80;
  }
  return true;
}

static bool parse(const uint8_t *der, size_t length, der_t *modulus, der_t *exponent) {
  der_t whole = {der, length}, inner;
  return take(&whole, Sequence, &inner) && whole.length == 0 && take_positive(&inner, modulus) &&
         take_positive(&inner, exponent) && inner.length == 0;
}

// An exponent that does not fit is 0, which is none.
static cryptile_rsa_public_key_t key_of(const der_t *modulus, const der_t *exponent) {
  uint32_t e = 0;
  for (size_t i = 0; i < exponent->length && exponent->length <= 4; i++) {
    e = e << 8 | exponent->data[i];
  }
  return (cryptile_rsa_public_key_t){modulus->data, modulus->length, e};
}

size_t cry_psa_rsa_bits(const uint8_t *der, size_t length) {
  der_t modulus, exponent;
  if (!parse(der, length, &modulus, &exponent)) {
    return 0;
  }
  size_t bits = 8 * modulus.length;
  for (uint8_t first = modulus.data[0]; first < 0x80; first = (uint8_t)(first << 1)) {
    bits--;
  }
  return bits;
}

psa_status_t cry_psa_rsa_check(const uint8_t *der, size_t length) {
  der_t modulus, exponent;
  if (!parse(der, length, &modulus, &exponent) ||
      !(modulus.data[modulus.length - 1] & exponent.data[exponent.length - 1] & 1)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  const cryptile_rsa_public_key_t key = key_of(&modulus, &exponent);
  return cry_rsa_bits(&key) != 0 ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t cry_psa_rsa_verify(const psa_slot_t *slot, psa_algorithm_t alg,
                                const cryptile_hash_alg_t *hash, const uint8_t *digest,
                                const uint8_t *signature, size_t signature_length) {
  der_t modulus, exponent;
  if (!parse(slot->data, slot->length, &modulus, &exponent)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (signature_length == 0) {
    return PSA_ERROR_INVALID_SIGNATURE;  // of no bytes there need be no place
  }
  const cryptile_rsa_public_key_t key = key_of(&modulus, &exponent);
  if (PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg)) {
    return cry_psa_from_cryptile(
        cry_rsa_pkcs1_verify(cry_psa_rsa_public, &key, hash, digest, signature, signature_length));
  }
  const size_t salt = PSA_ALG_IS_RSA_PSS_ANY_SALT(alg) ? CRYPTILE_RSA_ANY_SALT : hash->digest_size;
  return cry_psa_from_cryptile(cry_rsa_pss_verify(cry_psa_rsa_public, &key, hash, digest, salt,
                                                  signature, signature_length));
}
