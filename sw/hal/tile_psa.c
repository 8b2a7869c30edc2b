// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_psa.h"

#include <string.h>

enum { P256 = 32, P384 = 48 };  // bytes of a number

static tile_pka_t *curves;
static tile_rsa_t *numbers;

// Engines by opcode: Ed25519 takes two.
#define PKA        (1u << TilePka)
#define PKA_384    (1u << TilePka384)
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

// The leftmost bits of a digest as a number of `size` bytes.
static void leftmost(uint8_t *number, size_t size, const uint8_t *digest, size_t len) {
  const size_t taken = len < size ? len : size;
  memset(number, 0, size - taken);
  memcpy(number + size - taken, digest, taken);
}

static cryptile_status_t p256_public(uint8_t *public_key, const uint8_t *private_key) {
  const tile_private_t key = in_memory(private_key);
  return BY(PKA, curves, cry_tile_p256_public_key(curves, &key, public_key));
}

static cryptile_status_t p256_ecdh(uint8_t *secret, const uint8_t *private_key,
                                   const uint8_t *peer_key) {
  const tile_private_t key = in_memory(private_key);
  return BY(PKA, curves, cry_tile_p256_ecdh(curves, &key, peer_key, secret));
}

static cryptile_status_t p256_sign(uint8_t *signature, const uint8_t *private_key,
                                   const uint8_t *digest, size_t digest_len) {
  const tile_private_t key = in_memory(private_key);
  uint8_t number[P256];
  leftmost(number, sizeof(number), digest, digest_len);
  return BY(PKA, curves, cry_tile_p256_sign(curves, &key, number, signature));
}

static cryptile_status_t p256_verify(const uint8_t *public_key, const uint8_t *digest,
                                     size_t digest_len, const uint8_t *signature) {
  uint8_t number[P256];
  leftmost(number, sizeof(number), digest, digest_len);
  return BY(PKA, curves, cry_tile_p256_verify(curves, public_key, number, signature));
}

static cryptile_status_t p384_public(uint8_t *public_key, const uint8_t *private_key) {
  const tile_private_t key = in_memory(private_key);
  return BY(PKA_384, curves, cry_tile_p384_public_key(curves, &key, public_key));
}

static cryptile_status_t p384_ecdh(uint8_t *secret, const uint8_t *private_key,
                                   const uint8_t *peer_key) {
  const tile_private_t key = in_memory(private_key);
  return BY(PKA_384, curves, cry_tile_p384_ecdh(curves, &key, peer_key, secret));
}

static cryptile_status_t p384_sign(uint8_t *signature, const uint8_t *private_key,
                                   const uint8_t *digest, size_t digest_len) {
  const tile_private_t key = in_memory(private_key);
  uint8_t number[P384];
  leftmost(number, sizeof(number), digest, digest_len);
  return BY(PKA_384, curves, cry_tile_p384_sign(curves, &key, number, signature));
}

static cryptile_status_t p384_verify(const uint8_t *public_key, const uint8_t *digest,
                                     size_t digest_len, const uint8_t *signature) {
  uint8_t number[P384];
  leftmost(number, sizeof(number), digest, digest_len);
  return BY(PKA_384, curves, cry_tile_p384_verify(curves, public_key, number, signature));
}

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

const cryptile_psa_engine_t *cry_tile_psa_engine(tile_pka_t *pka, tile_rsa_t *rsa) {
  static const cryptile_psa_engine_t kTile = {
      .p256 = {p256_public, p256_ecdh, p256_sign, p256_verify},
      .p384 = {p384_public, p384_ecdh, p384_sign, p384_verify},
      .x25519 = x25519,
      .ed25519_public = ed25519_public,
      .ed25519_sign = ed25519_sign,
      .ed25519_verify = ed25519_verify,
      .rsa_public = rsa_public,
  };
  curves = pka;
  numbers = rsa;
  return &kTile;
}
