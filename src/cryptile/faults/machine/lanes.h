// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A word holds one bit of each of many machines: bit i of every word belongs to machine ("lane") i.
#ifndef LANES_H
#define LANES_H

#include <stdint.h>

#define LANES 512
#define LIMBS (LANES / 64)

typedef uint64_t word __attribute__((vector_size(LANES / 8)));

#define ZERO ((word){0})
#define ONE  (~ZERO)

// Any function of three words, by its truth table; `text` says the same for other processors.
#ifdef __AVX512F__
#include <immintrin.h>
#define LOGIC3(table, a, b, c, text) \
  ((word)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), (table)))
#else
#define LOGIC3(table, a, b, c, text) (text)
#endif

// What happens to the output of a gate: where `force` is 0 it is flipped if `value` is 1; where
// `force` is 1 it is `value`.
typedef struct {
  word force, value;
} site_fault;

static inline word disturb(word x, site_fault f) {
  return (x & ~f.force) ^ f.value;
}

#endif
