// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Read-out of the random bit generator's entropy source, as its validation asks (NIST SP 800-90B,
// 3.1.1 and 3.1.4): samples in a row, and the restart matrix. Only where the life cycle of the chip
// permits it. What is read is part of no seed; while it is read there are no random bits, and
// behind it the generator is off.
//
//   status = cry_rbg_read(RbgStageRaw, samples, 1000000, limit);     // 1,000,000 without a gap
//   status = cry_rbg_read(RbgStageRestart, samples, 1000000, limit); // 1,000 rows of 1,000
//   status = cry_rbg_start(RbgStartLimit);                           // random bits again
//
// What rbg.h says of all functions holds here.
#ifndef CRYPTILE_HAL_RBG_READ_H
#define CRYPTILE_HAL_RBG_READ_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

typedef enum {
  RbgStageRaw = 1,         // samples of all lanes, lane 0 in bit 0, from the first one on; no tests
  RbgStageRestart = 2,     // the same in rows of RbgRowSamples, each behind a start of the source
  RbgStageTested = 3,      // combined samples, bit i of lanes 2 i and 2 i + 1, behind all tests
  RbgStageConditioned = 4  // words of 64 bits, which the DRBG would be seeded with
} rbg_stage_t;

enum { RbgRowSamples = 1000 };  // of the restart matrix, as the source is built by default

// Reads `count` samples in a row into `samples`, of 8 bytes alignment. Samples are contiguous, or
// there is an error; rows of RbgStageRestart are checked to begin where they should. The caller
// must not be held up for as long as a sample takes (256 cycles by default): mask interrupts.
// `limit` is for each sample, and for what comes before the first one: with RbgStageTested and
// RbgStageConditioned that is RbgStartLimit.
//
// Returns CRYPTILE_OK; or an error, with `samples` zeroized and the generator off:
// CRYPTILE_ERR_PARAM: no such stage, or null; CRYPTILE_ERR_SUPPORT: the life cycle does not permit
// it; CRYPTILE_ERR_FAULT: an alarm, which stays, as in front of a call; CRYPTILE_ERR_STATE: a
// sample was not read in time, or a row had another length; CRYPTILE_ERR_TIMEOUT: none came.
CRYPTILE_MUST_CHECK cryptile_status_t cry_rbg_read(rbg_stage_t stage, uint64_t *samples,
                                                   size_t count, uint32_t limit);

#endif  // CRYPTILE_HAL_RBG_READ_H
