// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The driver's public-key functions: known answers, the engine with itself and with the library,
// keys in memory and in slots, also such as are made there, and a job that is aborted. A key, a
// digest and two signatures with P-256 are printed, for others to verify, then a key and two
// signatures with Ed25519, a key, a digest and a signature with P-384, a private key of it, the
// public one that agreed with it, and a code under their secret, and the same with X25519.

#include <stddef.h>
#include <string.h>

#include "console.h"
#include "cryptile/curve25519.h"
#include "cryptile/hash.h"
#include "cryptile/hmac.h"
#include "cryptile/p256.h"
#include "gen/rbg_regs.h"
#include "test.h"
#include "tile.h"
#include "tile_pka.h"

enum { Queue = 1, RingLog2 = 2, Limit = 600000, Start = 400000 };
enum { Slot = 1, Secret = 2, Slots = 1u << Slot | 1u << Secret };
enum { InEngine = 8000 };  // cycles behind which a job is at work there

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static tile_pka_t pka;
static volatile rbg_t *const rbg = (volatile rbg_t *)SOC_RBG_BASE;

// RFC 7748, 6.1: Alice's private key, Bob's public key, and their secret.
static const uint8_t kAlice[32] = {0x77, 0x07, 0x6d, 0x0a, 0x73, 0x18, 0xa5, 0x7d, 0x3c, 0x16, 0xc1,
                                   0x72, 0x51, 0xb2, 0x66, 0x45, 0xdf, 0x4c, 0x2f, 0x87, 0xeb, 0xc0,
                                   0x99, 0x2a, 0xb1, 0x77, 0xfb, 0xa5, 0x1d, 0xb9, 0x2c, 0x2a};
static const uint8_t kBob[32] = {0xde, 0x9e, 0xdb, 0x7d, 0x7b, 0x7d, 0xc1, 0xb4, 0xd3, 0x5b, 0x61,
                                 0xc2, 0xec, 0xe4, 0x35, 0x37, 0x3f, 0x83, 0x43, 0xc8, 0x5b, 0x78,
                                 0x67, 0x4d, 0xad, 0xfc, 0x7e, 0x14, 0x6f, 0x88, 0x2b, 0x4f};
static const uint8_t kShared[32] = {
    0x4a, 0x5d, 0x9d, 0x5b, 0xa4, 0xce, 0x2d, 0xe1, 0x72, 0x8e, 0x3b, 0xf4, 0x80, 0x35, 0x0f, 0x25,
    0xe0, 0x7e, 0x21, 0xc9, 0x47, 0xd1, 0x9e, 0x33, 0x76, 0xf0, 0x9b, 0x3c, 0x1e, 0x16, 0x17, 0x42};

// RFC 8032, 7.1, TEST 2: seed, public key, message, signature.
static const uint8_t kSeed[32] = {0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3,
                                  0x46, 0xec, 0x11, 0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab,
                                  0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb};
static const uint8_t kPublic[32] = {
    0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a, 0x92, 0xb7, 0x0a, 0xa7, 0x4d, 0x1b, 0x7e, 0xbc,
    0x9c, 0x98, 0x2c, 0xcf, 0x2e, 0xc4, 0x96, 0x8c, 0xc0, 0xcd, 0x55, 0xf1, 0x2a, 0xf4, 0x66, 0x0c};
static const uint8_t kMessage[1] = {0x72};
static const uint8_t kSigned[64] = {
    0x92, 0xa0, 0x09, 0xa9, 0xf0, 0xd4, 0xca, 0xb8, 0x72, 0x0e, 0x82, 0x0b, 0x5f, 0x64, 0x25, 0x40,
    0xa2, 0xb2, 0x7b, 0x54, 0x16, 0x50, 0x3f, 0x8f, 0xb3, 0x76, 0x22, 0x23, 0xeb, 0xdb, 0x69, 0xda,
    0x08, 0x5a, 0xc1, 0xe4, 0x3e, 0x15, 0x99, 0x6e, 0x45, 0x8f, 0x36, 0x13, 0xd0, 0xf1, 0x1d, 0x8c,
    0x38, 0x7b, 0x2e, 0xae, 0xb4, 0x30, 0x2a, 0xee, 0xb0, 0x0d, 0x29, 0x16, 0x12, 0xbb, 0x0c, 0x00};

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
}

static void start_random(void) {
  rbg->CONTROL = RBG__CONTROL__ENABLE_bm;
  const uint64_t begun = cycles();
  while (!(rbg->STATUS & RBG__STATUS__SEEDED_bm))
    CHECK(cycles() - begun < Start);
}

static void curve25519(void) {
  uint8_t out[64];
  const tile_private_t alice = {.bytes = kAlice};
  static const uint8_t zero[32];
  CHECK(cry_tile_x25519(&pka, &alice, kBob, out) == CRYPTILE_OK);
  CHECK(memcmp(out, kShared, 32) == 0);
  CHECK(cry_tile_x25519(&pka, &alice, zero, out) == CRYPTILE_ERR_KEY);
  CHECK(memcmp(out, zero, 32) == 0);

  CHECK(cry_tile_ed25519_public_key(&pka, kSeed, out) == CRYPTILE_OK);
  CHECK(memcmp(out, kPublic, 32) == 0);
  CHECK(cry_tile_ed25519_sign(&pka, kSeed, kMessage, sizeof kMessage, out) == CRYPTILE_OK);
  CHECK(memcmp(out, kSigned, 64) == 0);
  CHECK(cry_tile_ed25519_verify(&pka, kPublic, kMessage, sizeof kMessage, out) == CRYPTILE_OK);
  out[40] ^= 1;
  CHECK(cry_tile_ed25519_verify(&pka, kPublic, kMessage, sizeof kMessage, out) ==
        CRYPTILE_ERR_AUTH);
}

static void p256(void) {
  uint8_t key[2][32], point[2][65], again[65], secret[2][32], digest[32], signature[64];
  tile_private_t private[2];
  for (size_t i = 0; i < 2; i++) {
    CHECK(cry_tile_p256_generate(&pka, key[i], point[i]) == CRYPTILE_OK);
    private[i] = (tile_private_t){.bytes = key[i]};
  }
  CHECK(memcmp(key[0], key[1], 32) != 0);
  CHECK(cry_tile_p256_public_key(&pka, &private[0], again) == CRYPTILE_OK);
  CHECK(memcmp(again, point[0], 65) == 0);
  for (size_t i = 0; i < 2; i++)
    CHECK(cry_tile_p256_ecdh(&pka, &private[i], point[1 - i], secret[i]) == CRYPTILE_OK);
  CHECK(memcmp(secret[0], secret[1], 32) == 0);
  point[1][64] ^= 1;
  CHECK(cry_tile_p256_ecdh(&pka, &private[0], point[1], secret[0]) == CRYPTILE_ERR_KEY);

  for (size_t i = 0; i < sizeof digest; i++)
    digest[i] = (uint8_t)(i * 7);
  print(point[0] + 1, 64);
  print(digest, sizeof digest);
  CHECK(cry_tile_p256_sign(&pka, &private[0], digest, signature) == CRYPTILE_OK);
  print(signature, sizeof signature);
  CHECK(cry_tile_p256_verify(&pka, point[0], digest, signature) == CRYPTILE_OK);

  // The same key in a slot, for signatures alone.
  const tile_slot_use_t use = {.opcode = TilePka,
                               .modes = 1u << TilePkaP256Sign,
                               .key_len = 32,
                               .queues = 1u << Queue,
                               .encrypt = true};
  CHECK(cry_tile_slot_write(Slot, &use, key[0], 32) == CRYPTILE_OK);
  const tile_private_t in_slot = {.slot = Slot};
  CHECK(cry_tile_p256_sign(&pka, &in_slot, digest, signature) == CRYPTILE_OK);
  print(signature, sizeof signature);
  CHECK(cry_tile_p256_verify(&pka, point[0], digest, signature) == CRYPTILE_OK);
  CHECK(cry_tile_p256_public_key(&pka, &in_slot, again) == CRYPTILE_ERR_KEY);
  digest[31] ^= 1;
  CHECK(cry_tile_p256_verify(&pka, point[0], digest, signature) == CRYPTILE_ERR_AUTH);
}

// What the engine signs the library verifies, and the other way round; both refuse what is wrong.
static void with_library(void) {
  uint8_t key[32], point[65], software[65], digest[32], signature[64], secret[2][32];
  CHECK(cry_tile_p256_generate(&pka, key, point) == CRYPTILE_OK);
  CHECK(cryptile_p256_public_key(software, key) == CRYPTILE_OK);
  CHECK(memcmp(software, point, sizeof point) == 0);
  const tile_private_t private = {.bytes = key};
  for (size_t i = 0; i < sizeof digest; i++)
    digest[i] = (uint8_t)(i * 11 + 1);

  CHECK(cry_tile_p256_sign(&pka, &private, digest, signature) == CRYPTILE_OK);
  CHECK(cryptile_p256_verify(point, digest, sizeof digest, signature) == CRYPTILE_OK);
  signature[63] ^= 1;
  CHECK(cryptile_p256_verify(point, digest, sizeof digest, signature) == CRYPTILE_ERR_AUTH);
  CHECK(cry_tile_p256_verify(&pka, point, digest, signature) == CRYPTILE_ERR_AUTH);

  CHECK(cryptile_p256_sign(signature, key, &cryptile_sha256, digest) == CRYPTILE_OK);
  CHECK(cry_tile_p256_verify(&pka, point, digest, signature) == CRYPTILE_OK);
  signature[0] ^= 0x80;
  CHECK(cry_tile_p256_verify(&pka, point, digest, signature) == CRYPTILE_ERR_AUTH);

  CHECK(cry_tile_x25519(&pka, &private, kBob, secret[0]) == CRYPTILE_OK);
  CHECK(cryptile_x25519(secret[1], key, kBob) == CRYPTILE_OK);
  CHECK(memcmp(secret[0], secret[1], sizeof secret[0]) == 0);
}

// A job of the engine as no function of the driver makes it.
static tile_job_t job_of(unsigned mode, uint32_t len) {
  return (tile_job_t){.opcode = TilePka,
                      .mode = (uint8_t)mode,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot,
                      .key = tile_address(pka.key),
                      .src = tile_address(pka.message),
                      .len = len,
                      .tag = tile_address(pka.result)};
}

static void lengths(void) {
  static const uint32_t wrong[] = {0, 31, 33, 63, 65, 96};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const tile_job_t job = job_of(TilePkaP256Ecdh, wrong[i]);
    CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_SUPPORT);
  }
  tile_job_t job = job_of(TilePkaP256Ecdh, 64);
  job.tag_len = 16;
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_SUPPORT);
}

// Aborts a job in the midst of its work; behind that the engine does the next one.
static void aborted(void) {
  uint8_t out[32];
  const tile_private_t alice = {.bytes = kAlice};
  const tile_job_t job = job_of(TilePkaX25519, 32);
  memcpy(pka.key, kAlice, 32);
  memcpy(pka.message, kBob, 32);
  memset(pka.result, 0xa5, 32);
  CHECK(cry_tile_submit(&ring, &job, NULL) == CRYPTILE_OK);
  cry_tile_notify(&ring);
  for (const uint64_t begun = cycles(); cycles() - begun < InEngine;) {
  }
  CHECK(cry_tile_abort(&ring) == CRYPTILE_OK);
  for (size_t i = 0; i < 32; i++)
    CHECK(pka.result[i] == 0xa5);
  open();
  CHECK(cry_tile_x25519(&pka, &alice, kBob, out) == CRYPTILE_OK);
  CHECK(memcmp(out, kShared, 32) == 0);
}

// The code of the message in `pka`, with the key in slot `Secret`, goes to its result.
static cryptile_status_t code(unsigned mode, uint32_t key_bytes, uint32_t len) {
  const tile_job_t job = {.opcode = TileSha2,
                          .mode = mode,
                          .slot = Secret,
                          .key_bytes = key_bytes,
                          .unwrap_slot = TileNoSlot,
                          .src = tile_address(pka.message),
                          .len = len,
                          .tag = tile_address(pka.result)};
  return cry_tile_run(&ring, &job, Limit);
}

// Keys that are made in slots, and secrets that stay there.
static void in_slots(void) {
  uint8_t point[65], peer[65], key[32], secret[32], mac[32], digest[32] = {1}, signature[64];
  const tile_private_t in_slot = {.slot = Slot};
  const tile_slot_use_t signs = {
      .opcode = TilePka, .modes = 1u << TilePkaP256Sign, .key_len = 32, .encrypt = true};
  const tile_slot_use_t agrees = {.opcode = TilePka,
                                  .modes = 1u << TilePkaP256Ecdh,
                                  .key_len = 32,
                                  .encrypt = true,
                                  .unwrap_only = true};
  const tile_slot_use_t codes = {
      .opcode = TileSha2, .modes = 1u << TileSha2HmacSha256, .key_len = 32, .encrypt = true};
  CHECK(cry_tile_slot_clear(Slot) == CRYPTILE_OK);
  CHECK(cry_tile_p256_generate_in_slot(&pka, Slot, &signs, point) == CRYPTILE_OK);
  CHECK(cry_tile_p256_sign(&pka, &in_slot, digest, signature) == CRYPTILE_OK);
  CHECK(cryptile_p256_verify(point, digest, sizeof digest, signature) == CRYPTILE_OK);

  CHECK(cry_tile_p256_generate_in_slot(&pka, Slot, &agrees, point) == CRYPTILE_OK);
  CHECK(cry_tile_p256_generate(&pka, key, peer) == CRYPTILE_OK);
  CHECK(cry_tile_p256_ecdh(&pka, &in_slot, peer, secret) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_p256_ecdh_to_slot(&pka, &in_slot, peer, Secret, &codes) == CRYPTILE_OK);
  CHECK(cryptile_p256_ecdh(secret, key, point) == CRYPTILE_OK);
  CHECK(cryptile_hmac(&cryptile_sha256, secret, 32, digest, 32, mac, 32) == CRYPTILE_OK);
  memcpy(pka.message, digest, 32);
  CHECK(code(TileSha2HmacSha256, 32, 32) == CRYPTILE_OK);
  CHECK(memcmp(pka.result, mac, 32) == 0);
}

// Ed25519: a key that is made in a slot signs, by nonces that stay in another one and serve once.
static void ed25519_in_slots(void) {
  static const uint8_t message[5] = {'s', 'l', 'o', 't', 's'};
  uint8_t public_key[32], signature[2][64];
  const tile_private_t in_slot = {.slot = Slot}, in_memory = {.bytes = kSeed};
  const tile_slot_use_t signs = {.opcode = TilePka,
                                 .modes = 1u << TilePkaEd25519Nonce,
                                 .key_len = 32,
                                 .encrypt = true,
                                 .unwrap_only = true};
  CHECK(cry_tile_ed25519_generate_in_slot(&pka, Slot, &signs, public_key) == CRYPTILE_OK);
  print(public_key, sizeof public_key);
  for (size_t i = 0; i < 2; i++) {
    CHECK(cry_tile_ed25519_sign_in_slot(&pka, &in_slot, Secret, public_key, message, sizeof message,
                                        signature[i]) == CRYPTILE_OK);
    CHECK(cryptile_ed25519_verify(signature[i], message, sizeof message, public_key) ==
          CRYPTILE_OK);
    print(signature[i], sizeof signature[i]);
  }
  CHECK(memcmp(signature[0], signature[1], 32) != 0);
  // The nonce has served; the key serves nonces alone.
  tile_job_t job = job_of(TilePkaEd25519SignOnce, 96);
  job.slot = Secret;
  job.key = 0;
  job.key_bytes = 64;
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_KEY);
  job = job_of(TilePkaEd25519Public, 0);
  job.slot = Slot;
  job.key = 0;
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_ed25519_sign_in_slot(&pka, &in_memory, Secret, public_key, message, sizeof message,
                                      signature[0]) == CRYPTILE_ERR_PARAM);
}

// P-384: a key that is made in a slot signs, and one agrees on a secret that stays in another.
static tile_slot_use_t of_p384(unsigned mode) {
  return (tile_slot_use_t){
      .opcode = TilePka384, .modes = (uint16_t)(1u << mode), .key_len = 48, .encrypt = true};
}

static void p384_signatures(void) {
  uint8_t point[97], digest[48], signature[96];
  const tile_private_t in_slot = {.slot = Slot};
  const tile_slot_use_t signs = of_p384(TilePka384P384Sign);
  for (size_t i = 0; i < sizeof digest; i++)
    digest[i] = (uint8_t)(i * 7);
  CHECK(cry_tile_p384_generate_in_slot(&pka, Slot, &signs, point) == CRYPTILE_OK);
  CHECK(cry_tile_p384_sign(&pka, &in_slot, digest, signature) == CRYPTILE_OK);
  print(point + 1, 96);
  print(digest, sizeof digest);
  print(signature, sizeof signature);
  CHECK(cry_tile_p384_public_key(&pka, &in_slot, point) == CRYPTILE_ERR_KEY);
}

static void p384_in_memory(void) {
  uint8_t key[48], point[97], digest[48] = {1}, signature[96];
  const tile_private_t private = {.bytes = key};
  CHECK(cry_tile_p384_generate(&pka, key, point) == CRYPTILE_OK);
  CHECK(cry_tile_p384_sign(&pka, &private, digest, signature) == CRYPTILE_OK);
  CHECK(cry_tile_p384_verify(&pka, point, digest, signature) == CRYPTILE_OK);
  signature[95] ^= 1;
  CHECK(cry_tile_p384_verify(&pka, point, digest, signature) == CRYPTILE_ERR_AUTH);
}

static void p384_secrets(void) {
  uint8_t key[48], peer[97], point[97], again[97], secret[48];
  const tile_private_t private = {.bytes = key};
  const tile_private_t in_slot = {.slot = Slot};
  tile_slot_use_t agrees = of_p384(TilePka384P384Ecdh);
  agrees.unwrap_only = true;
  const tile_slot_use_t codes = {
      .opcode = TileSha2, .modes = 1u << TileSha2HmacSha384, .key_len = 48, .encrypt = true};
  CHECK(cry_tile_p384_generate(&pka, key, peer) == CRYPTILE_OK);
  CHECK(cry_tile_p384_public_key(&pka, &private, again) == CRYPTILE_OK);
  CHECK(memcmp(again, peer, sizeof peer) == 0);
  CHECK(cry_tile_p384_generate_in_slot(&pka, Slot, &agrees, point) == CRYPTILE_OK);
  CHECK(cry_tile_p384_ecdh(&pka, &in_slot, peer, secret) == CRYPTILE_ERR_KEY);
  again[96] ^= 1;
  CHECK(cry_tile_p384_ecdh_to_slot(&pka, &in_slot, again, Secret, &codes) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_p384_ecdh_to_slot(&pka, &in_slot, peer, Secret, &codes) == CRYPTILE_OK);
  CHECK(code(TileSha2HmacSha384, 48, 0) == CRYPTILE_OK);
  print(key, sizeof key);
  print(point + 1, 96);
  print(pka.result, 48);
}

// X25519: a key that is made in a slot agrees on a secret that stays in another.
static void x25519_in_slots(void) {
  uint8_t key[32], peer[32], again[32], point[32], secret[32];
  static const uint8_t base[32] = {9}, zero[32];
  const tile_private_t private = {.bytes = key}, in_slot = {.slot = Slot};
  const tile_slot_use_t agrees = {.opcode = TilePka,
                                  .modes = 1u << TilePkaX25519,
                                  .key_len = 32,
                                  .encrypt = true,
                                  .unwrap_only = true};
  const tile_slot_use_t codes = {
      .opcode = TileSha2, .modes = 1u << TileSha2HmacSha256, .key_len = 32, .encrypt = true};
  CHECK(cry_tile_x25519_generate(&pka, key, peer) == CRYPTILE_OK);
  CHECK(cry_tile_x25519(&pka, &private, base, again) == CRYPTILE_OK);
  CHECK(memcmp(again, peer, sizeof peer) == 0);
  CHECK(cryptile_x25519_public(again, key) == CRYPTILE_OK);
  CHECK(memcmp(again, peer, sizeof peer) == 0);
  CHECK(cry_tile_x25519_generate_in_slot(&pka, Slot, &agrees, point) == CRYPTILE_OK);
  CHECK(cry_tile_x25519(&pka, &in_slot, peer, secret) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_x25519_to_slot(&pka, &in_slot, zero, Secret, &codes) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_x25519_to_slot(&pka, &in_slot, peer, Secret, &codes) == CRYPTILE_OK);
  CHECK(code(TileSha2HmacSha256, 32, 0) == CRYPTILE_OK);
  print(key, sizeof key);
  print(point, sizeof point);
  print(pka.result, 32);
}

int main(void) {
  open();
  start_random();
  curve25519();
  p256();
  with_library();
  lengths();
  aborted();
  in_slots();
  ed25519_in_slots();
  p384_signatures();
  p384_in_memory();
  p384_secrets();
  x25519_in_slots();
  return 0;
}
