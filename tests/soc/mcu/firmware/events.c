// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Events: timer interrupts, sleep and wake with interrupts on and off, software events, and an
// event that comes before the core goes to sleep.
#include "test.h"

static volatile uint32_t traps, seen;

void trap(uint32_t cause) {
  CHECK(cause == 0x80000010u);
  seen |= MCU(EVENT.STATUS);
  MCU(EVENT.STATUS) = MCU(EVENT.STATUS);
  traps++;
}

static void timer_in(uint32_t cycles) {
  MCU(TIMER.CTRL) = MCU__TIMER__CTRL__CLEAR_bm;
  MCU(TIMER.COMPARE_LO) = cycles;
  MCU(TIMER.COMPARE_HI) = 0;
  MCU(TIMER.CTRL) = MCU__TIMER__CTRL__ENABLE_bm;
}

static void raise_software_event(void) {
  MCU(EVENT.TRIGGER) = MCU__EVENT__TRIGGER__SOFTWARE_bm;
  (void)MCU(EVENT.STATUS);  // it is pending from the second cycle after the write
}

static void mask_hides(void) {
  raise_software_event();
  CHECK(MCU(EVENT.STATUS) == MCU__EVENT__STATUS__SOFTWARE_bm);
  for (volatile int i = 0; i < 10; i++)
    continue;
  CHECK(traps == 0);
  MCU(EVENT.STATUS) = MCU__EVENT__STATUS__SOFTWARE_bm;
  CHECK(MCU(EVENT.STATUS) == 0);
}

static void sleep_with_interrupts_on(void) {
  MCU(EVENT.MASK) = MCU__EVENT__MASK__TIMER_bm;
  timer_in(2000);
  while (traps == 0)
    sleep();
  CHECK(traps == 1 && seen == MCU__EVENT__STATUS__TIMER_bm);
  CHECK(MCU(TIMER.COUNT_LO) >= 2000 && MCU(TIMER.COUNT_LO) < 2200);
  CHECK(MCU(TIMER.COUNT_HI) == 0);
}

static void sleep_with_interrupts_off(void) {
  interrupts_off();
  timer_in(2000);
  sleep();
  CHECK(traps == 1);  // woken, but no handler
  CHECK(MCU(EVENT.STATUS) == MCU__EVENT__STATUS__TIMER_bm);
  CHECK(MCU(TIMER.COUNT_LO) >= 2000 && MCU(TIMER.COUNT_LO) < 2100);
  sleep();  // still pending: falls through
  CHECK(MCU(TIMER.COUNT_LO) < 2200);
  MCU(EVENT.STATUS) = MCU__EVENT__STATUS__TIMER_bm;
  // One event each time the compare value is reached, not while it stays so.
  CHECK(MCU(EVENT.STATUS) == 0);
  MCU(TIMER.COMPARE_LO) = 0xFFFFFFFFu;
  MCU(TIMER.COMPARE_LO) = 1;  // the past
  (void)MCU(EVENT.STATUS);
  CHECK(MCU(EVENT.STATUS) == MCU__EVENT__STATUS__TIMER_bm);
  MCU(TIMER.CTRL) = 0;
  const uint32_t stopped = MCU(TIMER.COUNT_LO);
  CHECK(MCU(TIMER.COUNT_LO) == stopped);
  MCU(EVENT.STATUS) = MCU__EVENT__STATUS__TIMER_bm;
}

static void software_interrupt(void) {
  seen = 0;
  MCU(EVENT.MASK) = MCU__EVENT__MASK__SOFTWARE_bm;
  raise_software_event();
  sleep();  // the event is there already
  CHECK(traps == 1);
  interrupts_on();
  for (volatile int i = 0; i < 10; i++)
    continue;
  CHECK(traps == 2 && seen == MCU__EVENT__STATUS__SOFTWARE_bm);
}

int main(void) {
  interrupts_on();
  mask_hides();
  sleep_with_interrupts_on();
  sleep_with_interrupts_off();
  software_interrupt();
  return 0;
}
