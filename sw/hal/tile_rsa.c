// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_rsa.h"

#include <string.h>

#include "wipe.h"

enum { Exponent = 64, Fermat = 65537 };

// The modes for a modulus of so many bytes.
typedef struct {
  uint16_t size;
  uint8_t private_mode, public_mode, public64;
} modes_t;

static const modes_t kModes[] = {
    {256, TilePkaRsaRsa2048Private, TilePkaRsaRsa2048Public, TilePkaRsaRsa2048Public64},
    {384, TilePkaRsaRsa3072Private, TilePkaRsaRsa3072Public, TilePkaRsaRsa3072Public64},
    {512, TilePkaRsaRsa4096Private, TilePkaRsaRsa4096Public, TilePkaRsaRsa4096Public64},
};

void cry_tile_rsa_use(tile_rsa_t *rsa, tile_ring_t *ring, uint32_t limit) {
  memset(rsa, 0, sizeof(*rsa));
  rsa->ring = ring;
  rsa->limit = limit;
}

// Null: there are none.
static const modes_t *modes_of(size_t size) {
  for (size_t i = 0; i < sizeof(kModes) / sizeof(kModes[0]); i++) {
    if (kModes[i].size == size) {
      return &kModes[i];
    }
  }
  return NULL;
}

// Runs a job of a key of `len` bytes, which is there, and the number; hands out the result, or
// zeros, and forgets both.
static cryptile_status_t run(tile_rsa_t *rsa, unsigned mode, size_t size, size_t len,
                             const uint8_t *number, uint8_t *result) {
  memcpy(rsa->message + len, number, size);
  const tile_job_t job = {.opcode = TilePkaRsa,
                          .mode = (uint8_t)mode,
                          .slot = TileNoSlot,
                          .unwrap_slot = TileNoSlot,
                          .src = tile_address(rsa->message),
                          .len = (uint32_t)(len + size),
                          .tag = tile_address(rsa->result)};
  const cryptile_status_t status = cry_tile_run(rsa->ring, &job, rsa->limit);
  if (status == CRYPTILE_OK) {
    memcpy(result, rsa->result, size);
  } else {
    memset(result, 0, size);
  }
  wipe(rsa->message, sizeof(rsa->message));
  wipe(rsa->result, sizeof(rsa->result));
  return status;
}

cryptile_status_t cry_tile_rsa_private(tile_rsa_t *rsa, const uint8_t *key, size_t size,
                                       const uint8_t *number, uint8_t *result) {
  const modes_t *modes = modes_of(size);
  if (modes == NULL) {
    return CRYPTILE_ERR_LENGTH;
  }
  memcpy(rsa->message, key, TILE_RSA_KEY_BYTES(size));
  return run(rsa, modes->private_mode, size, TILE_RSA_KEY_BYTES(size), number, result);
}

cryptile_status_t cry_tile_rsa_public(tile_rsa_t *rsa, const uint8_t *modulus, size_t size,
                                      uint64_t exponent, const uint8_t *number, uint8_t *result) {
  const modes_t *modes = modes_of(size);
  if (modes == NULL) {
    return CRYPTILE_ERR_LENGTH;
  }
  memcpy(rsa->message, modulus, size);
  if (exponent == Fermat) {
    return run(rsa, modes->public_mode, size, size, number, result);
  }
  uint8_t *text = rsa->message + size;
  memset(text, 0, Exponent);
  for (unsigned i = 0; i < sizeof(exponent); i++) {
    text[Exponent - 1 - i] = (uint8_t)(exponent >> (8 * i));
  }
  return run(rsa, modes->public64, size, size + Exponent, number, result);
}
