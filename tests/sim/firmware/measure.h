// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measuring functions on the microcontroller.
#pragma once

#include "test.h"

typedef void kernel_t(void);

// Cycles of one call, and of the call itself.
uint32_t measure(kernel_t *kernel);

// CV32E40P counts nothing after reset.
static inline void start_counting(void) {
  __asm__ volatile("csrw mcountinhibit, zero");
}

// Prints the cycles of a function as a line with a hexadecimal number.
static inline void report(kernel_t *kernel) {
  const uint32_t cycles = measure(kernel);
  for (int shift = 28; shift >= 0; shift -= 4) {
    const char digit[2] = {"0123456789abcdef"[cycles >> shift & 15], '\0'};
    print(digit);
  }
  print("\n");
}
