// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What is where in the microcontroller.
#ifndef CRYPTILE_GEN_MCU_MAP_H
#define CRYPTILE_GEN_MCU_MAP_H

#define MCU_IMEM_BASE   0x00000000u
#define MCU_IMEM_SIZE   0x00010000u
#define MCU_TCDM_BASE   0x10000000u
#define MCU_TCDM_SIZE   0x00040000u
#define MCU_PERIPH_BASE 0x1a100000u
#define MCU_PERIPH_SIZE 0x00020000u
#define MCU_HWPE_BASE   0x1a10c000u
#define MCU_HWPE_SIZE   0x00001000u

#endif  // CRYPTILE_GEN_MCU_MAP_H
