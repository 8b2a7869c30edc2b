// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Arithmetic of the bit-manipulation and cryptography instructions.
#ifndef CRYPTILE_ISS_CRYPTO_H
#define CRYPTILE_ISS_CRYPTO_H

#include <stdint.h>

void crypto_init(void);

uint32_t aes32(uint32_t rs1, uint32_t rs2, uint32_t shift, int decrypt, int mix);
uint64_t aes64_round(uint64_t rs1, uint64_t rs2, int decrypt, int mix);
uint64_t aes64_inverse_mix(uint64_t rs1);
uint64_t aes64_key_1(uint64_t rs1, uint32_t round);
uint64_t aes64_key_2(uint64_t rs1, uint64_t rs2);

// The 2 * width - 1 bits of a carry-less product, shifted right.
uint64_t carryless(uint64_t a, uint64_t b, unsigned width, unsigned shift);
// Look-up in rs1 as a vector of elements of 4 or 8 bits, by those of rs2.
uint64_t permute(uint64_t rs1, uint64_t rs2, unsigned width, unsigned element);
uint64_t or_combine(uint64_t value);
uint64_t reverse_in_bytes(uint64_t value);
uint32_t zip(uint32_t value);
uint32_t unzip(uint32_t value);

#endif
