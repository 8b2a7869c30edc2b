// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Times jobs of a process that has a hardware queue of its own: `cryptile bench linux`.
//
//   ring_cycles ALGORITHM IV_BYTES [BYTES ROUNDS]...
//
// Data are in the ring's memory, in place; the key is in a slot, and all that stays the same is
// described beforehand, once. Polled, never asleep, and not for ever. Prints lines for
// cryptile.bench.console:
//   path ring          one job: from the first instruction of its call to its result taken
//   path ring-used     the same, and all of the output and the tag are read behind it
//   path ring-batch    32 jobs, each with its own IV: four are written into the ring and submitted
//                      with a store to the doorbell register, then the others; until all results
//                      are taken
//   path ring-stream   128 jobs: a batch is written while the tile is at work on the one before
//   path ring-pointer  one job, its key by pointer (of algorithms with a key)
#include <stdbool.h>
#include <string.h>

#include "counters.h"
#include "cry_ring.h"
#include "tile_inline.h"

enum {
  First = 4,
  Batch = 32,
  Stream = 4 * Batch,
  StreamsOf = 4,  // a stream is measured once for so many rounds: it is long
  RingLog2 = 7,
  Margin = 4096,
  KeyBytes = 64,
  TagBytes = 64,
  MostIv = 16
};

enum { MostLooks = 1 << 16 };  // at a record: many times what the longest job takes

static cry_ring_t ring;
static const tile_alg_t *alg;
static const char *name;
static tile_session_t session, by_pointer;
static tile_place_t place;
static uint64_t iv_step;  // from job to job of a batch; none where there is no IV
static const uint8_t *output, *tag;
static size_t output_len, tag_len;

// Compiled into each caller, where what it is given is in registers or known.
#define INTO_CALLER static inline __attribute__((always_inline))

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_cycles: %s\n", what);
    exit(2);
  }
}

static void prepare(size_t bytes, size_t iv_bytes) {
  uint8_t *data = cry_ring_take(&ring, bytes), *key = cry_ring_take(&ring, KeyBytes);
  uint8_t *made = cry_ring_take(&ring, TagBytes);
  tile_scratch_t *scratch = cry_ring_take(&ring, sizeof(*scratch));
  need(data != NULL && key != NULL && made != NULL && scratch != NULL, "no memory");
  memset(data, 1, bytes);
  memset(key, 2, KeyBytes);
  key[KeyBytes - 1] = 3;  // the halves of a key of XTS must differ
  key[31] = 4;
  uint8_t *iv = cry_ring_take(&ring, MostIv);
  need(iv != NULL, "no memory");
  iv[0] = 5;
  tile_message_t message = {.key = alg->key_bytes != 0 ? key : NULL,
                            .key_len = alg->key_bytes,
                            .iv = iv_bytes != 0 ? iv : NULL,
                            .iv_len = iv_bytes,
                            .in = data,
                            .len = bytes,
                            .out = cry_tile_makes_output(alg) ? data : NULL,
                            .tag = alg->tag_bytes != 0 ? made : NULL,
                            .tag_len = alg->tag_bytes,
                            .scratch = scratch};
  tile_job_t job;
  need(cry_ring_prepare(&ring, alg, &message, &job) == CRYPTILE_OK, "no such job");
  need(cry_tile_session(&by_pointer, &job) == CRYPTILE_OK, "no session");
  if (alg->key_bytes != 0) {
    cry_ring_key_t wanted = {.alg = alg,
                             .key = key,
                             .key_len = alg->key_bytes,
                             .encrypt = true,
                             .decrypt = cry_tile_makes_output(alg)};
    cry_ring_slot_t slot;
    need(cry_ring_load_key(&ring, &wanted, &slot) == CRYPTILE_OK, "no key slot");
    need(cry_ring_prepare_by_slot(&ring, alg, &message, slot, &job) == CRYPTILE_OK, "no such job");
  }
  place = (tile_place_t){
      .src = job.src, .dst = job.dst, .aad = job.aad, .tag = job.tag, .len = job.len};
  memcpy(place.iv, job.iv, sizeof(place.iv));
  iv_step = iv_bytes != 0;
  need(cry_tile_session(&session, &job) == CRYPTILE_OK, "no session");
  output = data;
  output_len = message.out != NULL ? bytes : 0;
  tag = made;
  tag_len = alg->tag_bytes;
}

// Waits for the only job, and takes its result.
INTO_CALLER void take(void) {
  need(cry_tile_take_good_inline(&ring.queue, MostLooks), "a job failed, or does not end");
}

// Reads by 16 bytes, a line of the cache, into registers of their own: a load into the register of
// the one before would wait for it.
INTO_CALLER void use(const uint8_t *from, const uint8_t *end) {
  for (; from < end; from += 16) {
    const volatile uint64_t *word = (const volatile uint64_t *)from;
    uint64_t a = word[0], b = word[1];
    __asm__ volatile("" : : "r"(a), "r"(b));
  }
}

INTO_CALLER void one(const tile_session_t *of, bool used) {
  // At hand, as its caller has it.
  const uint8_t *made = output, *made_end = output + output_len;
  const uint8_t *code = tag, *code_end = tag + tag_len;
  need(cry_tile_start_inline(&ring.queue, of, &place) == CRYPTILE_OK, "not started");
  take();
  if (used) {
    use(made, made_end);
    use(code, code_end);
  }
}

INTO_CALLER void tell_next(tile_ring_t *queue, const tile_session_t *same, tile_place_t *now) {
  now->iv[0] += iv_step;
  cry_tile_append_inline(queue, same, now);
}

// The first ones are submitted by themselves: a tile that is idle is at work while the others are
// written.
INTO_CALLER void tell_batch(tile_ring_t *queue, const tile_session_t *same, tile_place_t *now) {
  need(cry_tile_has_room_for(queue, same, Batch), "no room");
#pragma GCC unroll 4
  for (unsigned i = 0; i < First; i++) {
    tell_next(queue, same, now);
  }
  cry_tile_notify_inline(queue);
  for (unsigned i = First; i < Batch; i++) {
    tell_next(queue, same, now);
  }
  cry_tile_notify_inline(queue);
}

INTO_CALLER void take_batch(tile_ring_t *queue) {
  unsigned looks = 0;
  for (unsigned left = Batch; left != 0; looks++) {
    left -= cry_tile_poll_good_inline(queue, left);
    need(looks != MostLooks, "a job failed, or does not end");
  }
}

// Copies, so that what stays the same from job to job is in registers.
INTO_CALLER void batches(unsigned jobs) {
  tile_ring_t queue = ring.queue;
  tile_session_t same = session;
  tile_place_t now = place;
  tell_batch(&queue, &same, &now);
  for (unsigned told = Batch; told != jobs; told += Batch) {
    tell_batch(&queue, &same, &now);
    take_batch(&queue);
  }
  take_batch(&queue);
  ring.queue = queue;
}

static void many(void) {
  batches(Batch);
}

static void stream(void) {
  batches(Stream);
}

static void alone(void) {
  one(&session, false);
}

static void alone_used(void) {
  one(&session, true);
}

static void alone_by_pointer(void) {
  one(&by_pointer, false);
}

static void measure(const char *path, void (*call)(void), unsigned batch, size_t bytes,
                    unsigned rounds) {
  static counters_t took[MostRounds];
  call();  // caches, TLBs, and pages that were never touched
  for (unsigned i = 0; i < rounds; i++) {
    counters_t begin = counters_now();
    call();
    took[i] = counters_since(begin);
  }
  counters_tell(path, name, bytes, batch, took, rounds);
}

static void measure_all(size_t bytes, size_t iv_bytes, unsigned rounds) {
  cry_ring_config_t config = {.ring_log2 = RingLog2,
                              .arena_bytes = bytes + Margin,
                              .max_bytes = (uint32_t)(bytes > TagBytes ? bytes : TagBytes),
                              .exclusive = true};
  need(cry_ring_open(&ring, &config) == CRYPTILE_OK, "no ring");
  prepare(bytes, iv_bytes);
  measure("ring", alone, 1, bytes, rounds);
  measure("ring-used", alone_used, 1, bytes, rounds);
  measure("ring-batch", many, Batch, bytes, rounds);
  measure("ring-stream", stream, Stream, bytes, (rounds + StreamsOf - 1) / StreamsOf);
  if (alg->key_bytes != 0) {
    measure("ring-pointer", alone_by_pointer, 1, bytes, rounds);
  }
  cry_ring_close(&ring);
}

int main(int count, char **words) {
  need(count >= 5 && count % 2 == 1, "usage: ring_cycles ALGORITHM IV_BYTES [BYTES ROUNDS]...");
  name = words[1];
  size_t iv_bytes = strtoul(words[2], NULL, 0);
  alg = cry_tile_alg(name);
  need(alg != NULL && iv_bytes <= MostIv, "no such algorithm");
  for (int i = 3; i < count; i += 2) {
    size_t bytes = strtoul(words[i], NULL, 0);
    unsigned rounds = (unsigned)strtoul(words[i + 1], NULL, 0);
    need(bytes != 0 && rounds != 0 && rounds <= MostRounds, "no such number");
    measure_all(bytes, iv_bytes, rounds);
    fflush(stdout);
  }
  return 0;
}
