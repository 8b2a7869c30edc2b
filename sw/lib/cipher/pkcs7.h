// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// PKCS#7 padding (RFC 5652, section 6.3) for 16-byte blocks.
#ifndef CRYPTILE_LIB_CIPHER_PKCS7_H
#define CRYPTILE_LIB_CIPHER_PKCS7_H

#include <stddef.h>
#include <stdint.h>

// Fills block[used..15] so that the block is whole; `used` is 0 to 15.
void cry_pkcs7_pad(uint8_t block[16], size_t used);

// Returns the number of padding bytes at the end of the block, 1 to 16, or 0 if they are wrong.
// Takes the same time for every content.
size_t cry_pkcs7_check(const uint8_t block[16]);

#endif  // CRYPTILE_LIB_CIPHER_PKCS7_H
