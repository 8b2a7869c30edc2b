// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "soc_tile.h"

// Of machine mode: context 0.
#define PRIORITY(source) SOC_REG32(SOC_PLIC_BASE + 4 * (source))
#define ENABLE           SOC_REG32(SOC_PLIC_BASE + 0x2000)
#define THRESHOLD        SOC_REG32(SOC_PLIC_BASE + 0x200000)
#define CLAIM            SOC_REG32(SOC_PLIC_BASE + 0x200004)
#define MTIMECMP         SOC_REG64(SOC_CLINT_BASE + 0x4000)
#define MTIME            SOC_REG64(SOC_CLINT_BASE + 0xbff8)

enum { MieTimer = 1 << 7, MieExternal = 1 << 11 };

void cry_soc_doze(unsigned source, uint64_t cycles) {
  MTIMECMP = MTIME + cycles / SocTimerDivider + 1;
  PRIORITY(source) = 1;
  THRESHOLD = 0;
  ENABLE = 1u << source;
  __asm__ volatile("csrw mie, %0\n\twfi" : : "r"(MieTimer | MieExternal) : "memory");
  __asm__ volatile("csrw mie, zero" : : : "memory");
  MTIMECMP = UINT64_MAX;
  uint32_t claimed = CLAIM;
  if (claimed != 0) {
    CLAIM = claimed;
  }
  ENABLE = 0;
}
