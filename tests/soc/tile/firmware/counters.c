// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The core's counters `cycle`, `time` and `instret`: `time` is the CLINT's MTIME, and which modes
// read which counter is for mcounteren and scounteren to say. A supervisor needs the first one's
// leave, a user both.

#include <stdbool.h>

#include "test.h"

typedef enum { User = 0, Supervisor = 1, Machine = 3 } modes_t;
typedef enum { Cycle, Time, Instret } counter_t;

enum { Illegal = 2, CallOfUser = 8 };
enum { MppShift = 11, PmpNapot = 3 << 3, PmpAll = 7 };

#define UNREAD 0x5eed5eed5eed5eedull

static volatile unsigned refusals;

// An instruction that is refused is skipped; a call comes back to machine mode.
void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  if (mcause == Illegal)
    refusals++;
  else
    CHECK(mcause >= CallOfUser && mcause <= CallOfUser + Machine);
  if (mcause != Illegal)
    CSR_SET("mstatus", Machine << MppShift);
  CSR_WRITE("mepc", CSR_READ("mepc") + 4);
}

// In a mode, an instruction that may set the value; then back.
#define IN_MODE(mode, instruction, value)                                              \
  do {                                                                                 \
    CSR_CLEAR("mstatus", Machine << MppShift);                                         \
    CSR_SET("mstatus", (uint64_t)(mode) << MppShift);                                  \
    __asm__ volatile(                                                                  \
        ".option push\n.option norvc\nla t0, 1f\ncsrw mepc, t0\nmret\n1: " instruction \
        "\necall\n.option pop"                                                         \
        : "+r"(value)                                                                  \
        :                                                                              \
        : "t0", "memory");                                                             \
  } while (0)

// Whether a mode reads a counter.
static bool reads(modes_t mode, counter_t counter, uint64_t *value) {
  unsigned before = refusals;
  uint64_t got = UNREAD;
  if (counter == Cycle)
    IN_MODE(mode, "rdcycle %0", got);
  else if (counter == Time)
    IN_MODE(mode, "rdtime %0", got);
  else
    IN_MODE(mode, "rdinstret %0", got);
  CHECK(refusals <= before + 1);
  CHECK((refusals == before) == (got != UNREAD));
  *value = got;
  return got != UNREAD;
}

static void is_mtime(void) {
  static const uint64_t from[] = {0, 0xffffffff, 0x123456789abcdef0, UINT64_MAX - 1000};
  for (unsigned i = 0; i < sizeof from / sizeof from[0]; i++) {
    CLINT_MTIME = from[i];
    fence();
    for (unsigned n = 0; n < 20; n++) {
      uint64_t before = CLINT_MTIME, now = CSR_READ("time"), after = CLINT_MTIME;
      CHECK(before >= from[i] && before <= now && now <= after && after <= before + 20);
    }
  }
  uint64_t time = CSR_READ("time"), cycle = CSR_READ("cycle");
  while (CSR_READ("cycle") < cycle + 3000)
    ;
  uint64_t steps = CSR_READ("time") - time;
  CHECK(steps >= 300 && steps < 320);
}

static void is_not_written(void) {
  unsigned before = refusals;
  uint64_t unused = 0;
  for (modes_t mode = User; mode <= Machine; mode++)
    if (mode != 2)
      IN_MODE(mode, "csrw time, %0", unused);
  CHECK(refusals == before + 3);
}

static void is_for(counter_t counter) {
  const uint64_t bit = 1u << counter;
  const uint64_t which[] = {0, bit, ~bit & UINT32_MAX, UINT32_MAX};
  for (unsigned i = 0; i < 16; i++) {
    uint64_t machine = which[i / 4], supervisor = which[i % 4], value, begun = CSR_READ("time");
    CSR_WRITE("mcounteren", machine);
    CSR_WRITE("scounteren", supervisor);
    CHECK(reads(Machine, counter, &value));
    CHECK(reads(Supervisor, counter, &value) == ((machine & bit) != 0));
    bool may = (machine & supervisor & bit) != 0;
    CHECK(reads(User, counter, &value) == may);
    CHECK(!may || counter != Time || (value >= begun && value <= CSR_READ("time")));
  }
}

int main(void) {
  // All of memory is for every mode.
  CSR_WRITE("pmpaddr0", ~0ull >> 10);
  CSR_WRITE("pmpcfg0", PmpNapot | PmpAll);
  is_mtime();
  is_not_written();
  CLINT_MTIME = 0x100000000;
  fence();
  is_for(Cycle);
  is_for(Time);
  is_for(Instret);
  return 0;
}
