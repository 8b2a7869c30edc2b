// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The text of an XTS data unit, all at once or in parts.
#ifndef CRYPTILE_LIB_XTS_TEXT_H
#define CRYPTILE_LIB_XTS_TEXT_H

#include "aes/aes.h"

// Transforms `len` bytes in the direction of the key, and moves the tweak, already encrypted, on by
// whole blocks. A length that is no multiple of 16 is more than 16 and ends the data unit: the
// last block steals ciphertext. `out` is `in`, or they are disjoint; any alignment.
void cry_xts_text(const aes_key_t *key, cryptile_direction_t direction, uint32_t tweak[4],
                  const uint8_t *in, uint8_t *out, size_t len);

#endif  // CRYPTILE_LIB_XTS_TEXT_H
