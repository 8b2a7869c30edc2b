// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-512 compression (FIPS 180-4): portable C and assembly.
#ifndef CRYPTILE_LIB_SHA2_SHA512_H
#define CRYPTILE_LIB_SHA2_SHA512_H

#include <stddef.h>
#include <stdint.h>

#define SHA512_BLOCK 128u

// The round constants, and a zero behind them at which the assembly's loop ends.
extern const uint64_t cry_sha512_k[81];

// Takes `blocks` blocks of 128 bytes, of any alignment, into the state. Constant-time.
typedef void sha512_blocks_fn(uint64_t state[8], const uint8_t *in, size_t blocks);

sha512_blocks_fn cry_sha512_blocks_c;
sha512_blocks_fn cry_sha512_blocks_asm;
sha512_blocks_fn cry_sha512_blocks_clmul;  // with carry-less multiplication, best in one cycle

#if HAVE_CRY_SHA512_BLOCKS_CLMUL
#define cry_sha512_blocks cry_sha512_blocks_clmul
#elif HAVE_CRY_SHA512_BLOCKS_ASM
#define cry_sha512_blocks cry_sha512_blocks_asm
#else
#define cry_sha512_blocks cry_sha512_blocks_c
#endif

#endif  // CRYPTILE_LIB_SHA2_SHA512_H
