// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Time in clock cycles.
#ifndef CRYPTILE_HAL_CYCLES_H
#define CRYPTILE_HAL_CYCLES_H

#include <stdint.h>

#include "mcu.h"

// The core's own counter: it stands still while the core sleeps. A port to a core without mcycle
// defines CRYPTILE_PORT_CYCLES as the name of a function of its own.
#ifdef CRYPTILE_PORT_CYCLES
uint32_t CRYPTILE_PORT_CYCLES(void);
#endif
static inline uint32_t core_cycles(void) {
#ifdef CRYPTILE_PORT_CYCLES
  return CRYPTILE_PORT_CYCLES();
#else
  unsigned long value;
  __asm__ volatile("csrr %0, mcycle" : "=r"(value));
  return (uint32_t)value;
#endif
}

// The system's counter: it never stops. The low half; wraps after 2^32 cycles.
static inline uint32_t soc_cycles(void) {
  return MCU_REG(SOC_CTRL.CYCLE_LO);
}

#endif  // CRYPTILE_HAL_CYCLES_H
