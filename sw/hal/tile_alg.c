// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_alg.h"

#include <string.h>

#define ROW(...) {__VA_ARGS__},
static const tile_alg_t kAlgs[] = {{"nop", TileNop, 0, TilePlain, 0, 0, 16},
                                   {"copy", TileCopy, 0, TilePlain, 0, 0, 16},
                                   TILE_ALGORITHMS(ROW)};
#undef ROW

const tile_alg_t *cry_tile_algs(size_t *count) {
  *count = sizeof(kAlgs) / sizeof(kAlgs[0]);
  return kAlgs;
}

const tile_alg_t *cry_tile_alg(const char *name) {
  for (size_t i = 0; i < sizeof(kAlgs) / sizeof(kAlgs[0]); i++) {
    const char *a = kAlgs[i].name;
    const char *b = name;
    while (*a != 0 && *a == *b) {
      a++;
      b++;
    }
    if (*a == *b) {
      return &kAlgs[i];
    }
  }
  return NULL;
}

static bool good_key(const tile_alg_t *alg, size_t len) {
  bool any = alg->family == TileHmac || alg->family == TileKmac;
  return any ? len <= TileMaxKey : len == alg->key_bytes;
}

// encode_string() of NIST SP 800-185 for up to 255 bytes.
static size_t encode_string(uint8_t *to, const uint8_t *string, size_t len) {
  size_t head = len < 32 ? 2 : 3;
  to[0] = (uint8_t)(head - 1);
  to[1] = (uint8_t)(len < 32 ? len * 8 : len >> 5);
  if (len >= 32) {
    to[2] = (uint8_t)(len * 8);
  }
  if (len != 0) {
    memcpy(to + head, string, len);
  }
  return head + len;
}

// Function name and customization string, as the engine wants them in the place of associated data.
static void set_custom(const tile_message_t *message, const char *name, size_t name_len,
                       tile_job_t *job) {
  uint8_t *to = message->scratch->custom;
  size_t used = encode_string(to, (const uint8_t *)name, name_len);
  used += encode_string(to + used, message->aad, message->aad_len);
  job->aad = to;
  job->aad_len = (uint32_t)used;
}

// The block that both B0 and the counters follow from: flags L - 1, nonce, length of the message.
static void set_ccm_iv(const tile_message_t *message, tile_job_t *job) {
  uint64_t total = message->total != 0 ? message->total : message->len;
  size_t length_bytes = 15 - message->iv_len;
  job->iv[0] = (uint8_t)(length_bytes - 1);
  memcpy(&job->iv[1], message->iv, message->iv_len);
  for (unsigned i = 0; i < length_bytes; i++) {
    job->iv[15 - i] = i < 8 ? (uint8_t)(total >> 8 * i) : 0;
  }
}

static bool fits_ccm(const tile_message_t *message) {
  uint64_t total = message->total != 0 ? message->total : message->len;
  return message->iv_len < 13 || total <= 0xffff;
}

static void set_iv(unsigned family, const tile_message_t *message, tile_job_t *job) {
  if (family == TileCcm) {
    set_ccm_iv(message, job);
  } else if (family == TileGcm && message->iv_len != 12) {
    job->iv_len = (uint16_t)message->iv_len;
    job->long_iv = message->iv;
  } else if (message->iv_len != 0) {
    memcpy(job->iv, message->iv, message->iv_len);
  }
}

bool cry_tile_makes_output(const tile_alg_t *alg) {
  return alg->opcode == TileCopy || cry_tile_family_makes_output(alg->family);
}

static bool no_nulls(const tile_alg_t *alg, const tile_message_t *message, size_t tag_len) {
  bool custom = alg->family == TileCshake || alg->family == TileKmac;
  return (message->key != NULL || message->key_len == 0) &&
         (message->iv != NULL || message->iv_len == 0) &&
         (message->aad != NULL || message->aad_len == 0) &&
         (message->in != NULL || message->len == 0) &&
         (message->out != NULL || message->len == 0 || !cry_tile_makes_output(alg)) &&
         (message->tag != NULL || tag_len == 0) && (message->scratch != NULL || !custom);
}

cryptile_status_t cry_tile_prepare(const tile_alg_t *alg, const tile_message_t *message,
                                   tile_job_t *job) {
  if (alg == NULL || message == NULL || job == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  size_t tag_len = message->tag_len != 0 ? message->tag_len : alg->tag_bytes;
  if (!no_nulls(alg, message, tag_len) || !cry_tile_takes_iv(alg->family, message->iv_len) ||
      !cry_tile_takes_tag(alg->family, tag_len, alg->tag_bytes) ||
      !cry_tile_takes_aad(alg->family, message->aad_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!good_key(alg, message->key_len)) {
    return message->key_len > TileMaxKey && alg->key_bytes == TileMaxKey && alg->family != TileXts
               ? CRYPTILE_ERR_SUPPORT
               : CRYPTILE_ERR_PARAM;
  }
  if (!cry_tile_takes_message(alg->family, message->len) ||
      (alg->family == TileCcm && !fits_ccm(message))) {
    return CRYPTILE_ERR_LENGTH;
  }
  *job = (tile_job_t){.opcode = alg->opcode,
                      .mode = alg->mode,
                      .decrypt = message->decrypt,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot,
                      .key = alg->key_bytes != 0 ? message->key : NULL,
                      .src = message->in,
                      .dst = cry_tile_makes_output(alg) ? message->out : NULL,
                      .len = (uint32_t)message->len,
                      .aad = message->aad,
                      .aad_len = (uint32_t)message->aad_len,
                      .tag = message->tag,
                      .tag_len = (uint32_t)tag_len};
  if (alg->family == TileHmac || alg->family == TileKmac) {
    job->key_bytes = (uint8_t)message->key_len;
    if (job->key == NULL) {
      job->key = (const uint8_t *)alg->name;  // a key of no bytes lies anywhere
    }
  } else if (alg->key_bytes != 0) {
    unsigned one = alg->family == TileXts ? alg->key_bytes / 2u : alg->key_bytes;
    job->key_len = (uint8_t)(one / 8 - 2);
  }
  set_iv(alg->family, message, job);
  if (alg->family == TileKmac) {
    set_custom(message, "KMAC", 4, job);
  } else if (alg->family == TileCshake && message->aad_len == 0) {
    job->mode -= 2;  // by definition SHAKE
  } else if (alg->family == TileCshake) {
    set_custom(message, NULL, 0, job);
  }
  return CRYPTILE_OK;
}
