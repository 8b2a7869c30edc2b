// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures random bytes: jobs of the tile's opcode `random`, and the library's DRBG on the same
// core, and prints records (record.h). How many bytes is in the parameter blob of bench_tile.c,
// which says what the metrics are. The generator is on and seeded before; its reseeds are not
// among the jobs.
#include <string.h>

#include "cryptile/drbg.h"
#include "cycles.h"
#include "gen/bench_tile_params.h"
#include "rbg.h"
#include "record.h"
#include "tile_app.h"

enum { Runs = 5, MaxQueued = 32, QueuedBytes = 128 << 10, LongBytes = 64 << 10 };

static const char kName[] = "drbg-generate";
static uint8_t *const kResult = (uint8_t *)SOC_HEAP_BASE;
static tile_ring_t ring;
static bool failed;

static void fail(uint32_t len, cryptile_status_t status) {
  failed = true;
  cry_console_text(kName);
  cry_console_text(" ");
  cry_console_decimal(len);
  cry_console_text(": status -");
  cry_console_decimal((uint32_t)-status);
  cry_console_text("\n");
}

static void report(const char *metric, uint32_t len, const char *path, uint64_t cycles) {
  record_begin(metric);
  record_text("path", path);
  record_text("alg", kName);
  record_number("bytes", len);
  record_end((uint32_t)cycles);
}

static tile_job_t job_of(uint32_t len) {
  return (tile_job_t){.opcode = TileRandom,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot,
                      .tag = tile_address(kResult),
                      .tag_len = len};
}

// A job alone, with code and data in the caches: the last of several runs counts. Of many bytes,
// where that does not show, there is one.
static void single(uint32_t len) {
  uint64_t times[4] = {0};
  tile_result_t result = {0};
  for (unsigned run = len < LongBytes ? 0 : Runs - 1; run < Runs; run++) {
    times[0] = tile_now();
    const tile_job_t job = job_of(len);
    cryptile_status_t status = cry_tile_submit(&ring, &job, NULL);
    tile_publish();
    times[1] = tile_now();
    if (status == CRYPTILE_OK) {
      cry_tile_notify(&ring);
      status = cry_tile_wait(&ring, tile_app_limit(len), &result);
    }
    times[2] = tile_now();
    if (status != CRYPTILE_OK) {
      fail(len, status);
      return;
    }
  }
  report("cycles", len, "engine", times[2] - times[0]);
  report("setup", len, "engine", times[1] - times[0]);
  report("tile", len, "engine", result.cycles);
}

// Jobs with one doorbell: from the end of the first quarter of them to the last.
static void queued(uint32_t len) {
  unsigned jobs = QueuedBytes / len, first;
  jobs = jobs < 2 ? 2 : jobs > MaxQueued ? MaxQueued : jobs;
  first = (jobs + 2) / 4;
  const tile_job_t job = job_of(len);
  uint64_t begun = 0;
  for (unsigned i = 0; i < jobs; i++) {
    const cryptile_status_t status = cry_tile_submit(&ring, &job, NULL);
    if (status != CRYPTILE_OK) {
      fail(len, status);
      return;
    }
  }
  cry_tile_notify(&ring);
  for (unsigned i = 0; i < jobs; i++) {
    tile_result_t result;
    const cryptile_status_t status = cry_tile_wait(&ring, tile_app_limit(len), &result);
    if (status != CRYPTILE_OK) {
      fail(len, status);
      return;
    }
    if (i + 1 == first) {
      begun = tile_now();
    }
  }
  const uint64_t cycles = tile_now() - begun;
  record_begin("queued");
  record_text("path", "engine");
  record_text("alg", kName);
  record_number("bytes", len);
  record_number("jobs", jobs - first);
  record_end((uint32_t)cycles);
}

static void software(uint32_t len) {
  static const uint8_t entropy[CRYPTILE_DRBG_MIN_SEED] = {1};
  cryptile_drbg_ctx_t ctx;
  uint64_t cycles = 0;
  cryptile_status_t status = cryptile_drbg_init(&ctx, entropy, sizeof(entropy), NULL, 0);
  for (unsigned run = 0; run < 2 && status == CRYPTILE_OK; run++) {
    const uint64_t begun = tile_now();
    for (uint32_t at = 0; at < len && status == CRYPTILE_OK; at += CRYPTILE_DRBG_MAX_REQUEST) {
      const uint32_t left = len - at;
      status = cryptile_drbg_generate(
          &ctx, kResult + at, left < CRYPTILE_DRBG_MAX_REQUEST ? left : CRYPTILE_DRBG_MAX_REQUEST,
          NULL, 0);
    }
    cycles = tile_now() - begun;
  }
  cryptile_drbg_wipe(&ctx);
  if (status != CRYPTILE_OK) {
    fail(len, status);
    return;
  }
  report("cycles", len, "software", cycles);
}

int main(void) {
  static bench_tile_params_t params;
  if (tile_app_params(&params, sizeof(params)) != sizeof(params) ||
      params.magic != BenchTileMagic || params.version != BenchTileVersion ||
      params.size_count > BenchTileMaxSizes) {
    return BenchTileExitBadBlob;
  }
  const bool jobs = (params.ways & (BenchTileSingle | BenchTileQueued)) != 0;
  if (tile_app_open_ring(&ring, 0, TileAppMaxRingLog2) != CRYPTILE_OK ||
      (jobs && cry_rbg_start(RbgStartLimit) != CRYPTILE_OK)) {
    cry_console_text("no random bits\n");
    return BenchTileExitFailed;
  }
  for (uint32_t i = 0; i < params.size_count; i++) {
    const uint32_t len = params.sizes[i];
    if (len == 0 || len > BenchTileMaxBytes) {
      return BenchTileExitBadBlob;
    }
    if ((params.ways & BenchTileSingle) != 0) {
      single(len);
    }
    if ((params.ways & BenchTileQueued) != 0) {
      queued(len);
    }
    if ((params.ways & BenchTileSoftware) != 0) {
      software(len);
    }
  }
  return failed ? BenchTileExitFailed : 0;
}
