// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures every kernel of the table and prints its cycles, one hexadecimal number a line. The table
// is generated: see iss_timing.py.
#include "test.h"

typedef void kernel_t(void);

extern kernel_t *const kernels[];
uint32_t measure(kernel_t *kernel);

int main(void) {
  __asm__ volatile("csrw mcountinhibit, zero");  // CV32E40P counts nothing after reset
  for (kernel_t *const *kernel = kernels; *kernel != NULL; ++kernel) {
    const uint32_t cycles = measure(*kernel);
    for (int shift = 28; shift >= 0; shift -= 4) {
      const char digit[2] = {"0123456789abcdef"[cycles >> shift & 15], '\0'};
      print(digit);
    }
    print("\n");
  }
  return 0;
}
