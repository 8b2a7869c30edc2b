// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_key.h"

#include <string.h>

#include "psa/psa_curve.h"
#include "psa/psa_opaque.h"
#include "psa/psa_public.h"
#include "psa/psa_rsa.h"
#include "wipe.h"
#include "wipe/wiped.h"

#define ECDSA_DETERMINISTIC 0x00000100u
#define AT_LEAST            0x00008000u
#define VERIFIES            (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define USAGE_DEFINED       0x0003ff87u  // by the standard, also what nothing here uses

static psa_slot_t slots[PSA_KEY_SLOTS];
static uint32_t imports;
static bool (*random_source)(uint8_t *out, size_t len);

psa_status_t psa_crypto_init(void) {
  return PSA_SUCCESS;
}

void cryptile_psa_set_random(bool (*source)(uint8_t *out, size_t len)) {
  random_source = source;
}

psa_status_t psa_generate_random(uint8_t *output, size_t output_size) {
  if (output_size == 0) {
    return PSA_SUCCESS;
  }
  if (!output) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (!random_source) {
    return PSA_ERROR_INSUFFICIENT_ENTROPY;
  }
  if (!random_source(output, output_size)) {
    wipe(output, output_size);  // it may have failed in the midst
    return PSA_ERROR_INSUFFICIENT_ENTROPY;
  }
  return PSA_SUCCESS;
}

psa_status_t cry_psa_settle(void *operation, size_t size, uint8_t *phase, psa_status_t status) {
  if (status != PSA_SUCCESS && *phase == PSA_PHASE_ACTIVE) {
    wipe(operation, size);
    *phase = PSA_PHASE_FAILED;
  }
  return status;
}

psa_status_t cry_psa_from_cryptile(cryptile_status_t status) {
  switch (status) {
    case CRYPTILE_OK:
      return PSA_SUCCESS;
    case CRYPTILE_ERR_STATE:
      return PSA_ERROR_BAD_STATE;
    case CRYPTILE_ERR_PADDING:
      return PSA_ERROR_INVALID_PADDING;
    case CRYPTILE_ERR_AUTH:
      return PSA_ERROR_INVALID_SIGNATURE;
    case CRYPTILE_ERR_PARAM:
    case CRYPTILE_ERR_LENGTH:
    case CRYPTILE_ERR_KEY:
      return PSA_ERROR_INVALID_ARGUMENT;
    case CRYPTILE_ERR_SUPPORT:
      return PSA_ERROR_NOT_SUPPORTED;
    case CRYPTILE_ERR_FAULT:
      return PSA_ERROR_CORRUPTION_DETECTED;
    default:
      return PSA_ERROR_HARDWARE_FAILURE;
  }
}

// Bits of a key by its type, or 0 if the length is wrong or the type unknown. Only of a public key
// are the bytes looked at.
static size_t key_bits(psa_key_type_t type, const uint8_t *data, size_t length) {
  const psa_curve_t *curve = cry_psa_curve(type, length);
  switch (type) {
    case PSA_KEY_TYPE_RAW_DATA:
    case PSA_KEY_TYPE_HMAC:
    case PSA_KEY_TYPE_DERIVE:
      return 8 * length;
    case PSA_KEY_TYPE_AES:  // with 64 bytes, two keys for XTS
      return length == 16 || length == 24 || length == 32 || length == 64 ? 8 * length : 0;
    case PSA_KEY_TYPE_CHACHA20:
      return length == 32 ? 256 : 0;
    case PSA_KEY_TYPE_ASCON:
      return length == 16 ? 128 : 0;
    case PSA_PAIR_SECP_R1:
    case PSA_PUBLIC_SECP_R1:
      return curve ? curve->bits : 0;
    case PSA_KEY_TYPE_RSA_PUBLIC_KEY:
      return data ? cry_psa_rsa_bits(data, length) : 0;
    case PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY):
    case PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_MONTGOMERY):
    case PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS):
    case PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS):
      return length == 32 ? 255 : 0;
    default:
      return 0;
  }
}

// Whether a key of the right length is one.
static psa_status_t check_key(const psa_slot_t *slot) {
  const psa_curve_t *curve = psa_curve_of(slot);
  uint8_t out[PSA_POINT_BYTES];
  uint8_t one[PSA_SECRET_BYTES] = {0};
  switch (slot->attributes.type) {
    case PSA_PAIR_SECP_R1:
      return cry_psa_from_cryptile(cry_psa_curve_public(curve, out, slot->data));
    case PSA_PUBLIC_SECP_R1:
      one[curve->private_bytes - 1] = 1;
      return cry_psa_from_cryptile(cry_psa_curve_ecdh(curve, out, one, slot->data));
    case PSA_KEY_TYPE_RSA_PUBLIC_KEY:
      return cry_psa_rsa_check(slot->data, slot->length);
    default:
      return PSA_SUCCESS;
  }
}

// Whoever may sign or verify a hash may do so with a message.
static psa_key_usage_t with_implied(psa_key_usage_t usage) {
  if (usage & PSA_KEY_USAGE_SIGN_HASH) {
    usage |= PSA_KEY_USAGE_SIGN_MESSAGE;
  }
  if (usage & PSA_KEY_USAGE_VERIFY_HASH) {
    usage |= PSA_KEY_USAGE_VERIFY_MESSAGE;
  }
  return usage;
}

static psa_slot_t *find(psa_key_id_t key) {
  for (size_t i = 0; key != PSA_KEY_ID_NULL && i < PSA_KEY_SLOTS; i++) {
    if (slots[i].id == key) {
      return &slots[i];
    }
  }
  return NULL;
}

// The identifier of a destroyed key is not given again before 2^30 imports have passed.
static psa_key_id_t new_id(void) {
  psa_key_id_t id;
  do {
    id = PSA_KEY_ID_VENDOR_MIN | (imports++ & (PSA_KEY_ID_VENDOR_MAX - PSA_KEY_ID_VENDOR_MIN));
  } while (find(id));
  return id;
}

// A slot without a key; null if all have one.
static psa_slot_t *free_slot(void) {
  for (size_t i = 0; i < PSA_KEY_SLOTS; i++) {
    if (slots[i].id == PSA_KEY_ID_NULL) {
      return &slots[i];
    }
  }
  return NULL;
}

// Whether the attributes can be those of a key of that many bytes; null if they are not known yet.
static psa_status_t check_attributes(const psa_key_attributes_t *attributes, const uint8_t *data,
                                     size_t length) {
  if (length == 0 || length > PSA_KEY_MAX_BYTES) {
    return length ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
  }
  const size_t bits = key_bits(attributes->type, data, length);
  if (bits == 0 || (attributes->bits != 0 && attributes->bits != bits) ||
      (attributes->usage & ~USAGE_DEFINED) != 0) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return PSA_SUCCESS;
}

// Whether a key of which the bytes are known can have that lifetime.
static psa_status_t check_lifetime(psa_key_lifetime_t lifetime) {
  if (PSA_KEY_LIFETIME_GET_LOCATION(lifetime) > PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return lifetime == PSA_KEY_LIFETIME_VOLATILE ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

// Whether the attributes can be those of a key of that many bytes that is to be made.
static psa_status_t check_made(const psa_key_attributes_t *attributes, size_t length) {
  return PSA_KEY_TYPE_IS_PUBLIC_KEY(attributes->type) ? PSA_ERROR_INVALID_ARGUMENT
                                                      : check_attributes(attributes, NULL, length);
}

psa_status_t cry_psa_key_fits(const psa_key_attributes_t *attributes, size_t length) {
  const psa_status_t status = check_lifetime(attributes->lifetime);
  return status == PSA_SUCCESS ? check_made(attributes, length) : status;
}

// Says what key a slot has.
static void describe(psa_slot_t *slot, const psa_key_attributes_t *attributes, size_t bits,
                     size_t length) {
  slot->attributes = *attributes;
  slot->attributes.bits = bits;
  slot->attributes.usage = with_implied(attributes->usage);
  slot->length = (uint16_t)length;
}

static WORK psa_status_t import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                    size_t data_length, psa_key_id_t *key) {
  *key = PSA_KEY_ID_NULL;
  psa_status_t status = check_lifetime(attributes->lifetime);
  if (status == PSA_SUCCESS) {
    status = check_attributes(attributes, data, data_length);
  }
  if (status != PSA_SUCCESS || !data) {
    return status == PSA_SUCCESS ? PSA_ERROR_INVALID_ARGUMENT : status;
  }
  psa_slot_t *slot = free_slot();
  if (!slot) {
    return PSA_ERROR_INSUFFICIENT_MEMORY;
  }
  describe(slot, attributes, key_bits(attributes->type, data, data_length), data_length);
  memcpy(slot->data, data, data_length);
  status = check_key(slot);
  if (status != PSA_SUCCESS) {
    wipe(slot, sizeof *slot);
    return status;
  }
  *key = slot->id = new_id();
  return PSA_SUCCESS;
}

static psa_status_t generate_opaque(const psa_key_attributes_t *attributes, size_t length,
                                    psa_key_id_t *key) {
  psa_status_t status = check_made(attributes, length);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (!PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  psa_slot_t *slot = free_slot();
  if (!slot) {
    return PSA_ERROR_INSUFFICIENT_MEMORY;
  }
  status = cry_psa_opaque_generate(attributes, slot);
  if (status != PSA_SUCCESS) {
    wipe(slot, sizeof *slot);
    return status;
  }
  describe(slot, attributes, attributes->bits, length);
  *key = slot->id = new_id();
  return PSA_SUCCESS;
}

static WORK psa_status_t generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key) {
  uint8_t data[PSA_KEY_MAX_BYTES];
  size_t length = (attributes->bits + 7) / 8;
  *key = PSA_KEY_ID_NULL;
  if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) ==
      PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT) {
    return generate_opaque(attributes, length, key);
  }
  psa_status_t status = cry_psa_key_fits(attributes, length);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (!free_slot()) {
    return PSA_ERROR_INSUFFICIENT_MEMORY;
  }
  status = PSA_ERROR_INVALID_ARGUMENT;
  // A random number is no private key of P-256 with a probability of 2^-32; the others of that
  // family have an order closer to a power of 2.
  for (int attempt = 0; attempt < 4 && status == PSA_ERROR_INVALID_ARGUMENT; attempt++) {
    status = psa_generate_random(data, length);
    if (status == PSA_SUCCESS) {
      psa_trim(attributes->type, attributes->bits, data);
      status = import_key(attributes, data, length, key);
    }
  }
  wipe(data, sizeof data);
  return status;
}

// Whether the code or tag of an algorithm is as long as the policy wants. Which hash functions an
// HMAC can have, psa_mac.c says.
static bool is_long_enough(psa_algorithm_t policy, psa_algorithm_t alg) {
  size_t length = psa_tag_length(alg);
  if (PSA_ALG_IS_MAC(alg)) {
    length = PSA_MAC_LENGTH(PSA_KEY_TYPE_AES, 0, alg);
  }
  return length >= psa_tag_length(policy) || (PSA_ALG_IS_MAC(alg) && length == 0);
}

// A policy for signatures may leave the hash function open, one for MACs or AEADs the length. One
// copy of the code is enough.
static WORK bool permits(psa_algorithm_t policy, psa_algorithm_t alg) {
  if (psa_is_at_least(policy)) {
    return psa_without_length(policy ^ alg) == AT_LEAST && is_long_enough(policy, alg);
  }
  if (policy == PSA_ALG_ECDH && PSA_ALG_KEY_AGREEMENT_GET_BASE(alg) == policy &&
      (alg & 0x0000ff00) != 0 && (alg & 0x000000ff) != 0) {
    return true;  // combined with any derivation
  }
  const bool is_any_hash = (policy & 0xff) == 0xff && (alg & 0xff) != 0 &&
                           (psa_is_ecdsa(policy) || PSA_ALG_IS_RSA_SIGN(policy));
  return policy != PSA_ALG_NONE && ((policy ^ alg) & ~(is_any_hash ? 0xffu : 0u)) == 0;
}

// What both policies permit; PSA_ALG_NONE if that is nothing.
static psa_algorithm_t common_alg(psa_algorithm_t one, psa_algorithm_t other) {
  if (psa_is_at_least(one) && psa_is_at_least(other) && psa_without_length(one ^ other) == 0) {
    return psa_tag_length(one) > psa_tag_length(other) ? one : other;
  }
  if (one == other || permits(one, other)) {
    return other;
  }
  return permits(other, one) ? one : PSA_ALG_NONE;
}

psa_status_t cry_psa_key_get(psa_key_id_t key, psa_key_usage_t usage, psa_algorithm_t alg,
                             const psa_slot_t **slot) {
  const psa_slot_t *found = find(key);
  *slot = found;
  if (!found) {
    return PSA_ERROR_INVALID_HANDLE;
  }
  if ((usage & VERIFIES) != 0 && psa_is_ecdsa(found->attributes.alg)) {
    // To verify a signature is the same for both kinds.
    alg ^= (alg ^ found->attributes.alg) & ECDSA_DETERMINISTIC;
  }
  if ((found->attributes.usage & usage) != usage || !permits(found->attributes.alg, alg)) {
    return PSA_ERROR_NOT_PERMITTED;
  }
  return PSA_SUCCESS;
}

static WORK psa_status_t copy_key(psa_key_id_t source_key, const psa_key_attributes_t *attributes,
                                  psa_key_id_t *target_key) {
  const psa_slot_t *source = find(source_key);
  *target_key = PSA_KEY_ID_NULL;
  if (!source) {
    return PSA_ERROR_INVALID_HANDLE;
  }
  if (!(source->attributes.usage & PSA_KEY_USAGE_COPY)) {
    return PSA_ERROR_NOT_PERMITTED;
  }
  const psa_key_attributes_t *of = &source->attributes;
  const psa_algorithm_t alg = common_alg(of->alg, attributes->alg);
  if ((attributes->type != PSA_KEY_TYPE_NONE && attributes->type != of->type) ||
      (attributes->bits != 0 && attributes->bits != of->bits) ||
      (attributes->usage & ~USAGE_DEFINED) != 0 ||
      (alg == PSA_ALG_NONE && of->alg != attributes->alg)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  const psa_status_t status =
      psa_is_opaque(source) ? PSA_ERROR_NOT_SUPPORTED : check_lifetime(attributes->lifetime);
  if (status != PSA_SUCCESS) {
    return status;
  }
  psa_slot_t *target = free_slot();
  if (!target) {
    return PSA_ERROR_INSUFFICIENT_MEMORY;
  }
  *target = *source;
  target->attributes.usage &= with_implied(attributes->usage);
  target->attributes.alg = alg;
  *target_key = target->id = new_id();
  return PSA_SUCCESS;
}

psa_status_t psa_get_key_attributes(psa_key_id_t key, psa_key_attributes_t *attributes) {
  const psa_slot_t *slot = find(key);
  *attributes = psa_key_attributes_init();
  if (!slot) {
    return PSA_ERROR_INVALID_HANDLE;
  }
  *attributes = slot->attributes;
  return PSA_SUCCESS;
}

psa_status_t cry_psa_key_public(const psa_slot_t *slot, uint8_t room[PSA_POINT_BYTES],
                                const uint8_t **public_key, size_t *length) {
  const psa_curve_t *curve = psa_curve_of(slot);
  const psa_key_type_t type = slot->attributes.type;
  *public_key = room;
  *length = curve ? curve->public_bytes : 32;
  if (psa_is_opaque(slot)) {
    *public_key = slot->data;
    return PSA_SUCCESS;
  }
  switch (type) {
    case PSA_PAIR_SECP_R1:
      return cry_psa_from_cryptile(cry_psa_curve_public(curve, room, slot->data));
    case PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY):
      return cry_psa_from_cryptile(cry_psa_x25519_public(room, slot->data));
    case PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS):
      return cry_psa_from_cryptile(cry_psa_ed25519_public(room, slot->data));
    default:
      *public_key = slot->data;
      *length = slot->length;
      return PSA_KEY_TYPE_IS_PUBLIC_KEY(type) ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
  }
}

static psa_status_t give(const uint8_t *from, size_t length, uint8_t *data, size_t data_size,
                         size_t *data_length) {
  if (data_size < length) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  if (!data) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  memcpy(data, from, length);
  *data_length = length;
  return PSA_SUCCESS;
}

static WORK psa_status_t export_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                    size_t *data_length) {
  const psa_slot_t *slot = find(key);
  *data_length = 0;
  if (!slot) {
    return PSA_ERROR_INVALID_HANDLE;
  }
  if (!PSA_KEY_TYPE_IS_PUBLIC_KEY(slot->attributes.type) &&
      !(slot->attributes.usage & PSA_KEY_USAGE_EXPORT)) {
    return PSA_ERROR_NOT_PERMITTED;
  }
  if (psa_is_opaque(slot)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  return give(slot->data, slot->length, data, data_size, data_length);
}

static WORK psa_status_t export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                           size_t *data_length) {
  uint8_t room[PSA_POINT_BYTES];
  const uint8_t *public_key;
  size_t length;
  const psa_slot_t *slot = find(key);
  *data_length = 0;
  if (!slot) {
    return PSA_ERROR_INVALID_HANDLE;
  }
  psa_status_t status = cry_psa_key_public(slot, room, &public_key, &length);
  return status == PSA_SUCCESS ? give(public_key, length, data, data_size, data_length) : status;
}

psa_status_t psa_destroy_key(psa_key_id_t key) {
  psa_slot_t *slot = find(key);
  if (key == PSA_KEY_ID_NULL) {
    return PSA_SUCCESS;
  }
  if (!slot) {
    return PSA_ERROR_INVALID_HANDLE;
  }
  const psa_status_t status = psa_is_opaque(slot) ? cry_psa_opaque_destroy(slot) : PSA_SUCCESS;
  if (status == PSA_SUCCESS) {
    wipe(slot, sizeof *slot);
  }
  return status;
}

psa_status_t psa_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                            size_t data_length, psa_key_id_t *key) {
  return WIPED(import_key(attributes, data, data_length, key), STACK(400, 512));
}

psa_status_t psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key) {
  return WIPED(generate_key(attributes, key), STACK(1024, 1184));
}

psa_status_t psa_copy_key(psa_key_id_t source_key, const psa_key_attributes_t *attributes,
                          psa_key_id_t *target_key) {
  return WIPED(copy_key(source_key, attributes, target_key), STACK(80, 128));
}

psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                            size_t *data_length) {
  return WIPED(export_key(key, data, data_size, data_length), STACK(64, 96));
}

psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                   size_t *data_length) {
  return WIPED(export_public_key(key, data, data_size, data_length), STACK(304, 384));
}
