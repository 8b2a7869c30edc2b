// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "exit.h"

#include "mcu.h"

void cry_mcu_exit(uint32_t code) {
  MCU_REG(SOC_CTRL.EXIT) = code;
  for (;;) {
    __asm__ volatile("wfi");
  }
}

__attribute__((weak)) void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  cry_mcu_exit(ExitTrap + (mcause & 63));
}
