// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Breaks the model of oscillators that the simulator has, by a command of its mailbox.
#pragma once

#include <stdint.h>

#include "mcu.h"

enum { HostFail = 5 };

// The oscillators of these lanes stand still from now on, and no others.
static inline void oscillators_fail(uint32_t lanes) {
  MCU_REG(HOST.ARG0) = lanes;
  MCU_REG(HOST.CMD) = HostFail;
  (void)MCU_REG(HOST.RESULT);
}
