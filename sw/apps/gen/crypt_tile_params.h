// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the crypt_tile program.
#ifndef CRYPTILE_APPS_GEN_CRYPT_TILE_PARAMS_H
#define CRYPTILE_APPS_GEN_CRYPT_TILE_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { CryptTileMagic = 0x54595243 };  // "CRYT"
enum { CryptTileVersion = 2 };
enum { CryptTileMaxBytes = 67108864 };
enum { CryptTileMaxKey = 1024 };
enum { CryptTileMaxAad = 4096 };
enum { CryptTileMaxIv = 1024 };
enum { CryptTileMaxTag = 256 };
enum { CryptTileMaxOutput = 1048576 };  // of an extendable output

typedef struct {
  uint32_t magic;                // 0x0 CryptTileMagic
  uint32_t version;              // 0x4 CryptTileVersion
  char alg[32];                  // 0x8 as cry_tile_alg() knows it
  uint32_t decrypt;              // 0x28 0 or 1; MACs: verify
  uint32_t pkcs7;                // 0x2c pad, or remove padding: ECB and CBC
  uint32_t sleep;                // 0x30 wait for the interrupt
  uint32_t shift_in;             // 0x34 bytes, up to 63, by which the buffers are moved
  uint32_t shift_out;            // 0x38
  uint32_t key_len;              // 0x3c bytes
  uint32_t iv_len;               // 0x40
  uint32_t aad_len;              // 0x44
  uint32_t tag_len;              // 0x48 of tag, digest, code or output; 0: the full length
  uint32_t tag_apart;            // 0x4c verify `tag`; else the tag stands behind the input
  uint8_t key[CryptTileMaxKey];  // 0x50
  uint8_t tag[CryptTileMaxTag];  // 0x450
  uint8_t iv[CryptTileMaxIv];    // 0x550
  uint8_t aad[CryptTileMaxAad];  // 0x950
} crypt_tile_params_t;

static_assert(sizeof(crypt_tile_params_t) == 0x1950, "layout");

// Exit codes of the program's own.
enum { CryptTileExitBadBlob = 32, CryptTileExitTooLong = 33 };

#endif  // CRYPTILE_APPS_GEN_CRYPT_TILE_PARAMS_H
