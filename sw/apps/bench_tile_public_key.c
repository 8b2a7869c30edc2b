// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures public-key algorithms: calls of the tile's driver, and of the library on the same core,
// and prints records (record.h). Which algorithms is in the parameter blob of bench_tile.c; its
// sizes mean nothing here. The random bit generator is on and seeded before. Keys, points and
// signatures that a call needs the tile has made before.
#include <string.h>

#include "cryptile/curve25519.h"
#include "cryptile/hash.h"
#include "cryptile/p256.h"
#include "cryptile/p384.h"
#include "cryptile/p521.h"
#include "cycles.h"
#include "gen/bench_tile_params.h"
#include "rbg.h"
#include "record.h"
#include "tile_app.h"
#include "tile_pka.h"

enum { Runs = 2, JobLimit = 800000, LongCycles = 1000000, MessageBytes = 64 };
enum { NonceSlot = 1, RingLog2 = 2 };
enum { NameBytes = sizeof(((bench_tile_params_t *)0)->algs[0]) };

static tile_ring_t ring;
static tile_pka_t pka;
static uint8_t kKey[66], kPoint[133], kSlotPoint[32], kSignature[132], kOut[133];
static uint8_t kDigest[66], kMessage[MessageBytes];
static const tile_private_t kPrivate = {.bytes = kKey, .slot = TileNoSlot};
static const tile_private_t kSlot = {.slot = 0};

// What is needed before a measured call, by the tile.
static cryptile_status_t prepare_x25519(void) {
  memset(kPoint, 0, sizeof(kPoint));
  kPoint[0] = 9;  // RFC 7748, 4.1: the base point
  return CRYPTILE_OK;
}

static cryptile_status_t prepare_ed25519(void) {
  const cryptile_status_t status = cry_tile_ed25519_public_key(&pka, kKey, kPoint);
  return status != CRYPTILE_OK
             ? status
             : cry_tile_ed25519_sign(&pka, kKey, kMessage, MessageBytes, kSignature);
}

// A key that is made in a slot, which signs by nonces in another one.
static cryptile_status_t prepare_ed25519_slots(void) {
  static const tile_slot_use_t kSigns = {.opcode = TilePka,
                                         .modes = 1u << TilePkaEd25519Nonce,
                                         .key_len = 32,
                                         .encrypt = true,
                                         .unwrap_only = true};
  const cryptile_status_t status = prepare_ed25519();
  return status != CRYPTILE_OK
             ? status
             : cry_tile_ed25519_generate_in_slot(&pka, (unsigned)kSlot.slot, &kSigns, kSlotPoint);
}

static cryptile_status_t prepare_p256(void) {
  const cryptile_status_t status = cry_tile_p256_public_key(&pka, &kPrivate, kPoint);
  return status != CRYPTILE_OK ? status : cry_tile_p256_sign(&pka, &kPrivate, kDigest, kSignature);
}

static cryptile_status_t prepare_p384(void) {
  const cryptile_status_t status = cry_tile_p384_public_key(&pka, &kPrivate, kPoint);
  return status != CRYPTILE_OK ? status : cry_tile_p384_sign(&pka, &kPrivate, kDigest, kSignature);
}

static cryptile_status_t prepare_p521(void) {
  memset(kDigest, 0, 2);  // of 64 bytes, as a number
  const cryptile_status_t status = cry_tile_p521_public_key(&pka, &kPrivate, kPoint);
  return status != CRYPTILE_OK ? status : cry_tile_p521_sign(&pka, &kPrivate, kDigest, kSignature);
}

// The calls, each by the tile and by the library.
static cryptile_status_t x25519_engine(void) {
  return cry_tile_x25519(&pka, &kPrivate, kPoint, kOut);
}
static cryptile_status_t x25519_software(void) {
  return cryptile_x25519(kOut, kKey, kPoint);
}
static cryptile_status_t ed25519_slots_engine(void) {
  return cry_tile_ed25519_sign_in_slot(&pka, &kSlot, NonceSlot, kSlotPoint, kMessage, MessageBytes,
                                       kOut);
}
static cryptile_status_t ed25519_sign_engine(void) {
  return cry_tile_ed25519_sign(&pka, kKey, kMessage, MessageBytes, kOut);
}
static cryptile_status_t ed25519_sign_software(void) {
  return cryptile_ed25519_sign(kOut, kMessage, MessageBytes, kKey, kPoint);
}
static cryptile_status_t ed25519_verify_engine(void) {
  return cry_tile_ed25519_verify(&pka, kPoint, kMessage, MessageBytes, kSignature);
}
static cryptile_status_t ed25519_verify_software(void) {
  return cryptile_ed25519_verify(kSignature, kMessage, MessageBytes, kPoint);
}
static cryptile_status_t p256_ecdh_engine(void) {
  return cry_tile_p256_ecdh(&pka, &kPrivate, kPoint, kOut);
}
static cryptile_status_t p256_ecdh_software(void) {
  return cryptile_p256_ecdh(kOut, kKey, kPoint);
}
static cryptile_status_t p256_sign_engine(void) {
  return cry_tile_p256_sign(&pka, &kPrivate, kDigest, kOut);
}
static cryptile_status_t p256_sign_software(void) {
  return cryptile_p256_sign(kOut, kKey, &cryptile_sha256, kDigest);
}
static cryptile_status_t p256_verify_engine(void) {
  return cry_tile_p256_verify(&pka, kPoint, kDigest, kSignature);
}
static cryptile_status_t p256_verify_software(void) {
  return cryptile_p256_verify(kPoint, kDigest, 32, kSignature);
}
static cryptile_status_t p384_ecdh_engine(void) {
  return cry_tile_p384_ecdh(&pka, &kPrivate, kPoint, kOut);
}
static cryptile_status_t p384_ecdh_software(void) {
  return cryptile_p384_ecdh(kOut, kKey, kPoint);
}
static cryptile_status_t p384_sign_engine(void) {
  return cry_tile_p384_sign(&pka, &kPrivate, kDigest, kOut);
}
static cryptile_status_t p384_sign_software(void) {
  return cryptile_p384_sign(kOut, kKey, &cryptile_sha384, kDigest);
}
static cryptile_status_t p384_verify_engine(void) {
  return cry_tile_p384_verify(&pka, kPoint, kDigest, kSignature);
}
static cryptile_status_t p384_verify_software(void) {
  return cryptile_p384_verify(kPoint, kDigest, 48, kSignature);
}
static cryptile_status_t p521_ecdh_engine(void) {
  return cry_tile_p521_ecdh(&pka, &kPrivate, kPoint, kOut);
}
static cryptile_status_t p521_ecdh_software(void) {
  return cryptile_p521_ecdh(kOut, kKey, kPoint);
}
static cryptile_status_t p521_sign_engine(void) {
  return cry_tile_p521_sign(&pka, &kPrivate, kDigest, kOut);
}
static cryptile_status_t p521_sign_software(void) {
  return cryptile_p521_sign(kOut, kKey, &cryptile_sha512, kDigest + 2);
}
static cryptile_status_t p521_verify_engine(void) {
  return cry_tile_p521_verify(&pka, kPoint, kDigest, kSignature);
}
static cryptile_status_t p521_verify_software(void) {
  return cryptile_p521_verify(kPoint, kDigest + 2, 64, kSignature);
}

typedef cryptile_status_t (*call_t)(void);

static const struct {
  const char *name;
  call_t prepare, engine, software;
} kAlgs[] = {
    {"x25519", prepare_x25519, x25519_engine, x25519_software},
    {"ed25519-sign", prepare_ed25519_slots, ed25519_slots_engine, ed25519_sign_software},
    {"ed25519-sign-seed", prepare_ed25519, ed25519_sign_engine, ed25519_sign_software},
    {"ed25519-verify", prepare_ed25519, ed25519_verify_engine, ed25519_verify_software},
    {"p256-ecdh", prepare_p256, p256_ecdh_engine, p256_ecdh_software},
    {"p256-sign", prepare_p256, p256_sign_engine, p256_sign_software},
    {"p256-verify", prepare_p256, p256_verify_engine, p256_verify_software},
    {"p384-ecdh", prepare_p384, p384_ecdh_engine, p384_ecdh_software},
    {"p384-sign", prepare_p384, p384_sign_engine, p384_sign_software},
    {"p384-verify", prepare_p384, p384_verify_engine, p384_verify_software},
    {"p521-ecdh", prepare_p521, p521_ecdh_engine, p521_ecdh_software},
    {"p521-sign", prepare_p521, p521_sign_engine, p521_sign_software},
    {"p521-verify", prepare_p521, p521_verify_engine, p521_verify_software},
};

// A call with code and data in the caches: the last of several counts, of a long one the first,
// where that does not show.
static cryptile_status_t measure(const char *alg, const char *path, call_t call) {
  uint64_t cycles = 0;
  for (unsigned run = 0; run < Runs && cycles < LongCycles; run++) {
    const uint64_t begun = tile_now();
    const cryptile_status_t status = call();
    cycles = tile_now() - begun;
    if (status != CRYPTILE_OK) {
      return status;
    }
  }
  record_begin("cycles");
  record_text("path", path);
  record_text("alg", alg);
  record_end((uint32_t)cycles);
  return CRYPTILE_OK;
}

// Whether a name of the blob is the other one.
static bool same(const char *name, const char *other) {
  size_t i = 0;
  while (i < NameBytes - 1 && name[i] != 0 && name[i] == other[i]) {
    i++;
  }
  return name[i] == 0 && other[i] == 0;
}

static cryptile_status_t run(const bench_tile_params_t *params, const char *name) {
  for (size_t i = 0; i < sizeof(kAlgs) / sizeof(kAlgs[0]); i++) {
    if (same(name, kAlgs[i].name)) {
      cryptile_status_t status = kAlgs[i].prepare();
      if (status == CRYPTILE_OK && (params->ways & BenchTileSingle) != 0) {
        status = measure(name, "engine", kAlgs[i].engine);
      }
      if (status == CRYPTILE_OK && (params->ways & BenchTileSoftware) != 0) {
        status = measure(name, "software", kAlgs[i].software);
      }
      return status;
    }
  }
  return CRYPTILE_ERR_PARAM;
}

// A queue that makes keys, too.
static cryptile_status_t open_queue(void) {
  static tile_entry_t entries[1 << RingLog2];
  static tile_completion_t completions[1 << RingLog2];
  const tile_queue_config_t config = {.ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = UINT32_MAX,
                                      .make_keys = true};
  const cryptile_status_t status = cry_tile_open(&ring, &config);
  return status != CRYPTILE_OK ? status
                               : cry_tile_window(0, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE,
                                                 TileWindowRead | TileWindowWrite);
}

int main(void) {
  static bench_tile_params_t params;
  if (tile_app_params(&params, sizeof(params)) != sizeof(params) ||
      params.magic != BenchTileMagic || params.version != BenchTileVersion ||
      params.alg_count > BenchTileMaxAlgs) {
    return BenchTileExitBadBlob;
  }
  if (open_queue() != CRYPTILE_OK || cry_rbg_start(RbgStartLimit) != CRYPTILE_OK) {
    cry_console_text("no random bits\n");
    return BenchTileExitFailed;
  }
  cry_tile_pka_use(&pka, &ring, JobLimit);
  for (size_t i = 0; i < sizeof(kKey); i++) {
    kKey[i] = (uint8_t)(i + 1);
    kDigest[i] = (uint8_t)(3 * i);
  }
  for (uint32_t i = 0; i < params.alg_count; i++) {
    const cryptile_status_t status = run(&params, params.algs[i]);
    if (status != CRYPTILE_OK) {
      cry_console_text(params.algs[i]);
      cry_console_text(": status -");
      cry_console_decimal((uint32_t)-status);
      cry_console_text("\n");
      return BenchTileExitFailed;
    }
  }
  return 0;
}
