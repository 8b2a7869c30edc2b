// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "hwpe.h"

#include <stdbool.h>

#include "cycles.h"
#include "events.h"
#include "io.h"
#include "timer.h"

// Job numbers count up; bit 0 is the context.
_Static_assert(HWPE__STATUS__CONTEXT1_bp == HWPE__RESULT__CONTEXT1_bp,
               "one shift for both registers");

static unsigned context_shift(unsigned id) {
  return (id & 1) * HWPE__STATUS__CONTEXT1_bp;
}

static bool job_in_flight(unsigned id) {
  return (HWPE_REG(STATUS) >> context_shift(id) & HWPE__STATUS__CONTEXT0_bm) != 0;
}

static cryptile_status_t job_result(unsigned id) {
  uint32_t code = HWPE_REG(RESULT) >> context_shift(id) & HWPE__RESULT__CONTEXT0_bm;
  io_read_barrier();
  return cry_engine_status(code);
}

cryptile_status_t cry_hwpe_clear(void) {
  enum { DrainLimit = 4096 };  // cycles
  HWPE_REG(SOFT_CLEAR) = 0;
  uint32_t start = core_cycles();
  bool draining;
  do {
    draining = (HWPE_REG(STATUS) & HWPE__STATUS__DRAIN_bm) != 0;
  } while (draining && core_cycles() - start <= DrainLimit);
  io_read_barrier();
  return draining ? CRYPTILE_ERR_BUSY : CRYPTILE_OK;
}

static cryptile_status_t give_up(void) {
  cryptile_status_t status = cry_hwpe_clear();
  return status == CRYPTILE_OK ? CRYPTILE_ERR_TIMEOUT : status;
}

cryptile_status_t cry_hwpe_submit(const hwpe_job_t *job, unsigned *id) {
  hwpe_job_t copy = *job;
  int32_t acquired = hwpe_acquire();
  if (acquired < 0) {
    return CRYPTILE_ERR_BUSY;
  }
  hwpe_start(copy);
  *id = (unsigned)acquired;
  return CRYPTILE_OK;
}

uint32_t cry_hwpe_limit(uint32_t len) {
  enum { CyclesPerByte = 64, Base = 4096 };
  return len < (UINT32_MAX - Base) / CyclesPerByte ? len * CyclesPerByte + Base : UINT32_MAX;
}

cryptile_status_t cry_hwpe_wait_poll(unsigned id, uint32_t limit) {
  uint32_t mask = HWPE__STATUS__CONTEXT0_bm << context_shift(id);
  uint32_t start = core_cycles();
  do {
    // Looks more often than at the clock, which costs as much as several looks.
#pragma GCC unroll 4
    for (int look = 0; look < 4; look++) {
      if ((HWPE_REG(STATUS) & mask) == 0) {
        return job_result(id);
      }
    }
  } while (core_cycles() - start <= limit);
  return give_up();
}

cryptile_status_t cry_hwpe_wait_sleep(unsigned id, uint32_t limit) {
  bool late = false;
  event_clear(EventHwpe | EventTimer);
  uint32_t added = event_enable(EventHwpe | EventTimer);
  cry_timer_alarm(limit);
  while (job_in_flight(id) && !late) {
    event_wait();
    late = (event_pending() & EventTimer) != 0;
    event_clear(EventHwpe);
  }
  cry_timer_stop();
  event_disable(added);
  return late && job_in_flight(id) ? give_up() : job_result(id);
}
