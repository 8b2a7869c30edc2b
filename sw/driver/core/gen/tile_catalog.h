// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
#ifndef CRYPTILE_DRIVER_GEN_TILE_CATALOG_H
#define CRYPTILE_DRIVER_GEN_TILE_CATALOG_H

// The engines; bit n of FEATURES.engines tells that number n is built in.
typedef enum {
  TileNop = 0,
  TileCopy = 1,
  TileAes = 2,
  TileSha2 = 3,
  TileKeccak = 4,
  TileChaCha20Poly1305 = 5,
  TileAscon = 6,
  TilePka = 7,
  TileRandom = 8,
  TilePka384 = 9,
  TilePkaRsa = 10,
  TilePka521 = 11
} tile_opcode_t;

// The modes of each engine.
enum {
  TileAesEcb = 0,
  TileAesCbc = 1,
  TileAesCtr = 2,
  TileAesGcm = 3,
  TileAesCcm = 4,
  TileAesCmac = 5,
  TileAesXts = 6,
  TileSha2Sha224 = 0,
  TileSha2Sha256 = 1,
  TileSha2Sha384 = 2,
  TileSha2Sha512 = 3,
  TileSha2Sha512_256 = 4,
  TileSha2Sha512_224 = 5,
  TileSha2HmacSha224 = 8,
  TileSha2HmacSha256 = 9,
  TileSha2HmacSha384 = 10,
  TileSha2HmacSha512 = 11,
  TileSha2HmacSha512_256 = 12,
  TileSha2HmacSha512_224 = 13,
  TileKeccakSha3_224 = 0,
  TileKeccakSha3_256 = 1,
  TileKeccakSha3_384 = 2,
  TileKeccakSha3_512 = 3,
  TileKeccakShake128 = 4,
  TileKeccakShake256 = 5,
  TileKeccakCshake128 = 6,
  TileKeccakCshake256 = 7,
  TileKeccakKmac128 = 8,
  TileKeccakKmac256 = 9,
  TileKeccakKmacxof128 = 10,
  TileKeccakKmacxof256 = 11,
  TileChaCha20Poly1305Chacha20 = 0,
  TileChaCha20Poly1305Poly1305 = 1,
  TileChaCha20Poly1305Chacha20Poly1305 = 2,
  TileAsconAead128 = 0,
  TileAsconHash256 = 1,
  TileAsconXof128 = 2,
  TileAsconCxof128 = 3,
  TilePkaX25519 = 0,
  TilePkaP256Ecdh = 1,
  TilePkaP256Sign = 2,
  TilePkaP256Verify = 3,
  TilePkaP256Public = 4,
  TilePkaP256Keygen = 5,
  TilePkaEd25519Public = 6,
  TilePkaEd25519Commit = 7,
  TilePkaEd25519Sign = 8,
  TilePkaEd25519Verify = 9,
  TilePkaEd25519Keygen = 10,
  TilePkaEd25519Nonce = 11,
  TilePkaEd25519SignOnce = 12,
  TilePkaX25519Keygen = 13,
  TilePka384P384Ecdh = 10,
  TilePka384P384Sign = 11,
  TilePka384P384Verify = 12,
  TilePka384P384Public = 13,
  TilePka384P384Keygen = 14,
  TilePkaRsaRsa2048Private = 0,
  TilePkaRsaRsa3072Private = 1,
  TilePkaRsaRsa4096Private = 2,
  TilePkaRsaRsa2048Public = 3,
  TilePkaRsaRsa2048Public64 = 4,
  TilePkaRsaRsa3072Public = 5,
  TilePkaRsaRsa3072Public64 = 6,
  TilePkaRsaRsa4096Public = 7,
  TilePkaRsaRsa4096Public64 = 8,
  TilePkaRsaRsa2048Sealed = 9,
  TilePkaRsaRsa3072Sealed = 10,
  TilePkaRsaRsa4096Sealed = 11,
  TilePkaRsaRsa2048Seal = 12,
  TilePkaRsaRsa3072Seal = 13,
  TilePkaRsaRsa4096Seal = 14,
  TilePkaRsaSealingKey = 15,
  TilePka521P521Ecdh = 10,
  TilePka521P521Sign = 11,
  TilePka521P521Verify = 12,
  TilePka521P521Public = 13,
  TilePka521P521Keygen = 14
};

// Modes by opcode, bit n of a set for mode n: which take a key, and which have descriptors that say
// the tag's bytes in place of an IV.
// clang-format off
#define TILE_MODES_WITH_KEY \
  {[TileAes] = 0x007f, \
   [TileSha2] = 0x3f00, \
   [TileKeccak] = 0x0f00, \
   [TileChaCha20Poly1305] = 0x0007, \
   [TileAscon] = 0x0001, \
   [TilePka] = 0x1857, \
   [TilePka384] = 0x2c00, \
   [TilePkaRsa] = 0x7e00, \
   [TilePka521] = 0x2c00}
#define TILE_MODES_WITH_LONG_TAG \
  {[TileKeccak] = 0x0fff, \
   [TileAscon] = 0x000e, \
   [TileRandom] = 0x0001}
// clang-format on

// Cycles in which an engine with several modes takes 1024 bytes of a message, by opcode and mode.
// 0: no such figure, as each block waits for the one before.
// clang-format off
#define TILE_CYCLES_OF_KIB \
  {[TileAes][TileAesEcb] = 64, \
   [TileAes][TileAesCtr] = 64, \
   [TileAes][TileAesGcm] = 64, \
   [TileAes][TileAesXts] = 64, \
   [TileSha2][TileSha2Sha224] = 1024, \
   [TileSha2][TileSha2Sha256] = 1024, \
   [TileSha2][TileSha2Sha384] = 640, \
   [TileSha2][TileSha2Sha512] = 640, \
   [TileSha2][TileSha2Sha512_256] = 640, \
   [TileSha2][TileSha2Sha512_224] = 640, \
   [TileSha2][TileSha2HmacSha224] = 1024, \
   [TileSha2][TileSha2HmacSha256] = 1024, \
   [TileSha2][TileSha2HmacSha384] = 640, \
   [TileSha2][TileSha2HmacSha512] = 640, \
   [TileSha2][TileSha2HmacSha512_256] = 640, \
   [TileSha2][TileSha2HmacSha512_224] = 640, \
   [TileKeccak][TileKeccakSha3_224] = 171, \
   [TileKeccak][TileKeccakSha3_256] = 181, \
   [TileKeccak][TileKeccakSha3_384] = 237, \
   [TileKeccak][TileKeccakSha3_512] = 342, \
   [TileKeccak][TileKeccakShake128] = 147, \
   [TileKeccak][TileKeccakShake256] = 181, \
   [TileKeccak][TileKeccakCshake128] = 147, \
   [TileKeccak][TileKeccakCshake256] = 181, \
   [TileKeccak][TileKeccakKmac128] = 147, \
   [TileKeccak][TileKeccakKmac256] = 181, \
   [TileKeccak][TileKeccakKmacxof128] = 147, \
   [TileKeccak][TileKeccakKmacxof256] = 181, \
   [TileChaCha20Poly1305][TileChaCha20Poly1305Chacha20] = 160, \
   [TileChaCha20Poly1305][TileChaCha20Poly1305Chacha20Poly1305] = 160, \
   [TileAscon][TileAsconAead128] = 256, \
   [TileAscon][TileAsconHash256] = 768, \
   [TileAscon][TileAsconXof128] = 768, \
   [TileAscon][TileAsconCxof128] = 768}
// clang-format on

// The largest block, tag and saved context, in bytes, but of public-key algorithms.
enum {
  TileMaxBlock = 168,
  TileMaxTag = 64,
  TileContextBytes = 208
};

// Engine, mode, and bytes of its full tag, digest or code.
// clang-format off
#define TILE_FULL_TAGS(ROW) \
  ROW(TileAes, TileAesGcm, 16) \
  ROW(TileAes, TileAesCcm, 16) \
  ROW(TileAes, TileAesCmac, 16) \
  ROW(TileSha2, TileSha2Sha224, 28) \
  ROW(TileSha2, TileSha2Sha256, 32) \
  ROW(TileSha2, TileSha2Sha384, 48) \
  ROW(TileSha2, TileSha2Sha512, 64) \
  ROW(TileSha2, TileSha2Sha512_256, 32) \
  ROW(TileSha2, TileSha2Sha512_224, 28) \
  ROW(TileSha2, TileSha2HmacSha224, 28) \
  ROW(TileSha2, TileSha2HmacSha256, 32) \
  ROW(TileSha2, TileSha2HmacSha384, 48) \
  ROW(TileSha2, TileSha2HmacSha512, 64) \
  ROW(TileSha2, TileSha2HmacSha512_256, 32) \
  ROW(TileSha2, TileSha2HmacSha512_224, 28) \
  ROW(TileKeccak, TileKeccakSha3_224, 28) \
  ROW(TileKeccak, TileKeccakSha3_256, 32) \
  ROW(TileKeccak, TileKeccakSha3_384, 48) \
  ROW(TileKeccak, TileKeccakSha3_512, 64) \
  ROW(TileKeccak, TileKeccakShake128, 32) \
  ROW(TileKeccak, TileKeccakShake256, 64) \
  ROW(TileKeccak, TileKeccakCshake128, 32) \
  ROW(TileKeccak, TileKeccakCshake256, 64) \
  ROW(TileKeccak, TileKeccakKmac128, 32) \
  ROW(TileKeccak, TileKeccakKmac256, 64) \
  ROW(TileKeccak, TileKeccakKmacxof128, 32) \
  ROW(TileKeccak, TileKeccakKmacxof256, 64) \
  ROW(TileChaCha20Poly1305, TileChaCha20Poly1305Poly1305, 16) \
  ROW(TileChaCha20Poly1305, TileChaCha20Poly1305Chacha20Poly1305, 16) \
  ROW(TileAscon, TileAsconAead128, 16) \
  ROW(TileAscon, TileAsconHash256, 32) \
  ROW(TileAscon, TileAsconXof128, 32) \
  ROW(TileAscon, TileAsconCxof128, 32) \
  ROW(TilePka, TilePkaX25519, 32) \
  ROW(TilePka, TilePkaP256Ecdh, 32) \
  ROW(TilePka, TilePkaP256Sign, 64) \
  ROW(TilePka, TilePkaP256Verify, 32) \
  ROW(TilePka, TilePkaP256Public, 64) \
  ROW(TilePka, TilePkaP256Keygen, 96) \
  ROW(TilePka, TilePkaEd25519Public, 32) \
  ROW(TilePka, TilePkaEd25519Commit, 32) \
  ROW(TilePka, TilePkaEd25519Sign, 64) \
  ROW(TilePka, TilePkaEd25519Verify, 32) \
  ROW(TilePka, TilePkaEd25519Keygen, 64) \
  ROW(TilePka, TilePkaEd25519Nonce, 96) \
  ROW(TilePka, TilePkaEd25519SignOnce, 64) \
  ROW(TilePka, TilePkaX25519Keygen, 64) \
  ROW(TilePka384, TilePka384P384Ecdh, 48) \
  ROW(TilePka384, TilePka384P384Sign, 96) \
  ROW(TilePka384, TilePka384P384Verify, 48) \
  ROW(TilePka384, TilePka384P384Public, 96) \
  ROW(TilePka384, TilePka384P384Keygen, 144) \
  ROW(TilePkaRsa, TilePkaRsaRsa2048Private, 256) \
  ROW(TilePkaRsa, TilePkaRsaRsa3072Private, 384) \
  ROW(TilePkaRsa, TilePkaRsaRsa4096Private, 512) \
  ROW(TilePkaRsa, TilePkaRsaRsa2048Public, 256) \
  ROW(TilePkaRsa, TilePkaRsaRsa2048Public64, 256) \
  ROW(TilePkaRsa, TilePkaRsaRsa3072Public, 384) \
  ROW(TilePkaRsa, TilePkaRsaRsa3072Public64, 384) \
  ROW(TilePkaRsa, TilePkaRsaRsa4096Public, 512) \
  ROW(TilePkaRsa, TilePkaRsaRsa4096Public64, 512) \
  ROW(TilePkaRsa, TilePkaRsaRsa2048Sealed, 256) \
  ROW(TilePkaRsa, TilePkaRsaRsa3072Sealed, 384) \
  ROW(TilePkaRsa, TilePkaRsaRsa4096Sealed, 512) \
  ROW(TilePkaRsa, TilePkaRsaRsa2048Seal, 928) \
  ROW(TilePkaRsa, TilePkaRsaRsa3072Seal, 1376) \
  ROW(TilePkaRsa, TilePkaRsaRsa4096Seal, 1824) \
  ROW(TilePkaRsa, TilePkaRsaSealingKey, 16) \
  ROW(TilePka521, TilePka521P521Ecdh, 80) \
  ROW(TilePka521, TilePka521P521Sign, 160) \
  ROW(TilePka521, TilePka521P521Verify, 80) \
  ROW(TilePka521, TilePka521P521Public, 160) \
  ROW(TilePka521, TilePka521P521Keygen, 240)
// clang-format on

// Engine, mode, and the hash function of it or, with a key, of its HMAC, as the library names it
// behind `cryptile_`.
// clang-format off
#define TILE_HASHES(ROW) \
  ROW(TileSha2, TileSha2Sha224, sha224) \
  ROW(TileSha2, TileSha2HmacSha224, sha224) \
  ROW(TileSha2, TileSha2Sha256, sha256) \
  ROW(TileSha2, TileSha2HmacSha256, sha256) \
  ROW(TileSha2, TileSha2Sha384, sha384) \
  ROW(TileSha2, TileSha2HmacSha384, sha384) \
  ROW(TileSha2, TileSha2Sha512, sha512) \
  ROW(TileSha2, TileSha2HmacSha512, sha512) \
  ROW(TileSha2, TileSha2Sha512_256, sha512_256) \
  ROW(TileSha2, TileSha2HmacSha512_256, sha512_256) \
  ROW(TileSha2, TileSha2Sha512_224, sha512_224) \
  ROW(TileSha2, TileSha2HmacSha512_224, sha512_224) \
  ROW(TileKeccak, TileKeccakSha3_224, sha3_224) \
  ROW(TileKeccak, TileKeccakSha3_256, sha3_256) \
  ROW(TileKeccak, TileKeccakSha3_384, sha3_384) \
  ROW(TileKeccak, TileKeccakSha3_512, sha3_512) \
  ROW(TileAscon, TileAsconHash256, ascon_hash256)
// clang-format on

// How a job ended.
enum {
  TileOk = 0,                // done
  TileAuthFailed = 1,        // wrong tag: the message was overwritten with zeros
  TileBadParam = 2,          // the engine knows no such parameters
  TileFaultCorrected = 3,    // done, a fault was corrected
  TileFaultDetected = 4,     // ended, a fault was detected
  TileRefused = 7,           // the engine refuses key or message: no valid scalar or point
  TileNoRandom = 8,          // no random bits came in time
  TileBadDescriptor = 16,    // bad descriptor or SG list
  TileWindowViolation = 17,  // an access outside the windows
  TileKeyDenied = 18,        // the key or its slot may not be used so
  TileBusError = 19,         // an error of the bus
  TileAborted = 20           // aborted
};

// What the driver returns for each of them.
// clang-format off
#define TILE_STATUSES(ROW) \
  ROW(TileOk, CRYPTILE_OK) \
  ROW(TileAuthFailed, CRYPTILE_ERR_AUTH) \
  ROW(TileBadParam, CRYPTILE_ERR_SUPPORT) \
  ROW(TileFaultCorrected, CRYPTILE_OK) \
  ROW(TileFaultDetected, CRYPTILE_ERR_FAULT) \
  ROW(TileRefused, CRYPTILE_ERR_KEY) \
  ROW(TileNoRandom, CRYPTILE_ERR_FAULT) \
  ROW(TileBadDescriptor, CRYPTILE_ERR_PARAM) \
  ROW(TileWindowViolation, CRYPTILE_ERR_BUS) \
  ROW(TileKeyDenied, CRYPTILE_ERR_KEY) \
  ROW(TileBusError, CRYPTILE_ERR_BUS) \
  ROW(TileAborted, CRYPTILE_ERR_STATE)
// clang-format on

// Algorithms: name, engine, mode, family, bytes of the key (TileMaxKey: up to so many), of a full
// tag and of a block.
// clang-format off
#define TILE_ALGORITHMS(ROW) \
  ROW("aes-128-ecb", TileAes, TileAesEcb, TileEcb, 16, 0, 16) \
  ROW("aes-192-ecb", TileAes, TileAesEcb, TileEcb, 24, 0, 16) \
  ROW("aes-256-ecb", TileAes, TileAesEcb, TileEcb, 32, 0, 16) \
  ROW("aes-128-cbc", TileAes, TileAesCbc, TileCbc, 16, 0, 16) \
  ROW("aes-192-cbc", TileAes, TileAesCbc, TileCbc, 24, 0, 16) \
  ROW("aes-256-cbc", TileAes, TileAesCbc, TileCbc, 32, 0, 16) \
  ROW("aes-128-ctr", TileAes, TileAesCtr, TileCtr, 16, 0, 16) \
  ROW("aes-192-ctr", TileAes, TileAesCtr, TileCtr, 24, 0, 16) \
  ROW("aes-256-ctr", TileAes, TileAesCtr, TileCtr, 32, 0, 16) \
  ROW("aes-128-gcm", TileAes, TileAesGcm, TileGcm, 16, 16, 16) \
  ROW("aes-192-gcm", TileAes, TileAesGcm, TileGcm, 24, 16, 16) \
  ROW("aes-256-gcm", TileAes, TileAesGcm, TileGcm, 32, 16, 16) \
  ROW("aes-128-ccm", TileAes, TileAesCcm, TileCcm, 16, 16, 16) \
  ROW("aes-192-ccm", TileAes, TileAesCcm, TileCcm, 24, 16, 16) \
  ROW("aes-256-ccm", TileAes, TileAesCcm, TileCcm, 32, 16, 16) \
  ROW("aes-128-cmac", TileAes, TileAesCmac, TileCmac, 16, 16, 16) \
  ROW("aes-192-cmac", TileAes, TileAesCmac, TileCmac, 24, 16, 16) \
  ROW("aes-256-cmac", TileAes, TileAesCmac, TileCmac, 32, 16, 16) \
  ROW("aes-128-xts", TileAes, TileAesXts, TileXts, 32, 0, 16) \
  ROW("aes-256-xts", TileAes, TileAesXts, TileXts, 64, 0, 16) \
  ROW("sha224", TileSha2, TileSha2Sha224, TileHash, 0, 28, 64) \
  ROW("hmac-sha224", TileSha2, TileSha2HmacSha224, TileHmac, TileMaxKey, 28, 64) \
  ROW("sha256", TileSha2, TileSha2Sha256, TileHash, 0, 32, 64) \
  ROW("hmac-sha256", TileSha2, TileSha2HmacSha256, TileHmac, TileMaxKey, 32, 64) \
  ROW("sha384", TileSha2, TileSha2Sha384, TileHash, 0, 48, 128) \
  ROW("hmac-sha384", TileSha2, TileSha2HmacSha384, TileHmac, TileMaxKey, 48, 128) \
  ROW("sha512", TileSha2, TileSha2Sha512, TileHash, 0, 64, 128) \
  ROW("hmac-sha512", TileSha2, TileSha2HmacSha512, TileHmac, TileMaxKey, 64, 128) \
  ROW("sha512-256", TileSha2, TileSha2Sha512_256, TileHash, 0, 32, 128) \
  ROW("hmac-sha512-256", TileSha2, TileSha2HmacSha512_256, TileHmac, TileMaxKey, 32, 128) \
  ROW("sha512-224", TileSha2, TileSha2Sha512_224, TileHash, 0, 28, 128) \
  ROW("hmac-sha512-224", TileSha2, TileSha2HmacSha512_224, TileHmac, TileMaxKey, 28, 128) \
  ROW("sha3-224", TileKeccak, TileKeccakSha3_224, TileHash, 0, 28, 144) \
  ROW("sha3-256", TileKeccak, TileKeccakSha3_256, TileHash, 0, 32, 136) \
  ROW("sha3-384", TileKeccak, TileKeccakSha3_384, TileHash, 0, 48, 104) \
  ROW("sha3-512", TileKeccak, TileKeccakSha3_512, TileHash, 0, 64, 72) \
  ROW("shake128", TileKeccak, TileKeccakShake128, TileXof, 0, 32, 168) \
  ROW("shake256", TileKeccak, TileKeccakShake256, TileXof, 0, 64, 136) \
  ROW("cshake128", TileKeccak, TileKeccakCshake128, TileCshake, 0, 32, 168) \
  ROW("cshake256", TileKeccak, TileKeccakCshake256, TileCshake, 0, 64, 136) \
  ROW("kmac128", TileKeccak, TileKeccakKmac128, TileKmac, TileMaxKey, 32, 168) \
  ROW("kmac256", TileKeccak, TileKeccakKmac256, TileKmac, TileMaxKey, 64, 136) \
  ROW("kmacxof128", TileKeccak, TileKeccakKmacxof128, TileKmac, TileMaxKey, 32, 168) \
  ROW("kmacxof256", TileKeccak, TileKeccakKmacxof256, TileKmac, TileMaxKey, 64, 136) \
  ROW("chacha20", TileChaCha20Poly1305, TileChaCha20Poly1305Chacha20, TileStream, 32, 0, 64) \
  ROW("poly1305", TileChaCha20Poly1305, TileChaCha20Poly1305Poly1305, TileOneTime, 32, 16, 16) \
  ROW("chacha20-poly1305", TileChaCha20Poly1305, TileChaCha20Poly1305Chacha20Poly1305, TileAead, 32, 16, 64) \
  ROW("ascon-aead128", TileAscon, TileAsconAead128, TileAead16, 16, 16, 16) \
  ROW("ascon-hash256", TileAscon, TileAsconHash256, TileHash, 0, 32, 8) \
  ROW("ascon-xof128", TileAscon, TileAsconXof128, TileXof, 0, 32, 8) \
  ROW("ascon-cxof128", TileAscon, TileAsconCxof128, TileCxof, 0, 32, 8)
// clang-format on

#endif  // CRYPTILE_DRIVER_GEN_TILE_CATALOG_H
