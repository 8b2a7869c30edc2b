// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The event unit, and sleeping until an event.
#ifndef CRYPTILE_HAL_EVENTS_H
#define CRYPTILE_HAL_EVENTS_H

#include <stdint.h>

#include "mcu.h"

enum {
  EventHwpe = MCU__EVENT__STATUS__HWPE_bm,
  EventTimer = MCU__EVENT__STATUS__TIMER_bm,
  EventSoftware = MCU__EVENT__STATUS__SOFTWARE_bm,
  EventBusError = MCU__EVENT__STATUS__BUS_ERROR_bm
};

// The event unit's interrupt: bit and mcause number.
enum { EventIrq = 16 };

// Adds to the events that wake the core and, if mstatus.MIE is set, interrupt it. Returns those of
// `events` that did not before: what event_disable() takes back.
static inline uint32_t event_enable(uint32_t events) {
  uint32_t mask = MCU_REG(EVENT.MASK);
  MCU_REG(EVENT.MASK) = mask | events;
  __asm__ volatile("csrs mie, %0" : : "r"(1u << EventIrq) : "memory");
  return events & ~mask;
}

static inline void event_disable(uint32_t events) {
  MCU_REG(EVENT.MASK) &= ~events;
}

static inline uint32_t event_pending(void) {
  return MCU_REG(EVENT.STATUS);
}

static inline void event_clear(uint32_t events) {
  MCU_REG(EVENT.STATUS) = events;
}

// Sleeps until an enabled event is pending; returns at once if one is already. So this is free of
// the classic race: clear the event, look at the condition, then sleep.
static inline void event_wait(void) {
  __asm__ volatile("wfi" : : : "memory");
}

#endif  // CRYPTILE_HAL_EVENTS_H
