// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Bit interleaving: a rotate of 64 bits becomes two rotates of 32 bits (G. Bertoni et al., "Keccak
// implementation overview", 2012, section 2.1).
#ifndef CRYPTILE_LIB_KECCAK_INTERLEAVE_H
#define CRYPTILE_LIB_KECCAK_INTERLEAVE_H

#include <stdint.h>

// Moves the even bits of a word to its lower half and the odd ones to its upper half.
static inline uint32_t interleave_unzip32(uint32_t x) {
#if defined(__riscv_zbkb) && __riscv_xlen == 32
  __asm__("unzip %0, %0" : "+r"(x));
#else
  uint32_t t = (x ^ (x >> 1)) & 0x22222222u;
  x ^= t ^ (t << 1);
  t = (x ^ (x >> 2)) & 0x0c0c0c0cu;
  x ^= t ^ (t << 2);
  t = (x ^ (x >> 4)) & 0x00f000f0u;
  x ^= t ^ (t << 4);
  t = (x ^ (x >> 8)) & 0x0000ff00u;
  x ^= t ^ (t << 8);
#endif
  return x;
}

// The inverse of interleave_unzip32().
static inline uint32_t interleave_zip32(uint32_t x) {
#if defined(__riscv_zbkb) && __riscv_xlen == 32
  __asm__("zip %0, %0" : "+r"(x));
#else
  uint32_t t = (x ^ (x >> 8)) & 0x0000ff00u;
  x ^= t ^ (t << 8);
  t = (x ^ (x >> 4)) & 0x00f000f0u;
  x ^= t ^ (t << 4);
  t = (x ^ (x >> 2)) & 0x0c0c0c0cu;
  x ^= t ^ (t << 2);
  t = (x ^ (x >> 1)) & 0x22222222u;
  x ^= t ^ (t << 1);
#endif
  return x;
}

// Even bits to the lower half, odd bits to the upper half.
static inline uint64_t interleave_in(uint64_t lane) {
  const uint32_t low = interleave_unzip32((uint32_t)lane);
  const uint32_t high = interleave_unzip32((uint32_t)(lane >> 32));
  const uint32_t even = (low & 0xffffu) | (high << 16);
  const uint32_t odd = (low >> 16) | (high & 0xffff0000u);
  return (uint64_t)odd << 32 | even;
}

// The inverse of interleave_in().
static inline uint64_t interleave_out(uint64_t lane) {
  const uint32_t even = (uint32_t)lane, odd = (uint32_t)(lane >> 32);
  const uint32_t low = (even & 0xffffu) | (odd << 16);
  const uint32_t high = (even >> 16) | (odd & 0xffff0000u);
  return (uint64_t)interleave_zip32(high) << 32 | interleave_zip32(low);
}

#endif  // CRYPTILE_LIB_KECCAK_INTERLEAVE_H
