// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In the place of tile_io.h and soc_tile.h, when the tile's software runs natively: registers are
// calls into the test. Included before everything else.
#ifndef CRYPTILE_TESTS_NATIVE_TILE_H
#define CRYPTILE_TESTS_NATIVE_TILE_H
#define CRYPTILE_HAL_TILE_IO_H
#define CRYPTILE_HAL_SOC_TILE_H
#define CRYPTILE_HAL_CYCLES_H

#include <stddef.h>
#include <stdint.h>

#define SOC_MEMORY_BASE 0ul
#define SOC_MEMORY_SIZE (1ul << 56)

uint32_t tile_read(uintptr_t offset);
void tile_write(uintptr_t offset, uint32_t value);
void tile_publish(void);
void tile_acquire(void);
void tile_relax(void);
void soc_forget_cached(void);
uint64_t tile_now(void);
void tile_doze(unsigned queue, uint64_t cycles);
uint32_t soc_cycles(void);

#define SOC_HEAP_BASE ((uintptr_t)native_heap)
#define SOC_HEAP_SIZE (160ul << 20)
extern uint8_t native_heap[SOC_HEAP_SIZE];

#endif  // CRYPTILE_TESTS_NATIVE_TILE_H
