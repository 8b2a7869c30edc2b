// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// How the tile's algorithms take their parameters.
#ifndef CRYPTILE_DRIVER_GEN_TILE_FAMILIES_H
#define CRYPTILE_DRIVER_GEN_TILE_FAMILIES_H

#include "tile_types.h"

typedef enum {
  TilePlain,    // NOP, COPY: no key, no IV
  TileEcb,      // cipher
  TileCbc,      // cipher
  TileCtr,      // cipher; IV: the first counter block, big-endian, wraps
  TileXts,      // cipher; two keys, one behind the other; the IV is the tweak
  TileStream,   // cipher; IV: number of the first block, 4 bytes, little-endian; nonce
  TileGcm,      // aead; IV best of 12 bytes
  TileCcm,      // aead
  TileAead,     // aead
  TileAead16,   // aead
  TileCmac,     // mac
  TileHmac,     // mac; key of up to 64 bytes in one job; longer ones: tile_message.h
  TileKmac,     // mac; key as HMAC
  TileOneTime,  // mac; a key for one message
  TileHash,     // hash
  TileXof,      // xof
  TileCshake,   // xof
  TileCxof      // xof
} tile_family_t;

// The longest customization string, in bytes, and the most that a descriptor can say of others.
enum { TileMaxCustom = 255 };
#define TILE_MAX_BYTES 0xffffffffu

// Whether a message comes out again, not a tag or digest alone.
static inline bool cry_tile_family_makes_output(tile_family_t family) {
  switch (family) {
    case TileEcb:
    case TileCbc:
    case TileCtr:
    case TileXts:
    case TileStream:
    case TileGcm:
    case TileCcm:
    case TileAead:
    case TileAead16:
      return true;
    default:
      return false;
  }
}

// Whether there are IVs, nonces or counter blocks of so many bytes.
static inline bool cry_tile_takes_iv(tile_family_t family, uint64_t len) {
  switch (family) {
    case TileCbc:
    case TileCtr:
    case TileXts:
    case TileStream:
    case TileAead16:
      return len == 16;
    case TileGcm:
      return len >= 1 && len <= 1023;
    case TileCcm:
      return len >= 7 && len <= 13;
    case TileAead:
      return len == 12;
    default:
      return len == 0;
  }
}

// Whether there are tags, digests, codes or outputs of so many bytes; `full`: the
// longest, or the only one.
static inline bool cry_tile_takes_tag(tile_family_t family, uint64_t len, uint64_t full) {
  switch (family) {
    case TileGcm:
      return len == 4 || len == 8 || (len >= 12 && len <= 16);
    case TileCcm:
      return len >= 4 && len <= 16 && (len - 4) % 2 == 0;
    case TileAead16:
      return len >= 8 && len <= full;
    case TileCmac:
    case TileHmac:
      return len >= 4 && len <= full;
    case TileKmac:
      return len >= 4 && len <= TILE_MAX_BYTES;
    case TileXof:
    case TileCshake:
    case TileCxof:
      return len >= 1 && len <= TILE_MAX_BYTES;
    default:
      return len == full;
  }
}

// Whether there may be so many bytes of associated data, or of a customization string.
static inline bool cry_tile_takes_aad(tile_family_t family, uint64_t len) {
  switch (family) {
    case TileGcm:
    case TileCcm:
    case TileAead:
    case TileAead16:
      return len <= TILE_MAX_BYTES;
    case TileKmac:
    case TileCshake:
    case TileCxof:
      return len <= TileMaxCustom;
    default:
      return len == 0;
  }
}

// Whether there are messages of so many bytes.
static inline bool cry_tile_takes_message(tile_family_t family, uint64_t len) {
  switch (family) {
    case TileEcb:
    case TileCbc:
      return len % 16 == 0 && len <= TILE_MAX_BYTES;
    case TileXts:
      return len >= 16 && len <= 16777216;
    default:
      return len <= TILE_MAX_BYTES;
  }
}

#endif  // CRYPTILE_DRIVER_GEN_TILE_FAMILIES_H
