// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// HMAC as the library itself calls it: it leaves the stack as it is.
#ifndef CRYPTILE_HMAC_CORE_H
#define CRYPTILE_HMAC_CORE_H

#include "cryptile/hmac.h"
#include "wipe/wiped.h"

// As cryptile_hmac_init() and so on.
WORK cryptile_status_t cry_hmac_core_init(cryptile_hmac_ctx_t *ctx, const cryptile_hash_alg_t *alg,
                                          const void *key, size_t key_len);
WORK cryptile_status_t cry_hmac_core_update(cryptile_hmac_ctx_t *ctx, const void *in, size_t len);
WORK cryptile_status_t cry_hmac_core_final(cryptile_hmac_ctx_t *ctx, uint8_t *mac, size_t mac_len);
WORK cryptile_status_t cry_hmac_core(const cryptile_hash_alg_t *alg, const void *key,
                                     size_t key_len, const void *in, size_t len, uint8_t *mac,
                                     size_t mac_len);

#endif  // CRYPTILE_HMAC_CORE_H
