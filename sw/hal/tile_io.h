// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile's registers and the memory between core and tile, as the system with CVA6 has them.
//
// The core's data cache writes through, so what the core has stored reaches memory by itself, if
// late: tile_publish() waits for it. What the tile writes leaves the cache before its record can be
// seen, so that loads behind a record need no more than their order: tile_acquire().
#ifndef CRYPTILE_HAL_TILE_IO_H
#define CRYPTILE_HAL_TILE_IO_H

#include <stdint.h>

#include "soc_tile.h"
#include "tile_relax.h"

static inline uint32_t tile_read(uintptr_t offset) {
  return *(volatile uint32_t *)(SOC_TILE_BASE + offset);
}

static inline void tile_write(uintptr_t offset, uint32_t value) {
  *(volatile uint32_t *)(SOC_TILE_BASE + offset) = value;
}

// All stores so far are in memory before any later store.
static inline void tile_publish(void) {
  __asm__ volatile("fence" : : : "memory");
}

// The load of a record's first word comes before all later accesses: the rest of the record was
// there before it. This core's accesses follow its loads in order, so that only the compiler must
// be told; one that reorders loads needs "fence r, rw".
static inline void tile_acquire(void) {
  __asm__ volatile("" : : : "memory");
}

// The time in clock cycles.
static inline uint64_t tile_now(void) {
  return soc_cycles64();
}

// Sleeps until the interrupt of a queue is raised, or for about `cycles`; may wake early.
static inline void tile_doze(unsigned queue, uint64_t cycles) {
  cry_soc_doze(SocIrqQueue + queue, cycles);
}

#endif  // CRYPTILE_HAL_TILE_IO_H
