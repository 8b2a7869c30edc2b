// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Hash functions: SHA-2 (FIPS 180-4), SHA-3 (FIPS 202), Ascon-Hash256 (NIST SP 800-232).
//
// A caller names a hash function by a pointer to its descriptor; only what a program names is
// linked. Nothing is allocated: all state is in a context that the caller owns.
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment. Those aligned to a word are faster.
// - Aliasing: no buffer may overlap the context; `digest` may overlap `in` in any way.
// - Constant time: the time depends on lengths and on the hash function alone.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - Not reentrant on one context; different contexts are independent.
// - A context may be copied as a whole, to save the state of a message or to branch it.
#ifndef CRYPTILE_HASH_H
#define CRYPTILE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/ascon.h"
#include "cryptile/sponge.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_HASH_MAX_DIGEST 64u
#define CRYPTILE_HASH_MAX_BLOCK  144u

typedef struct cryptile_hash_alg cryptile_hash_alg_t;

// State of SHA-2. The members are private.
typedef struct {
  union {
    uint32_t w32[8];
    uint64_t w64[8];
  } chain;
  uint64_t total;      // bytes of the message so far
  uint8_t block[128];  // the last total % block_size of them
} cryptile_sha2_t;

typedef union {
  cryptile_sha2_t sha2;
  cryptile_sponge_t sponge;
  cryptile_ascon_xof_t ascon;
} cryptile_hash_state_t;

// A message being hashed. The size is public so that the caller can place it; the members are
// private.
typedef struct {
  cryptile_hash_state_t state;
  const cryptile_hash_alg_t *alg;  // null: not initialised, or finished
} cryptile_hash_ctx_t;

// A hash function. `name`, `digest_size` and `block_size` are for all; the other members are for
// those who write one.
struct cryptile_hash_alg {
  const char *name;
  uint8_t digest_size;  // bytes
  uint8_t block_size;   // bytes, as HMAC uses it; 0: there is no HMAC with this function
  uint16_t stack;       // bytes that init, update and final take, which are zeroized behind them
  void (*init)(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state);
  void (*update)(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state, const uint8_t *in,
                 size_t len);
  void (*final)(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state, uint8_t *digest);
  const void *initial;  // SHA-2: the initial value and the compression function
  void (*blocks)(cryptile_sha2_t *sha2, const uint8_t *in, size_t blocks);
  uint8_t oid;  // the last number of its object identifier, 2.16.840.1.101.3.4.2.x; 0: it has none
};

extern const cryptile_hash_alg_t cryptile_sha224;
extern const cryptile_hash_alg_t cryptile_sha256;
extern const cryptile_hash_alg_t cryptile_sha384;
extern const cryptile_hash_alg_t cryptile_sha512;
extern const cryptile_hash_alg_t cryptile_sha512_224;
extern const cryptile_hash_alg_t cryptile_sha512_256;
extern const cryptile_hash_alg_t cryptile_sha3_224;
extern const cryptile_hash_alg_t cryptile_sha3_256;
extern const cryptile_hash_alg_t cryptile_sha3_384;
extern const cryptile_hash_alg_t cryptile_sha3_512;
extern const cryptile_hash_alg_t cryptile_ascon_hash256;  // without HMAC

// Starts a message.
//
// Any state in `ctx` is overwritten, not wiped: call cryptile_hash_wipe() first to abandon a
// message. Stack: 96 bytes. Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer (the
// context then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hash_init(cryptile_hash_ctx_t *ctx,
                                                         const cryptile_hash_alg_t *alg);

// Goes on with the next `len` bytes of the message; any number, also 0, then `in` may be null.
//
// A message may have up to 2^61 - 1 bytes.
// Stack: 448 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_PARAM on a null pointer (nothing was done), CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hash_update(cryptile_hash_ctx_t *ctx, const void *in,
                                                           size_t len);

// Ends the message: writes alg->digest_size bytes and wipes the context.
//
// Stack: 448 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_PARAM on a null pointer (nothing was done), CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hash_final(cryptile_hash_ctx_t *ctx,
                                                          uint8_t *digest);

// One call for a whole message. `in` may be null if `len` is 0.
//
// Stack: 688 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hash(const cryptile_hash_alg_t *alg, const void *in,
                                                    size_t len, uint8_t *digest);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
void cryptile_hash_wipe(cryptile_hash_ctx_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_HASH_H
