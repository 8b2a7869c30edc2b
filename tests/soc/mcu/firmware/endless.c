// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Never ends: for the bound on cycles.
int main(void) {
  volatile unsigned count = 0;
  for (;;)
    count++;
}
