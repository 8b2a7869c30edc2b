// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The words of long numbers: as wide as the registers.
#ifndef CRYPTILE_LIB_WORD_H
#define CRYPTILE_LIB_WORD_H

#include <stdint.h>

// wide_t holds a product of two words. WORD() makes a word of a constant, or two, from 32 bits and
// the 32 bits above them.
#if defined(__SIZEOF_INT128__)
typedef uint64_t word_t;
__extension__ typedef unsigned __int128 wide_t;
#define WORD(low, high) ((uint64_t)(high) << 32 | (low))
#else
typedef uint32_t word_t;
typedef uint64_t wide_t;
#define WORD(low, high) (low), (high)
#endif
#define WORD_BITS ((int)(8 * sizeof(word_t)))

#endif  // CRYPTILE_LIB_WORD_H
