// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ascon-XOF128 and Ascon-CXOF128 (NIST SP 800-232): output of any length from a message.
//
// Ascon-Hash256 is one of the hash functions of cryptile/hash.h, Ascon-AEAD128 one of the
// algorithms of cryptile/aead.h. Nothing is allocated: all state is in a context that the caller
// owns.
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment.
// - Aliasing: no buffer may overlap the context.
// - Constant time: the time depends on lengths alone.
// - Stack: a bound with everything that is called, seen on RV32 at -O2.
// - Not reentrant on one context; different contexts are independent.
// - A context may be copied as a whole, to save the state of a message or to branch it.
#ifndef CRYPTILE_ASCON_H
#define CRYPTILE_ASCON_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_ASCON_CXOF128_MAX_CUSTOM 256u

// A message being worked on. The size is public so that the caller can place it; the members are
// private.
typedef struct {
  uint64_t state[5];
  uint8_t position;  // bytes of the block that are used up
  uint8_t phase;
} cryptile_ascon_xof_t;

// Starts a message for Ascon-XOF128.
//
// Stack: 192 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ascon_xof128_init(cryptile_ascon_xof_t *ctx);

// Starts a message for Ascon-CXOF128 with a customization string of up to 256 bytes, which tells
// apart what the output is for. `custom` may be null if `custom_len` is 0.
//
// Stack: 224 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM on a null pointer or too long a string (the context then
// refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ascon_cxof128_init(cryptile_ascon_xof_t *ctx,
                                                                  const void *custom,
                                                                  size_t custom_len);

// Goes on with the next `len` bytes of the message; any number, also 0, then `in` may be null.
//
// Stack: 224 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE after the first output, or if not initialised;
// CRYPTILE_ERR_PARAM on a null pointer. On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ascon_xof_absorb(cryptile_ascon_xof_t *ctx,
                                                                const void *in, size_t len);

// Gives the next `len` bytes of the output; any number, also 0, then `out` may be null. The first
// call ends the message.
//
// Stack: 224 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE if not initialised; CRYPTILE_ERR_PARAM on a null pointer.
// On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ascon_xof_squeeze(cryptile_ascon_xof_t *ctx,
                                                                 void *out, size_t len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
void cryptile_ascon_xof_wipe(cryptile_ascon_xof_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_ASCON_H
