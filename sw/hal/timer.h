// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The timer: one alarm.
#ifndef CRYPTILE_HAL_TIMER_H
#define CRYPTILE_HAL_TIMER_H

#include <stdint.h>

// Raises EventTimer once, `cycles` from now. Replaces an earlier alarm.
void cry_timer_alarm(uint32_t cycles);

// Takes back the alarm.
void cry_timer_stop(void);

#endif  // CRYPTILE_HAL_TIMER_H
