// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Jobs for messages in memory of this core's.
//
//   const tile_alg_t *alg = cry_tile_alg("aes-256-gcm");
//   tile_message_t message = {.key = key, .key_len = 32, .iv = iv, .iv_len = 12, ...};
//   status = cry_tile_prepare(alg, &message, &job);
//   if (status == CRYPTILE_OK) status = cry_tile_run(&ring, &job, limit);
#ifndef CRYPTILE_HAL_TILE_PREPARE_H
#define CRYPTILE_HAL_TILE_PREPARE_H

#include "tile_alg.h"
#include "tile_jobs.h"

// Room for what jobs read beside the caller's buffers. The members are private.
typedef struct {
  _Alignas(16) tile_piece_t pieces[5];
  uint8_t custom[TileCustomRoom];  // strings, encoded
  uint8_t block[TileMaxBlock];     // long keys (tile_message.h) only, from here on
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
  bool row;                 // AEADs: `in` and `out` are rows (tile_job.h); no `aad`, no `tag`
  uint8_t *tag;             // tag, code, digest or extendable output
  size_t tag_len;           // bytes of it; 0: the full length
  tile_scratch_t *scratch;  // cSHAKE, KMAC, long keys; left alone until the result
} tile_message_t;

// Makes a job of a message. The job refers to the message's buffers.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: a length of key, IV, tag or customization string that
// the algorithm does not have; CRYPTILE_ERR_LENGTH: a message of less than 16 bytes or more than
// 2^20 blocks with XTS, of partial blocks with ECB and CBC, longer than its nonce leaves room for
// with CCM (2^(8 * (15 - n)) - 1 bytes), or above 2^32 - 1 bytes;
// CRYPTILE_ERR_SUPPORT: a key of HMAC or KMAC with more than 64 bytes, for which one job is not
// enough: cry_tile_run_message() of tile_message.h takes it.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_prepare(const tile_alg_t *alg,
                                                       const tile_message_t *message,
                                                       tile_job_t *job);

// The same with the key in key slot `slot`: `key` of the message is not read, and may be null.
// `generation`: of the slot's key (cry_tile_slot_generation()); 0: any.
//
// In addition: CRYPTILE_ERR_PARAM: an algorithm without a key, or with one for a single message,
// which the tile takes with the job; a number that no slot has.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_prepare_by_slot(const tile_alg_t *alg,
                                                               const tile_message_t *message,
                                                               unsigned slot, uint8_t generation,
                                                               tile_job_t *job);

#endif  // CRYPTILE_HAL_TILE_PREPARE_H
