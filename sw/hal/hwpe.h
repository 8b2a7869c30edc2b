// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Driver of the AES hardware processing engine (HWPE).
//
// A job is one message, or a part of one. Two jobs can be in flight: one runs, one is queued. Jobs
// end in order. Pointers may have any alignment; the memory must be the tightly coupled one, and
// must be left alone until the job is over.
//
//   unsigned id;
//   if (cry_hwpe_submit(&job, &id) == CRYPTILE_OK) {
//     status = cry_hwpe_wait_poll(id, cry_hwpe_limit(job.len));
//   }
//
// Wait for every job, and for the older before submitting a third.
#ifndef CRYPTILE_HAL_HWPE_H
#define CRYPTILE_HAL_HWPE_H

#include <stdint.h>

#include "cryptile.h"
#include "gen/engines.h"
#include "io.h"
#include "mcu.h"

typedef struct {
  const void *src;
  void *dst;
  uint32_t len;     // bytes
  const void *key;  // 16, 24 or 32 bytes
  void *iv;         // 16 bytes, read in modes that need them; written by HwpeCtxSave
  uint32_t ctrl;    // hwpe_ctrl()
} hwpe_job_t;

// With it the engine writes what continues the message (chaining value, next counter) over the IV.
enum { HwpeCtxSave = HWPE__CTRL__CTX_SAVE_bm };

static inline uint32_t hwpe_ctrl(cryptile_cipher_mode_t mode, cryptile_direction_t direction,
                                 uint32_t key_bytes) {
  return (uint32_t)mode << HWPE__CTRL__MODE_bp | (uint32_t)direction << HWPE__CTRL__DECRYPT_bp |
         (key_bytes / 8 - 2) << HWPE__CTRL__KEY_LEN_bp;
}

// Reserves a context: returns the job number, or a negative number if there is none to be had. On
// success hwpe_start() must follow.
static inline int32_t hwpe_acquire(void) {
  return (int32_t)HWPE_REG(ACQUIRE);
}

// Describes a job and starts it: seven stores, back to back. In assembly so that every value is in
// a register before the first store.
static inline void hwpe_start(hwpe_job_t job) {
  io_write_barrier();
  __asm__ volatile(
      "sw %[src], %[o_src](%[base])\n"
      "sw %[dst], %[o_dst](%[base])\n"
      "sw %[len], %[o_len](%[base])\n"
      "sw %[key], %[o_key](%[base])\n"
      "sw %[iv], %[o_iv](%[base])\n"
      "sw %[ctrl], %[o_ctrl](%[base])\n"
      "sw zero, %[o_trigger](%[base])\n"
      :
      : [base] "r"(MCU_HWPE_BASE), [src] "r"(job.src), [dst] "r"(job.dst), [len] "r"(job.len),
        [key] "r"(job.key), [iv] "r"(job.iv), [ctrl] "r"(job.ctrl),
        [o_src] "i"(offsetof(hwpe_t, SRC_PTR)), [o_dst] "i"(offsetof(hwpe_t, DST_PTR)),
        [o_len] "i"(offsetof(hwpe_t, LEN)), [o_key] "i"(offsetof(hwpe_t, KEY_PTR)),
        [o_iv] "i"(offsetof(hwpe_t, IV_PTR)), [o_ctrl] "i"(offsetof(hwpe_t, CTRL)),
        [o_trigger] "i"(offsetof(hwpe_t, TRIGGER))
      : "memory");
}

// Submits a job. Stack: 16 bytes. Returns CRYPTILE_OK, or CRYPTILE_ERR_BUSY with nothing done: two
// jobs are in flight, or another core is submitting.
CRYPTILE_MUST_CHECK cryptile_status_t cry_hwpe_submit(const hwpe_job_t *job, unsigned *id);

// A limit in cycles that no job of this length reaches, with the slowest engine on a busy memory.
uint32_t cry_hwpe_limit(uint32_t len);

// Waits for a job by reading the status register. Stack: 16 bytes. Returns what became of the job:
// CRYPTILE_OK, CRYPTILE_ERR_SUPPORT, _BUS, _FAULT, or CRYPTILE_ERR_TIMEOUT after `limit` cycles:
// then the engine was cleared and both jobs are lost. CRYPTILE_ERR_BUSY: that clear did not end.
CRYPTILE_MUST_CHECK cryptile_status_t cry_hwpe_wait_poll(unsigned id, uint32_t limit);

// The same asleep, until the engine's event. Uses the timer for the limit. With mstatus.MIE = 0 no
// handler is needed; with MIE = 1 a cry_trap_handler() must clear the events.
CRYPTILE_MUST_CHECK cryptile_status_t cry_hwpe_wait_sleep(unsigned id, uint32_t limit);

// Stops everything in the engine and wipes it. Jobs in flight are lost and raise no event. Returns
// CRYPTILE_OK when their last access to memory is over, or CRYPTILE_ERR_BUSY after 4096 cycles: a
// memory that does not answer may still be written, so leave the buffers alone and call this again.
CRYPTILE_MUST_CHECK cryptile_status_t cry_hwpe_clear(void);

#endif  // CRYPTILE_HAL_HWPE_H
