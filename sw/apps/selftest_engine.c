// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cycles.h"
#include "events.h"
#include "exit.h"
#include "hwpe.h"
#include "selftest.h"
#include "selftest_vectors.h"

enum { LongLen = 8192 };

static const char kSubject[] = "driver";

static uint32_t big[LongLen / 4];
static uint32_t out[3][sizeof(kPlain) / 4];
static uint8_t chain[CRYPTILE_BLOCK_SIZE];

static volatile unsigned interrupts;

void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  if (mcause != (0x80000000u | EventIrq)) {
    cry_mcu_exit(ExitTrap + (mcause & 63));
  }
  interrupts++;
  event_clear(event_pending());
}

static hwpe_job_t known_job(unsigned mode, void *dst) {
  return (hwpe_job_t){.src = kPlain,
                      .dst = dst,
                      .len = sizeof(kPlain),
                      .key = kKeys[0],
                      .iv = chain,
                      .ctrl = hwpe_ctrl((cryptile_cipher_mode_t)mode, CRYPTILE_ENCRYPT, 16)};
}

static hwpe_job_t long_job(void) {
  return (hwpe_job_t){.src = big,
                      .dst = big,
                      .len = LongLen,
                      .key = kKeys[0],
                      .iv = chain,
                      .ctrl = hwpe_ctrl(CRYPTILE_ECB, CRYPTILE_ENCRYPT, 16)};
}

// The engine still does what it should.
static void check_works(void) {
  hwpe_job_t job = known_job(CRYPTILE_ECB, out[0]);
  unsigned id = 0;
  memset(out, 0, sizeof(out));
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(id, cry_hwpe_limit(job.len)) == CRYPTILE_OK);
  CHECK(memcmp(out[0], kCipher[CRYPTILE_ECB][0], job.len) == 0);
}

static void two_in_flight(void) {
  hwpe_job_t first = long_job();
  hwpe_job_t second = known_job(CRYPTILE_ECB, out[1]);
  unsigned ids[2] = {0, 0};
  unsigned refused;
  memset(out, 0, sizeof(out));
  CHECK(cry_hwpe_submit(&first, &ids[0]) == CRYPTILE_OK);
  CHECK(cry_hwpe_submit(&second, &ids[1]) == CRYPTILE_OK);
  CHECK((ids[0] & 1) != (ids[1] & 1));
  CHECK(cry_hwpe_submit(&second, &refused) == CRYPTILE_ERR_BUSY);
  CHECK(cry_hwpe_wait_poll(ids[0], cry_hwpe_limit(LongLen)) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(ids[1], cry_hwpe_limit(LongLen)) == CRYPTILE_OK);
  CHECK(memcmp(out[1], kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
}

// One message in two jobs, both in flight at once: the second takes up the context that the first
// has still to save.
static void chained_in_flight(void) {
  for (unsigned mode = CRYPTILE_CBC; mode <= CRYPTILE_CTR; mode++) {
    hwpe_job_t first = known_job(mode, out[0]);
    unsigned ids[2] = {0, 0};
    memcpy(chain, kIvs[mode], sizeof(chain));
    memset(out, 0, sizeof(out));
    first.ctrl |= HwpeCtxSave;
    first.len = 16;
    hwpe_job_t second = first;
    second.src = kPlain + first.len;
    second.dst = out[0] + first.len / 4;
    second.len = sizeof(kPlain) - first.len;
    CHECK(cry_hwpe_submit(&first, &ids[0]) == CRYPTILE_OK);
    CHECK(cry_hwpe_submit(&second, &ids[1]) == CRYPTILE_OK);
    CHECK(cry_hwpe_wait_poll(ids[0], cry_hwpe_limit(64)) == CRYPTILE_OK);
    CHECK(cry_hwpe_wait_sleep(ids[1], cry_hwpe_limit(64)) == CRYPTILE_OK);
    CHECK(memcmp(out[0], kCipher[mode][0], sizeof(kPlain)) == 0);
  }
}

static void empty_message(void) {
  hwpe_job_t job = known_job(CRYPTILE_CTR, out[0]);
  unsigned id = 0;
  memcpy(chain, kIvs[CRYPTILE_CTR], sizeof(chain));
  job.len = 0;
  job.ctrl |= HwpeCtxSave;
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(id, cry_hwpe_limit(0)) == CRYPTILE_OK);
  CHECK(memcmp(chain, kIvs[CRYPTILE_CTR], sizeof(chain)) == 0);
}

static void bad_parameter(void) {
  hwpe_job_t job = known_job(15, out[0]);
  unsigned id = 0;
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(id, cry_hwpe_limit(job.len)) == CRYPTILE_ERR_SUPPORT);
  job = known_job(CRYPTILE_CBC, out[0]);
  job.len = 17;
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_sleep(id, cry_hwpe_limit(job.len)) == CRYPTILE_ERR_SUPPORT);
  check_works();
}

static void bad_address(void) {
  static void *const kNowhere = (void *)0x20000000;
  hwpe_job_t job = known_job(CRYPTILE_ECB, out[0]);
  unsigned id = 0;
  job.src = kNowhere;
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(id, cry_hwpe_limit(job.len)) == CRYPTILE_ERR_BUS);
  job = known_job(CRYPTILE_ECB, kNowhere);
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_sleep(id, cry_hwpe_limit(job.len)) == CRYPTILE_ERR_BUS);
  check_works();
}

static void time_limit(void) {
  hwpe_job_t job = long_job();
  unsigned id = 0;
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(id, 50) == CRYPTILE_ERR_TIMEOUT);
  check_works();
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_sleep(id, 50) == CRYPTILE_ERR_TIMEOUT);
  check_works();
}

static void sleeps(void) {
  hwpe_job_t job = long_job();
  unsigned id = 0;
  uint32_t core = core_cycles();
  uint32_t soc = soc_cycles();
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_sleep(id, cry_hwpe_limit(job.len)) == CRYPTILE_OK);
  // The core's counter stands still while it sleeps, and it slept nearly all the time.
  core = core_cycles() - core;
  soc = soc_cycles() - soc;
  CHECK(soc >= LongLen / 16);
  CHECK(core < soc / 2);
}

static bool irq_enabled(void) {
  uint32_t mie;
  __asm__ volatile("csrr %0, mie" : "=r"(mie));
  return (mie >> EventIrq & 1) != 0;
}

// A wait leaves the mask of events and mie as they were, whatever they were, and however the wait
// ends.
static void mask_is_kept(void) {
  const uint32_t kMasks[] = {0, EventSoftware, EventHwpe, EventTimer | EventSoftware, EventHwpe};
  hwpe_job_t job = long_job();
  for (size_t i = 0; i < sizeof(kMasks) / sizeof(kMasks[0]); i++) {
    unsigned id = 0;
    bool late = (i & 1) != 0;
    bool enabled = (i & 2) != 0;
    MCU_REG(EVENT.MASK) = kMasks[i];
    __asm__ volatile("csrc mie, %0" : : "r"(1u << EventIrq));
    __asm__ volatile("csrs mie, %0" : : "r"((uint32_t)enabled << EventIrq));
    CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
    CHECK(cry_hwpe_wait_sleep(id, late ? 50 : cry_hwpe_limit(job.len)) ==
          (late ? CRYPTILE_ERR_TIMEOUT : CRYPTILE_OK));
    CHECK(MCU_REG(EVENT.MASK) == kMasks[i]);
    CHECK(irq_enabled() == enabled);
  }
  event_disable(~0u);
  CHECK(MCU_REG(EVENT.MASK) == 0);
}

// When a clear has returned, the job that it dropped writes no more.
static void clear_is_over(void) {
  for (uint32_t wait = 0; wait < 60; wait++) {
    hwpe_job_t job = long_job();
    unsigned id = 0;
    CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
    uint32_t start = core_cycles();
    while (core_cycles() - start < wait) {
    }
    CHECK(cry_hwpe_clear() == CRYPTILE_OK);
    CHECK((HWPE_REG(STATUS) & HWPE__STATUS__DRAIN_bm) == 0);
  }
  check_works();
}

static void takes_interrupt(void) {
  hwpe_job_t job = known_job(CRYPTILE_ECB, out[0]);
  unsigned id = 0;
  memset(out, 0, sizeof(out));
  interrupts = 0;
  event_clear(event_pending());
  event_enable(EventHwpe);
  __asm__ volatile("csrsi mstatus, 8" : : : "memory");
  CHECK(cry_hwpe_submit(&job, &id) == CRYPTILE_OK);
  CHECK(cry_hwpe_wait_poll(id, cry_hwpe_limit(job.len)) == CRYPTILE_OK);
  __asm__ volatile("csrci mstatus, 8" : : : "memory");
  CHECK(interrupts == 1);
  CHECK(memcmp(out[0], kCipher[CRYPTILE_ECB][0], job.len) == 0);
}

void test_engine(void) {
  static const struct {
    const char *name;
    void (*run)(void);
  } kTests[] = {
      {"two jobs in flight", two_in_flight},
      {"one message in two jobs in flight", chained_in_flight},
      {"empty message", empty_message},
      {"bad parameter", bad_parameter},
      {"bad address", bad_address},
      {"time limit", time_limit},
      {"sleep", sleeps},
      {"events of others", mask_is_kept},
      {"clear", clear_is_over},
      {"interrupt", takes_interrupt},
  };
  for (size_t i = 0; i < sizeof(kTests) / sizeof(kTests[0]); i++) {
    test_begin(kTests[i].name, kSubject);
    kTests[i].run();
  }
}
