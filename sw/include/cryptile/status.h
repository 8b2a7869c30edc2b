// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What every function of the library returns.
#ifndef CRYPTILE_STATUS_H
#define CRYPTILE_STATUS_H

#include "cryptile/attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CRYPTILE_OK = 0,
  CRYPTILE_ERR_PARAM = -1,    // null pointer, unknown mode, wrong key length, padding with CTR
  CRYPTILE_ERR_STATE = -2,    // context not initialised, or already finished
  CRYPTILE_ERR_LENGTH = -3,   // `out` too small, or ECB/CBC without padding ends in a partial block
  CRYPTILE_ERR_PADDING = -4,  // PKCS#7 padding is wrong (wrong key, or damaged data)
  CRYPTILE_ERR_BUSY = -5,     // the engine takes no job
  CRYPTILE_ERR_TIMEOUT = -6,  // the engine did not finish in time; it was cleared
  CRYPTILE_ERR_BUS = -7,      // the engine met an address that does not exist
  CRYPTILE_ERR_FAULT = -8,    // the engine detected a fault in itself
  CRYPTILE_ERR_SUPPORT = -9,  // mode, direction or key length not built into the engine
  CRYPTILE_ERR_AUTH = -10,    // tag or signature does not match
  CRYPTILE_ERR_KEY = -11      // invalid key or point; equal halves of an XTS key; a slot refuses
} cryptile_status_t;

// Returns what a status means, in a few words of English that last as long as the program; of a
// number that is no status, that it is unknown. Stack: 16 bytes.
const char *cryptile_strerror(cryptile_status_t status);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_STATUS_H
