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

// Adds to the events that wake the core and, if mstatus.MIE is set, interrupt it. Returns what
// event_disable() takes back: those of `events` that did not before, and the bit of mie if it was
// 0.
static inline uint32_t event_enable(uint32_t events) {
  const uint32_t irq = 1u << EventIrq;
  uint32_t mask = MCU_REG(EVENT.MASK);
  uint32_t before;
  MCU_REG(EVENT.MASK) = mask | events;
  __asm__ volatile("csrrs %0, mie, %1" : "=r"(before) : "r"(irq) : "memory");
  return (events & ~mask) | (irq & ~before);
}

static inline void event_disable(uint32_t added) {
  const uint32_t irq = 1u << EventIrq;
  __asm__ volatile("csrc mie, %0" : : "r"(added & irq) : "memory");
  MCU_REG(EVENT.MASK) &= ~(added & ~irq);
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
