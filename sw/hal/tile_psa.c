// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_psa.h"

#include <string.h>

enum { P256 = 32, P384 = 48, P521 = 66 };  // bytes of a number

static tile_pka_t *curves;
static tile_rsa_t *numbers;
static uint32_t slots_given, slots_used;  // for opaque keys
static unsigned slot_of_nonces = TileAnySlot;

// Engines by opcode: Ed25519 takes two.
#define PKA        (1u << TilePka)
#define PKA_384    (1u << TilePka384)
#define PKA_521    (1u << TilePka521)
#define PKA_RSA    (1u << TilePkaRsa)
#define PKA_HASHED (PKA | 1u << TileSha2)

static bool are_built(uint32_t engines) {
  return (cry_tile_features().engines & engines) == engines;
}

// Calls a function if the engines that it takes are there.
#define BY(engines, through, call) \
  ((through) != NULL && are_built(engines) ? (call) : CRYPTILE_ERR_SUPPORT)

static tile_private_t in_memory(const uint8_t *bytes) {
  return (tile_private_t){.bytes = bytes};
}

// The leftmost bits of a digest as a number of `size` bytes, less `excess` bits.
static void leftmost(uint8_t *number, size_t size, unsigned excess, const uint8_t *digest,
                     size_t len) {
  const size_t taken = len < size ? len : size;
  memset(number, 0, size - taken);
  memcpy(number + size - taken, digest, taken);
  if (taken == size && excess != 0) {
    for (size_t at = size; at-- > 0;) {
      const unsigned above = at > 0 ? (unsigned)number[at - 1] << 8 : 0;
      number[at] = (uint8_t)((above | number[at]) >> excess);
    }
  }
}

// The functions of one of NIST's curves whose numbers have `size` bytes, the upper `excess` bits 0.
#define NIST_CURVE(curve, engines, size, excess)                                                  \
  static cryptile_status_t curve##_public(uint8_t *public_key, const uint8_t *private_key) {      \
    const tile_private_t key = in_memory(private_key);                                            \
    return BY(engines, curves, cry_tile_##curve##_public_key(curves, &key, public_key));          \
  }                                                                                               \
  static cryptile_status_t curve##_ecdh(uint8_t *secret, const uint8_t *private_key,              \
                                        const uint8_t *peer_key) {                                \
    const tile_private_t key = in_memory(private_key);                                            \
    return BY(engines, curves, cry_tile_##curve##_ecdh(curves, &key, peer_key, secret));          \
  }                                                                                               \
  static cryptile_status_t curve##_sign_by(uint8_t *signature, const tile_private_t *key,         \
                                           const uint8_t *digest, size_t digest_len) {            \
    uint8_t number[size];                                                                         \
    leftmost(number, size, excess, digest, digest_len);                                           \
    return BY(engines, curves, cry_tile_##curve##_sign(curves, key, number, signature));          \
  }                                                                                               \
  static cryptile_status_t curve##_sign(uint8_t *signature, const uint8_t *private_key,           \
                                        const uint8_t *digest, size_t digest_len) {               \
    const tile_private_t key = in_memory(private_key);                                            \
    return curve##_sign_by(signature, &key, digest, digest_len);                                  \
  }                                                                                               \
  static cryptile_status_t curve##_verify(const uint8_t *public_key, const uint8_t *digest,       \
                                          size_t digest_len, const uint8_t *signature) {          \
    uint8_t number[size];                                                                         \
    leftmost(number, size, excess, digest, digest_len);                                           \
    return BY(engines, curves, cry_tile_##curve##_verify(curves, public_key, number, signature)); \
  }

NIST_CURVE(p256, PKA, P256, 0)
NIST_CURVE(p384, PKA_384, P384, 0)
NIST_CURVE(p521, PKA_521, P521, 7)

static cryptile_status_t x25519(uint8_t *secret, const uint8_t *private_key,
                                const uint8_t *peer_key) {
  const tile_private_t key = in_memory(private_key);
  return BY(PKA, curves, cry_tile_x25519(curves, &key, peer_key, secret));
}

static cryptile_status_t ed25519_public(uint8_t *public_key, const uint8_t *seed) {
  return BY(PKA_HASHED, curves, cry_tile_ed25519_public_key(curves, seed, public_key));
}

static cryptile_status_t ed25519_sign(uint8_t *signature, const uint8_t *message, size_t len,
                                      const uint8_t *seed, const uint8_t *public_key) {
  (void)public_key;  // the tile makes it anew: with another one the signature would tell the key
  return BY(PKA_HASHED, curves, cry_tile_ed25519_sign(curves, seed, message, len, signature));
}

static cryptile_status_t ed25519_verify(const uint8_t *signature, const uint8_t *message,
                                        size_t len, const uint8_t *public_key) {
  return BY(PKA_HASHED, curves,
            cry_tile_ed25519_verify(curves, public_key, message, len, signature));
}

static cryptile_status_t rsa_public(uint8_t *result, const uint8_t *modulus, size_t size,
                                    uint32_t exponent, const uint8_t *number) {
  if (modulus[0] < 0x80) {
    return CRYPTILE_ERR_SUPPORT;  // the engine's moduli have all their bits
  }
  const cryptile_status_t status =
      BY(PKA_RSA, numbers, cry_tile_rsa_public(numbers, modulus, size, exponent, number, result));
  return status == CRYPTILE_ERR_LENGTH ? CRYPTILE_ERR_SUPPORT : status;
}

// --- Opaque keys --------------------------------------------------------------------------------

// A handle is the curve, the generation of the slot's key, and the slot, of eight bits each.
static cryptile_psa_curve_id_t curve_of(uint32_t handle) {
  return (cryptile_psa_curve_id_t)(handle >> 16);
}

static tile_private_t in_slot(uint32_t handle) {
  return (tile_private_t){.slot = (int16_t)(handle & 0xff), .generation = (uint8_t)(handle >> 8)};
}

void cry_tile_psa_hold(uint32_t slots, unsigned nonce_slot) {
  slots_given = nonce_slot < 32 ? slots & ~(1u << nonce_slot) : slots;
  slot_of_nonces = nonce_slot;
}

static unsigned modes_of(cryptile_psa_curve_id_t curve, bool signs, bool agrees) {
  unsigned modes = 0;
  switch (curve) {
    case CRYPTILE_PSA_P256:
      modes |= signs ? 1u << TilePkaP256Sign : 0;
      modes |= agrees ? 1u << TilePkaP256Ecdh : 0;
      return modes != 0 ? modes : 1u << TilePkaP256Public;
    case CRYPTILE_PSA_P384:
      modes |= signs ? 1u << TilePka384P384Sign : 0;
      modes |= agrees ? 1u << TilePka384P384Ecdh : 0;
      return modes != 0 ? modes : 1u << TilePka384P384Public;
    case CRYPTILE_PSA_P521:
      modes |= signs ? 1u << TilePka521P521Sign : 0;
      modes |= agrees ? 1u << TilePka521P521Ecdh : 0;
      return modes != 0 ? modes : 1u << TilePka521P521Public;
    case CRYPTILE_PSA_X25519:
      return agrees ? 1u << TilePkaX25519 : 0;  // no mode gives the public key alone
    default:
      return signs ? 1u << TilePkaEd25519Nonce : 1u << TilePkaEd25519Public;
  }
}

static uint8_t opcode_of(cryptile_psa_curve_id_t curve) {
  return curve == CRYPTILE_PSA_P384   ? TilePka384
         : curve == CRYPTILE_PSA_P521 ? TilePka521
                                      : TilePka;
}

static uint8_t key_len_of(cryptile_psa_curve_id_t curve) {
  return curve == CRYPTILE_PSA_P384 ? P384 : curve == CRYPTILE_PSA_P521 ? TileLongKey : P256;
}

// Makes a key in a slot, in the place of any that is there.
static cryptile_status_t make(unsigned slot, uint8_t *public_key, cryptile_psa_curve_id_t curve,
                              bool signs, bool agrees) {
  const tile_slot_use_t use = {.opcode = opcode_of(curve),
                               .modes = (uint16_t)modes_of(curve, signs, agrees),
                               .key_len = key_len_of(curve),
                               .encrypt = true,
                               .unwrap_only = curve == CRYPTILE_PSA_ED25519 && signs};
  switch (curve) {
    case CRYPTILE_PSA_P256:
      return BY(PKA, curves, cry_tile_p256_generate_in_slot(curves, slot, &use, public_key));
    case CRYPTILE_PSA_P384:
      return BY(PKA_384, curves, cry_tile_p384_generate_in_slot(curves, slot, &use, public_key));
    case CRYPTILE_PSA_P521:
      return BY(PKA_521, curves, cry_tile_p521_generate_in_slot(curves, slot, &use, public_key));
    case CRYPTILE_PSA_X25519:
      return BY(PKA, curves, cry_tile_x25519_generate_in_slot(curves, slot, &use, public_key));
    case CRYPTILE_PSA_ED25519:
      return slot_of_nonces == TileAnySlot
                 ? CRYPTILE_ERR_SUPPORT
                 : BY(PKA_HASHED, curves,
                      cry_tile_ed25519_generate_in_slot(curves, slot, &use, public_key));
    default:
      return CRYPTILE_ERR_SUPPORT;
  }
}

static cryptile_status_t opaque_generate(uint32_t *handle, uint8_t *public_key,
                                         cryptile_psa_curve_id_t curve, bool signs, bool agrees) {
  const uint32_t slots_free = slots_given & ~slots_used;
  unsigned slot = 0;
  while (slot < 32 && (slots_free >> slot & 1) == 0) {
    slot++;
  }
  if (slot == 32) {
    return CRYPTILE_ERR_BUSY;
  }
  const cryptile_status_t status = make(slot, public_key, curve, signs, agrees);
  if (status == CRYPTILE_OK) {
    slots_used |= 1u << slot;
    *handle = (uint32_t)curve << 16 | (uint32_t)cry_tile_slot_generation(slot) << 8 | slot;
  }
  return status;
}

// What signs by Ed25519 is in the slot of nonces, too, if there is one.
static cryptile_status_t end_nonce(void) {
  if (slot_of_nonces == TileAnySlot) {
    return CRYPTILE_OK;
  }
  const cryptile_status_t status = cry_tile_slot_clear(slot_of_nonces);
  return status == CRYPTILE_ERR_KEY ? BY(PKA, curves, cry_tile_end_key(curves, slot_of_nonces))
                                    : status;
}

static cryptile_status_t opaque_destroy(uint32_t handle) {
  uint8_t public_key[1 + 2 * P521];
  const unsigned slot = handle & 0xff;
  cryptile_status_t status = curve_of(handle) == CRYPTILE_PSA_ED25519 ? end_nonce() : CRYPTILE_OK;
  if (status != CRYPTILE_OK) {
    return status;
  }
  status = cry_tile_slot_clear(slot);
  if (status == CRYPTILE_ERR_KEY) {  // sealed
    status = make(slot, public_key, curve_of(handle), false, false);
  }
  if (status == CRYPTILE_OK) {
    slots_used &= ~(1u << slot);
  }
  return status;
}

static cryptile_status_t opaque_ecdh(uint8_t *secret, uint32_t handle, const uint8_t *peer_key) {
  const tile_private_t key = in_slot(handle);
  switch (curve_of(handle)) {
    case CRYPTILE_PSA_P384:
      return BY(PKA_384, curves, cry_tile_p384_ecdh(curves, &key, peer_key, secret));
    case CRYPTILE_PSA_P521:
      return BY(PKA_521, curves, cry_tile_p521_ecdh(curves, &key, peer_key, secret));
    case CRYPTILE_PSA_X25519:
      return BY(PKA, curves, cry_tile_x25519(curves, &key, peer_key, secret));
    default:
      return BY(PKA, curves, cry_tile_p256_ecdh(curves, &key, peer_key, secret));
  }
}

static cryptile_status_t opaque_sign(uint8_t *signature, uint32_t handle, const uint8_t *digest,
                                     size_t digest_len) {
  const tile_private_t key = in_slot(handle);
  switch (curve_of(handle)) {
    case CRYPTILE_PSA_P384:
      return p384_sign_by(signature, &key, digest, digest_len);
    case CRYPTILE_PSA_P521:
      return p521_sign_by(signature, &key, digest, digest_len);
    default:
      return p256_sign_by(signature, &key, digest, digest_len);
  }
}

static cryptile_status_t opaque_ed25519_sign(uint8_t *signature, uint32_t handle,
                                             const uint8_t *message, size_t len,
                                             const uint8_t *public_key) {
  const tile_private_t key = in_slot(handle);
  return BY(PKA_HASHED, curves,
            cry_tile_ed25519_sign_in_slot(curves, &key, slot_of_nonces, public_key, message, len,
                                          signature));
}

const cryptile_psa_engine_t *cry_tile_psa_engine(tile_pka_t *pka, tile_rsa_t *rsa) {
  static const cryptile_psa_engine_t kTile = {
      .p256 = {p256_public, p256_ecdh, p256_sign, p256_verify},
      .p384 = {p384_public, p384_ecdh, p384_sign, p384_verify},
      .p521 = {p521_public, p521_ecdh, p521_sign, p521_verify},
      .x25519 = x25519,
      .ed25519_public = ed25519_public,
      .ed25519_sign = ed25519_sign,
      .ed25519_verify = ed25519_verify,
      .rsa_public = rsa_public,
      .opaque = {opaque_generate, opaque_destroy, opaque_ecdh, opaque_sign, opaque_ed25519_sign},
  };
  curves = pka;
  numbers = rsa;
  return &kTile;
}
