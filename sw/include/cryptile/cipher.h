// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Block cipher modes: AES in ECB, CBC and CTR (NIST SP 800-38A).
//
// A caller names an implementation by a pointer, best through a policy name (CRYPTILE_FASTEST,
// ...). Only the implementations that a program names are linked. Nothing is allocated: all state
// is in a context that the caller owns.
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment. Buffers aligned to 4 are faster in software.
// - Aliasing: `in` and `out` may overlap in any way, and the result is as if they did not; so may
//   `out` and the key or the vector. It is fastest if each byte of output lands where its byte of
//   input lay, or nothing overlaps: else the input is moved first. Contexts and `*out_len` overlap
//   no other object.
// - Constant time: lengths, mode, direction and key length are public. What else may show in the
//   run time depends on the implementation: see its declaration.
// - Stack: bounds are for RV32 as the firmware here is built, with everything that is called.
// - Contexts are wiped by cryptile_cipher_final(), by cryptile_cipher_wipe() and after any error
//   but CRYPTILE_ERR_LENGTH and CRYPTILE_ERR_PARAM from cryptile_cipher_update().
// - Not reentrant on one context; different contexts are independent. The engine implementations
//   share one engine: use them from one thread of execution.
#ifndef CRYPTILE_CIPHER_H
#define CRYPTILE_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_BLOCK_SIZE    16u
#define CRYPTILE_MAX_KEY_BYTES 32u
#define CRYPTILE_CTR_LONG      512u  // bytes of CTR from which on more stack may pay off

// The values of cryptile_cipher_mode_t are the engine's mode numbers.
typedef enum { CRYPTILE_ECB = 0, CRYPTILE_CBC = 1, CRYPTILE_CTR = 2 } cryptile_cipher_mode_t;
typedef enum { CRYPTILE_ENCRYPT = 0, CRYPTILE_DECRYPT = 1 } cryptile_direction_t;
typedef enum { CRYPTILE_PAD_NONE = 0, CRYPTILE_PAD_PKCS7 = 1 } cryptile_cipher_padding_t;

// What to do. `key` and `iv` are read by cryptile_cipher_init() only.
typedef struct {
  cryptile_cipher_mode_t mode;
  cryptile_direction_t direction;
  cryptile_cipher_padding_t padding;  // CTR: CRYPTILE_PAD_NONE
  const uint8_t *key;
  size_t key_len;     // bytes: 16, 24 or 32
  const uint8_t *iv;  // 16 bytes; CTR: first counter block, big-endian, wraps; ECB: ignored
} cryptile_cipher_params_t;

typedef struct cryptile_cipher_impl cryptile_cipher_impl_t;

// A message being worked on. The size is public so that the caller can place it; the members are
// private. An engine reads and writes it, so it must lie in memory the engine can reach.
typedef struct {
  uint32_t key[60];   // software: round keys; engine: the key
  uint32_t chain[4];  // CBC: last ciphertext block; CTR: next counter block
  uint32_t held[4];   // input of an unfinished block
  const cryptile_cipher_impl_t *impl;
  uint8_t held_len;  // bytes in `held`
  uint8_t rounds;    // 10, 12, 14
  uint8_t mode;
  uint8_t direction;
  uint8_t padding;
  uint8_t state;
} cryptile_cipher_ctx_t;

// An implementation. The members are for those who write one.
struct cryptile_cipher_impl {
  const char *name;
  bool constant_time;  // run time is independent of key and data
  // The bytes of stack that are taken, and zeroized afterwards: by set_key; by process; by process
  // in decryption of CBC; and by process in CTR from CRYPTILE_CTR_LONG bytes on.
  uint16_t key_stack, stack, cbc_decrypt_stack, long_stack;
  // Prepares ctx->key; ctx->mode, direction, rounds are set.
  cryptile_status_t (*set_key)(cryptile_cipher_ctx_t *ctx, const uint8_t *key);
  // Works on `len` > 0 bytes and moves ctx->chain on. ECB, CBC: whole blocks. CTR: only the last
  // call of a message may have a partial block. `out` is `in`, or they are disjoint.
  cryptile_status_t (*process)(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                               size_t len);
};

// Byte-oriented C with S-box tables: smallest software. Takes 288 bytes of stack more than said
// below, on RV64 576. NOT constant-time where data caches, or memory with data-dependent waits, lie
// under the tables.
extern const cryptile_cipher_impl_t cryptile_aes_compact;

// Tables of 32-bit words, 8.5 KiB of them; assembly on RV32, which takes 320 bytes of stack more
// than said below. NOT constant-time, as above.
extern const cryptile_cipher_impl_t cryptile_aes_table;

// Logic on bit planes, several blocks at once; assembly on RISC-V. Constant-time on every core, the
// preparation of keys included: no table, no branch on a secret. CBC encryption, where blocks wait
// for one another, is slow. Takes more stack than said below: 1 KiB on RV32 and 2 KiB on RV64; in
// CTR from 512 bytes on, 3.5 KiB and 7 KiB.
extern const cryptile_cipher_impl_t cryptile_aes_bitsliced;

// The scalar cryptography extension (Zkne and Zknd, with Zbkb): the fastest software by far, and
// constant-time. Only in libraries built for an instruction set that has it. Takes 320 bytes of
// stack more than said below, on RV64 640.
extern const cryptile_cipher_impl_t cryptile_aes_zkn;

// The engine, waiting by polling. Constant-time: the engine's latency depends on lengths alone.
extern const cryptile_cipher_impl_t cryptile_aes_engine_poll;

// The engine, the core asleep (wfi) until its event. Constant-time as above. Uses the timer for the
// bounded wait. Leaves mstatus.MIE alone: with MIE = 0 no handler is needed.
extern const cryptile_cipher_impl_t cryptile_aes_engine_sleep;

// Policies. All are constant-time. CRYPTILE_HAVE_ENGINE is set by the build for a system with an
// engine.
#if CRYPTILE_HAVE_ENGINE
#define CRYPTILE_CONSTANT_TIME (&cryptile_aes_engine_poll)
#define CRYPTILE_LOWEST_POWER  (&cryptile_aes_engine_sleep)
#elif __riscv_zkne && __riscv_zknd && (__riscv_zbkb || __riscv_zbb)
#define CRYPTILE_CONSTANT_TIME (&cryptile_aes_zkn)
#define CRYPTILE_LOWEST_POWER  CRYPTILE_CONSTANT_TIME
#else
#define CRYPTILE_CONSTANT_TIME (&cryptile_aes_bitsliced)
#define CRYPTILE_LOWEST_POWER  CRYPTILE_CONSTANT_TIME
#endif
#define CRYPTILE_FASTEST  CRYPTILE_CONSTANT_TIME
#define CRYPTILE_SMALLEST CRYPTILE_CONSTANT_TIME

// The same without that promise: NOT constant-time where it says so above. Only for a core that
// has no data cache, or for keys that need no protection from those who can measure time.
#if CRYPTILE_HAVE_ENGINE || (__riscv_zkne && __riscv_zknd && (__riscv_zbkb || __riscv_zbb))
#define CRYPTILE_VARIABLE_TIME_FASTEST  CRYPTILE_FASTEST
#define CRYPTILE_VARIABLE_TIME_SMALLEST CRYPTILE_SMALLEST
#elif __riscv_xlen == 64
#define CRYPTILE_VARIABLE_TIME_FASTEST  CRYPTILE_FASTEST
#define CRYPTILE_VARIABLE_TIME_SMALLEST (&cryptile_aes_compact)
#else
#define CRYPTILE_VARIABLE_TIME_FASTEST  (&cryptile_aes_table)
#define CRYPTILE_VARIABLE_TIME_SMALLEST (&cryptile_aes_compact)
#endif

// The stack figures below are for RV32; RV64 takes up to 256 bytes more, and some implementations
// take what is said above.

// Starts a message.
//
// Any state in `ctx` is overwritten, not wiped: call cryptile_cipher_wipe() first to abandon a
// message.
// Aliasing: `params->key` and `params->iv` may not lie inside `ctx`.
// Stack: 128 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM (the context then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cipher_init(cryptile_cipher_ctx_t *ctx,
                                                           const cryptile_cipher_impl_t *impl,
                                                           const cryptile_cipher_params_t *params);

// Goes on with the next `in_len` bytes of the message; any chunk length, also 0.
//
// Writes the whole blocks that are ready and holds the rest (cryptile_cipher_held(): less than 16
// bytes, or up to 16 when removing padding). `*out_len` is set to the number of bytes written,
// always a multiple of 16 and at most held + in_len.
// Aliasing: any; nothing is moved if out == in - cryptile_cipher_held(ctx).
// `in` may be null if in_len is 0, `out` if nothing will be written.
// Stack: 288 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH if `out_size` is too small (nothing was done);
// CRYPTILE_ERR_PARAM on a null pointer (nothing was done); CRYPTILE_ERR_STATE; engine errors (what
// may have been written is zeroed).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cipher_update(cryptile_cipher_ctx_t *ctx,
                                                             const uint8_t *in, size_t in_len,
                                                             uint8_t *out, size_t out_size,
                                                             size_t *out_len);

// Ends the message: writes what is held (CTR), adds padding (encrypt) or checks and removes it
// (decrypt). `*out_len` is set to the number of bytes written, at most 16. Wipes the context,
// whatever is returned, unless `ctx` or `out_len` is null. `out` may be null if nothing is written.
//
// Constant time: the padding check takes the same time for every content and only its verdict, and
// the length of a good padding, show. To tell a peer about bad padding is still an oracle:
// authenticate ciphertext before decrypting it.
// Stack: 288 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH if `out_size` is too small, or if a partial block is
// left in ECB or CBC without padding or in decryption; CRYPTILE_ERR_PADDING; CRYPTILE_ERR_PARAM;
// CRYPTILE_ERR_STATE; engine errors. On any error `*out_len` is 0.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cipher_final(cryptile_cipher_ctx_t *ctx,
                                                            uint8_t *out, size_t out_size,
                                                            size_t *out_len);

// Number of input bytes held back, 0 to 16. Constant time, 0 bytes of stack.
size_t cryptile_cipher_held(const cryptile_cipher_ctx_t *ctx);

// One call for a whole message. `out_size` must hold the result: in_len, or with padding and
// encryption the next greater multiple of 16; with padding and decryption in_len - 1 always
// suffices.
//
// Aliasing: any.
// Stack: 640 bytes, of which 284 are the context.
// Returns as the three functions above; on any error after CRYPTILE_ERR_PARAM the `out` buffer is
// zeroed up to min(out_size, in_len) and `*out_len` is 0.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cipher_crypt(const cryptile_cipher_impl_t *impl,
                                                            const cryptile_cipher_params_t *params,
                                                            const uint8_t *in, size_t in_len,
                                                            uint8_t *out, size_t out_size,
                                                            size_t *out_len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
// Constant time. Stack: 16 bytes.
void cryptile_cipher_wipe(cryptile_cipher_ctx_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_CIPHER_H
