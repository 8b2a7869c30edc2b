// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Tests the driver of the stream engine where it does not go well: addresses that do not exist,
// jobs that take too long, jobs given twice, keys that are gone. After each of them a good job must
// be right.
#include <string.h>

#include "axis_edac.h"
#include "axis_engine.h"
#include "console.h"
#include "events.h"

enum { Bytes = 1000, LongBytes = 65536, Limit = 100000 };
static const uintptr_t kNowhere = 0x90000000;

static uint8_t *const kPlain = (uint8_t *)STREAM_MEM_BASE + 3;
static uint8_t *const kSecret = (uint8_t *)STREAM_MEM_BASE + 0x100000 + 9;
static uint8_t *const kBack = (uint8_t *)STREAM_MEM_BASE + 0x200000;
static const uint32_t kKey[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static unsigned failures;

static void check(const char *what, cryptile_status_t seen, cryptile_status_t wanted) {
  if (seen != wanted) {
    failures++;
    cry_console_text(what);
    cry_console_text(": status -");
    cry_console_decimal((uint32_t)-seen);
    cry_console_text("\n");
  }
}

static axis_job_t job_of(const uint8_t *src, uint8_t *dst, uint32_t len) {
  return (axis_job_t){.mode = ModeChaCha20Poly1305Chacha20,
                      .key = kKey,
                      .key_bytes = sizeof(kKey),
                      .src = src,
                      .dst = dst,
                      .len = len};
}

static cryptile_status_t run(const axis_job_t *job, uint32_t limit, bool asleep) {
  cryptile_status_t status = cry_axis_engine_start(job);
  if (status != CRYPTILE_OK) {
    return status;
  }
  return asleep ? cry_axis_engine_sleep(limit) : cry_axis_engine_wait(limit);
}

// There and back again.
static void good(const char *after, bool asleep) {
  axis_job_t there = job_of(kPlain, kSecret, Bytes);
  axis_job_t back = job_of(kSecret, kBack, Bytes);
  memset(kSecret, 0, Bytes);
  memset(kBack, 0, Bytes);
  check(after, run(&there, Limit, asleep), CRYPTILE_OK);
  check(after, run(&back, Limit, asleep), CRYPTILE_OK);
  if (memcmp(kPlain, kBack, Bytes) != 0 || memcmp(kPlain, kSecret, Bytes) == 0) {
    failures++;
    cry_console_text(after);
    cry_console_text(": wrong result\n");
  }
}

static void bad_addresses(bool asleep) {
  axis_job_t job = job_of((const uint8_t *)kNowhere, kSecret, Bytes);
  check("source", run(&job, Limit, asleep), CRYPTILE_ERR_BUS);
  good("after a bad source", asleep);
  job = job_of(kPlain, (uint8_t *)kNowhere, Bytes);
  check("destination", run(&job, Limit, asleep), CRYPTILE_ERR_BUS);
  good("after a bad destination", asleep);
  // The message begins in memory and runs out of it.
  job = job_of((const uint8_t *)(STREAM_MEM_BASE + STREAM_MEM_SIZE - 40), kSecret, Bytes);
  check("end of memory", run(&job, Limit, asleep), CRYPTILE_ERR_BUS);
  good("after the end of memory", asleep);
}

static void too_late(bool asleep) {
  axis_job_t job = job_of(kPlain, kSecret, LongBytes);
  check("limit", run(&job, 500, asleep), CRYPTILE_ERR_TIMEOUT);
  good("after a timeout", asleep);
}

static void twice(void) {
  axis_job_t job = job_of(kPlain, kSecret, LongBytes);
  check("first", cry_axis_engine_start(&job), CRYPTILE_OK);
  check("second", cry_axis_engine_start(&job), CRYPTILE_ERR_BUSY);
  check("the first one", cry_axis_engine_wait(Limit), CRYPTILE_OK);
  good("after two jobs", false);
}

static void bad_parameter(void) {
  axis_job_t job = job_of(kPlain, kSecret, Bytes);
  job.mode = 9;
  check("mode", run(&job, Limit, false), CRYPTILE_ERR_SUPPORT);
  good("after a bad mode", false);
}

static void nothing_to_wait_for(void) {
  check("no job", cry_axis_engine_wait(Limit), CRYPTILE_ERR_STATE);
  good("after a wait for nothing", false);
  check("waited twice", cry_axis_engine_sleep(Limit), CRYPTILE_ERR_STATE);
  good("after two waits", true);
  // A job whose end nobody saw: its result is not the next job's.
  axis_job_t job = job_of(kPlain, kSecret, Bytes);
  job.mode = 9;
  check("bad mode", cry_axis_engine_start(&job), CRYPTILE_OK);
  while ((AXIS_REG(STATUS) & AXIS__STATUS__RESULTS_bm) == 0 ||
         (DMA_REG(MM2S.STATUS) & DMA_CHANNEL__STATUS__BUSY_bm) != 0) {
  }
  job = job_of(kPlain, kSecret, Bytes);
  check("result not taken", cry_axis_engine_start(&job), CRYPTILE_ERR_BUSY);
  check("its result", cry_axis_engine_wait(Limit), CRYPTILE_ERR_SUPPORT);
  good("after a late wait", false);
}

// A job without a key goes on with the one before, or is refused if that is gone.
static void expect_no_key(const char *after) {
  axis_job_t job = job_of(kPlain, kSecret, Bytes);
  job.key = NULL;
  check(after, cry_axis_engine_start(&job), CRYPTILE_ERR_KEY);
  good(after, false);
  memset(kBack, 0, Bytes);
  job = job_of(kSecret, kBack, Bytes);
  job.key = NULL;
  check(after, run(&job, Limit, false), CRYPTILE_OK);
  if (memcmp(kPlain, kBack, Bytes) != 0) {
    failures++;
    cry_console_text(after);
    cry_console_text(": not the key before\n");
  }
  job.key_bytes = 16;
  check("half of the key", cry_axis_engine_start(&job), CRYPTILE_ERR_KEY);
}

static void keys(void) {
  expect_no_key("no key since reset");
  axis_job_t job = job_of((const uint8_t *)kNowhere, kSecret, Bytes);
  check("source", run(&job, Limit, false), CRYPTILE_ERR_BUS);
  expect_no_key("no key after a bus error");
  job = job_of(kPlain, kSecret, LongBytes);
  check("limit", run(&job, 500, true), CRYPTILE_ERR_TIMEOUT);
  expect_no_key("no key after a timeout");
  check("nothing to wait for", cry_axis_engine_wait(Limit), CRYPTILE_ERR_STATE);
  expect_no_key("no key after a wait for nothing");
  check("clear", cry_axis_engine_clear(), CRYPTILE_OK);
  expect_no_key("no key after a clear");
  check("known answers", cry_axis_edac_selftest(kBack + 5), CRYPTILE_OK);
  expect_no_key("no key after the known answers");
  for (uint32_t bytes = 0; bytes <= 40; bytes++) {
    job = job_of(kPlain, kSecret, Bytes);
    job.key_bytes = bytes;
    if (bytes != 16 && bytes != 24 && bytes != 32) {
      check("bytes of the key", cry_axis_engine_start(&job), CRYPTILE_ERR_PARAM);
    }
  }
}

static void count(axis_edac_type_t type, void *context) {
  *(unsigned *)context += type == AxisEdacCorrectable ? 1 : 1000;
}

// What others have set in registers that the driver uses too.
static void masks(void) {
  const uint32_t kEvents[] = {0, EventSoftware, EventHwpe | EventSoftware, EventTimer};
  const uint32_t kIrqs = AXIS__IRQ_ENABLE__CORRECTED_bm | AXIS__IRQ_ENABLE__DETECTED_bm;
  bool kept = true;
  for (unsigned i = 0; i < sizeof(kEvents) / sizeof(kEvents[0]); i++) {
    uint32_t in = (i & 1) != 0 ? DMA_CHANNEL__CONTROL__IRQ_DONE_bm : 0;
    uint32_t out = (i & 2) != 0 ? DMA_CHANNEL__CONTROL__IRQ_ERROR_bm : 0;
    uint32_t irqs = (i & 1) != 0 ? AXIS__IRQ_ENABLE__RESULT_bm : 0;
    MCU_REG(EVENT.MASK) = kEvents[i];
    DMA_REG(MM2S.CONTROL) = in;
    DMA_REG(S2MM.CONTROL) = out;
    AXIS_REG(IRQ_ENABLE) = irqs;
    good("with masks", true);
    check("notice", cry_axis_edac_notify_set(count, &failures, 0), CRYPTILE_OK);
    kept = kept && AXIS_REG(IRQ_ENABLE) == (irqs | kIrqs);
    check("no notice", cry_axis_edac_notify_set(NULL, NULL, 0), CRYPTILE_OK);
    check("clear", cry_axis_engine_clear(), CRYPTILE_OK);
    kept = kept && MCU_REG(EVENT.MASK) == kEvents[i] && DMA_REG(MM2S.CONTROL) == in &&
           DMA_REG(S2MM.CONTROL) == out && AXIS_REG(IRQ_ENABLE) == irqs;
    MCU_REG(EVENT.MASK) = DMA_REG(MM2S.CONTROL) = DMA_REG(S2MM.CONTROL) = AXIS_REG(IRQ_ENABLE) = 0;
  }
  if (!kept) {
    failures++;
    cry_console_text("masks\n");
  }
}

// Errors are injected, corrected, counted and told of, until the lock falls. The engine is
// protected.
static void faults(void) {
  axis_edac_entry_t entry;
  unsigned told = 0;
  check("known answers", cry_axis_edac_selftest(kBack + 5), CRYPTILE_OK);
  check("type", cry_axis_edac_inject_set_error_type(AxisEdacUncorrectable), CRYPTILE_ERR_PARAM);
  check("no type", cry_axis_edac_inject_error_trigger(), CRYPTILE_ERR_SUPPORT);
  check("type", cry_axis_edac_inject_set_error_type(AxisEdacCorrectable), CRYPTILE_OK);
  check("notice", cry_axis_edac_notify_set(count, &told, 2), CRYPTILE_OK);
  bool quiet = !cry_axis_edac_error_log_get(&entry) && cry_axis_edac_errors_cor_get() == 0;
  for (unsigned i = 1; i <= 2; i++) {
    check("injection", cry_axis_edac_inject_error_trigger(), CRYPTILE_OK);
    good("after an injected error", false);
    cry_axis_edac_poll();
    quiet = quiet && cry_axis_edac_errors_cor_get() == i && told == i - 1;
  }
  bool logged = cry_axis_edac_error_log_get(&entry) && entry.type == AxisEdacCorrectable &&
                entry.sites == 1u << 5 && cry_axis_edac_errors_uc_get() == 0;
  check("clear the log", cry_axis_edac_error_log_clear(), CRYPTILE_OK);
  check("clear the counters", cry_axis_edac_errors_clear(), CRYPTILE_OK);
  bool cleared = !cry_axis_edac_error_log_get(&entry) && cry_axis_edac_errors_cor_get() == 0;
  cry_axis_edac_lock();
  check("locked", cry_axis_edac_inject_error_trigger(), CRYPTILE_ERR_SUPPORT);
  check("locked", cry_axis_edac_error_log_clear(), CRYPTILE_ERR_SUPPORT);
  check("locked", cry_axis_edac_errors_clear(), CRYPTILE_ERR_SUPPORT);
  check("locked", cry_axis_edac_notify_set(count, &told, 2), CRYPTILE_ERR_SUPPORT);
  check("no notice", cry_axis_edac_notify_set(NULL, NULL, 0), CRYPTILE_OK);
  if (!quiet || !logged || !cleared) {
    failures++;
    cry_console_text("log of faults\n");
  }
}

int main(void) {
  for (unsigned i = 0; i < Bytes; i++) {
    kPlain[i] = (uint8_t)(i * 7);
  }
  keys();
  for (int asleep = 0; asleep < 2; asleep++) {
    good("at first", asleep != 0);
    bad_addresses(asleep != 0);
    too_late(asleep != 0);
  }
  twice();
  bad_parameter();
  nothing_to_wait_for();
  masks();
  faults();
  return failures == 0 ? 0 : 1;
}
