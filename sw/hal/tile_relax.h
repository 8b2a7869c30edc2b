// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A part of tile_io.h that every port to RISC-V has in common.
#ifndef CRYPTILE_HAL_TILE_RELAX_H
#define CRYPTILE_HAL_TILE_RELAX_H

// Between two looks at a record: the hint `pause` (Zihintpause), nothing on a core without it. Not
// every assembler knows the name. Two of them: for CVA6 it is a fence of a few cycles.
static inline void tile_relax(void) {
  __asm__ volatile(".4byte 0x0100000f, 0x0100000f");
}

#endif  // CRYPTILE_HAL_TILE_RELAX_H
