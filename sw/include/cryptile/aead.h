// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Authenticated encryption with associated data: AES-GCM (NIST SP 800-38D), AES-CCM (SP 800-38C),
// ChaCha20-Poly1305 (RFC 8439), Ascon-AEAD128 (NIST SP 800-232).
//
// A caller names an algorithm by a pointer to its descriptor; only what a program names is linked.
// Nothing is allocated: all state is in a context that the caller owns.
//
// NEVER use a nonce twice with one key: it gives away plaintext and lets messages be forged.
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment. Those aligned to a word are faster.
// - Aliasing: an output may overlap any input, in any way, and the result is as if it did not. It
//   is fastest if `out` is `in`, or nothing overlaps: else the input is moved first. The two
//   outputs of an encryption do not overlap each other, contexts overlap nothing.
// - Constant time: the time depends on lengths, on the algorithm and on whether a tag was good,
//   given a multiplier that takes the same time for all operands (Poly1305 with the M extension;
//   GHASH with it and without Zbc or Zbkc).
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - Lengths may be 0, and then pointers null.
// - Contexts are wiped by finish, verify and wipe.
// - Not reentrant on one context; different contexts are independent.
#ifndef CRYPTILE_AEAD_H
#define CRYPTILE_AEAD_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/cipher.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_AEAD_MAX_TAG 16u
#define CRYPTILE_AEAD_LONG    512u  // bytes from which on more stack may pay off

#if UINTPTR_MAX > 0xffffffffu
#define CRYPTILE_AEAD_STATE_BYTES 1120u
#else
#define CRYPTILE_AEAD_STATE_BYTES 608u
#endif

typedef struct cryptile_aead_alg cryptile_aead_alg_t;

// The secrets and sizes of a message. All pointers are read by cryptile_aead_init() only.
typedef struct {
  const uint8_t *key;
  size_t key_len;
  const uint8_t *nonce;
  size_t nonce_len;
  size_t tag_len;
} cryptile_aead_params_t;

// A message being worked on. The size is public so that the caller can place it; the members are
// private.
typedef struct {
  uint64_t state[CRYPTILE_AEAD_STATE_BYTES / 8];  // the algorithm's own
  uint64_t aad_len;                               // bytes so far
  uint64_t text_len;                              // bytes so far
  uint64_t max_aad;                               // bytes, stated or of the algorithm
  uint64_t max_text;                              // bytes, stated or of the algorithm
  const cryptile_aead_alg_t *alg;
  uint8_t tag_len;
  uint8_t direction;
  uint8_t phase;
  uint8_t stated;  // the lengths are
} cryptile_aead_ctx_t;

// An algorithm. The members but `name` are for those who write one. `state` is ctx->state.
struct cryptile_aead_alg {
  const char *name;
  size_t state_size;  // bytes of ctx->state that are used
  uint64_t max_aad;   // bytes
  uint64_t max_text;  // bytes
  // The bytes of stack that its functions take, which are zeroized behind them: `init` and
  // `update`; `update` from CRYPTILE_AEAD_LONG bytes on; the others.
  uint16_t stack, long_stack, end_stack;
  // Tells whether the lengths of key, nonce and tag are allowed, else returns CRYPTILE_ERR_PARAM.
  cryptile_status_t (*check)(const cryptile_aead_params_t *params);
  void (*init)(void *state, cryptile_direction_t direction, const cryptile_aead_params_t *params);
  // Takes the lengths of the whole message before all of it; null if the algorithm does not need
  // them. Returns CRYPTILE_OK, or CRYPTILE_ERR_LENGTH if they are not possible.
  cryptile_status_t (*set_lengths)(void *state, uint64_t aad_len, uint64_t text_len);
  void (*aad)(void *state, const uint8_t *aad, size_t len);
  // Ends the associated data; called once, before the first of the two functions below.
  void (*end_aad)(void *state);
  void (*update)(void *state, cryptile_direction_t direction, const uint8_t *in, uint8_t *out,
                 size_t len);
  void (*finish)(void *state, uint64_t aad_len, uint64_t text_len,
                 uint8_t tag[CRYPTILE_AEAD_MAX_TAG]);
};

// AES-GCM: key of 16, 24 or 32 bytes; nonce of any length but 0, best 12; tag of 12 to 16 bytes, or
// 8 or 4 under the restrictions of SP 800-38D, appendix C. Text up to 2^36 - 32 bytes.
extern const cryptile_aead_alg_t cryptile_aes_gcm;

// AES-CCM: key of 16, 24 or 32 bytes; nonce of n = 7 to 13 bytes; tag of 4, 6, 8, 10, 12, 14 or 16
// bytes. Text of less than 2^(8 * (15 - n)) bytes: 64 KiB with a nonce of 13. In chunks it needs
// cryptile_aead_set_lengths().
extern const cryptile_aead_alg_t cryptile_aes_ccm;

// ChaCha20-Poly1305: key of 32, nonce of 12, tag of 16 bytes. Text up to 2^38 - 64 bytes.
extern const cryptile_aead_alg_t cryptile_chacha20_poly1305;

// Ascon-AEAD128: key of 16, nonce of 16, tag of 8 to 16 bytes. Text, and associated data, up to
// 2^54 bytes each; with one key, both of all messages together must not exceed that.
extern const cryptile_aead_alg_t cryptile_ascon_aead128;

// Starts a message. Any state in `ctx` is overwritten, not wiped: call cryptile_aead_wipe() first
// to abandon a message, as the end of a message wipes no more than its own algorithm uses.
//
// Stack: 832 bytes.
// Returns CRYPTILE_OK, or CRYPTILE_ERR_PARAM on a null pointer or a length that the algorithm does
// not have (the context then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_init(cryptile_aead_ctx_t *ctx,
                                                         const cryptile_aead_alg_t *alg,
                                                         cryptile_direction_t direction,
                                                         const cryptile_aead_params_t *params);

// States the lengths of the associated data and of the text, before either. AES-CCM needs them;
// with any other algorithm they may be stated, so that code need not know which it has. Once stated
// they are kept to: what is more, and an end or a text that comes too early, is
// CRYPTILE_ERR_LENGTH.
//
// Stack: 832 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH beyond what the algorithm, with that nonce, allows;
// CRYPTILE_ERR_STATE after the first data, or if they are stated already; CRYPTILE_ERR_PARAM. On an
// error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_set_lengths(cryptile_aead_ctx_t *ctx,
                                                                uint64_t aad_len,
                                                                uint64_t text_len);

// Goes on with the associated data, all of which comes before the text; any chunk length.
//
// Stack: 832 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE after the first text, or if the algorithm needs lengths;
// CRYPTILE_ERR_LENGTH beyond what the algorithm allows or was stated; CRYPTILE_ERR_PARAM. On an
// error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_aad(cryptile_aead_ctx_t *ctx,
                                                        const uint8_t *aad, size_t len);

// Goes on with the text; any chunk length. Writes as many bytes as it reads.
//
// In decryption what this writes is NOT AUTHENTICATED until cryptile_aead_verify() has returned
// CRYPTILE_OK: do not act on it before, and drop it otherwise.
//
// Stack: 832 bytes; AES-GCM without Zkne 3400 for chunks from 512 bytes on.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE; CRYPTILE_ERR_LENGTH beyond what the algorithm allows or
// was stated, or before all associated data that was; CRYPTILE_ERR_PARAM. On an error nothing was
// done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_update(cryptile_aead_ctx_t *ctx,
                                                           const uint8_t *in, uint8_t *out,
                                                           size_t len);

// Ends an encryption: writes the tag, of the length given at the start.
//
// Stack: 832 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE if this is no encryption; CRYPTILE_ERR_LENGTH if less
// came than was stated; CRYPTILE_ERR_PARAM on a null pointer. On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_finish(cryptile_aead_ctx_t *ctx, uint8_t *tag);

// Ends a decryption: compares with a tag of the length given at the start.
//
// Stack: 832 bytes.
// Returns CRYPTILE_OK if it is right; CRYPTILE_ERR_AUTH if not; CRYPTILE_ERR_STATE if this is no
// decryption; CRYPTILE_ERR_LENGTH if less came than was stated; CRYPTILE_ERR_PARAM on a null
// pointer. On an error but CRYPTILE_ERR_AUTH nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_verify(cryptile_aead_ctx_t *ctx,
                                                           const uint8_t *tag);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
// Stack: 16 bytes.
void cryptile_aead_wipe(cryptile_aead_ctx_t *ctx);

// Encrypts a whole message: `len` bytes to `out`, params->tag_len bytes to `tag`.
//
// Stack: 1568 bytes, of which 648 are the context; AES-GCM without Zkne 4128 from 512 bytes on.
// Returns as the functions above, and CRYPTILE_ERR_PARAM if `tag` and `out` overlap; on an error
// nothing was written.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_encrypt(const cryptile_aead_alg_t *alg,
                                                            const cryptile_aead_params_t *params,
                                                            const uint8_t *aad, size_t aad_len,
                                                            const uint8_t *in, size_t len,
                                                            uint8_t *out, uint8_t *tag);

// Decrypts a whole message and checks its tag.
//
// Stack: as cryptile_aead_encrypt().
// Returns as the functions above. With a wrong tag there is no plaintext: `out` is zeroed (in
// place, the ciphertext is lost too). On any other error nothing was written.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_aead_decrypt(const cryptile_aead_alg_t *alg,
                                                            const cryptile_aead_params_t *params,
                                                            const uint8_t *aad, size_t aad_len,
                                                            const uint8_t *in, size_t len,
                                                            const uint8_t *tag, uint8_t *out);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_AEAD_H
