// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A program as compilers make them for rv64gc: what it computes is printed.

#include "computation.h"
#include "console.h"
#include "test.h"

// Not in main, which would save registers of the unit while it is off.
__attribute__((noinline)) static uint64_t compute(void) {
  return computation();
}

int main(void) {
  CSR_SET("mstatus", 1 << 13);  // FS: initial
  const uint64_t hash = compute();
  cry_console_hex((uint32_t)(hash >> 32));
  cry_console_hex((uint32_t)hash);
  return 0;
}
