// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One of the driver's functions of RSA, on what a test gives; gives back its status, what it has
// written, and what is left of it in the driver's room. The result stands behind a pattern, or in
// the place of the number or of the key.
#include <string.h>

#include "tile_app.h"
#include "tile_rsa.h"

enum { Limit = 10000000, Pattern = 0xa5, RingLog2 = 2, Slot = 1, SealingKey = 16 };
enum { Longest = TILE_RSA_SEALED_BYTES(TileRsaMaxBytes), Room = Longest + 1 };
enum { Private, Public, PrivateSealed, Seal, MakeKey };
enum { Apart, OverNumber, OverKey };  // where the result goes

static struct {
  uint64_t exponent;
  uint32_t function;
  uint32_t size;
  uint32_t where;
  uint32_t slot;
  uint32_t slot_modes;  // what the key in slot 1 is for, or one that is made; 0: it stays as it is
  uint32_t make_keys;
  uint8_t sealing_key[SealingKey];
  uint8_t key[Longest];
  uint8_t number[Longest];
} given;

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static tile_rsa_t rsa;

static cryptile_status_t call(const tile_slot_use_t *use, uint8_t *out) {
  switch (given.function) {
    case Private:
      return cry_tile_rsa_private(&rsa, given.key, given.size, given.number, out);
    case Public:
      return cry_tile_rsa_public(&rsa, given.key, given.size, given.exponent, given.number, out);
    case PrivateSealed:
      return cry_tile_rsa_private_sealed(&rsa, given.slot, given.key, given.size, given.number,
                                         out);
    case Seal:
      return cry_tile_rsa_seal(&rsa, given.slot, given.key, given.size, out);
    default:
      return cry_tile_rsa_sealing_key(&rsa, given.slot, use);
  }
}

int main(void) {
  (void)tile_app_params(&given, sizeof(given));
  const tile_queue_config_t config = {.ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = UINT32_MAX,
                                      .make_keys = given.make_keys != 0};
  if (cry_tile_open(&ring, &config) != CRYPTILE_OK ||
      cry_tile_window(0, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, TileWindowRead | TileWindowWrite) !=
          CRYPTILE_OK) {
    return 1;
  }
  const tile_slot_use_t use = {.opcode = TilePkaRsa,
                               .modes = (uint16_t)given.slot_modes,
                               .key_len = SealingKey,
                               .queues = 1,
                               .encrypt = true};
  if (given.function != MakeKey && given.slot_modes != 0 &&
      cry_tile_slot_write(Slot, &use, given.sealing_key, SealingKey) != CRYPTILE_OK) {
    return 1;
  }
  cry_tile_rsa_use(&rsa, &ring, Limit);
  static uint8_t apart[Room];
  memset(apart, Pattern, sizeof(apart));
  uint8_t *out = given.where == OverNumber ? given.number
                 : given.where == OverKey  ? given.key + 1
                                           : apart;
  const int32_t status = call(&use, out);
  rsa.ring = NULL;
  rsa.limit = 0;
  cry_host_write(&status, sizeof(status));
  cry_host_write(out, Longest);
  cry_host_write(&rsa, sizeof(rsa));
  return 0;
}
