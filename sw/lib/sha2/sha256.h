// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-256 compression (FIPS 180-4): portable C and assembly.
#ifndef CRYPTILE_LIB_SHA2_SHA256_H
#define CRYPTILE_LIB_SHA2_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK 64u

// The round constants, and a zero behind them at which the assembly's loop ends.
extern const uint32_t cry_sha256_k[65];

// Takes `blocks` blocks of 64 bytes, of any alignment, into the state. Constant-time.
typedef void sha256_blocks_fn(uint32_t state[8], const uint8_t *in, size_t blocks);

sha256_blocks_fn cry_sha256_blocks_c;
sha256_blocks_fn cry_sha256_blocks_asm;
sha256_blocks_fn cry_sha256_blocks_clmul;  // with carry-less multiplication, best in one cycle

#if HAVE_CRY_SHA256_BLOCKS_CLMUL
#define cry_sha256_blocks cry_sha256_blocks_clmul
#elif HAVE_CRY_SHA256_BLOCKS_ASM
#define cry_sha256_blocks cry_sha256_blocks_asm
#else
#define cry_sha256_blocks cry_sha256_blocks_c
#endif

#endif  // CRYPTILE_LIB_SHA2_SHA256_H
