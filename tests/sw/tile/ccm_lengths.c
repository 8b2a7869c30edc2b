// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Completes jobs of CCM around the longest message that each nonce leaves room for: SP 800-38C, A.1
// wants its length in 15 - n bytes. Exit code: the nonce's bytes if one is wrong; 0: none.
#include "tile_alg.h"

static const tile_alg_t *ccm(void) {
  unsigned count;
  const tile_alg_t *alg = cry_tile_algs(&count);
  while (count-- != 0 && alg->family != TileCcm) {
    alg++;
  }
  return alg;
}

static cryptile_status_t complete(unsigned nonce, uint64_t total, uint32_t len, tile_job_t *job) {
  *job = (tile_job_t){.iv_len = (uint16_t)nonce, .key_bytes = ccm()->key_bytes, .len = len};
  return cry_tile_complete(ccm(), total, job);
}

static bool says(const tile_job_t *job, unsigned nonce, uint64_t total) {
  for (unsigned i = 15; i > nonce; i--, total >>= 8) {
    if (job->iv[i] != (uint8_t)total) {
      return false;
    }
  }
  return job->iv[0] == 14 - nonce && total == 0;
}

int main(void) {
  tile_job_t job;
  for (unsigned nonce = 7; nonce <= 13; nonce++) {
    const unsigned bits = 8 * (15 - nonce);
    const uint64_t most = UINT64_MAX >> (64 - bits);
    const uint32_t len = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    if (complete(nonce, most, 16, &job) != CRYPTILE_OK || !says(&job, nonce, most) ||
        complete(nonce, 0, len, &job) != CRYPTILE_OK || !says(&job, nonce, len) ||
        (most != UINT64_MAX && complete(nonce, most + 1, 16, &job) != CRYPTILE_ERR_LENGTH) ||
        (most < UINT32_MAX && complete(nonce, 0, len + 1, &job) != CRYPTILE_ERR_LENGTH)) {
      return (int)nonce;
    }
  }
  return 0;
}
