// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The data cache and a writer that it does not see: the host, which moves bytes past it as a DMA
// does. Prints what the ways round it cost, in cycles.

#include <stddef.h>

#include "console.h"
#include "gen/tile_regs.h"
#include "host.h"
#include "test.h"
#include "tile_io.h"

enum { Words = 512 };

static volatile uint64_t memory[Words] __attribute__((aligned(64)));
static volatile uint64_t *const uncached = (volatile uint64_t *)((uintptr_t)memory + UNCACHED);

static void report(const char *name, uint64_t cycles) {
  cry_console_text(name);
  cry_console_text(" ");
  cry_console_decimal((uint32_t)cycles);
  cry_console_text("\n");
}

static uint64_t read_all(const volatile uint64_t *from) {
  const uint64_t start = CSR_READ("mcycle");
  for (int i = 0; i < Words; i++)
    (void)from[i];
  return CSR_READ("mcycle") - start;
}

int main(void) {
  // What the core reads again comes from its cache, whatever the host has written meanwhile.
  CHECK(memory[0] == 0);
  CHECK(cry_host_read((void *)memory, 8) == 8);
  CHECK(memory[0] == 0);
  CHECK(uncached[0] == 0x0807060504030201);
  forget_cached();
  CHECK(memory[0] == 0x0807060504030201);

  // What the core has written is in memory after a fence. The other place of the same memory is not
  // told by its cache.
  memory[1] = 5;
  fence();
  CHECK(uncached[1] == 5);
  uncached[1] = 6;
  fence();
  CHECK(uncached[1] == 6 && memory[1] == 5);

  uint64_t forget = UINT64_MAX;
  for (int i = 0; i < 3; i++) {  // the first time the program itself has to be fetched
    fence();
    const uint64_t start = CSR_READ("mcycle");
    forget_cached();
    (void)memory[0];
    const uint64_t cycles = CSR_READ("mcycle") - start;
    if (cycles < forget)
      forget = cycles;
  }
  report("forget", forget);
  (void)read_all(memory);
  report("cached", read_all(memory));
  forget_cached();
  report("refill", read_all(memory));
  report("uncached", read_all(uncached));
  uint64_t clean = UINT64_MAX, dirty = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    uint64_t start = CSR_READ("mcycle");
    fence();
    uint64_t cycles = CSR_READ("mcycle") - start;
    clean = cycles < clean ? cycles : clean;
    start = CSR_READ("mcycle");
    for (int k = 0; k < 8; k++)
      memory[k] = (uint64_t)k;
    fence();
    cycles = CSR_READ("mcycle") - start;
    dirty = cycles < dirty ? cycles : dirty;
  }
  report("fence", clean);
  report("publish64", dirty);
  uint64_t access = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    const uint64_t start = CSR_READ("mcycle");
    (void)MCU_REG(SOC_CTRL.EXIT);
    const uint64_t cycles = CSR_READ("mcycle") - start;
    access = cycles < access ? cycles : access;
  }
  report("device", access);
  // A descriptor that is stored in registers of the tile, in place of memory.
  uint64_t sixteen = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    fence();
    const uint64_t start = CSR_READ("mcycle");
    for (int k = 0; k < 16; k++)
      tile_write(offsetof(tile_t, WATCHDOG), 0);
    fence();
    const uint64_t cycles = CSR_READ("mcycle") - start;
    sixteen = cycles < sixteen ? cycles : sixteen;
  }
  report("registers64", sixteen);
  return 0;
}
