// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Says hello, gives an exit code.
#include "test.h"

int main(void) {
  print("hello from the microcontroller\n");
  return 42;
}
