// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "timer.h"

#include "events.h"
#include "mcu.h"

void cry_timer_alarm(uint32_t cycles) {
  MCU_REG(TIMER.CTRL) = MCU__TIMER__CTRL__CLEAR_bm;
  MCU_REG(TIMER.COMPARE_HI) = 0;
  MCU_REG(TIMER.COMPARE_LO) = cycles;
  MCU_REG(TIMER.CTRL) = MCU__TIMER__CTRL__ENABLE_bm;
}

void cry_timer_stop(void) {
  MCU_REG(TIMER.CTRL) = 0;
  event_clear(EventTimer);
}
