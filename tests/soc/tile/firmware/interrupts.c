// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// CLINT and PLIC: timer, software and external interrupts, priorities, sleeping.

#include "test.h"

enum { Interrupt = (int)0x80000000 };

static volatile uint32_t cause, claimed, count;

void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  CHECK((mcause & (uint32_t)Interrupt) != 0);
  cause = mcause & 63;
  count++;
  switch (cause) {
    case IrqTimer:
      CLINT_MTIMECMP = UINT64_MAX;
      break;
    case IrqSoftware:
      CLINT_MSIP = 0;
      break;
    case IrqExternal:
      claimed = PLIC_CLAIM(0);
      UART(1) = 0;
      MCU_REG(EVENT.STATUS) = ~0u;
      fence();
      PLIC_CLAIM(0) = claimed;
      break;
    default:
      cry_mcu_exit(__LINE__);
  }
  fence();
}

static void timer(void) {
  const uint64_t start = CLINT_MTIME;
  CLINT_MTIMECMP = start + 30;
  // The core may run on for some instructions before it takes the interrupt that woke it; so it
  // looks and sleeps with interrupts off.
  CSR_WRITE("mie", 1 << IrqTimer);
  while (count == 0) {
    sleep();
    CSR_SET("mstatus", 8);
    fence();
    CSR_CLEAR("mstatus", 8);
  }
  const uint64_t end = CLINT_MTIME;
  CHECK(count == 1 && cause == IrqTimer);
  CHECK(end >= start + 30 && end < start + 300);

  // Halves of the registers.
  REG32(0x02004004) = 5;
  CHECK(CLINT_MTIMECMP == 0x5ffffffff);
  REG32(0x0200bffc) = 1;
  CHECK(CLINT_MTIME >> 32 == 1 && REG32(0x0200bffc) == 1);
  CLINT_MTIMECMP = UINT64_MAX;
}

static void software(void) {
  count = 0;
  interrupts_on(1 << IrqSoftware);
  CLINT_MSIP = 1;
  CHECK(CLINT_MSIP <= 1);
  for (int i = 0; i < 100 && count == 0; i++)
    fence();
  interrupts_off();
  CHECK(count == 1 && cause == IrqSoftware && CLINT_MSIP == 0);
}

static void external(void) {
  count = 0;
  PLIC_PRIORITY(SourceUart) = 1;
  PLIC_PRIORITY(SourceEvents) = 3;
  CHECK(PLIC_PRIORITY(SourceEvents) == 3 && PLIC_PRIORITY(0) == 0);
  PLIC_ENABLE(0) = ~0u;
  CHECK(PLIC_ENABLE(0) == 0xffe && PLIC_ENABLE(1) == 0);
  PLIC_THRESHOLD(0) = 1;

  // The UART's priority is not above the threshold: pending, but no interrupt.
  interrupts_on(1 << IrqExternal);
  UART(1) = 2;
  fence();
  CHECK(PLIC_PENDING == 1 << SourceUart && count == 0);
  CHECK((CSR_READ("mip") >> IrqExternal & 1) == 0);
  PLIC_THRESHOLD(0) = 0;
  for (int i = 0; i < 100 && count == 0; i++)
    fence();
  CHECK(count == 1 && cause == IrqExternal && claimed == SourceUart);
  interrupts_off();

  // Of two the one with the higher priority comes first; a claimed one stays silent.
  MCU_REG(EVENT.MASK) = MCU__EVENT__MASK__SOFTWARE_bm;
  MCU_REG(EVENT.TRIGGER) = 1;
  UART(1) = 2;
  while (PLIC_PENDING != (1 << SourceUart | 1 << SourceEvents))
    fence();
  CHECK((CSR_READ("mip") >> IrqExternal & 1) == 1);
  CHECK(PLIC_CLAIM(0) == SourceEvents);
  CHECK(PLIC_CLAIM(0) == SourceUart);
  CHECK(PLIC_CLAIM(0) == 0);
  CHECK((CSR_READ("mip") >> IrqExternal & 1) == 0);
  MCU_REG(EVENT.STATUS) = ~0u;
  CHECK((UART(2) & 15) == 2);  // reading takes it back
  CHECK((UART(2) & 15) == 1);
  UART(1) = 0;
  PLIC_CLAIM(0) = SourceEvents;
  PLIC_CLAIM(0) = SourceUart;
  CHECK(PLIC_PENDING == 0);

  // Without global enable the core sleeps and wakes, but does not trap.
  count = 0;
  CSR_WRITE("mie", 1 << IrqExternal);
  MCU_REG(TIMER.COMPARE_LO) = 500;
  MCU_REG(TIMER.COMPARE_HI) = 0;
  MCU_REG(EVENT.MASK) = MCU__EVENT__MASK__TIMER_bm;
  MCU_REG(TIMER.CTRL) = 3;
  sleep();
  CHECK(count == 0 && (MCU_REG(EVENT.STATUS) & MCU__EVENT__STATUS__TIMER_bm) != 0);
  CHECK(PLIC_CLAIM(0) == SourceEvents);

  // Supervisor mode has a context of its own.
  MCU_REG(EVENT.STATUS) = ~0u;
  PLIC_CLAIM(0) = SourceEvents;
  PLIC_ENABLE(0) = 0;
  PLIC_ENABLE(1) = 1 << SourceUart;
  UART(1) = 2;
  fence();
  CHECK(PLIC_CLAIM(0) == 0);
  CHECK((CSR_READ("mip") >> 9 & 1) == 1 && (CSR_READ("mip") >> IrqExternal & 1) == 0);
  CHECK(PLIC_CLAIM(1) == SourceUart);
}

int main(void) {
  timer();
  software();
  external();
  return 0;
}
