// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keys that nobody ever had: of random bits of this chip, in key slots that nothing reads.
//
// Starts the random bit generator, puts an AES key into a slot and has the tile encrypt with it;
// then signs by PSA Crypto with a key that the tile has made itself, or the library where the tile
// has no engine for it. Every wait has a bound, and every status is looked at.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "console.h"
#include "cryptile.h"
#include "psa/crypto.h"
#include "rbg.h"
#include "soc_tile.h"
#include "tile.h"
#include "tile_prepare.h"
#include "tile_psa.h"
#include "tile_random.h"

enum { Queue = 0, RingLog2 = 2, Limit = 2000000 };
enum { SlotOfAes = 0, SlotOfPsa = 1 };
enum { KeyBytes = 32, IvBytes = 12, TagBytes = 16 };

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static tile_pka_t pka;

static const uint8_t kMessage[] = "a message";
enum { MessageBytes = sizeof kMessage - 1 };

static void print_bytes(const char *name, const uint8_t *data, size_t length) {
  cry_console_text(name);
  cry_console_text(" ");
  for (size_t i = 0; i < length; i++) {
    const char digits[] = {"0123456789abcdef"[data[i] >> 4], "0123456789abcdef"[data[i] & 15], 0};
    cry_console_text(digits);
  }
  cry_console_text("\n");
}

// A queue that may use all memory and both slots, and whose jobs may make keys.
static cryptile_status_t open_queue(void) {
  const tile_queue_config_t config = {.number = Queue,
                                      .ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = 1u << SlotOfAes | 1u << SlotOfPsa,
                                      .make_keys = true};
  cryptile_status_t status = cry_tile_open(&ring, &config);
  return status == CRYPTILE_OK ? cry_tile_window(Queue, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE,
                                                 TileWindowRead | TileWindowWrite)
                               : status;
}

// Random bits become the key of a slot, and are forgotten.
static cryptile_status_t make_aes_key(void) {
  const tile_slot_use_t use = {.opcode = TileAes,
                               .modes = 1u << TileAesGcm,
                               .key_len = KeyBytes,
                               .queues = 1u << Queue,
                               .encrypt = true,
                               .decrypt = true,
                               .lock = true};
  static uint8_t key[KeyBytes];
  cryptile_status_t status = cry_tile_random(&ring, key, sizeof key, TileRandomLimit);
  if (status == CRYPTILE_OK) {
    status = cry_tile_slot_write(SlotOfAes, &use, key, sizeof key);
  }
  memset(key, 0, sizeof key);
  __asm__ volatile("" : : "r"(key) : "memory");  // the compiler must not leave that out
  return status;
}

// AES-256-GCM with the key in the slot; decrypts if `decrypt`.
static cryptile_status_t gcm(bool decrypt, const uint8_t iv[IvBytes], const uint8_t *in,
                             uint8_t *out, uint8_t tag[TagBytes]) {
  const tile_message_t message = {.decrypt = decrypt,
                                  .key_len = KeyBytes,
                                  .iv = iv,
                                  .iv_len = IvBytes,
                                  .in = in,
                                  .out = out,
                                  .len = MessageBytes,
                                  .tag = tag};
  tile_job_t job;
  cryptile_status_t status =
      cry_tile_prepare_by_slot(cry_tile_alg("aes-256-gcm"), &message, SlotOfAes, 0, &job);
  return status == CRYPTILE_OK ? cry_tile_run(&ring, &job, Limit) : status;
}

static cryptile_status_t encrypt(void) {
  static uint8_t iv[IvBytes], sealed[MessageBytes], opened[MessageBytes], tag[TagBytes];
  cryptile_status_t status = cry_tile_random(&ring, iv, sizeof iv, TileRandomLimit);
  if (status == CRYPTILE_OK) {
    status = gcm(false, iv, kMessage, sealed, tag);
  }
  if (status == CRYPTILE_OK) {
    print_bytes("AES-256-GCM", sealed, sizeof sealed);
    status = gcm(true, iv, sealed, opened, tag);
  }
  if (status == CRYPTILE_OK && memcmp(opened, kMessage, sizeof opened) != 0) {
    status = CRYPTILE_ERR_FAULT;
  }
  tag[0] ^= 1;
  if (status == CRYPTILE_OK && gcm(true, iv, sealed, opened, tag) != CRYPTILE_ERR_AUTH) {
    status = CRYPTILE_ERR_FAULT;
  }
  return status;
}

// A key of P-256 in the tile, or in memory if there it is not supported.
static psa_status_t make_signing_key(psa_key_id_t *key) {
  psa_key_attributes_t attributes = psa_key_attributes_init();
  psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
  psa_set_key_bits(&attributes, 256);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
  psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
  psa_set_key_lifetime(&attributes,
                       PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                           PSA_KEY_PERSISTENCE_VOLATILE, PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT));
  psa_status_t status = psa_generate_key(&attributes, key);
  if (status != PSA_ERROR_NOT_SUPPORTED) {
    cry_console_text("the tile signs\n");
    return status;
  }
  cry_console_text("the library signs\n");
  psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_VOLATILE);
  return psa_generate_key(&attributes, key);
}

static psa_status_t sign(void) {
  const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
  static uint8_t public_key[65], signature[64];
  psa_key_id_t key;
  size_t length;
  psa_status_t status = make_signing_key(&key);
  if (status != PSA_SUCCESS) {
    return status;
  }
  status = psa_export_public_key(key, public_key, sizeof public_key, &length);
  if (status == PSA_SUCCESS) {
    status =
        psa_sign_message(key, alg, kMessage, MessageBytes, signature, sizeof signature, &length);
  }
  if (status == PSA_SUCCESS) {
    print_bytes("public key", public_key, sizeof public_key);
    print_bytes("signature", signature, sizeof signature);
    status = psa_verify_message(key, alg, kMessage, MessageBytes, signature, sizeof signature);
  }
  psa_status_t destroyed = psa_destroy_key(key);
  return status == PSA_SUCCESS ? destroyed : status;
}

int main(void) {
  cryptile_status_t status = open_queue();
  if (status == CRYPTILE_OK) {
    status = cry_rbg_start(RbgStartLimit);
  }
  if (status == CRYPTILE_OK) {
    status = make_aes_key();
  }
  if (status == CRYPTILE_OK) {
    status = encrypt();
  }
  if (status != CRYPTILE_OK) {
    cry_console_text("no AES key\n");
    return 1;
  }
  cry_tile_random_use(&ring);
  cryptile_psa_set_random(cry_tile_random_source);
  cry_tile_pka_use(&pka, &ring, Limit);
  cry_tile_psa_hold(1u << SlotOfPsa, TileAnySlot);
  cryptile_psa_set_engine(cry_tile_psa_engine(&pka, NULL));
  if (psa_crypto_init() != PSA_SUCCESS || sign() != PSA_SUCCESS) {
    cry_console_text("no signature\n");
    return 2;
  }
  return 0;
}
