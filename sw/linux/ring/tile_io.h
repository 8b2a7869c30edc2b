// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile's user page and memory as a process on Linux has them, for sw/hal/tile_jobs.c: there an
// offset is the address of the page, which the process has mapped (cry_ring.h).
#ifndef CRYPTILE_RING_TILE_IO_H
#define CRYPTILE_RING_TILE_IO_H

#include <stdint.h>
#include <time.h>

#include "tile_relax.h"

#ifndef __riscv
#error "the barriers between memory and device are RISC-V's"
#endif

static inline uint32_t tile_read(uintptr_t address) {
  return *(volatile uint32_t *)address;
}

static inline void tile_write(uintptr_t address, uint32_t value) {
  *(volatile uint32_t *)address = value;
}

// All stores to memory so far come before any later store to the device.
static inline void tile_publish(void) {
  __asm__ volatile("fence w, o" : : : "memory");
}

// The load of a record's first word comes before all later accesses.
static inline void tile_acquire(void) {
  __asm__ volatile("fence r, rw" : : : "memory");
}

// The time in nanoseconds.
static inline uint64_t tile_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif  // CRYPTILE_RING_TILE_IO_H
