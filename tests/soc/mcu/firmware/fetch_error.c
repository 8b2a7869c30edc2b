// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A jump to where no instruction memory is: illegal instruction (CV32E40P) or access fault (Ibex).
#include "test.h"

enum { kAccessFault = 1, kIllegal = 2, kIbex = 1 };

void trap(uint32_t cause) {
  const uint32_t ibex = (MCU(SOC_CTRL.INFO) & MCU__SOC_CTRL__INFO__CORE_bm) == kIbex;
  uint32_t pc;
  __asm__ volatile("csrr %0, mepc" : "=r"(pc));
  CHECK(pc == 0x20000000u);
  CHECK(cause == (ibex ? kAccessFault : kIllegal));
  CHECK(MCU(SOC_CTRL.ERROR) == MCU__SOC_CTRL__ERROR__CORE_FETCH_bm);
  CHECK(MCU(EVENT.STATUS) == MCU__EVENT__STATUS__BUS_ERROR_bm);
  finish(0);
}

int main(void) {
  ((void (*)(void))0x20000000u)();
  return 1;
}
