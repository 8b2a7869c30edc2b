// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Counter mode on bit planes for any length: chooses between the narrow code and the wide one.
#ifndef CRYPTILE_LIB_AES_BITSLICED_STREAM_H
#define CRYPTILE_LIB_AES_BITSLICED_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "aes/aes_bitsliced.h"

// A key as planes, and as expanded words or null: long messages need these, and get them from the
// planes if need be.
typedef struct {
  const aes_plane_t *sliced;
  const uint32_t *round_keys;
  unsigned rounds;
} aes_bitsliced_keys_t;

// Adds the key stream. The last word of the counter, which is public, may not wrap before the end
// (see cry_aes_bulk_before_wrap()). Any alignment.
void cry_aes_bitsliced_stream(const aes_bitsliced_keys_t *keys, uint32_t counter[4],
                              const uint8_t *in, uint8_t *out, size_t len);

#endif  // CRYPTILE_LIB_AES_BITSLICED_STREAM_H
