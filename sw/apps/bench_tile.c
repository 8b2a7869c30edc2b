// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures the tile and the software library on the same core, and prints records (record.h). What
// to measure is in the parameter blob, see gen/bench_tile_params.h.
//
// A single job, all in clock cycles:
//   cycles     from the first instruction of the call to its return: describe, doorbell, wait, take
//              the result
//   doorbell   from the store of the doorbell to the completion record seen
//   tile       from the descriptor read to the job's end, as the tile counts it
//   setup      before the doorbell's store: preparing, describing, and making it visible
//   collect    taking the result
// The same as a job of a session (path "session"), made beforehand:
//   cycles     from the first instruction of the call to its return
//   setup      to the end of cry_tile_start_inline(), with the doorbell's store
//   tile       as above
// The same with a caller that uses each result (path "used", messages below LongBytes), so that the
// next job writes lines that are in the core's cache:
//   read       reading all of the message and the tag, behind the call
// Queued jobs of a session, submitted with a single doorbell: the cycles from the end of the first
// quarter of them to the last completion seen, and their number. Keys are in slots. Single jobs run
// with code and data in the caches; of messages from LongBytes on, where that does not show, there
// is one run. Figures are means of eight runs with different phases of polling; a poll takes some
// ten cycles. The AES modes in which a block waits for the one before, up to 4096 bytes, also on 1,
// 2 and 4 queues at once (path "queues"): the cycles from the first doorbell to the last
// completion, and the number of all jobs. Up to 1024 bytes the tile's answer is compared with the
// library's.
#include <string.h>

#include "cycles.h"
#include "gen/bench_tile_params.h"
#include "record.h"
#include "tile_app.h"
#include "tile_inline.h"
#include "tile_software.h"

enum { CyclesPerLook = 8, Looks = 8 };
enum {
  MaxCompared = 1024,
  Slot = 0,
  MaxJobs = 480,
  QueuedBytes = 128 << 10,
  LongBytes = 64 << 10,
  ShortBytes = 4096
};

// Places in memory, apart enough for the longest messages.
static uint8_t *const kSource = (uint8_t *)SOC_HEAP_BASE;
static uint8_t *const kResult = (uint8_t *)SOC_HEAP_BASE + 0x1000000;
static uint8_t *const kExpected = (uint8_t *)SOC_HEAP_BASE + 0x2000000;
static uint8_t *const kTag = (uint8_t *)SOC_HEAP_BASE + 0x3000000;
static uint8_t *const kExpectedTag = (uint8_t *)SOC_HEAP_BASE + 0x3001000;

static _Alignas(8) uint8_t key[TileMaxKey], iv[16];
static tile_scratch_t scratch;
static tile_ring_t ring;                       // of queue 0
static tile_ring_t others[TileAppQueues - 1];  // of the further ones
static bool failed;

static void fail(const tile_alg_t *alg, uint32_t len, const char *what, cryptile_status_t status) {
  failed = true;
  cry_console_text(alg->name);
  cry_console_text(" ");
  cry_console_decimal(len);
  cry_console_text(": ");
  cry_console_text(what);
  cry_console_decimal((uint32_t)-status);
  cry_console_text("\n");
}

static size_t iv_len(const tile_alg_t *alg) {
  switch (alg->family) {
    case TileCbc:
    case TileCtr:
    case TileXts:
    case TileStream:
    case TileAead16:
      return 16;
    case TileGcm:
    case TileCcm:
    case TileAead:
      return 12;
    default:
      return 0;
  }
}

static size_t key_len(const tile_alg_t *alg) {
  return alg->family == TileHmac || alg->family == TileKmac ? 32 : alg->key_bytes;
}

static tile_message_t message_of(const tile_alg_t *alg, uint32_t len) {
  return (tile_message_t){.key = key,
                          .key_len = key_len(alg),
                          .iv = iv,
                          .iv_len = iv_len(alg),
                          .in = kSource,
                          .out = kResult,
                          .len = len,
                          .tag = kTag,
                          .scratch = &scratch};
}

// Slots hold no keys that serve one message.
static bool by_slot(const tile_alg_t *alg) {
  return alg->key_bytes != 0 && alg->family != TileOneTime;
}

// Puts the key of an algorithm that has one into the slot.
static bool put_key(const tile_alg_t *alg) {
  const tile_slot_use_t use = {.opcode = alg->opcode,
                               .modes = (uint16_t)(1u << alg->mode),
                               .key_len = (uint8_t)key_len(alg),
                               .encrypt = true,
                               .decrypt = true,
                               .queues = 0xff};
  return !by_slot(alg) || cry_tile_slot_write(Slot, &use, key, key_len(alg)) == CRYPTILE_OK;
}

// A job with its key in the slot.
static cryptile_status_t job_of(const tile_alg_t *alg, const tile_message_t *message,
                                tile_job_t *job) {
  return by_slot(alg) ? cry_tile_prepare_by_slot(alg, message, Slot, 0, job)
                      : cry_tile_prepare(alg, message, job);
}

static void begin(const char *metric, const tile_alg_t *alg, uint32_t len, const char *path) {
  record_begin(metric);
  record_text("path", path);
  record_text("alg", alg->name);
  record_number("bytes", len);
}

static uint32_t looks_of(uint32_t len, unsigned jobs) {
  return jobs * (tile_app_limit(len) / CyclesPerLook);
}

// Opens a queue anew whose jobs are late. Kept out of line: inside the loops that are measured it
// costs cycles there.
static __attribute__((noinline, cold)) void reopen(tile_ring_t *late, unsigned queue) {
  if (tile_app_open_ring(late, queue, TileAppMaxRingLog2) != CRYPTILE_OK) {
    failed = true;
    cry_console_text("a queue does not open again\n");
  }
}

// Waits for so many results with nothing between the looks at the last one. If they do not come the
// queue is opened anew.
static bool ready(uint32_t looks, unsigned jobs) {
  while (!cry_tile_ready(&ring, jobs)) {
    if (looks-- == 0) {
      reopen(&ring, 0);
      return false;
    }
  }
  return true;
}

// The first of several runs fills the caches with code and data, and does not count.
static unsigned runs(uint32_t len) {
  return len <= ShortBytes ? 1 + Looks : len < LongBytes ? 2 : 1;
}

static bool counts(uint32_t len, unsigned run) {
  return run != 0 || runs(len) == 1;
}

// Looks at a record are some ten cycles apart: the runs, of which the mean is taken, begin with
// them at different times.
static void shift_looks(unsigned run) {
  for (unsigned i = 1; i < run; i++) {
    __asm__ volatile("nop");
  }
}

// The mean of the runs that count.
static uint64_t mean(uint64_t sum, uint32_t len) {
  unsigned count = runs(len) == 1 ? 1 : runs(len) - 1;
  return (sum + count / 2) / count;
}

static void report(const char *metric, const tile_alg_t *alg, uint32_t len, const char *path,
                   uint64_t value) {
  begin(metric, alg, len, path);
  record_end((uint32_t)value);
}

static void single(const tile_alg_t *alg, uint32_t len) {
  uint64_t setup = 0, doorbell = 0, collect = 0;
  uint32_t tile = 0, looks = looks_of(len, 1);
  for (unsigned run = 0; run < runs(len); run++) {
    uint64_t times[4];
    tile_result_t result;
    tile_message_t message = message_of(alg, len);
    tile_job_t job;
    tile_publish();  // what was stored before is not the job's
    times[0] = tile_now();
    cryptile_status_t status = job_of(alg, &message, &job);
    if (status == CRYPTILE_OK) {
      status = cry_tile_submit(&ring, &job, NULL);
    }
    if (status != CRYPTILE_OK) {
      fail(alg, len, "not submitted, status -", status);
      return;
    }
    tile_publish();
    times[1] = tile_now();
    cry_tile_notify(&ring);
    shift_looks(run);
    if (!ready(looks, 1)) {
      fail(alg, len, "late, status -", CRYPTILE_ERR_TIMEOUT);
      return;
    }
    times[2] = tile_now();
    (void)cry_tile_poll(&ring, &result);
    times[3] = tile_now();
    if (result.status != CRYPTILE_OK) {
      fail(alg, len, "status -", result.status);
      return;
    }
    if (counts(len, run)) {
      setup += times[1] - times[0];
      doorbell += times[2] - times[1];
      collect = times[3] - times[2];
      tile = result.cycles;
    }
  }
  setup = mean(setup, len);
  doorbell = mean(doorbell, len);
  report("cycles", alg, len, "engine", setup + doorbell + collect);
  report("setup", alg, len, "engine", setup);
  report("doorbell", alg, len, "engine", doorbell);
  report("collect", alg, len, "engine", collect);
  report("tile", alg, len, "engine", tile);
}

// A session, and what its first job brings.
static cryptile_status_t session_of(const tile_alg_t *alg, uint32_t len, tile_session_t *session,
                                    tile_place_t *place) {
  tile_message_t message = message_of(alg, len);
  tile_job_t job;
  cryptile_status_t status = job_of(alg, &message, &job);
  if (status != CRYPTILE_OK) {
    return status;
  }
  *place = (tile_place_t){.src = job.src,
                          .dst = job.dst,
                          .aad = job.aad,
                          .tag = job.tag,
                          .len = len,
                          .aad_len = job.aad_len};
  memcpy(place->iv, job.iv, sizeof(place->iv));
  return cry_tile_session(session, &job);
}

// Reads a result as its user does, so that the core's cache has all of it.
static __attribute__((noinline)) void use(const tile_alg_t *alg, uint32_t len) {
  const volatile uint64_t *result = (const volatile uint64_t *)kResult;
  const volatile uint64_t *tag = (const volatile uint64_t *)kTag;
  uint32_t words = cry_tile_makes_output(alg) ? len / 8 : 0, tag_words = alg->tag_bytes / 8u;
  for (uint32_t i = 0; i < words; i++) {
    (void)result[i];
  }
  for (uint32_t i = 0; i < tag_words; i++) {
    (void)tag[i];
  }
}

static void of_session(const tile_alg_t *alg, uint32_t len, bool used) {
  uint64_t setup = 0, call = 0, read = 0;
  uint32_t tile = 0, looks = looks_of(len, 1);
  tile_session_t session;
  tile_place_t place;
  cryptile_status_t status = session_of(alg, len, &session, &place);
  for (unsigned run = 0; run < runs(len) && status == CRYPTILE_OK; run++) {
    uint64_t times[4];
    tile_result_t result;
    tile_publish();
    times[0] = tile_now();
    tile_place_t now = place;  // what a caller writes for each job
    status = cry_tile_start_inline(&ring, &session, &now);
    times[1] = tile_now();
    shift_looks(run);
    if (status == CRYPTILE_OK) {
      if (ready(looks, 1) && cry_tile_poll_inline(&ring, &result)) {
        status = result.status;
        tile = result.cycles;
      } else {
        status = CRYPTILE_ERR_TIMEOUT;
      }
    }
    times[2] = tile_now();
    if (used) {
      use(alg, len);
    }
    times[3] = tile_now();
    if (counts(len, run)) {
      setup += times[1] - times[0];
      call += times[2] - times[0];
      read += times[3] - times[2];
    }
  }
  if (status != CRYPTILE_OK) {
    fail(alg, len, "session, status -", status);
    return;
  }
  const char *path = used ? "used" : "session";
  report("cycles", alg, len, path, mean(call, len));
  report("setup", alg, len, path, mean(setup, len));
  report("tile", alg, len, path, tile);
  if (used) {
    report("read", alg, len, path, mean(read, len));
  }
}

// About as many as the ring takes, so that the jobs read ahead do not show; for long messages two.
static unsigned jobs_of(const tile_alg_t *alg, uint32_t len) {
  // With its key by pointer a job takes two entries.
  unsigned jobs = QueuedBytes / len, most = MaxJobs / (alg->family == TileOneTime ? 2 : 1);
  return jobs < 2 ? 2 : jobs > most ? most : jobs;
}

static void queued(const tile_alg_t *alg, uint32_t len) {
  unsigned jobs = jobs_of(alg, len), first = (jobs + 2) / 4;
  uint32_t looks = looks_of(len, jobs);
  tile_session_t session;
  tile_place_t place;
  cryptile_status_t status = session_of(alg, len, &session, &place);
  for (unsigned i = 0; i < jobs && status == CRYPTILE_OK; i++) {
    status = cry_tile_session_submit(&ring, &session, &place, NULL);
    place.src += len;
    place.dst += cry_tile_makes_output(alg) ? len : 0;
  }
  if (status != CRYPTILE_OK) {
    fail(alg, len, "not submitted, status -", status);
    return;
  }
  // While the pipes fill is not what a job costs among others.
  unsigned times = jobs >= 8 * Looks ? Looks : 1, apart = jobs / 4 / Looks;
  uint64_t cycles = 0;
  bool in_time = true;
  cry_tile_notify(&ring);
  for (unsigned i = 0; i < times; i++) {
    in_time = in_time && ready(looks, first + i * apart);
    cycles -= tile_now();
  }
  for (unsigned i = 0; i < times; i++) {
    in_time = in_time && ready(looks, jobs - (times - 1 - i) * apart);
    cycles += tile_now();
  }
  if (!in_time) {
    fail(alg, len, "late, status -", CRYPTILE_ERR_TIMEOUT);
    return;
  }
  for (tile_result_t result; cry_tile_poll(&ring, &result);) {
    if (result.status != CRYPTILE_OK) {
      fail(alg, len, "status -", result.status);
    }
  }
  begin("queued", alg, len, "engine");
  record_number("jobs", times * (jobs - first - (times - 1) * apart));
  record_end((uint32_t)cycles);
}

static tile_ring_t *ring_of(unsigned queue) {
  return queue == 0 ? &ring : &others[queue - 1];
}

static bool is_serial(const tile_alg_t *alg) {
  return alg->family == TileCbc || alg->family == TileCmac || alg->family == TileCcm;
}

// The same jobs on so many queues. All write the same there.
static void on_queues(const tile_alg_t *alg, uint32_t len, unsigned queues) {
  unsigned jobs = jobs_of(alg, len) / TileAppQueues;
  uint32_t looks = looks_of(len, jobs * queues);
  tile_session_t session;
  tile_place_t place;
  cryptile_status_t status = session_of(alg, len, &session, &place);
  for (unsigned i = 0; i < jobs * queues && status == CRYPTILE_OK; i++) {
    status = cry_tile_session_submit(ring_of(i % queues), &session, &place, NULL);
  }
  if (status != CRYPTILE_OK) {
    fail(alg, len, "not submitted, status -", status);
    return;
  }
  tile_publish();
  uint64_t cycles = tile_now();
  for (unsigned queue = 0; queue < queues; queue++) {
    cry_tile_notify(ring_of(queue));
  }
  for (unsigned queue = 0; queue < queues; queue++) {
    while (!cry_tile_ready(ring_of(queue), jobs)) {
      if (looks-- == 0) {
        fail(alg, len, "late, status -", CRYPTILE_ERR_TIMEOUT);
        reopen(ring_of(queue), queue);
        return;
      }
    }
  }
  cycles = tile_now() - cycles;
  for (unsigned queue = 0; queue < queues; queue++) {
    for (tile_result_t result; cry_tile_poll(ring_of(queue), &result);) {
      if (result.status != CRYPTILE_OK) {
        fail(alg, len, "status -", result.status);
      }
    }
  }
  begin("queued", alg, len, "queues");
  record_number("queues", queues);
  record_number("jobs", jobs * queues);
  record_end((uint32_t)cycles);
}

static void software(const tile_alg_t *alg, uint32_t len) {
  tile_message_t message = message_of(alg, len);
  uint64_t cycles = 0;
  message.out = kExpected;
  message.tag = kExpectedTag;
  for (int run = 0; run < (len < MaxCompared ? 2 : 1); run++) {
    uint64_t start = tile_now();
    cryptile_status_t status = tile_software(alg, &message);
    cycles = tile_now() - start;
    if (status != CRYPTILE_OK) {
      fail(alg, len, "software, status -", status);
      return;
    }
  }
  report("cycles", alg, len, "software", cycles);
}

// The tile once more, and both answers side by side.
static void compare(const tile_alg_t *alg, uint32_t len) {
  tile_message_t message = message_of(alg, len);
  tile_job_t job;
  memset(kResult, 0xa5, len);
  memset(kTag, 0xa5, sizeof(key));
  cryptile_status_t status = job_of(alg, &message, &job);
  if (status == CRYPTILE_OK) {
    status = cry_tile_run(&ring, &job, tile_app_limit(len));
  }
  if (status != CRYPTILE_OK ||
      (cry_tile_makes_output(alg) && memcmp(kResult, kExpected, len) != 0) ||
      memcmp(kTag, kExpectedTag, alg->tag_bytes) != 0) {
    fail(alg, len, "not the library's answer, status -", status);
  }
}

static void measure(const tile_alg_t *alg, uint32_t len, uint32_t ways) {
  if ((alg->family == TileXts && len < 16) ||
      ((alg->family == TileEcb || alg->family == TileCbc) && len % 16 != 0)) {
    return;
  }
  if ((ways & BenchTileSingle) != 0) {
    single(alg, len);
    of_session(alg, len, false);
    if (len < LongBytes) {
      of_session(alg, len, true);
    }
  }
  if ((ways & BenchTileQueued) != 0) {
    queued(alg, len);
    for (unsigned queues = 1; queues <= TileAppQueues && is_serial(alg) && len <= ShortBytes;
         queues *= 2) {
      on_queues(alg, len, queues);
    }
  }
  if ((ways & BenchTileSoftware) != 0 && tile_software_has(alg)) {
    software(alg, len);
    if (len <= MaxCompared) {
      compare(alg, len);
    }
  }
}

static bool open_all(void) {
  for (unsigned queue = 0; queue < TileAppQueues; queue++) {
    if (tile_app_open_ring(ring_of(queue), queue, TileAppMaxRingLog2) != CRYPTILE_OK) {
      return false;
    }
  }
  return true;
}

static bool valid(const bench_tile_params_t *params, size_t len) {
  if (len != sizeof(*params) || params->magic != BenchTileMagic ||
      params->version != BenchTileVersion || params->alg_count > BenchTileMaxAlgs ||
      params->size_count > BenchTileMaxSizes) {
    return false;
  }
  for (uint32_t i = 0; i < params->size_count; i++) {
    if (params->sizes[i] == 0 || params->sizes[i] > BenchTileMaxBytes) {
      return false;
    }
  }
  for (uint32_t i = 0; i < params->alg_count; i++) {
    if (params->algs[i][sizeof(params->algs[i]) - 1] != 0 ||
        cry_tile_alg(params->algs[i]) == NULL) {
      return false;
    }
  }
  return true;
}

int main(void) {
  static bench_tile_params_t params;
  if (!valid(&params, tile_app_params(&params, sizeof(params)))) {
    return BenchTileExitBadBlob;
  }
  for (unsigned i = 0; i < sizeof(key); i++) {
    key[i] = (uint8_t)(i * 17 + 1);
  }
  for (unsigned i = 0; i < MaxCompared; i++) {
    kSource[i] = (uint8_t)(i * 7);
  }
  if (!open_all()) {
    cry_console_text("no tile\n");
    return BenchTileExitFailed;
  }
  for (uint32_t i = 0; i < params.alg_count; i++) {
    if (!put_key(cry_tile_alg(params.algs[i]))) {
      cry_console_text("no key slot\n");
      return BenchTileExitFailed;
    }
    for (uint32_t j = 0; j < params.size_count; j++) {
      measure(cry_tile_alg(params.algs[i]), params.sizes[j], params.ways);
    }
  }
  return failed ? BenchTileExitFailed : 0;
}
