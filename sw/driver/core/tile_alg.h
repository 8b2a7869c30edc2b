// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// The algorithms of the tile by name, and jobs for whole messages or parts of them.
//
// A part of a message is a job of this with ctx_load, ctx_save and more set by hand: the first part
// has only ctx_save and more, the last one only ctx_load. All parts but the last are multiples of
// 16 bytes, of a hash multiples of its block, of Keccak of its rate.
//
// As in tile_job.h, nothing but the arguments is read or written.
#ifndef CRYPTILE_DRIVER_TILE_ALG_H
#define CRYPTILE_DRIVER_TILE_ALG_H

#include "gen/tile_families.h"
#include "tile_job.h"

enum { TileMaxName = 20 };

typedef struct {
  char name[TileMaxName];  // as `cryptile crypt --alg` spells it
  uint8_t opcode;
  uint8_t mode;
  uint8_t family;     // tile_family_t
  uint8_t key_bytes;  // XTS: of both; HMAC and KMAC: the most; 0: none
  uint8_t tag_bytes;  // of a full tag, digest or code; 0: none
  uint8_t block;      // bytes: all parts of a message but the last are multiples
} tile_alg_t;

// All algorithms; `*count` is set to their number.
const tile_alg_t *cry_tile_algs(unsigned *count);

// Finds an algorithm; null: there is none of that name.
const tile_alg_t *cry_tile_alg(const char *name);

// Tells whether the algorithm writes as many bytes as it reads, not just a tag or digest.
static inline bool cry_tile_makes_output(const tile_alg_t *alg) {
  return alg->opcode == TileCopy || cry_tile_family_makes_output(alg->family);
}

// Whether the algorithm takes a customization string in the place of associated data, encoded:
// cSHAKE with a string of no bytes takes none.
static inline bool cry_tile_takes_custom(const tile_alg_t *alg, uint64_t len) {
  return alg->family == TileKmac || (alg->family == TileCshake && len != 0);
}

// Room for what the function below writes.
enum { TileCustomRoom = TileMaxCustom + 17 };

// Writes the function's name and the customization string, up to TileMaxCustom bytes, as an engine
// wants them in the place of associated data. Returns how many bytes these are.
uint32_t cry_tile_custom(const tile_alg_t *alg, const uint8_t *string, uint32_t len, uint8_t *to);

// Makes a job of what it is to do. Given in `job` are `decrypt`, the addresses, the lengths, and
// the IV:
// - `key_bytes` of the key; of a MAC `key` is not 0 even if that is;
// - `iv_len` of the IV in `iv`, behind which `iv` is 0, or at `long_iv` if GCM is to take another
//   length than 12;
// - `aad_len` of associated data, or of cSHAKE and KMAC of what cry_tile_custom() has written;
// - `tag_len`, 0: the full length;
// all else is 0, and the slots TileNoSlot. `total` is, of CCM in parts, the length of the whole
// message, 0: it is one part. Set are the rest of the descriptor's fields, and to 0 what the
// algorithm has no use for.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: a length of key, IV, tag or customization string that
// the algorithm does not have; CRYPTILE_ERR_LENGTH: a message of less than 16 bytes or more than
// 2^20 blocks with XTS, of partial blocks with ECB and CBC, or longer than its nonce leaves room
// for with CCM; CRYPTILE_ERR_SUPPORT: a key of HMAC or KMAC with more than 64 bytes, for which one
// job is not enough.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_complete(const tile_alg_t *alg, uint64_t total,
                                                        tile_job_t *job);

#endif  // CRYPTILE_DRIVER_TILE_ALG_H
