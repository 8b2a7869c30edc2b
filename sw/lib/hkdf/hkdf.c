// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/hkdf.h"

#include <string.h>

#include "hash/hash_core.h"
#include "hmac/hmac_core.h"
#include "overlap.h"
#include "wipe.h"

enum { MaxBlocks = 255 };

static WORK cryptile_status_t extract(const cryptile_hash_alg_t *alg, const void *salt,
                                      size_t salt_len, const void *ikm, size_t ikm_len,
                                      uint8_t *prk) {
  if (alg == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  // HMAC pads its key with zeros: an empty salt is one of zeros.
  return cry_hmac_core(alg, salt, salt_len, ikm, ikm_len, prk, alg->digest_size);
}

static WORK cryptile_status_t expand(const cryptile_hash_alg_t *alg, const void *prk,
                                     size_t prk_len, const void *info, size_t info_len,
                                     uint8_t *okm, size_t okm_len) {
  if (alg == NULL || prk == NULL || (info == NULL && info_len != 0) ||
      (okm == NULL && okm_len != 0) || overlap(info, info_len, okm, okm_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (okm_len > (size_t)MaxBlocks * alg->digest_size || prk_len < alg->digest_size) {
    return CRYPTILE_ERR_LENGTH;
  }
  cryptile_hmac_ctx_t keyed;
  cryptile_status_t status = cry_hmac_core_init(&keyed, alg, prk, prk_len);
  if (status != CRYPTILE_OK) {
    return status;
  }
  cryptile_hash_ctx_t work;
  uint8_t block[CRYPTILE_HASH_MAX_DIGEST];
  size_t block_len = 0;  // of the block before, which the first does not have
  for (uint8_t counter = 1; okm_len != 0; counter++) {
    work = keyed.inner;
    (void)cry_hash_core_update(&work, block, block_len);
    (void)cry_hash_core_update(&work, info, info_len);
    (void)cry_hash_core_update(&work, &counter, 1);
    (void)cry_hash_core_final(&work, block);
    block_len = alg->digest_size;
    work = keyed.outer;
    (void)cry_hash_core_update(&work, block, block_len);
    (void)cry_hash_core_final(&work, block);
    size_t part = okm_len < block_len ? okm_len : block_len;
    memcpy(okm, block, part);
    okm += part;
    okm_len -= part;
  }
  cryptile_hmac_wipe(&keyed);
  wipe(block, sizeof(block));
  return CRYPTILE_OK;
}

static WORK cryptile_status_t hkdf(const cryptile_hash_alg_t *alg, const void *salt,
                                   size_t salt_len, const void *ikm, size_t ikm_len,
                                   const void *info, size_t info_len, uint8_t *okm,
                                   size_t okm_len) {
  uint8_t prk[CRYPTILE_HASH_MAX_DIGEST];
  cryptile_status_t status = extract(alg, salt, salt_len, ikm, ikm_len, prk);
  if (status == CRYPTILE_OK) {
    status = expand(alg, prk, alg->digest_size, info, info_len, okm, okm_len);
  }
  wipe(prk, sizeof(prk));
  return status;
}

cryptile_status_t cryptile_hkdf_extract(const cryptile_hash_alg_t *alg, const void *salt,
                                        size_t salt_len, const void *ikm, size_t ikm_len,
                                        uint8_t *prk) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(extract(alg, salt, salt_len, ikm, ikm_len, prk), STACK(736, 864) + stack);
}

cryptile_status_t cryptile_hkdf_expand(const cryptile_hash_alg_t *alg, const void *prk,
                                       size_t prk_len, const void *info, size_t info_len,
                                       uint8_t *okm, size_t okm_len) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(expand(alg, prk, prk_len, info, info_len, okm, okm_len), STACK(960, 1088) + stack);
}

cryptile_status_t cryptile_hkdf(const cryptile_hash_alg_t *alg, const void *salt, size_t salt_len,
                                const void *ikm, size_t ikm_len, const void *info, size_t info_len,
                                uint8_t *okm, size_t okm_len) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(hkdf(alg, salt, salt_len, ikm, ikm_len, info, info_len, okm, okm_len),
               STACK(1088, 1248) + stack);
}
