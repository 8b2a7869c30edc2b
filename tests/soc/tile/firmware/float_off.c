// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// An instruction of the floating-point unit while mstatus.FS says that it is off.

int main(void) {
  __asm__ volatile("fadd.d fa0, fa0, fa0");
  return 0;
}
