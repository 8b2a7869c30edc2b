// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Whole messages through the tile, in one call, with HMAC and KMAC keys of any length.
//
// The engines hold keys of up to TileMaxKey bytes. What is longer takes further jobs, or data in
// front of the message, on the same engines:
//
// - HMAC, key longer than the hash's block: a job hashes the key (FIPS 198-1), another is the HMAC.
// - HMAC, key between the two (SHA-384, SHA-512 and their kin): the two hashes that HMAC consists
//   of.
// - KMAC: by definition (SP 800-185) cSHAKE named "KMAC" of the padded key, the message, and the
//   output's length.
//
// Codes of the last two are compared by the core, in a time that depends on their length alone.
#ifndef CRYPTILE_HAL_TILE_MESSAGE_H
#define CRYPTILE_HAL_TILE_MESSAGE_H

#include "tile.h"
#include "tile_prepare.h"

enum { TileMaxLongKey = 1 << 20 };

// Works on one message and waits for it: cry_tile_prepare() and cry_tile_run(), or what a long key
// needs. The queue must be empty. `limit` is for each job, in cycles; `asleep` waits as
// cry_tile_sleep() does. With a long key `message->scratch` is zeroed at the end, as it held what
// the key is made into.
//
// Returns as cry_tile_prepare() and cry_tile_run(), but CRYPTILE_ERR_SUPPORT for a long key only
// when a code of more than 255 bytes is to be verified. A key of more than TileMaxLongKey bytes is
// CRYPTILE_ERR_PARAM.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_run_message(tile_ring_t *ring, const tile_alg_t *alg,
                                                           const tile_message_t *message,
                                                           uint32_t limit, bool asleep);

#endif  // CRYPTILE_HAL_TILE_MESSAGE_H
