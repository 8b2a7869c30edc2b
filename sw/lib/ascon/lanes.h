// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Lanes of Ascon's state, and the little-endian bytes they stand for.
#ifndef CRYPTILE_LIB_ASCON_LANES_H
#define CRYPTILE_LIB_ASCON_LANES_H

#include <stdint.h>

#include "ascon/ascon.h"
#include "bytes.h"
#include "keccak/interleave.h"

static inline uint64_t ascon_to_state(uint64_t lane) {
  return ASCON_INTERLEAVED ? interleave_in(lane) : lane;
}

static inline uint64_t ascon_from_state(uint64_t lane) {
  return ASCON_INTERLEAVED ? interleave_out(lane) : lane;
}

// A whole lane.
static inline uint64_t ascon_load_lane(const uint8_t bytes[8]) {
  return (uint64_t)load32_le(bytes + 4) << 32 | load32_le(bytes);
}

static inline void ascon_store_lane(uint8_t bytes[8], uint64_t lane) {
  store32_le(bytes, (uint32_t)lane);
  store32_le(bytes + 4, (uint32_t)(lane >> 32));
}

// The first `len` <= 8 bytes of a lane.
static inline uint64_t ascon_load(const uint8_t *bytes, unsigned len) {
  uint32_t half[2] = {0, 0};
  for (unsigned n = 0; n < len; n++)
    half[n / 4] |= (uint32_t)bytes[n] << n % 4 * 8;
  return (uint64_t)half[1] << 32 | half[0];
}

static inline void ascon_store(uint8_t *bytes, uint64_t lane, unsigned len) {
  const uint32_t half[2] = {(uint32_t)lane, (uint32_t)(lane >> 32)};
  for (unsigned n = 0; n < len; n++)
    bytes[n] = (uint8_t)(half[n / 4] >> n % 4 * 8);
}

#endif  // CRYPTILE_LIB_ASCON_LANES_H
