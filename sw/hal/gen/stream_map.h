// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What is where in the stream SoC.
#ifndef CRYPTILE_GEN_STREAM_MAP_H
#define CRYPTILE_GEN_STREAM_MAP_H

#define STREAM_IMEM_BASE   0x00000000u
#define STREAM_IMEM_SIZE   0x00010000u
#define STREAM_LOCAL_BASE  0x10000000u
#define STREAM_LOCAL_SIZE  0x00040000u
#define STREAM_PERIPH_BASE 0x1a100000u
#define STREAM_PERIPH_SIZE 0x00020000u
#define STREAM_DMA_BASE    0x1a200000u
#define STREAM_DMA_SIZE    0x00001000u
#define STREAM_AXIS_BASE   0x1a201000u
#define STREAM_AXIS_SIZE   0x00001000u
#define STREAM_MEM_BASE    0x80000000u
#define STREAM_MEM_SIZE    0x01000000u

#endif  // CRYPTILE_GEN_STREAM_MAP_H
