// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Calls library routines by address and measures them: the parameter blob lists the calls, the
// host's input fills the arena that their arguments point into, and the arena is written back at
// the end. Cycles and instructions are those between call and return, less an empty routine's.
#include "exit.h"
#include "gen/call_params.h"
#include "host.h"
#include "record.h"

typedef uint32_t (*routine_t)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                              uint32_t);

typedef struct {
  uint32_t cycles;
  uint32_t instructions;
  uint32_t value;
} measure_t;

static call_params_t params;
uint8_t call_arena[CallArenaBytes] __attribute__((aligned(64)));

static uint32_t nothing(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t a4,
                        uint32_t a5, uint32_t a6, uint32_t a7) {
  (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7;
  return a0;
}

// Kept out of line, so that every call is measured by the same instructions.
static measure_t __attribute__((noinline)) measure(routine_t routine, const uint32_t *a) {
  uint32_t cycles, instructions, cycles_end, instructions_end;
  uint32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7];
  __asm__ volatile("csrr %0, minstret\n  csrr %1, mcycle" : "=r"(instructions), "=r"(cycles));
  uint32_t value = routine(a0, a1, a2, a3, a4, a5, a6, a7);
  __asm__ volatile("csrr %0, mcycle\n  csrr %1, minstret"
                   : "=r"(cycles_end), "=r"(instructions_end));
  return (measure_t){cycles_end - cycles, instructions_end - instructions, value};
}

int main(void) {
  if (cry_host_params(&params, sizeof params) != sizeof params || params.magic != CallMagic ||
      params.version != CallVersion || params.count > CallMaxCalls ||
      params.data_len > CallArenaBytes) {
    return CallExitBadBlob;
  }
  cry_host_read(call_arena, params.data_len);
  measure_t empty = {0};
  for (int i = 0; i < 2; i++) {
    empty = measure(nothing, params.calls[0] + 1);
  }
  for (uint32_t i = 0; i < params.count; i++) {
    const uint32_t *call = params.calls[i];
    measure_t seen = measure((routine_t)(uintptr_t)call[0], call + 1);
    record_begin("call");
    record_number("index", i);
    record_number("instructions", seen.instructions - empty.instructions);
    record_number("value", seen.value);
    record_end(seen.cycles - empty.cycles);
  }
  cry_host_write(call_arena, params.data_len);
  return 0;
}
