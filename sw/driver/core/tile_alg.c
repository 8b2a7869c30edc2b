// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

#include "tile_alg.h"

#define ROW(...) {__VA_ARGS__},
static const tile_alg_t kAlgs[] = {{"nop", TileNop, 0, TilePlain, 0, 0, 16},
                                   {"copy", TileCopy, 0, TilePlain, 0, 0, 16},
                                   TILE_ALGORITHMS(ROW)};
#undef ROW

enum { Algs = sizeof(kAlgs) / sizeof(kAlgs[0]) };

const tile_alg_t *cry_tile_algs(unsigned *count) {
  *count = Algs;
  return kAlgs;
}

static bool is_named(const tile_alg_t *alg, const char *name) {
  unsigned i = 0;
  while (alg->name[i] != 0 && alg->name[i] == name[i]) {
    i++;
  }
  return alg->name[i] == name[i];
}

const tile_alg_t *cry_tile_alg(const char *name) {
  for (unsigned i = 0; i < Algs; i++) {
    if (is_named(&kAlgs[i], name)) {
      return &kAlgs[i];
    }
  }
  return 0;
}

static bool good_key(const tile_alg_t *alg, uint32_t len) {
  bool any = alg->family == TileHmac || alg->family == TileKmac;
  return any ? len <= TileMaxKey : len == alg->key_bytes;
}

// What stands in the place of associated data: of cSHAKE and KMAC it is encoded.
static bool good_aad(const tile_alg_t *alg, uint32_t len) {
  bool encoded = cry_tile_takes_custom(alg, len);
  return encoded ? len != 0 && len <= TileCustomRoom : cry_tile_takes_aad(alg->family, len);
}

// encode_string() of NIST SP 800-185 for up to 255 bytes.
static uint32_t encode_string(const uint8_t *string, uint32_t len, uint8_t *to) {
  uint32_t head = len < 32 ? 2 : 3;
  to[0] = (uint8_t)(head - 1);
  to[1] = (uint8_t)(len < 32 ? len * 8 : len >> 5);
  if (len >= 32) {
    to[2] = (uint8_t)(len * 8);
  }
  for (uint32_t i = 0; i < len; i++) {
    ((volatile uint8_t *)to)[head + i] = string[i];  // no call of memcpy()
  }
  return head + len;
}

uint32_t cry_tile_custom(const tile_alg_t *alg, const uint8_t *string, uint32_t len, uint8_t *to) {
  static const uint8_t kKmac[] = {'K', 'M', 'A', 'C'};
  uint32_t used = encode_string(kKmac, alg->family == TileKmac ? sizeof(kKmac) : 0, to);
  return used + encode_string(string, len, to + used);
}

// Makes of a nonce the block that both B0 and the counters follow from: flags L - 1, nonce, length
// of the message. False if that does not fit.
static bool set_ccm_iv(uint64_t total, tile_job_t *job) {
  unsigned nonce = job->iv_len, i = 15;
  for (; i > nonce; i--) {
    job->iv[i] = (uint8_t)total;
    total >>= 8;
  }
  if (total != 0) {
    return false;
  }
  for (; i != 0; i--) {
    job->iv[i] = job->iv[i - 1];
  }
  job->iv[0] = (uint8_t)(14 - nonce);
  return true;
}

static cryptile_status_t check(const tile_alg_t *alg, const tile_job_t *job, uint32_t tag_len) {
  if (!cry_tile_takes_iv(alg->family, job->iv_len) ||
      !cry_tile_takes_tag(alg->family, tag_len, alg->tag_bytes) || !good_aad(alg, job->aad_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!good_key(alg, job->key_bytes)) {
    return job->key_bytes > TileMaxKey && alg->key_bytes == TileMaxKey && alg->family != TileXts
               ? CRYPTILE_ERR_SUPPORT
               : CRYPTILE_ERR_PARAM;
  }
  return cry_tile_takes_message(alg->family, job->len) ? CRYPTILE_OK : CRYPTILE_ERR_LENGTH;
}

cryptile_status_t cry_tile_complete(const tile_alg_t *alg, uint64_t total, tile_job_t *job) {
  unsigned family = alg->family;
  uint32_t tag_len = job->tag_len != 0 ? job->tag_len : alg->tag_bytes;
  cryptile_status_t status = check(alg, job, tag_len);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (family == TileCcm && !set_ccm_iv(total != 0 ? total : job->len, job)) {
    return CRYPTILE_ERR_LENGTH;
  }
  job->opcode = alg->opcode;
  job->mode = alg->mode;
  job->tag_len = tag_len;
  if (!cry_tile_makes_output(alg)) {
    job->dst = 0;
  }
  if (alg->key_bytes == 0) {
    job->key = 0;
  } else if (family != TileHmac && family != TileKmac) {
    unsigned one = family == TileXts ? alg->key_bytes / 2u : alg->key_bytes;
    job->key_len = (uint8_t)(one / 8 - 2);
    job->key_bytes = 0;
  }
  if (family != TileGcm || job->iv_len == 12) {
    job->iv_len = 0;  // it is the mode's own
  }
  if (family == TileCshake && job->aad_len == 0) {
    job->mode -= 2;  // by definition SHAKE
  }
  return CRYPTILE_OK;
}
