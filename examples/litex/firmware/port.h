// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the driver of sw/hal asks of a system: included before each of its files.
#ifndef CRYPTILE_EXAMPLES_LITEX_PORT_H
#define CRYPTILE_EXAMPLES_LITEX_PORT_H

#include <generated/mem.h>

#define STREAM_DMA_BASE  CRYPTILE_DMA_BASE
#define STREAM_AXIS_BASE CRYPTILE_ENGINE_BASE
#define STREAM_MEM_BASE  MAIN_RAM_BASE
#define STREAM_MEM_SIZE  MAIN_RAM_SIZE

// This core has no cycle counter; LiteX' timer has.
#define CRYPTILE_PORT_CYCLES port_cycles

#endif  // CRYPTILE_EXAMPLES_LITEX_PORT_H
