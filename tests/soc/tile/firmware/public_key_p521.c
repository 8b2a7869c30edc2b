// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The driver's functions of P-521, with keys in memory and in slots, such as are made there and
// such as registers write. Gives the host, for others to verify: a public key, a hash and a
// signature; a private key, and its public key by the slot that it is in; the public key of one
// that agreed with it, and their secret.

#include <string.h>

#include "host.h"
#include "random_queue.h"
#include "rbg.h"
#include "test.h"
#include "tile_pka.h"

enum { Limit = 1000000, Slot = 1 };
enum { Number = 66, Point = 133, Signature = 132, Zeros = TileLongKey - Number };

static tile_pka_t pka;
static const tile_private_t kInSlot = {.slot = Slot};

static void give(const uint8_t *data, size_t length) {
  fence();
  cry_host_write(data, length);
}

static tile_slot_use_t use_for(unsigned mode) {
  return (tile_slot_use_t){.opcode = TilePka521,
                           .modes = (uint16_t)(1u << mode),
                           .key_len = TileLongKey,
                           .queues = 1u << RandomQueue,
                           .encrypt = true};
}

static void signatures(void) {
  uint8_t point[Point], digest[Number] = {0}, signature[Signature];
  const tile_slot_use_t signs = use_for(TilePka521P521Sign);
  for (size_t i = 2; i < sizeof digest; i++)
    digest[i] = (uint8_t)(i * 7);
  CHECK(cry_tile_p521_generate_in_slot(&pka, Slot, &signs, point) == CRYPTILE_OK);
  CHECK(cry_tile_p521_sign(&pka, &kInSlot, digest, signature) == CRYPTILE_OK);
  give(point, sizeof point);
  give(digest, sizeof digest);
  give(signature, sizeof signature);
  CHECK(cry_tile_p521_public_key(&pka, &kInSlot, point) == CRYPTILE_ERR_KEY);
}

static void in_memory(uint8_t key[Number], uint8_t point[Point]) {
  uint8_t digest[Number] = {1}, signature[Signature];
  const tile_private_t private = {.bytes = key};
  CHECK(cry_tile_p521_generate(&pka, key, point) == CRYPTILE_OK);
  CHECK(cry_tile_p521_sign(&pka, &private, digest, signature) == CRYPTILE_OK);
  CHECK(cry_tile_p521_verify(&pka, point, digest, signature) == CRYPTILE_OK);
  signature[Signature - 1] ^= 1;
  CHECK(cry_tile_p521_verify(&pka, point, digest, signature) == CRYPTILE_ERR_AUTH);
  digest[0] = 2;  // more than 521 bits
  CHECK(cry_tile_p521_sign(&pka, &private, digest, signature) == CRYPTILE_ERR_KEY);
}

// By registers, in whose last words the end of the key is.
static void written(const uint8_t key[Number], const uint8_t point[Point]) {
  uint8_t long_key[TileLongKey] = {0}, again[Point];
  tile_slot_use_t gives = use_for(TilePka521P521Public);
  memcpy(long_key + Zeros, key, Number);
  CHECK(cry_tile_slot_write(Slot, &gives, long_key, sizeof long_key) == CRYPTILE_OK);
  CHECK(cry_tile_p521_public_key(&pka, &kInSlot, again) == CRYPTILE_OK);
  CHECK(memcmp(again, point, Point) == 0);
  CHECK(cry_tile_slot_write(Slot, &gives, long_key, TileMaxKey) == CRYPTILE_ERR_PARAM);
  gives.opcode = TileSha2;
  CHECK(cry_tile_slot_write(Slot, &gives, long_key, sizeof long_key) == CRYPTILE_ERR_PARAM);
  give(key, Number);
  give(again, Point);
}

static void secrets(const uint8_t peer[Point]) {
  uint8_t point[Point], secret[Number];
  const tile_slot_use_t agrees = use_for(TilePka521P521Ecdh);
  CHECK(cry_tile_p521_generate_in_slot(&pka, Slot, &agrees, point) == CRYPTILE_OK);
  CHECK(cry_tile_p521_ecdh(&pka, &kInSlot, peer, secret) == CRYPTILE_OK);
  give(point, sizeof point);
  give(secret, sizeof secret);
  point[Point - 1] ^= 1;
  CHECK(cry_tile_p521_ecdh(&pka, &kInSlot, point, secret) == CRYPTILE_ERR_KEY);
}

int main(void) {
  uint8_t key[Number], point[Point];
  CHECK(random_queue_open() == CRYPTILE_OK);
  CHECK(cry_rbg_start(RbgStartLimit) == CRYPTILE_OK);
  cry_tile_pka_use(&pka, &random_queue, Limit);
  signatures();
  in_memory(key, point);
  written(key, point);
  secrets(point);
  return 0;
}
