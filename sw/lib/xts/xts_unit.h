// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One XTS data unit in parts, as the PSA API wants it.
//
// Output lags behind: a block is written when 16 bytes more have come, as the last whole block of a
// data unit depends on what follows it. So 16 to 31 bytes are held until the end.
#ifndef CRYPTILE_LIB_XTS_UNIT_H
#define CRYPTILE_LIB_XTS_UNIT_H

#include <stdbool.h>

#include "aes/aes.h"
#include "cryptile/xts.h"

enum { XtsUnitMaxHeld = 31 };

// A data unit being worked on.
typedef struct {
  aes_key_t key;       // of the data
  uint32_t tweak[4];   // of the next block, encrypted
  uint32_t left;       // bytes that may still come
  uint8_t direction;   // cryptile_direction_t
  uint8_t held_bytes;  // 0 to XtsUnitMaxHeld
  uint8_t held[XtsUnitMaxHeld];
} xts_unit_t;

// Whether an XTS key is one: 32 or 64 bytes, and two different halves. Only the verdict becomes
// known.
bool cry_xts_key_is_good(const uint8_t *key, size_t key_len);

// Starts a data unit with a good key.
void cry_xts_unit_start(xts_unit_t *unit, cryptile_direction_t direction, const uint8_t *key,
                        size_t key_len, const uint8_t tweak[16]);

// How many bytes cry_xts_unit_update() writes for `len` more.
size_t cry_xts_unit_ready(const xts_unit_t *unit, size_t len);

// Goes on with `len` bytes, which may overlap the output in any way. Returns false, with nothing
// done, if the data unit would exceed CRYPTILE_XTS_MAX_BYTES.
bool cry_xts_unit_update(xts_unit_t *unit, const uint8_t *in, size_t len, uint8_t *out);

// Ends a data unit of at least 16 bytes: writes the bytes that are held.
void cry_xts_unit_finish(xts_unit_t *unit, uint8_t *out);

#endif  // CRYPTILE_LIB_XTS_UNIT_H
