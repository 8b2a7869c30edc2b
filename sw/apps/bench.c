// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures the ways to compute, and prints records (record.h). What to measure is in the parameter
// blob, see gen/bench_params.h.
//
// Metrics, all in clock cycles of the system (they go on while the core sleeps), each measured on
// the second of two equal calls:
//   cycles       call=api: one cryptile_cipher_crypt() of `blocks` blocks, set-up included
//                call=driver: cry_hwpe_submit() and the wait
//   setup_cycles software: cryptile_cipher_init(), which expands the key; engine: cry_hwpe_submit()
//   busy_cycles  core cycles of such a driver call: those in which the core was not asleep
#include <string.h>

#include "cryptile.h"
#include "cycles.h"
#include "gen/bench_params.h"
#include "host.h"
#include "hwpe.h"
#include "record.h"

typedef struct {
  const char *path;
  const char *impl;
  const char *wait;  // engine only
  const cryptile_cipher_impl_t *api;
  cryptile_status_t (*wait_fn)(unsigned id, uint32_t limit);
  uint32_t direction;
  uint32_t mode;
  uint32_t key_len;
} subject_t;

static uint32_t source[BenchMaxBlocks * 4];
static uint32_t result[BenchMaxBlocks * 4];
static const uint8_t kKey[CRYPTILE_MAX_KEY_BYTES] = {1, 2, 3};
static uint8_t iv[CRYPTILE_BLOCK_SIZE];
static uint32_t overhead;       // of reading the system's clock twice
static uint32_t core_overhead;  // of reading the core's
static bool failed;

static uint32_t elapsed(uint32_t start) {
  return soc_cycles() - start - overhead;
}

static void calibrate(void) {
  for (int i = 0; i < 2; i++) {
    overhead = 0;
    uint32_t start = soc_cycles();
    overhead = elapsed(start);
    start = core_cycles();
    core_overhead = core_cycles() - start;
  }
}

static void check(cryptile_status_t status) {
  if (status != CRYPTILE_OK) {
    failed = true;
    cry_console_text("status ");
    cry_console_decimal((uint32_t)-status);
    cry_console_text("\n");
  }
}

static void report(const char *metric, const subject_t *s, const char *call, uint32_t blocks,
                   uint32_t value) {
  static const char *const kModes[] = {"ecb", "cbc", "ctr"};
  record_begin(metric);
  record_text("path", s->path);
  record_text("impl", s->impl);
  cry_console_text(" alg=aes-");
  cry_console_decimal(s->key_len * 8);
  cry_console_text("-");
  cry_console_text(kModes[s->mode]);
  record_text("dir", s->direction == CRYPTILE_ENCRYPT ? "encrypt" : "decrypt");
  if (s->wait != NULL) {
    record_text("wait", s->wait);
  }
  record_text("call", call);
  if (blocks != 0) {
    record_number("blocks", blocks);
  }
  record_end(value);
}

static cryptile_cipher_params_t params_of(const subject_t *s) {
  return (cryptile_cipher_params_t){.mode = (cryptile_cipher_mode_t)s->mode,
                                    .direction = (cryptile_direction_t)s->direction,
                                    .padding = CRYPTILE_PAD_NONE,
                                    .key = kKey,
                                    .key_len = s->key_len,
                                    .iv = iv};
}

static void measure_init(const subject_t *s) {
  static cryptile_cipher_ctx_t ctx;
  cryptile_cipher_params_t params = params_of(s);
  uint32_t cycles = 0;
  for (int warm = 0; warm < 2; warm++) {
    uint32_t start = soc_cycles();
    cryptile_status_t status = cryptile_cipher_init(&ctx, s->api, &params);
    cycles = elapsed(start);
    check(status);
  }
  report("setup_cycles", s, "api", 0, cycles);
}

static void measure_api(const subject_t *s, uint32_t blocks) {
  cryptile_cipher_params_t params = params_of(s);
  uint32_t cycles = 0;
  for (int warm = 0; warm < 2; warm++) {
    size_t len;
    uint32_t start = soc_cycles();
    cryptile_status_t status = cryptile_cipher_crypt(s->api, &params, (const uint8_t *)source,
                                                     blocks * CRYPTILE_BLOCK_SIZE,
                                                     (uint8_t *)result, sizeof(result), &len);
    cycles = elapsed(start);
    check(status);
  }
  report("cycles", s, "api", blocks, cycles);
}

static inline cryptile_status_t submit_and_wait(const subject_t *s, const hwpe_job_t *job,
                                                uint32_t limit) {
  unsigned id;
  cryptile_status_t status = cry_hwpe_submit(job, &id);
  return status == CRYPTILE_OK ? s->wait_fn(id, limit) : status;
}

static void measure_driver(const subject_t *s, uint32_t blocks, bool first) {
  hwpe_job_t job = {.src = source,
                    .dst = result,
                    .len = blocks * CRYPTILE_BLOCK_SIZE,
                    .key = kKey,
                    .iv = iv,
                    .ctrl = hwpe_ctrl((cryptile_cipher_mode_t)s->mode,
                                      (cryptile_direction_t)s->direction, s->key_len)};
  uint32_t limit = cry_hwpe_limit(job.len);
  uint32_t cycles = 0;
  uint32_t busy = 0;
  uint32_t setup = 0;
  unsigned id;
  for (int warm = 0; warm < 2; warm++) {
    uint32_t start = soc_cycles();
    cryptile_status_t status = submit_and_wait(s, &job, limit);
    cycles = elapsed(start);
    check(status);
  }
  for (int warm = 0; warm < 2; warm++) {
    uint32_t start = core_cycles();
    cryptile_status_t status = submit_and_wait(s, &job, limit);
    busy = core_cycles() - start - core_overhead;
    check(status);
  }
  for (int warm = 0; first && warm < 2; warm++) {
    uint32_t start = soc_cycles();
    cryptile_status_t status = cry_hwpe_submit(&job, &id);
    setup = elapsed(start);
    check(status == CRYPTILE_OK ? cry_hwpe_wait_poll(id, limit) : status);
  }
  if (first) {
    report("setup_cycles", s, "driver", 0, setup);
  }
  report("cycles", s, "driver", blocks, cycles);
  report("busy_cycles", s, "driver", blocks, busy);
}

static void measure(const subject_t *s, const bench_params_t *params) {
  if (s->wait_fn == NULL) {
    measure_init(s);
  }
  for (uint32_t i = 0; i < params->count; i++) {
    if (s->wait_fn != NULL) {
      measure_driver(s, params->blocks[i], i == 0);
    }
    measure_api(s, params->blocks[i]);
  }
}

static const char *engine_variant(void) {
  static const char *const kVariants[] = {"serial", "iterative", "pipelined"};
  uint32_t impl = (HWPE_REG(FEATURES) & HWPE__FEATURES__IMPL_bm) >> HWPE__FEATURES__IMPL_bp;
  return impl < sizeof(kVariants) / sizeof(kVariants[0]) ? kVariants[impl] : "unknown";
}

static bool engine_can(const subject_t *s) {
  uint32_t features = HWPE_REG(FEATURES);
  return (features & 1u << (HWPE__FEATURES__KEY_LENS_bp + s->key_len / 8 - 2)) != 0 &&
         (features & 1u << (HWPE__FEATURES__MODES_bp + s->mode)) != 0 &&
         (s->direction == CRYPTILE_ENCRYPT || (features & HWPE__FEATURES__DECRYPT_bm) != 0);
}

static bool valid(const bench_params_t *params, size_t len) {
  if (len != sizeof(*params) || params->magic != BenchMagic || params->version != BenchVersion ||
      params->count == 0 || params->count > BenchMaxCounts) {
    return false;
  }
  for (uint32_t i = 0; i < params->count; i++) {
    if (params->blocks[i] == 0 || params->blocks[i] > BenchMaxBlocks) {
      return false;
    }
  }
  return true;
}

static void measure_path(unsigned path, const bench_params_t *params) {
  subject_t s;
  switch (1u << path) {
    case BenchCompact:
      s = (subject_t){.path = "software", .impl = "compact", .api = &cryptile_aes_compact};
      break;
    case BenchTable:
      s = (subject_t){.path = "software", .impl = "table", .api = &cryptile_aes_table};
      break;
    case BenchBitsliced:
      s = (subject_t){.path = "software", .impl = "bitsliced", .api = &cryptile_aes_bitsliced};
      break;
    case BenchEnginePoll:
      s = (subject_t){.path = "engine",
                      .impl = engine_variant(),
                      .wait = "poll",
                      .api = &cryptile_aes_engine_poll,
                      .wait_fn = cry_hwpe_wait_poll};
      break;
    default:
      s = (subject_t){.path = "engine",
                      .impl = engine_variant(),
                      .wait = "sleep",
                      .api = &cryptile_aes_engine_sleep,
                      .wait_fn = cry_hwpe_wait_sleep};
      break;
  }
  for (uint32_t combination = 0; combination < 3 * 3 * 2; combination++) {
    unsigned key = combination / 6;
    s.mode = combination / 2 % 3;
    s.direction = combination % 2;
    s.key_len = 16 + 8 * key;
    if ((params->key_lens >> key & 1) != 0 && (params->modes >> s.mode & 1) != 0 &&
        (params->directions >> s.direction & 1) != 0 && (s.wait_fn == NULL || engine_can(&s))) {
      measure(&s, params);
    }
  }
}

int main(void) {
  static bench_params_t params;
  if (!valid(&params, cry_host_params(&params, sizeof(params)))) {
    return BenchExitBadBlob;
  }
  calibrate();
  for (unsigned path = 0; path < BenchPaths; path++) {
    if ((params.paths >> path & 1) != 0) {
      measure_path(path, &params);
    }
  }
  return failed ? BenchExitFailed : 0;
}
