// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The hash functions as the library itself calls them: they leave the stack as it is.
#ifndef CRYPTILE_HASH_CORE_H
#define CRYPTILE_HASH_CORE_H

#include "cryptile/hash.h"
#include "wipe/wiped.h"

// As cryptile_hash_init() and so on.
WORK cryptile_status_t cry_hash_core_init(cryptile_hash_ctx_t *ctx, const cryptile_hash_alg_t *alg);
WORK cryptile_status_t cry_hash_core_update(cryptile_hash_ctx_t *ctx, const void *in, size_t len);
WORK cryptile_status_t cry_hash_core_final(cryptile_hash_ctx_t *ctx, uint8_t *digest);

// The bytes of stack that each of them takes, with a shell around it; 0 if they will do nothing.
static inline size_t hash_core_stack(const cryptile_hash_alg_t *alg) {
  return alg == NULL ? 0 : STACK(48, 112) + alg->stack;
}
static inline size_t hash_core_stack_of(const cryptile_hash_ctx_t *ctx) {
  return ctx == NULL ? 0 : hash_core_stack(ctx->alg);
}

#endif  // CRYPTILE_HASH_CORE_H
