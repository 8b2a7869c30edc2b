// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the test programs share: the registers, and a check that ends the program with its line.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "mcu_map.h"
#include "mcu_regs.h"

// One aligned word: the generated structures are packed, and a member of one would be accessed byte
// by byte.
#define MCU(reg)     (*(volatile uint32_t *)(MCU_PERIPH_BASE + offsetof(mcu_t, reg)))
#define HWPE(offset) (*(volatile uint32_t *)(MCU_HWPE_BASE + (offset)))
#define IMEM         MCU_IMEM_BASE
#define TCDM         MCU_TCDM_BASE

// Ends the program with an exit code; start-up ends in it, too.
_Noreturn void finish(uint32_t code);

#define CHECK(condition) \
  do {                   \
    if (!(condition))    \
      finish(__LINE__);  \
  } while (0)

static inline void print(const char *text) {
  while (*text != '\0')
    MCU(CONSOLE.DATA) = (uint32_t)*text++;
}

static inline void interrupts_on(void) {
  __asm__ volatile("csrw mie, %0" : : "r"(1u << 16));
  __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}

static inline void interrupts_off(void) {
  __asm__ volatile("csrci mstatus, 8" ::: "memory");
}

static inline void sleep(void) {
  __asm__ volatile("wfi" ::: "memory");
}
