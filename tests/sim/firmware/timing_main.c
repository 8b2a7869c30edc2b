// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures every kernel of the table and prints its cycles. The table is generated: see
// iss_timing.py.
#include "measure.h"

extern kernel_t *const kernels[];

int main(void) {
  start_counting();
  for (kernel_t *const *kernel = kernels; *kernel != NULL; ++kernel)
    report(*kernel);
  return 0;
}
