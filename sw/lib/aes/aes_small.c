// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_small.h"

#include "aes/aes_sbox.h"

#define ENTRY(s) (s),
const uint8_t cry_aes_small_sbox[256] = {AES_SBOX_LIST(ENTRY)};
