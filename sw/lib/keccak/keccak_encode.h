// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Lengths and strings as NIST SP 800-185, section 2.3, writes them.
#ifndef CRYPTILE_LIB_KECCAK_KECCAK_ENCODE_H
#define CRYPTILE_LIB_KECCAK_KECCAK_ENCODE_H

#include "cryptile/sponge.h"
#include "cryptile/xof.h"

// Absorbs left_encode(value), right_encode(value).
void cry_keccak_left_encode(cryptile_sponge_t *ctx, uint64_t value);
void cry_keccak_right_encode(cryptile_sponge_t *ctx, uint64_t value);

// Absorbs encode_string(string), of `len` bytes.
void cry_keccak_encode_string(cryptile_sponge_t *ctx, const void *string, size_t len);

// Starts cSHAKE with a name or a customization string that is not empty.
void cry_keccak_cshake(cryptile_sponge_t *ctx, cryptile_xof_strength_t strength, const void *name,
                       size_t name_len, const void *custom, size_t custom_len);

#endif  // CRYPTILE_LIB_KECCAK_KECCAK_ENCODE_H
