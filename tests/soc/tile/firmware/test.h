// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the test programs share: the devices, and a check that ends the program with its line.
#pragma once

#include <stdint.h>

#include "exit.h"
#include "mcu.h"

#define REG8(address)  (*(volatile uint8_t *)(uintptr_t)(address))
#define REG32(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define REG64(address) (*(volatile uint64_t *)(uintptr_t)(address))

#define UART(number)   REG8(0x10000000u + (number))
#define CLINT_MSIP     REG32(0x02000000u)
#define CLINT_MTIMECMP REG64(0x02004000u)
#define CLINT_MTIME    REG64(0x0200bff8u)

#define PLIC_PRIORITY(source)   REG32(0x0c000000u + 4 * (source))
#define PLIC_PENDING            REG32(0x0c001000u)
#define PLIC_ENABLE(context)    REG32(0x0c002000u + 0x80 * (context))
#define PLIC_THRESHOLD(context) REG32(0x0c200000u + 0x1000 * (context))
#define PLIC_CLAIM(context)     REG32(0x0c200004u + 0x1000 * (context))

enum { SourceUart = 1, SourceQueue0 = 2, SourceTileError = 10, SourceEvents = 11 };
enum { IrqSoftware = 3, IrqTimer = 7, IrqExternal = 11 };

#define MEMORY   0x80000000u
#define UNCACHED 0x40000000u  // from memory to the same memory without cache

#define CHECK(condition)      \
  do {                        \
    if (!(condition))         \
      cry_mcu_exit(__LINE__); \
  } while (0)

#define CSR_READ(name)                                 \
  ({                                                   \
    uint64_t value_;                                   \
    __asm__ volatile("csrr %0, " name : "=r"(value_)); \
    value_;                                            \
  })
#define CSR_WRITE(name, value) __asm__ volatile("csrw " name ", %0" : : "r"(value) : "memory")
#define CSR_SET(name, value)   __asm__ volatile("csrs " name ", %0" : : "r"(value) : "memory")
#define CSR_CLEAR(name, value) __asm__ volatile("csrc " name ", %0" : : "r"(value) : "memory")

static inline void interrupts_on(uint64_t which) {
  CSR_WRITE("mie", which);
  CSR_SET("mstatus", 8);
}

static inline void interrupts_off(void) {
  CSR_CLEAR("mstatus", 8);
}

static inline void sleep(void) {
  __asm__ volatile("wfi" : : : "memory");
}

static inline void fence(void) {
  __asm__ volatile("fence" : : : "memory");
}

// The data cache is emptied when it is switched on.
static inline void forget_cached(void) {
  fence();
  CSR_CLEAR("0x701", 1);
  CSR_SET("0x701", 1);
}
