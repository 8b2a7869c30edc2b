// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The driver's functions of P-384, with keys that are made in slots. A public key, a digest and a
// signature are printed, then a private key, the public key of one that agreed with it, and a code
// under their secret, for others to verify.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "console.h"
#include "gen/rbg_regs.h"
#include "test.h"
#include "tile.h"
#include "tile_pka.h"

enum { Queue = 1, RingLog2 = 2, Limit = 600000, Start = 400000 };
enum { Slot = 1, Secret = 2, Slots = 1u << Slot | 1u << Secret };

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static tile_pka_t pka;
static volatile rbg_t *const rbg = (volatile rbg_t *)SOC_RBG_BASE;
static const tile_private_t kInSlot = {.slot = Slot};

static uint64_t cycles(void) {
  uint64_t now;
  __asm__ volatile("csrr %0, mcycle" : "=r"(now));
  return now;
}

static void print(const uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i += 4)
    cry_console_hex((uint32_t)bytes[i] << 24 | (uint32_t)bytes[i + 1] << 16 |
                    (uint32_t)bytes[i + 2] << 8 | bytes[i + 3]);
  cry_console_text("\n");
}

static void open(void) {
  const tile_queue_config_t config = {.number = Queue,
                                      .ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = Slots,
                                      .make_keys = true};
  CHECK(cry_tile_open(&ring, &config) == CRYPTILE_OK);
  CHECK(cry_tile_window(Queue, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE,
                        TileWindowRead | TileWindowWrite) == CRYPTILE_OK);
  cry_tile_pka_use(&pka, &ring, Limit);
  rbg->CONTROL = RBG__CONTROL__ENABLE_bm;
  const uint64_t begun = cycles();
  while (!(rbg->STATUS & RBG__STATUS__SEEDED_bm))
    CHECK(cycles() - begun < Start);
}

static tile_slot_use_t of(unsigned mode) {
  return (tile_slot_use_t){
      .opcode = TilePka384, .modes = (uint16_t)(1u << mode), .key_len = 48, .encrypt = true};
}

static void signatures(void) {
  uint8_t point[97], digest[48], signature[96];
  const tile_slot_use_t signs = of(TilePka384P384Sign);
  for (size_t i = 0; i < sizeof digest; i++)
    digest[i] = (uint8_t)(i * 7);
  CHECK(cry_tile_p384_generate_in_slot(&pka, Slot, &signs, point) == CRYPTILE_OK);
  CHECK(cry_tile_p384_sign(&pka, &kInSlot, digest, signature) == CRYPTILE_OK);
  print(point + 1, 96);
  print(digest, sizeof digest);
  print(signature, sizeof signature);
  CHECK(cry_tile_p384_public_key(&pka, &kInSlot, point) == CRYPTILE_ERR_KEY);
}

static void verifies(void) {
  uint8_t key[48], point[97], digest[48] = {1}, signature[96];
  const tile_private_t private = {.bytes = key};
  CHECK(cry_tile_p384_generate(&pka, key, point) == CRYPTILE_OK);
  CHECK(cry_tile_p384_sign(&pka, &private, digest, signature) == CRYPTILE_OK);
  CHECK(cry_tile_p384_verify(&pka, point, digest, signature) == CRYPTILE_OK);
  signature[95] ^= 1;
  CHECK(cry_tile_p384_verify(&pka, point, digest, signature) == CRYPTILE_ERR_AUTH);
}

static void secrets(void) {
  uint8_t key[48], peer[97], point[97], again[97], secret[48];
  const tile_private_t private = {.bytes = key};
  tile_slot_use_t agrees = of(TilePka384P384Ecdh);
  agrees.unwrap_only = true;
  const tile_slot_use_t codes = {
      .opcode = TileSha2, .modes = 1u << TileSha2HmacSha384, .key_len = 48, .encrypt = true};
  CHECK(cry_tile_p384_generate(&pka, key, peer) == CRYPTILE_OK);
  CHECK(cry_tile_p384_public_key(&pka, &private, again) == CRYPTILE_OK);
  CHECK(memcmp(again, peer, sizeof peer) == 0);
  CHECK(cry_tile_p384_generate_in_slot(&pka, Slot, &agrees, point) == CRYPTILE_OK);
  CHECK(cry_tile_p384_ecdh(&pka, &kInSlot, peer, secret) == CRYPTILE_ERR_KEY);
  again[96] ^= 1;
  CHECK(cry_tile_p384_ecdh_to_slot(&pka, &kInSlot, again, Secret, &codes) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_p384_ecdh_to_slot(&pka, &kInSlot, peer, Secret, &codes) == CRYPTILE_OK);
  const tile_job_t job = {.opcode = TileSha2,
                          .mode = TileSha2HmacSha384,
                          .slot = Secret,
                          .key_bytes = 48,
                          .unwrap_slot = TileNoSlot,
                          .src = tile_address(pka.message),
                          .tag = tile_address(pka.result)};
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_OK);
  print(key, sizeof key);
  print(point + 1, 96);
  print(pka.result, 48);
}

int main(void) {
  open();
  signatures();
  verifies();
  secrets();
  return 0;
}
