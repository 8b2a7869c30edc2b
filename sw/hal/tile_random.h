// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Random bytes by jobs of the tile, from the random bit generator (rbg.h), which must be on; and as
// the source of random numbers of PSA Crypto:
//
//   status = cry_rbg_start(RbgStartLimit);
//   cry_tile_random_use(&ring);
//   cryptile_psa_set_random(cry_tile_random_source);
//   psa_generate_key(...);            // PSA_ERROR_INSUFFICIENT_ENTROPY when the generator stops
#ifndef CRYPTILE_HAL_TILE_RANDOM_H
#define CRYPTILE_HAL_TILE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile.h"

// Fills `out`, of any alignment, with `len` random bytes, in jobs of at most TileRandomBytes. The
// queue must be open and empty, may use the opcode, and may write there. `limit` is for each job,
// in cycles: one has its bytes, or ends without, within 65,536 cycles and 2 for each byte.
//
// The generator is asked before the first job and behind the last: when it has failed meanwhile,
// what came before the alarm is not given out.
//
// Constant time: depends on `len` alone.
//
// Returns CRYPTILE_OK. Otherwise all of `out` is zero: CRYPTILE_ERR_FAULT: the generator is in
// alarm, or gave no bits in time; CRYPTILE_ERR_STATE: it is off or read out, or the ring is closed;
// CRYPTILE_ERR_BUSY: it has no seed yet, or results of other jobs were not taken;
// CRYPTILE_ERR_PARAM: no ring, or `out` is null; as cry_tile_run() else: behind
// CRYPTILE_ERR_TIMEOUT the ring is closed.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_random(tile_ring_t *ring, uint8_t *out, size_t len,
                                                      uint32_t limit);

enum { TileRandomBytes = 65536, TileRandomLimit = 300000 };

// cry_tile_random_source() goes through this queue from now on; null: it fails.
void cry_tile_random_use(tile_ring_t *ring);

// For cryptile_psa_set_random(): cry_tile_random() with a limit of TileRandomLimit. When it returns
// false all of `out` is zero. The tile writes to `out`: no random byte is on the stack or in a
// register.
bool cry_tile_random_source(uint8_t *out, size_t len);

#endif  // CRYPTILE_HAL_TILE_RANDOM_H
