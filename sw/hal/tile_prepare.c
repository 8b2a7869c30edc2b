// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_prepare.h"

#include <string.h>

static bool no_nulls(const tile_alg_t *alg, const tile_message_t *message, size_t tag_len) {
  bool custom = alg->family == TileCshake || alg->family == TileKmac;
  if (message->row && (message->in == NULL || message->out == NULL)) {
    return false;
  }
  return (message->iv != NULL || message->iv_len == 0) &&
         (message->aad != NULL || message->aad_len == 0 || message->row) &&
         (message->in != NULL || message->len == 0) &&
         (message->out != NULL || message->len == 0 || !cry_tile_makes_output(alg)) &&
         (message->tag != NULL || tag_len == 0 || message->row) &&
         (message->scratch != NULL || !custom);
}

// With the key at an address that is not null, or in a slot.
static cryptile_status_t prepare(const tile_alg_t *alg, const tile_message_t *message,
                                 const void *key, tile_job_t *job) {
  bool custom = cry_tile_takes_custom(alg, message->aad_len);
  size_t tag_len = message->tag_len != 0 ? message->tag_len : alg->tag_bytes;
  if (!no_nulls(alg, message, tag_len) ||
      (message->row && (!cry_tile_makes_output(alg) || alg->tag_bytes == 0)) ||
      message->aad_len > (custom ? TileMaxCustom : TILE_MAX_BYTES) || tag_len > TILE_MAX_BYTES ||
      message->iv_len > TileMaxIv) {
    return CRYPTILE_ERR_PARAM;
  }
  *job = (tile_job_t){
      .decrypt = message->decrypt,
      .row = message->row,
      .slot = TileNoSlot,
      .unwrap_slot = TileNoSlot,
      .iv_len = (uint16_t)message->iv_len,
      .key = tile_address(key),
      // One that is too long for a job is so with the most, too.
      .key_bytes = (uint8_t)(message->key_len < UINT8_MAX ? message->key_len : UINT8_MAX),
      .src = tile_address(message->in),
      .dst = tile_address(message->out),
      .len = (uint32_t)message->len,
      .aad = tile_address(message->aad),
      .aad_len = (uint32_t)message->aad_len,
      .tag = tile_address(message->tag),
      .tag_len = (uint32_t)tag_len};
  if (message->iv_len > sizeof(job->iv) || (alg->family == TileGcm && message->iv_len != 12)) {
    job->long_iv = tile_address(message->iv);
  } else if (message->iv_len != 0) {
    memcpy(job->iv, message->iv, message->iv_len);
  }
  if (custom) {
    uint8_t *to = message->scratch->custom;
    job->aad = tile_address(to);
    job->aad_len = cry_tile_custom(alg, message->aad, (uint32_t)message->aad_len, to);
  }
  cryptile_status_t status = cry_tile_complete(alg, message->total, job);
  return status == CRYPTILE_OK && message->len > TILE_MAX_BYTES ? CRYPTILE_ERR_LENGTH : status;
}

cryptile_status_t cry_tile_prepare(const tile_alg_t *alg, const tile_message_t *message,
                                   tile_job_t *job) {
  if (alg == NULL || message == NULL || job == NULL ||
      (message->key == NULL && message->key_len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  // A key of no bytes lies anywhere.
  const void *key = message->key != NULL ? (const void *)message->key : alg;
  return prepare(alg, message, key, job);
}

cryptile_status_t cry_tile_prepare_by_slot(const tile_alg_t *alg, const tile_message_t *message,
                                           unsigned slot, uint8_t generation, tile_job_t *job) {
  if (alg == NULL || message == NULL || job == NULL || alg->key_bytes == 0 ||
      alg->family == TileOneTime || slot > UINT8_MAX) {
    return CRYPTILE_ERR_PARAM;
  }
  cryptile_status_t status = prepare(alg, message, alg, job);
  job->key = 0;
  job->slot = (int16_t)slot;
  job->generation = generation;
  return status;
}
