// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One of the driver's public-key functions, on what a test gives; gives back its status, what it
// has written, and what is left of it in the driver's room.
#include <string.h>

#include "tile_app.h"
#include "tile_pka.h"

enum { Slot = 1, Target = 2, Limit = 300000, MaxMessage = 256, Pattern = 0xa5, RingLog2 = 2 };
enum {
  X25519,
  Ecdh,
  Public,
  Generate,
  Sign,
  Verify,
  EdPublic,
  EdSign,
  EdVerify,
  EdGenerateInSlot,
  EdSignInSlot,
  EdSignOverKey,
  X25519ToSlot,
  X25519Generate,
  X25519GenerateInSlot,
  EcdhToSlot,
  GenerateInSlot,
  Ecdh384,
  Public384,
  Generate384,
  Sign384,
  Verify384,
  Ecdh384ToSlot,
  Generate384InSlot,
  Ecdh521,
  Public521,
  Generate521,
  Sign521,
  Verify521,
  Generate521InSlot
};
enum { Longest = 199 };  // result of a function

static struct {
  uint32_t function;
  uint32_t in_slot;  // the key is there, for the mode that this is the number of; else -1
  uint32_t slot_opcode;
  uint32_t slot_unwrap_only;
  uint32_t key_len;
  uint32_t make_keys;
  uint32_t opcode;  // of a key that is made
  uint32_t modes;
  uint32_t unwrap_only;
  uint32_t len;
  uint8_t key[80];
  uint8_t point[133];
  uint8_t digest[66];
  uint8_t signature[132];
  uint8_t message[MaxMessage];
} given;

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static tile_pka_t pka;

static cryptile_status_t call(const tile_private_t *key, uint8_t out[Longest]) {
  const tile_slot_use_t use = {.opcode = (uint8_t)given.opcode,
                               .modes = (uint16_t)given.modes,
                               .key_len = (uint8_t)given.key_len,
                               .encrypt = true,
                               .unwrap_only = given.unwrap_only != 0};
  switch (given.function) {
    case X25519:
      return cry_tile_x25519(&pka, key, given.point, out);
    case Ecdh:
      return cry_tile_p256_ecdh(&pka, key, given.point, out);
    case Public:
      return cry_tile_p256_public_key(&pka, key, out);
    case Generate:
      return cry_tile_p256_generate(&pka, out, out + 32);
    case Sign:
      return cry_tile_p256_sign(&pka, key, given.digest, out);
    case Verify:
      return cry_tile_p256_verify(&pka, given.point, given.digest, given.signature);
    case EdPublic:
      return cry_tile_ed25519_public_key(&pka, given.key, out);
    case EdSign:
      return cry_tile_ed25519_sign(&pka, given.key, given.message, given.len, out);
    case EdGenerateInSlot:
      return cry_tile_ed25519_generate_in_slot(&pka, Target, &use, out);
    case EdSignInSlot:
      return cry_tile_ed25519_sign_in_slot(&pka, key, Target, given.point, given.message, given.len,
                                           out);
    case EdSignOverKey:
      return cry_tile_ed25519_sign_in_slot(&pka, key, Slot, given.point, given.message, given.len,
                                           out);
    case X25519ToSlot:
      return cry_tile_x25519_to_slot(&pka, key, given.point, Target, &use);
    case X25519Generate:
      return cry_tile_x25519_generate(&pka, out, out + 32);
    case X25519GenerateInSlot:
      return cry_tile_x25519_generate_in_slot(&pka, Target, &use, out);
    case EcdhToSlot:
      return cry_tile_p256_ecdh_to_slot(&pka, key, given.point, Target, &use);
    case GenerateInSlot:
      return cry_tile_p256_generate_in_slot(&pka, Target, &use, out);
    case Ecdh384:
      return cry_tile_p384_ecdh(&pka, key, given.point, out);
    case Public384:
      return cry_tile_p384_public_key(&pka, key, out);
    case Generate384:
      return cry_tile_p384_generate(&pka, out, out + 48);
    case Sign384:
      return cry_tile_p384_sign(&pka, key, given.digest, out);
    case Verify384:
      return cry_tile_p384_verify(&pka, given.point, given.digest, given.signature);
    case Ecdh384ToSlot:
      return cry_tile_p384_ecdh_to_slot(&pka, key, given.point, Target, &use);
    case Generate384InSlot:
      return cry_tile_p384_generate_in_slot(&pka, Target, &use, out);
    case Ecdh521:
      return cry_tile_p521_ecdh(&pka, key, given.point, out);
    case Public521:
      return cry_tile_p521_public_key(&pka, key, out);
    case Generate521:
      return cry_tile_p521_generate(&pka, out, out + 66);
    case Sign521:
      return cry_tile_p521_sign(&pka, key, given.digest, out);
    case Verify521:
      return cry_tile_p521_verify(&pka, given.point, given.digest, given.signature);
    case Generate521InSlot:
      return cry_tile_p521_generate_in_slot(&pka, Target, &use, out);
    default:
      return cry_tile_ed25519_verify(&pka, given.point, given.message, given.len, given.signature);
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
  cry_tile_pka_use(&pka, &ring, Limit);
  tile_private_t key = {.bytes = given.key, .slot = TileNoSlot};
  if (given.in_slot != UINT32_MAX) {
    const tile_slot_use_t use = {.opcode = (uint8_t)given.slot_opcode,
                                 .modes = (uint16_t)(1u << given.in_slot),
                                 .key_len = (uint8_t)given.key_len,
                                 .queues = 1,
                                 .encrypt = true,
                                 .unwrap_only = given.slot_unwrap_only != 0};
    if (cry_tile_slot_write(Slot, &use, given.key, given.key_len) != CRYPTILE_OK) {
      return 1;
    }
    key = (tile_private_t){.slot = Slot};
  }
  uint8_t out[Longest];
  memset(out, Pattern, sizeof(out));
  const int32_t status = call(&key, out);
  pka.ring = NULL;
  memset(pka.pieces, 0, sizeof(pka.pieces));
  pka.limit = 0;
  cry_host_write(&status, sizeof(status));
  cry_host_write(out, sizeof(out));
  cry_host_write(&pka, sizeof(pka));
  return 0;
}
