// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ascon-AEAD128 and the sponges Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128 (NIST SP 800-232).
#ifndef CRYPTILE_LIB_ASCON_ASCON_H
#define CRYPTILE_LIB_ASCON_ASCON_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/ascon.h"

// ASCON_INTERLEAVED: lanes are held as even bits in the lower and odd bits in the upper half, see
// keccak/interleave.h. The assembly wants that where a rotate of 32 bits is one instruction, unless
// there is a carry-less multiply and no quick conversion.
#if !HAVE_CRY_ASCON_PERMUTE_ASM || __riscv_xlen != 32
#define ASCON_INTERLEAVED 0
#elif defined(__riscv_zbkb) || \
    (defined(__riscv_zbb) && !defined(__riscv_zbc) && !defined(__riscv_zbkc))
#define ASCON_INTERLEAVED 1
#else
#define ASCON_INTERLEAVED 0
#endif

// The last `rounds` rounds of Ascon-p[12]; `rounds` is even, at most 12. Constant-time.
void cry_ascon_permute_c(uint64_t state[5], unsigned rounds);
void cry_ascon_permute_asm(uint64_t state[5], unsigned rounds);

// Blocks of 16 bytes of Ascon-AEAD128, each followed by Ascon-p[8]: mode > 0 encrypts, mode < 0
// decrypts, 0 absorbs associated data and does not use `out`. `out` may be `in`, or they are
// disjoint. The assembly wants `in` and `out` aligned to a register. Constant-time.
void cry_ascon_blocks_c(uint64_t state[5], const void *in, void *out, size_t blocks, int mode);
void cry_ascon_blocks_asm(uint64_t state[5], const void *in, void *out, size_t blocks, int mode);

#if HAVE_CRY_ASCON_PERMUTE_ASM
#define cry_ascon_permute      cry_ascon_permute_asm
#define cry_ascon_blocks       cry_ascon_blocks_asm
#define ASCON_BLOCKS_ALIGNMENT sizeof(size_t)
#else
#define cry_ascon_permute      cry_ascon_permute_c
#define cry_ascon_blocks       cry_ascon_blocks_c
#define ASCON_BLOCKS_ALIGNMENT 1u
#endif

// The sponges. One context serves all; see cryptile/ascon.h for what `ctx` holds. Pointers may be
// null where a length is 0. Constant-time but for lengths.
void cry_ascon_hash256_init(cryptile_ascon_xof_t *ctx);
void cry_ascon_xof128_init(cryptile_ascon_xof_t *ctx);
void cry_ascon_cxof128_init(cryptile_ascon_xof_t *ctx, const void *custom, size_t len);

// Absorbs the next bytes of the message; not after cry_ascon_squeeze().
void cry_ascon_absorb(cryptile_ascon_xof_t *ctx, const void *in, size_t len);

// Gives the next bytes of the output; Ascon-Hash256 has 32 of them. The first call ends the
// message.
void cry_ascon_squeeze(cryptile_ascon_xof_t *ctx, void *out, size_t len);

enum { ASCON_DECRYPT = -1, ASCON_ABSORB = 0, ASCON_ENCRYPT = 1 };

// Ascon-AEAD128 in chunks. Buffers of any alignment, `out` may be `in` or disjoint; pointers may be
// null where a length is 0. Constant-time but for lengths and direction.
typedef struct {
  uint64_t state[5];
  uint64_t key[2];   // as it is added to the state
  uint8_t position;  // bytes of the block that are used up
  int8_t direction;  // ASCON_ENCRYPT or ASCON_DECRYPT
  uint8_t phase;
} ascon_aead128_t;

void cry_ascon_aead128_init(ascon_aead128_t *ctx, int direction, const uint8_t key[16],
                            const uint8_t nonce[16]);

// Associated data; before any message.
void cry_ascon_aead128_aad(ascon_aead128_t *ctx, const void *aad, size_t len);

// The next `len` bytes of the message; writes `len` bytes.
void cry_ascon_aead128_update(ascon_aead128_t *ctx, const void *in, void *out, size_t len);

// Writes the tag of the message, whatever the direction, and wipes the context. A decrypter
// compares it in constant time.
void cry_ascon_aead128_finish(ascon_aead128_t *ctx, uint8_t tag[16]);

#endif  // CRYPTILE_LIB_ASCON_ASCON_H
