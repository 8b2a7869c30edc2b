// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
#ifndef CRYPTILE_HAL_ENGINES_H
#define CRYPTILE_HAL_ENGINES_H

#include <stdint.h>

#include "cryptile/status.h"

// FEATURES.engine
enum {
  EngineCopy = 0,
  EngineAes = 1,
  EngineChaCha20Poly1305 = 2,
  EngineAesModes = 3,
  EngineSha2 = 4,
  EngineKeccak = 5,
  EngineAscon = 6,
  EnginePka = 7,
  EngineRandom = 8,
  EnginePka384 = 9,
  EnginePkaRsa = 10,
  EnginePkaFast = 11,
  EnginePka521 = 12
};

// The modes of each engine.
enum {
  ModeCopyCopy = 0,
  ModeAesEcb = 0,
  ModeAesCbc = 1,
  ModeAesCtr = 2,
  ModeChaCha20Poly1305Chacha20 = 0,
  ModeChaCha20Poly1305Poly1305 = 1,
  ModeChaCha20Poly1305Chacha20Poly1305 = 2,
  ModeAesModesEcb = 0,
  ModeAesModesCbc = 1,
  ModeAesModesCtr = 2,
  ModeAesModesGcm = 3,
  ModeAesModesCcm = 4,
  ModeAesModesCmac = 5,
  ModeAesModesXts = 6,
  ModeSha2Sha224 = 0,
  ModeSha2Sha256 = 1,
  ModeSha2Sha384 = 2,
  ModeSha2Sha512 = 3,
  ModeSha2Sha512_256 = 4,
  ModeSha2Sha512_224 = 5,
  ModeSha2HmacSha224 = 8,
  ModeSha2HmacSha256 = 9,
  ModeSha2HmacSha384 = 10,
  ModeSha2HmacSha512 = 11,
  ModeSha2HmacSha512_256 = 12,
  ModeSha2HmacSha512_224 = 13,
  ModeKeccakSha3_224 = 0,
  ModeKeccakSha3_256 = 1,
  ModeKeccakSha3_384 = 2,
  ModeKeccakSha3_512 = 3,
  ModeKeccakShake128 = 4,
  ModeKeccakShake256 = 5,
  ModeKeccakCshake128 = 6,
  ModeKeccakCshake256 = 7,
  ModeKeccakKmac128 = 8,
  ModeKeccakKmac256 = 9,
  ModeKeccakKmacxof128 = 10,
  ModeKeccakKmacxof256 = 11,
  ModeAsconAead128 = 0,
  ModeAsconHash256 = 1,
  ModeAsconXof128 = 2,
  ModeAsconCxof128 = 3,
  ModePkaX25519 = 0,
  ModePkaP256Ecdh = 1,
  ModePkaP256Sign = 2,
  ModePkaP256Verify = 3,
  ModePkaP256Public = 4,
  ModePkaP256Keygen = 5,
  ModePkaEd25519Public = 6,
  ModePkaEd25519Commit = 7,
  ModePkaEd25519Sign = 8,
  ModePkaEd25519Verify = 9,
  ModePkaEd25519Keygen = 10,
  ModePkaEd25519Nonce = 11,
  ModePkaEd25519SignOnce = 12,
  ModePkaX25519Keygen = 13,
  ModeRandomGenerate = 0,
  ModePka384P384Ecdh = 10,
  ModePka384P384Sign = 11,
  ModePka384P384Verify = 12,
  ModePka384P384Public = 13,
  ModePka384P384Keygen = 14,
  ModePkaRsaRsa2048Private = 0,
  ModePkaRsaRsa3072Private = 1,
  ModePkaRsaRsa4096Private = 2,
  ModePkaRsaRsa2048Public = 3,
  ModePkaRsaRsa2048Public64 = 4,
  ModePkaRsaRsa3072Public = 5,
  ModePkaRsaRsa3072Public64 = 6,
  ModePkaRsaRsa4096Public = 7,
  ModePkaRsaRsa4096Public64 = 8,
  ModePkaRsaRsa2048Sealed = 9,
  ModePkaRsaRsa3072Sealed = 10,
  ModePkaRsaRsa4096Sealed = 11,
  ModePkaRsaRsa2048Seal = 12,
  ModePkaRsaRsa3072Seal = 13,
  ModePkaRsaRsa4096Seal = 14,
  ModePkaRsaSealingKey = 15,
  ModePkaFastX25519 = 0,
  ModePkaFastP256Ecdh = 1,
  ModePkaFastP256Sign = 2,
  ModePkaFastP256Verify = 3,
  ModePkaFastP256Public = 4,
  ModePkaFastP256Keygen = 5,
  ModePkaFastEd25519Public = 6,
  ModePkaFastEd25519Commit = 7,
  ModePkaFastEd25519Sign = 8,
  ModePkaFastEd25519Verify = 9,
  ModePkaFastEd25519Keygen = 10,
  ModePkaFastEd25519Nonce = 11,
  ModePkaFastEd25519SignOnce = 12,
  ModePkaFastX25519Keygen = 13,
  ModePka521P521Ecdh = 10,
  ModePka521P521Sign = 11,
  ModePka521P521Verify = 12,
  ModePka521P521Public = 13,
  ModePka521P521Keygen = 14
};

// What a driver returns for a status in RESULT.
static inline cryptile_status_t cry_engine_status(uint32_t code) {
  static const int8_t kStatus[] = {
      [0] = CRYPTILE_OK,
      [1] = CRYPTILE_ERR_AUTH,
      [2] = CRYPTILE_ERR_SUPPORT,
      [3] = CRYPTILE_OK,
      [4] = CRYPTILE_ERR_FAULT,
      [5] = CRYPTILE_ERR_BUS,
      [6] = CRYPTILE_ERR_FAULT,
      [7] = CRYPTILE_ERR_KEY,
      [8] = CRYPTILE_ERR_FAULT,
  };
  return code < sizeof(kStatus) ? (cryptile_status_t)kStatus[code] : CRYPTILE_ERR_FAULT;
}

#endif  // CRYPTILE_HAL_ENGINES_H
