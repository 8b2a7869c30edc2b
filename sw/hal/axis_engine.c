// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "axis_engine.h"

#include "cycles.h"
#include "events.h"
#include "io.h"
#include "timer.h"

typedef struct {
  uint32_t next;
  uint32_t addr;
  uint32_t len;
  uint32_t control;
  volatile uint32_t status;
  volatile uint32_t moved;
  uint32_t unused[2];
} descriptor_t;

enum { Section = 1, Packet = 2, Stop = 4, Irq = 8 };
enum { MaxIn = 3, MaxOut = 2 };

_Static_assert((MaxIn + MaxOut) * sizeof(descriptor_t) <= AXIS_ENGINE_RESERVED, "room");

static descriptor_t *const kDescriptors =
    (descriptor_t *)(STREAM_MEM_BASE + STREAM_MEM_SIZE - AXIS_ENGINE_RESERVED);

// Bytes of the key that the engine's registers hold.
static uint32_t held_key_bytes;

static bool is_busy(void) {
  const uint32_t kJobs =
      AXIS__STATUS__BUSY_bm | AXIS__STATUS__WAITING_bm | AXIS__STATUS__RESULTS_bm;
  return (AXIS_REG(STATUS) & kJobs) != 0 || AXIS_REG(CONTROL) != 0 ||
         ((DMA_REG(MM2S.STATUS) | DMA_REG(S2MM.STATUS)) & DMA_CHANNEL__STATUS__BUSY_bm) != 0;
}

// Appends a descriptor to a chain of `count`, and returns the new count.
static unsigned append(descriptor_t *chain, unsigned count, const void *data, uint32_t len,
                       uint32_t control) {
  descriptor_t *d = &chain[count];
  d->next = (uint32_t)(uintptr_t)(d + 1);
  d->addr = (uint32_t)(uintptr_t)data;
  d->len = len;
  d->control = control;
  return count + 1;
}

cryptile_status_t cry_axis_engine_start(const axis_job_t *job) {
  if (job->key_bytes != 16 && job->key_bytes != 24 && job->key_bytes != 32) {
    return CRYPTILE_ERR_PARAM;
  }
  if (job->key == NULL && job->key_bytes != held_key_bytes) {
    return CRYPTILE_ERR_KEY;
  }
  if (is_busy()) {
    return CRYPTILE_ERR_BUSY;
  }
  descriptor_t *in = kDescriptors;
  descriptor_t *out = kDescriptors + MaxIn;
  unsigned count = 0;
  if (job->aad_len != 0) {
    count = append(in, count, job->aad, job->aad_len, Section);
  }
  if (job->len != 0) {
    count = append(in, count, job->src, job->len, Section);
  }
  if (job->tag != NULL && job->decrypt) {
    count = append(in, count, job->tag, 16, Section);
  }
  if (count != 0) {
    in[count - 1].control = Packet | Stop;
  }
  // The output always is a packet; without data it is empty.
  unsigned out_count = 0;
  if (job->len != 0) {
    out_count = append(out, out_count, job->dst, job->len, 0);
  }
  if (job->tag != NULL && !job->decrypt) {
    out_count = append(out, out_count, job->tag, 16, 0);
  }
  if (out_count == 0) {
    out_count = append(out, out_count, NULL, 0, 0);
  }
  out[out_count - 1].control = Packet | Stop | Irq;

  io_write_barrier();
  DMA_REG(S2MM.HEAD) = (uint32_t)(uintptr_t)out;
  if (count != 0) {
    DMA_REG(MM2S.HEAD) = (uint32_t)(uintptr_t)in;
  }
  if (job->key != NULL) {
    for (unsigned i = 0; i < job->key_bytes / 4; i++) {
      AXIS_REG(KEY[i]) = job->key[i];
    }
    held_key_bytes = job->key_bytes;
  }
  for (unsigned i = 0; i < 4; i++) {
    AXIS_REG(IV[i]) = job->iv[i];
  }
  AXIS_REG(AAD_LEN) = job->aad_len;
  AXIS_REG(MSG_LEN) = job->len;
  AXIS_REG(JOB) = job->mode << AXIS__JOB__MODE_bp |
                  (uint32_t)job->decrypt << AXIS__JOB__DECRYPT_bp |
                  (job->key_bytes / 8 - 2) << AXIS__JOB__KEY_LEN_bp;
  AXIS_REG(START) = 0;
  return CRYPTILE_OK;
}

// Nothing more will come: the output is in memory, or the bus has failed.
static bool is_over(void) {
  return (DMA_REG(S2MM.STATUS) & DMA_CHANNEL__STATUS__BUSY_bm) == 0 ||
         (DMA_REG(MM2S.STATUS) & DMA_CHANNEL__STATUS__ERROR_bm) != 0;
}

// What the DMA keeps of a job must not be taken for the next job's.
static void forget_ends(void) {
  DMA_REG(MM2S.STATUS) = DMA_CHANNEL__STATUS__DONE_bm | DMA_CHANNEL__STATUS__ERROR_bm;
  DMA_REG(S2MM.STATUS) = DMA_CHANNEL__STATUS__DONE_bm | DMA_CHANNEL__STATUS__ERROR_bm;
}

cryptile_status_t cry_axis_engine_clear(void) {
  enum { ClearLimit = 65536 };  // cycles
  const uint32_t kAbort = DMA_CHANNEL__CONTROL__ABORT_bm;
  const uint32_t kQuiet = DMA_CHANNEL__STATUS__QUIET_bm;
  _Static_assert(DMA_CHANNEL__STATUS__QUIET_bm == AXIS__STATUS__QUIET_bm, "one bit for both");
  held_key_bytes = 0;
  AXIS_REG(CONTROL) = AXIS__CONTROL__CLEAR_bm;
  DMA_REG(MM2S.CONTROL) |= kAbort;
  DMA_REG(S2MM.CONTROL) |= kAbort;
  uint32_t start = core_cycles();
  bool quiet;
  do {
    quiet = (AXIS_REG(STATUS) & DMA_REG(MM2S.STATUS) & DMA_REG(S2MM.STATUS) & kQuiet) != 0;
  } while (!quiet && core_cycles() - start <= ClearLimit);
  io_read_barrier();
  if (!quiet) {
    return CRYPTILE_ERR_BUSY;
  }
  // What was aborted may have ended by an error meanwhile; now nothing more comes.
  forget_ends();
  DMA_REG(S2MM.CONTROL) &= ~kAbort;
  DMA_REG(MM2S.CONTROL) &= ~kAbort;
  AXIS_REG(CONTROL) = 0;
  return CRYPTILE_OK;
}

static cryptile_status_t give_up(cryptile_status_t why) {
  cryptile_status_t status = cry_axis_engine_clear();
  return status == CRYPTILE_OK ? why : status;
}

enum { NotAtRest = DMA_CHANNEL__STATUS__ERROR_bm | DMA_CHANNEL__STATUS__BUSY_bm };

// A job's end when the DMA is not at rest: there was an error, or the input's channel still writes
// a descriptor back, whose error would be taken for the next job's. Apart, so that a job that went
// well costs no cycle for it.
static __attribute__((noinline)) cryptile_status_t settle(uint32_t flags) {
  enum { SettleLimit = 4096 };  // cycles
  if (flags == DMA_CHANNEL__STATUS__BUSY_bm) {
    uint32_t start = core_cycles();
    do {
      flags = DMA_REG(MM2S.STATUS) & NotAtRest;
    } while (flags == DMA_CHANNEL__STATUS__BUSY_bm && core_cycles() - start <= SettleLimit);
  }
  return flags == 0 ? CRYPTILE_OK : give_up(CRYPTILE_ERR_BUS);
}

static cryptile_status_t finish(bool late) {
  uint32_t flags = DMA_REG(MM2S.STATUS) | DMA_REG(S2MM.STATUS);
  forget_ends();
  if (late) {
    return give_up(CRYPTILE_ERR_TIMEOUT);
  }
  flags &= NotAtRest;
  if (__builtin_expect(flags != 0, 0)) {
    cryptile_status_t status = settle(flags);
    if (status != CRYPTILE_OK) {
      return status;
    }
  }
  uint32_t result = AXIS_REG(RESULT);
  io_read_barrier();
  if ((result & AXIS__RESULT__VALID_bm) == 0) {
    return give_up(CRYPTILE_ERR_STATE);
  }
  return cry_engine_status(result & AXIS__RESULT__STATUS_bm);
}

cryptile_status_t cry_axis_engine_wait(uint32_t limit) {
  uint32_t start = core_cycles();
  bool late = false;
  while (!is_over() && !late) {
    late = core_cycles() - start > limit;
  }
  return finish(late && !is_over());
}

cryptile_status_t cry_axis_engine_sleep(uint32_t limit) {
  bool late = false;
  const uint32_t kIrqs = DMA_CHANNEL__CONTROL__IRQ_DONE_bm | DMA_CHANNEL__CONTROL__IRQ_ERROR_bm;
  uint32_t out = DMA_REG(S2MM.CONTROL);
  uint32_t in = DMA_REG(MM2S.CONTROL);
  DMA_REG(S2MM.CONTROL) = out | kIrqs;
  DMA_REG(MM2S.CONTROL) = in | DMA_CHANNEL__CONTROL__IRQ_ERROR_bm;
  event_clear(EventHwpe | EventTimer);
  uint32_t added = event_enable(EventHwpe | EventTimer);
  cry_timer_alarm(limit);
  while (!is_over() && !late) {
    event_wait();
    late = (event_pending() & EventTimer) != 0;
    event_clear(EventHwpe);
  }
  cry_timer_stop();
  event_disable(added);
  DMA_REG(S2MM.CONTROL) = out;
  DMA_REG(MM2S.CONTROL) = in;
  return finish(late && !is_over());
}
