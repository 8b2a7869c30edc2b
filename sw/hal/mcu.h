// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Access to the microcontroller's registers, by the generated maps. Other systems have some of its
// peripherals elsewhere: their builds set MCU_BASE.
#ifndef CRYPTILE_HAL_MCU_H
#define CRYPTILE_HAL_MCU_H

#include <stddef.h>
#include <stdint.h>

#include "gen/hwpe_regs.h"
#include "gen/mcu_map.h"
#include "gen/mcu_regs.h"

#ifndef MCU_BASE
#define MCU_BASE MCU_PERIPH_BASE
#endif

// The generated structs are packed, so the compiler would access their members by bytes: only their
// offsets are used.
#define MCU_REG(reg)  (*(volatile uint32_t *)(MCU_BASE + offsetof(mcu_t, reg)))
#define HWPE_REG(reg) (*(volatile uint32_t *)(MCU_HWPE_BASE + offsetof(hwpe_t, reg)))

#endif  // CRYPTILE_HAL_MCU_H
