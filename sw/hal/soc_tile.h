// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The system with CVA6 and the crypto tile: where things are, and what its core needs. Console,
// exit and host mailbox are the microcontroller's, at another MCU_BASE.
#ifndef CRYPTILE_HAL_SOC_TILE_H
#define CRYPTILE_HAL_SOC_TILE_H

#include <stdint.h>

#include "gen/tile_map.h"

// Interrupt sources at the PLIC.
enum { SocIrqUart = 1, SocIrqQueue = 2 };  // queue n: SocIrqQueue + n

enum { SocTimerDivider = 10 };  // cycles per step of the CLINT's timer

#define SOC_REG32(address) (*(volatile uint32_t *)(address))
#define SOC_REG64(address) (*(volatile uint64_t *)(address))

static inline uint64_t soc_cycles64(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, mcycle" : "=r"(value));
  return value;
}

// The data cache holds no copies of memory any more: for what the host writes, which it does not
// see. It writes through, so nothing is lost. It is emptied when it is switched on again: bit 0 of
// the core's own register 0x701.
static inline void soc_forget_cached(void) {
  __asm__ volatile("fence\n\tcsrci 0x701, 1\n\tcsrsi 0x701, 1\n\tfence" : : : "memory");
}

// Sleeps until an interrupt source is pending, or for about `cycles`. With mstatus.MIE = 0 no
// handler is needed. Claims and completes the source.
void cry_soc_doze(unsigned source, uint64_t cycles);

#endif  // CRYPTILE_HAL_SOC_TILE_H
