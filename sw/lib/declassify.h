// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Says that what was computed from secrets may be known, where an algorithm makes it public: a
// verdict, a public key. Tools that follow secrets stop to follow these bytes.
#ifndef CRYPTILE_LIB_DECLASSIFY_H
#define CRYPTILE_LIB_DECLASSIFY_H

#include <stddef.h>

// A hint instruction that cores take as a no-op and the instruction-set simulator understands.
static inline void declassify(const void *memory, size_t len) {
#if defined(__riscv)
  register const void *a0 __asm__("a0") = memory;
  register size_t a1 __asm__("a1") = len;
  __asm__ volatile("slti x0, x0, 0x7d1" : : "r"(a0), "r"(a1) : "memory");
#else
  (void)memory;
  (void)len;
#endif
}

#endif  // CRYPTILE_LIB_DECLASSIFY_H
