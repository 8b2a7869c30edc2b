// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The memory map: every access width, misaligned ones, the ends of both memories, byte lanes, all
// banks, constants and code in instruction memory through the data port, identification registers.
#include "test.h"

#define WORD(addr) (*(volatile uint32_t *)(addr))
#define HALF(addr) (*(volatile uint16_t *)(addr))
#define BYTE(addr) (*(volatile uint8_t *)(addr))

static const uint32_t kTcdmSize = 256 * 1024;
static const uint32_t kImemSize = 64 * 1024;

static void widths(uint32_t base) {
  for (uint32_t i = 0; i < 32; i++)
    BYTE(base + i) = (uint8_t)(0xA0 + i);
  CHECK(WORD(base) == 0xA3A2A1A0u);
  CHECK(WORD(base + 4) == 0xA7A6A5A4u);
  for (uint32_t i = 0; i < 24; i++) {
    const uint32_t first = 0xA0 + i;
    CHECK(BYTE(base + i) == first);
    CHECK(HALF(base + i) == (first | (first + 1) << 8));
    CHECK(WORD(base + i) == (first | (first + 1) << 8 | (first + 2) << 16 | (first + 3) << 24));
    CHECK(*(volatile int8_t *)(base + i) == (int8_t)first);
  }
  for (uint32_t i = 0; i < 8; i++) {
    for (uint32_t j = 0; j < 4; j++)
      WORD(base + 4 * j) = 0x11111111u * j;
    WORD(base + i) = 0xDEADBEEFu;
    CHECK(WORD(base + i) == 0xDEADBEEFu);
    HALF(base + i + 1) = 0x1234;
    CHECK(WORD(base + i) == 0xDE1234EFu);
    BYTE(base + i + 3) = 0x99;
    CHECK(WORD(base + i) == 0x991234EFu);
    if (i > 0)
      CHECK(BYTE(base + i - 1) == (i <= 4 ? 0x00 : 0x11));
    CHECK(BYTE(base + i + 4) == (uint8_t)(0x11 * ((i + 4) / 4)));
  }
}

static void every_bank(uint32_t base, uint32_t size) {
  for (uint32_t i = 0; i < size; i += 4)
    WORD(base + i) = i * 0x9E3779B9u;
  for (uint32_t i = 0; i < size; i += 4)
    CHECK(WORD(base + i) == i * 0x9E3779B9u);
}

int main(void) {
  widths(TCDM + 0x8000);
  widths(TCDM + 0x10000 - 8);
  widths(IMEM + 0x8000);
  every_bank(TCDM + 0x10000, 0x1000);
  every_bank(IMEM + 0x8000, 0x1000);

  WORD(TCDM + kTcdmSize - 4) = 0x600DF00Du;
  CHECK(WORD(TCDM + kTcdmSize - 4) == 0x600DF00Du);
  WORD(IMEM + kImemSize - 4) = 0xC0DEC0DEu;
  CHECK(WORD(IMEM + kImemSize - 4) == 0xC0DEC0DEu);
  CHECK(WORD(TCDM + kTcdmSize - 4) == 0x600DF00Du);

  // A function written through the data port: c.addi a0, 5; c.jr ra.
  WORD(IMEM + 0xA000) = 0x80820515u;
  __asm__ volatile(".insn i 0x0F, 1, x0, x0, 0" ::: "memory");  // fence.i
  CHECK(((uint32_t(*)(uint32_t))(IMEM + 0xA000))(37) == 42);

  CHECK(MCU(SOC_CTRL.ERROR) == 0);
  const uint32_t before = MCU(SOC_CTRL.CYCLE_LO);
  CHECK(MCU(SOC_CTRL.CYCLE_HI) == 0);
  const uint32_t after = MCU(SOC_CTRL.CYCLE_LO);
  CHECK(after > before && after - before < 20);
  return (int)MCU(SOC_CTRL.INFO);
}
