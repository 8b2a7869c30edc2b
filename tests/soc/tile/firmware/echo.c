// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Nine letters from the UART, asleep until they come, and back in capitals.

#include "test.h"

int main(void) {
  PLIC_PRIORITY(SourceUart) = 1;
  PLIC_ENABLE(0) = 1 << SourceUart;
  CSR_WRITE("mie", 1 << IrqExternal);
  UART(1) = 1;
  for (int i = 0; i < 9; i++) {
    sleep();
    CHECK(PLIC_CLAIM(0) == SourceUart);
    CHECK((UART(2) & 15) == 4 && (UART(5) & 1) == 1);
    UART(0) = UART(0) & 0xdf;
    PLIC_CLAIM(0) = SourceUart;
    fence();
  }
  CHECK((UART(5) & 1) == 0);
  return 0;
}
