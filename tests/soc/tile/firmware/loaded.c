// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What was loaded beside the program.

#include "test.h"

int main(void) {
  return REG8(0x88000003);
}
