// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What is where in the tile SoC.
#ifndef CRYPTILE_GEN_TILE_MAP_H
#define CRYPTILE_GEN_TILE_MAP_H

#define SOC_ROM_BASE      0x00010000ul
#define SOC_ROM_SIZE      0x00010000ul
#define SOC_CLINT_BASE    0x02000000ul
#define SOC_CLINT_SIZE    0x00010000ul
#define SOC_PLIC_BASE     0x0c000000ul
#define SOC_PLIC_SIZE     0x04000000ul
#define SOC_UART_BASE     0x10000000ul
#define SOC_UART_SIZE     0x00001000ul
#define SOC_PERIPH_BASE   0x18000000ul
#define SOC_PERIPH_SIZE   0x00020000ul
#define SOC_TILE_BASE     0x50000000ul
#define SOC_TILE_SIZE     0x00100000ul
#define SOC_RBG_BASE      0x51000000ul
#define SOC_RBG_SIZE      0x00000020ul
#define SOC_AXIS_BASE     0x52000000ul
#define SOC_AXIS_SIZE     0x00000100ul
#define SOC_WINDOW_BASE   0x52001000ul
#define SOC_WINDOW_SIZE   0x00000040ul
#define SOC_MEMORY_BASE   0x80000000ul
#define SOC_MEMORY_SIZE   0x10000000ul
#define SOC_UNCACHED_BASE 0xc0000000ul
#define SOC_UNCACHED_SIZE 0x10000000ul
#define SOC_PROGRAM_BASE  0x80000000ul
#define SOC_PROGRAM_SIZE  0x01000000ul
#define SOC_HEAP_BASE     0x81000000ul
#define SOC_HEAP_SIZE     0x0f000000ul

#endif  // CRYPTILE_GEN_TILE_MAP_H
