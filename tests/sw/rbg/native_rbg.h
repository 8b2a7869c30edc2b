// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// In the place of rbg_io.h: the registers are those of the generator's RTL, simulated, and an
// access takes as long as on the tile SoC. Time is the RTL's.
#ifndef CRYPTILE_HAL_RBG_IO_H
#define CRYPTILE_HAL_RBG_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/rbg_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RBG_AT(name) offsetof(rbg_t, name)

uint32_t rbg_load(size_t offset);
void rbg_store(size_t offset, uint32_t value);
uint64_t rbg_now(void);

// Takes a block of random bits, as the tile's engine does: false if none comes in time.
bool native_rbg_take(uint8_t block[16]);

// Whether a health test failed.
bool native_rbg_alarm(void);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_HAL_RBG_IO_H
