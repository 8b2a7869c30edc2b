// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keccak-f[1600] and sponges on it (FIPS 202).
#ifndef CRYPTILE_LIB_KECCAK_KECCAK_H
#define CRYPTILE_LIB_KECCAK_KECCAK_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/sponge.h"

// The permutation, in place. Lane (x, y) of FIPS 202 is state[x + 5 * y]. Constant-time.
void cry_keccak_f1600_c(uint64_t state[25]);
void cry_keccak_f1600_asm(uint64_t state[25]);
void cry_keccak_f1600_looped(uint64_t state[25]);

// The same on a state whose lanes hold their even bits in the lower and their odd bits in the upper
// half: see keccak/interleave.h.
void cry_keccak_f1600_interleaved_c(uint64_t state[25]);
void cry_keccak_f1600_interleaved_asm(uint64_t state[25]);

// KECCAK_INTERLEAVED: sponges hold interleaved states. That pays where a rotate of 32 bits is one
// instruction; without it the conversion of the message costs as much as it saves.
#if HAVE_CRY_KECCAK_F1600_INTERLEAVED_ASM && (defined(__riscv_zbb) || defined(__riscv_zbkb))
#define KECCAK_INTERLEAVED 1
#define cry_keccak_f1600   cry_keccak_f1600_interleaved_asm
#else
#define KECCAK_INTERLEAVED 0
#if HAVE_CRY_KECCAK_F1600_ASM
#define cry_keccak_f1600 cry_keccak_f1600_asm
#else
#define cry_keccak_f1600 cry_keccak_f1600_c
#endif
#endif

// Rates in bytes: 200 - 2 * security strength in bytes.
#define KECCAK_RATE_128 168u
#define KECCAK_RATE_224 144u
#define KECCAK_RATE_256 136u
#define KECCAK_RATE_384 104u
#define KECCAK_RATE_512 72u

// Domain bits followed by the first bit of the padding, lowest bit first.
#define KECCAK_SUFFIX_SHA3   0x06u
#define KECCAK_SUFFIX_SHAKE  0x1fu
#define KECCAK_SUFFIX_CSHAKE 0x04u

// Starts a sponge of any rate from 1 to 199 bytes.
void cry_keccak_init(cryptile_sponge_t *ctx, unsigned rate, uint8_t suffix);

// Absorbs bytes of any number and alignment, in as many calls as needed. `data` may be null if
// `len` is 0. Not after cry_keccak_squeeze().
void cry_keccak_absorb(cryptile_sponge_t *ctx, const void *data, size_t len);

// Fills the rate up with zeros, unless it is empty (the "bytepad" of SP 800-185).
void cry_keccak_fill(cryptile_sponge_t *ctx);

// Gives the next bytes of the output, any number and alignment; the first call pads.
void cry_keccak_squeeze(cryptile_sponge_t *ctx, void *out, size_t len);

#endif  // CRYPTILE_LIB_KECCAK_KECCAK_H
