// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Prints on the console and on the UART, and ends with a code.

#include "console.h"
#include "test.h"

int main(void) {
  cry_console_text("hello from CVA6\n");
  for (const char *text = "and from its UART\n"; *text != '\0'; text++) {
    CHECK((UART(5) & 0x20) != 0);
    UART(0) = (uint8_t)*text;
  }
  return 42;
}
