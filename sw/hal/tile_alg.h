// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The algorithms of the tile by name, and jobs for whole messages or parts of them.
//
//   const tile_alg_t *alg = cry_tile_alg("aes-256-gcm");
//   tile_message_t message = {.key = key, .key_len = 32, .iv = iv, .iv_len = 12, ...};
//   status = cry_tile_prepare(alg, &message, &job);
//   if (status == CRYPTILE_OK) status = cry_tile_run(&ring, &job, limit);
//
// A part of a message is a job of this with ctx_load, ctx_save and more set by hand: the first part
// has only ctx_save and more, the last one only ctx_load. All parts but the last are multiples of
// 16 bytes, of a hash multiples of its block, of Keccak of its rate.
#ifndef CRYPTILE_HAL_TILE_ALG_H
#define CRYPTILE_HAL_TILE_ALG_H

#include "gen/tile_families.h"
#include "tile.h"

typedef struct {
  const char *name;  // as `cryptile crypt --alg` spells it
  uint8_t opcode;
  uint8_t mode;
  uint8_t family;     // tile_family_t
  uint8_t key_bytes;  // XTS: of both; HMAC and KMAC: the most; 0: none
  uint8_t tag_bytes;  // of a full tag, digest or code; 0: none
  uint8_t block;      // bytes: all parts of a message but the last are multiples
} tile_alg_t;

// Room for what jobs read beside the caller's buffers. The members are private.
typedef struct {
  _Alignas(16) tile_piece_t pieces[5];
  uint8_t custom[TileMaxCustom + 17];  // strings, encoded
  uint8_t block[TileMaxBlock];         // long keys (tile_message.h) only, from here on
  uint8_t head[16];
  uint8_t tail[16];
  uint8_t code[256];
} tile_scratch_t;

// What to do. Lengths may be 0, and then pointers null.
typedef struct {
  bool decrypt;  // or verify; MACs too
  const uint8_t *key;
  size_t key_len;
  const uint8_t *iv;
  size_t iv_len;
  const uint8_t
      *aad;  // associated data; cSHAKE, KMAC, CXOF: customization string, up to TileMaxCustom
  size_t aad_len;
  const uint8_t *in;
  uint8_t *out;
  size_t len;
  size_t total;             // CCM in parts: bytes of the whole message; 0: it is one part
  uint8_t *tag;             // tag, code, digest or extendable output
  size_t tag_len;           // bytes of it; 0: the full length
  tile_scratch_t *scratch;  // cSHAKE, KMAC, long keys; left alone until the result
} tile_message_t;

// All algorithms; `*count` is set to their number.
const tile_alg_t *cry_tile_algs(size_t *count);

// Finds an algorithm; NULL: there is none of that name.
const tile_alg_t *cry_tile_alg(const char *name);

// Tells whether the algorithm writes as many bytes as it reads, not just a tag or digest.
bool cry_tile_makes_output(const tile_alg_t *alg);

// Makes a job of a message. The job refers to the message's buffers.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: a length of key, IV, tag or customization string that
// the algorithm does not have; CRYPTILE_ERR_LENGTH: a message of less than 16 bytes with XTS, or of
// partial blocks with ECB and CBC, or above 2^32 - 1 bytes; CRYPTILE_ERR_SUPPORT: a key of HMAC or
// KMAC with more than 64 bytes, for which one job is not enough: cry_tile_run_message() of
// tile_message.h takes it.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_prepare(const tile_alg_t *alg,
                                                       const tile_message_t *message,
                                                       tile_job_t *job);

#endif  // CRYPTILE_HAL_TILE_ALG_H
