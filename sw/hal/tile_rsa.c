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
  uint8_t private_mode, public_mode, public64, sealed, seal;
} modes_t;

static const modes_t kModes[] = {
    {256, TilePkaRsaRsa2048Private, TilePkaRsaRsa2048Public, TilePkaRsaRsa2048Public64,
     TilePkaRsaRsa2048Sealed, TilePkaRsaRsa2048Seal},
    {384, TilePkaRsaRsa3072Private, TilePkaRsaRsa3072Public, TilePkaRsaRsa3072Public64,
     TilePkaRsaRsa3072Sealed, TilePkaRsaRsa3072Seal},
    {512, TilePkaRsaRsa4096Private, TilePkaRsaRsa4096Public, TilePkaRsaRsa4096Public64,
     TilePkaRsaRsa4096Sealed, TilePkaRsaRsa4096Seal},
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

// Runs a job, of the message whose `len` bytes are there; hands out the result, or zeros, and
// forgets both. A job with a slot that there cannot be is refused by the tile.
static cryptile_status_t run(tile_rsa_t *rsa, tile_job_t *job, size_t len, uint8_t *result,
                             size_t result_len) {
  job->opcode = TilePkaRsa;
  job->src = tile_address(rsa->message);
  job->len = (uint32_t)len;
  job->tag = tile_address(rsa->result);
  const cryptile_status_t status = cry_tile_run(rsa->ring, job, rsa->limit);
  wipe(rsa->message, len);
  if (status != CRYPTILE_OK) {
    memset(result, 0, result_len);
    wipe(rsa->result, sizeof(rsa->result));
    return status;
  }
  memcpy(result, rsa->result, result_len);
  wipe(rsa->result, result_len);
  return CRYPTILE_OK;
}

// The same of a mode, with a key of `len` bytes, which is there, and a number.
static cryptile_status_t power(tile_rsa_t *rsa, unsigned mode, int16_t slot, size_t size,
                               size_t len, const uint8_t *number, uint8_t *result) {
  tile_job_t job = {.mode = (uint8_t)mode, .slot = slot, .unwrap_slot = TileNoSlot};
  memcpy(rsa->message + len, number, size);
  return run(rsa, &job, len + size, result, size);
}

static int16_t slot_of(unsigned slot) {
  return slot < TileAnySlot ? (int16_t)slot : TileAnySlot;
}

cryptile_status_t cry_tile_rsa_private(tile_rsa_t *rsa, const uint8_t *key, size_t size,
                                       const uint8_t *number, uint8_t *result) {
  const modes_t *modes = modes_of(size);
  if (modes == NULL) {
    return CRYPTILE_ERR_LENGTH;
  }
  memcpy(rsa->message, key, TILE_RSA_KEY_BYTES(size));
  return power(rsa, modes->private_mode, TileNoSlot, size, TILE_RSA_KEY_BYTES(size), number,
               result);
}

cryptile_status_t cry_tile_rsa_private_sealed(tile_rsa_t *rsa, unsigned slot, const uint8_t *sealed,
                                              size_t size, const uint8_t *number, uint8_t *result) {
  const modes_t *modes = modes_of(size);
  if (modes == NULL) {
    return CRYPTILE_ERR_LENGTH;
  }
  memcpy(rsa->message, sealed, TILE_RSA_SEALED_BYTES(size));
  return power(rsa, modes->sealed, slot_of(slot), size, TILE_RSA_SEALED_BYTES(size), number,
               result);
}

cryptile_status_t cry_tile_rsa_seal(tile_rsa_t *rsa, unsigned slot, const uint8_t *key, size_t size,
                                    uint8_t *sealed) {
  const modes_t *modes = modes_of(size);
  if (modes == NULL) {
    return CRYPTILE_ERR_LENGTH;
  }
  tile_job_t job = {.mode = modes->seal, .slot = slot_of(slot), .unwrap_slot = TileNoSlot};
  memcpy(rsa->message, key, TILE_RSA_KEY_BYTES(size));
  return run(rsa, &job, TILE_RSA_KEY_BYTES(size), sealed, TILE_RSA_SEALED_BYTES(size));
}

cryptile_status_t cry_tile_rsa_sealing_key(tile_rsa_t *rsa, unsigned slot,
                                           const tile_slot_use_t *use) {
  tile_job_t job = {.mode = TilePkaRsaSealingKey, .slot = TileNoSlot, .unwrap_slot = slot_of(slot)};
  const cryptile_status_t status = cry_tile_wrapped_as(use, TileAnySlot, job.iv);
  return status == CRYPTILE_OK ? run(rsa, &job, 0, rsa->result, 0) : status;
}

cryptile_status_t cry_tile_rsa_public(tile_rsa_t *rsa, const uint8_t *modulus, size_t size,
                                      uint64_t exponent, const uint8_t *number, uint8_t *result) {
  const modes_t *modes = modes_of(size);
  if (modes == NULL) {
    return CRYPTILE_ERR_LENGTH;
  }
  memcpy(rsa->message, modulus, size);
  if (exponent == Fermat) {
    return power(rsa, modes->public_mode, TileNoSlot, size, size, number, result);
  }
  uint8_t *text = rsa->message + size;
  memset(text, 0, Exponent);
  for (unsigned i = 0; i < sizeof(exponent); i++) {
    text[Exponent - 1 - i] = (uint8_t)(exponent >> (8 * i));
  }
  return power(rsa, modes->public64, TileNoSlot, size, size + Exponent, number, result);
}
