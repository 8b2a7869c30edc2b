// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Addresses where nothing is: the core gets an answer, the error is kept, an event is raised. Ibex
// raises an exception; CV32E40P has no bus error input, reads zero, and goes on.
#include "test.h"

enum { kLoadFault = 5, kStoreFault = 7, kIbex = 1 };

static volatile uint32_t exceptions, last_cause, bus_events;

void trap(uint32_t cause) {
  if (cause == 0x80000010u) {
    bus_events += MCU(EVENT.STATUS) & MCU__EVENT__STATUS__BUS_ERROR_bm ? 1 : 0;
    MCU(EVENT.STATUS) = MCU__EVENT__STATUS__BUS_ERROR_bm;
    return;
  }
  exceptions++;
  last_cause = cause;
  uint32_t pc;
  __asm__ volatile("csrr %0, mepc" : "=r"(pc));
  pc += 4;  // the accesses below are not compressed
  __asm__ volatile("csrw mepc, %0" : : "r"(pc));
}

static uint32_t load(uint32_t addr) {
  uint32_t value = 0x55555555u;
  __asm__ volatile(
      ".option push\n.option norvc\n"
      "lw %0, 0(%1)\n"
      ".option pop"
      : "+&r"(value)
      : "r"(addr)
      : "memory");
  return value;
}

static void store(uint32_t addr, uint32_t value) {
  __asm__ volatile(
      ".option push\n.option norvc\n"
      "sw %0, 0(%1)\n"
      ".option pop"
      :
      : "r"(value), "r"(addr)
      : "memory");
}

static void expect(uint32_t addr, uint32_t cause, uint32_t ibex) {
  CHECK(MCU(SOC_CTRL.ERROR) == MCU__SOC_CTRL__ERROR__CORE_DATA_bm);
  CHECK(MCU(SOC_CTRL.ERROR_ADDR) == addr);
  CHECK(exceptions == ibex);
  if (ibex)
    CHECK(last_cause == cause);
  exceptions = 0;
  // The address is kept until the error is cleared.
  load(0x70000000u);
  CHECK(MCU(SOC_CTRL.ERROR_ADDR) == addr);
  exceptions = 0;
  MCU(SOC_CTRL.ERROR) = MCU__SOC_CTRL__ERROR__CORE_DATA_bm;
  CHECK(MCU(SOC_CTRL.ERROR) == 0);
}

int main(void) {
  const uint32_t ibex = (MCU(SOC_CTRL.INFO) & MCU__SOC_CTRL__INFO__CORE_bm) == kIbex;
  static const uint32_t nowhere[] = {
      MCU_IMEM_BASE + MCU_IMEM_SIZE,
      MCU_TCDM_BASE - 4,
      MCU_TCDM_BASE + MCU_TCDM_SIZE,
      0x10FFFFFCu,
      0x11000000u,
      MCU_PERIPH_BASE - 4,
      MCU_PERIPH_BASE,  // pages without a peripheral
      MCU_HWPE_BASE + MCU_HWPE_SIZE,
      MCU_PERIPH_BASE + MCU_PERIPH_SIZE,
      0xFFFFFFFCu,
  };
  for (unsigned i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
    const uint32_t value = load(nowhere[i]);
    CHECK(value == (ibex ? 0x55555555u : 0));
    expect(nowhere[i], kLoadFault, ibex);
    store(nowhere[i], 0x12345678u);
    expect(nowhere[i], kStoreFault, ibex);
  }
  CHECK(MCU(EVENT.STATUS) == MCU__EVENT__STATUS__BUS_ERROR_bm);
  MCU(EVENT.MASK) = MCU__EVENT__MASK__BUS_ERROR_bm;
  interrupts_on();
  for (volatile int i = 0; i < 10; i++)
    continue;
  CHECK(bus_events == 1);
  load(0x20000000u);
  for (volatile int i = 0; i < 10; i++)
    continue;
  CHECK(bus_events == 2);
  return 0;
}
