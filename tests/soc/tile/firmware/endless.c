// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sleeps for good.

int main(void) {
  for (;;)
    __asm__ volatile("wfi");
}
