// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Accesses to nothing: the core looks at no error answer, so the system keeps it and interrupts.

#include "test.h"

static volatile uint32_t cause, count;
static volatile uint64_t resume;

void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  cause = mcause;
  count++;
  if (mcause == (0x80000000u | IrqExternal)) {
    const uint32_t source = PLIC_CLAIM(0);
    CHECK(source == SourceEvents);
    MCU_REG(EVENT.STATUS) = ~0u;
    fence();
    PLIC_CLAIM(0) = source;
    fence();
  } else {
    CSR_WRITE("mepc", resume);
  }
}

// One access, and what the system keeps of it.
static void expect(uint64_t address, int write, int size) {
  count = 0;
  uint64_t value = 1;
  if (write && size == 4)
    REG32(address) = 1;
  else if (write)
    REG64(address) = 1;
  else
    value = size == 4 ? REG32(address) : REG64(address);
  for (int i = 0; i < 100 && count == 0; i++)
    fence();
  CHECK(count == 1 && cause == (0x80000000u | IrqExternal));
  CHECK(write || value == 0);
  CHECK(MCU_REG(SOC_CTRL.ERROR) == MCU__SOC_CTRL__ERROR__CORE_DATA_bm);
  CHECK(MCU_REG(SOC_CTRL.ERROR_ADDR) == (uint32_t)address);
  MCU_REG(SOC_CTRL.ERROR) = ~0u;
}

int main(void) {
  PLIC_PRIORITY(SourceEvents) = 1;
  PLIC_ENABLE(0) = 1 << SourceEvents;
  MCU_REG(EVENT.MASK) = MCU__EVENT__MASK__BUS_ERROR_bm;
  interrupts_on(1 << IrqExternal);

  for (int write = 0; write < 2; write++) {
    expect(0x40000000, write, 4);   // between the devices
    expect(0x90000000, write, 8);   // behind memory
    expect(0xd0000000, write, 8);   // behind its second place
    expect(0x180000000, write, 8);  // far above
    expect(0x18020000, write, 4);   // behind the peripherals
    expect(0x18001000, write, 4);   // a page without registers
    expect(0x0c200000, write, 8);   // too wide for the PLIC
  }
  expect(0x00010000, 1, 4);  // read only

  // The largest addresses that are there.
  REG64(0x8ffffff8) = 0x123456789abcdef;
  fence();
  CHECK(REG64(0xcffffff8) == 0x123456789abcdef);
  CHECK(REG64(0x00010000) == 0x04100593f1402573);
  CHECK(MCU_REG(SOC_CTRL.ERROR) == 0);

  // A program is fetched from memory and boot ROM only.
  count = 0;
  __asm__ volatile(
      "la t0, 1f\n\t"
      "sd t0, %0\n\t"
      "li t0, 0x40000000\n\t"
      "jr t0\n"
      "1:"
      : "=m"(resume)
      :
      : "t0", "memory");
  CHECK(count == 1 && cause == 1);
  return 0;
}
