// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The random bit generator's registers and the time, as the system with CVA6 has them. The core's
// loads of a device wait for its stores: a state that is read behind a command is one behind it.
#ifndef CRYPTILE_HAL_RBG_IO_H
#define CRYPTILE_HAL_RBG_IO_H

#include <stddef.h>
#include <stdint.h>

#include "gen/rbg_regs.h"
#include "soc_tile.h"

#define RBG_AT(name) offsetof(rbg_t, name)

static inline uint32_t rbg_load(size_t offset) {
  return *(volatile uint32_t *)(SOC_RBG_BASE + offset);
}

static inline void rbg_store(size_t offset, uint32_t value) {
  *(volatile uint32_t *)(SOC_RBG_BASE + offset) = value;
}

// The time in clock cycles.
static inline uint64_t rbg_now(void) {
  return soc_cycles64();
}

#endif  // CRYPTILE_HAL_RBG_IO_H
