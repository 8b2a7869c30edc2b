// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The end of every test program.

#include "../test.h"

_Noreturn void finish(uint32_t code) {
  for (;;)
    MCU(SOC_CTRL.EXIT) = code;
}
