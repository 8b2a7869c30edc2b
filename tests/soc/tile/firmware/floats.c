// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Floating-point instructions on a table that is loaded beside the program: operands, and the
// registers that they should leave. Prints entries that differ, and ends with how many do.

#include "console.h"
#include "test.h"

enum { MstatusFs = 3 << 13, Initial = 1 << 13, MostPrinted = 16 };

union number {
  uint64_t bits;
  double value;
};

struct entry {
  uint32_t routine;
  uint8_t fcsr, fcsr_after;
  uint8_t integer;  // the result is in a0
  union number operands[3], result;
};

#define TABLE 0x88000000u
#define COUNT REG64(TABLE)

extern const char float_routines[];  // 16 bytes each: fcsr from a1, the instruction, fcsr to a1

static void print(uint64_t index, uint64_t bits, uint64_t fcsr) {
  cry_console_decimal((uint32_t)index);
  cry_console_text(" ");
  cry_console_hex((uint32_t)(bits >> 32));
  cry_console_text(" ");
  cry_console_hex((uint32_t)bits);
  cry_console_text(" ");
  cry_console_hex((uint32_t)fcsr);
  cry_console_text("\n");
}

int main(void) {
  uint32_t wrong = 0;
  const struct entry *entry = (const struct entry *)(uintptr_t)(TABLE + 8);

  CHECK((CSR_READ("mstatus") & MstatusFs) == 0);
  CSR_SET("mstatus", Initial);
  for (uint64_t i = 0; i < COUNT; i++, entry++) {
    register uint64_t a0 __asm__("a0") = entry->operands[0].bits;
    register uint64_t a1 __asm__("a1") = entry->fcsr;
    register double fa0 __asm__("fa0") = entry->operands[0].value;
    register double fa1 __asm__("fa1") = entry->operands[1].value;
    register double fa2 __asm__("fa2") = entry->operands[2].value;
    __asm__ volatile("jalr ra, 0(%3)"
                     : "+r"(a0), "+r"(a1), "+f"(fa0)
                     : "r"(float_routines + 16 * entry->routine), "f"(fa1), "f"(fa2)
                     : "ra", "memory");
    const uint64_t fcsr = a1;
    const union number left = {.value = fa0};
    const uint64_t bits = entry->integer ? a0 : left.bits;
    if (bits != entry->result.bits || fcsr != entry->fcsr_after) {
      if (wrong < MostPrinted)
        print(i, bits, fcsr);
      wrong++;
    }
  }
  // All of it is dirty, as a kernel must know.
  CHECK((CSR_READ("mstatus") & MstatusFs) == MstatusFs);
  CHECK(CSR_READ("mstatus") >> 63);
  return wrong != 0;
}
