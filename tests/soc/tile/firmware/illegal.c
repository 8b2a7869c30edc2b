// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A trap that nobody handles ends the program with a code.

int main(void) {
  __asm__ volatile(".word 0");
  return 0;
}
