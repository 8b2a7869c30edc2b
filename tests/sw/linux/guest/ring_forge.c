// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A process that writes what it likes into its queue: addresses, contexts, keys, doorbells. Prints
// a line for each attempt, `name: status` of the tile (tile_catalog.h; none: no record came), and
// at the end whether the memory of another ring is as it was, and its own still works.
//
//   ring_forge SEED
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cry_ring.h"
#include "gen/tile_regs.h"
#include "tile_io.h"

enum { RingLog2 = 4, Entries = 1 << RingLog2, ArenaBytes = 1 << 15, Bytes = 64, Pattern = 0xa5 };
enum { Soon = 20000, OneSecond = 1000000000, RandomJobs = 96 };
static const uint64_t KernelText = 0x80200000, KeySlots = 0x11001000;

static cry_ring_t ring, other;
static uint8_t *from, *to, *extra;

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_forge: %s\n", what);
    exit(2);
  }
}

static uint64_t at(const void *memory) {
  return cry_ring_address(&ring, memory);
}

static uint64_t end(void) {
  return at(ring.arena[0].memory) + ring.arena[0].bytes;
}

static void bell(uint16_t tail) {
  tile_publish();
  tile_write(ring.queue.page + offsetof(tile_page__stride1000_t, DOORBELL), tail);
}

static uint32_t queue_status(void) {
  return tile_read(ring.queue.page + offsetof(tile_page__stride1000_t, STATUS));
}

static void show(const char *name, const tile_job_t *job) {
  uint16_t index;
  tile_result_t result;
  need(cry_ring_restart(&ring) == CRYPTILE_OK, "restart");
  need(cry_ring_submit(&ring, job, &index) == CRYPTILE_OK, name);
  need(cry_ring_notify(&ring) == CRYPTILE_OK, "notify");
  need(cry_tile_wait(&ring.queue, OneSecond, &result) != CRYPTILE_ERR_TIMEOUT, name);
  printf("%s: %u\n", name, result.code);
}

static tile_job_t copying(void) {
  return (tile_job_t){.opcode = TileCopy,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot,
                      .src = at(from),
                      .dst = at(to),
                      .len = Bytes};
}

// Of the first AEAD: its nonce may have any length.
static tile_job_t sealing(void) {
  unsigned count;
  const tile_alg_t *alg = cry_tile_algs(&count);
  while (alg->tag_bytes == 0 || !cry_tile_makes_output(alg)) {
    alg++;
  }
  tile_job_t job = copying();
  job.opcode = alg->opcode;
  job.mode = alg->mode;
  job.key = at(extra);
  job.tag = at(extra + Bytes);
  return job;
}

#define SHOW(name, job, ...) \
  do {                       \
    tile_job_t forged = job; \
    forged.__VA_ARGS__;      \
    show(name, &forged);     \
  } while (0)

static void addresses(void) {
  SHOW("as it should be", copying(), len = Bytes);
  SHOW("source is the kernel", copying(), src = KernelText);
  SHOW("source is the key slots", copying(), src = KeySlots);
  SHOW("source in window 1", copying(), src = 1ull << 54);
  SHOW("source in window 3", copying(), src = 3ull << 54);
  SHOW("source behind the end", copying(), src = end());
  SHOW("source across the end", copying(), src = end() - Bytes / 2);
  SHOW("source wraps", copying(), src = (1ull << 54) - Bytes / 2);
  SHOW("destination is the kernel", copying(), dst = KernelText);
  SHOW("destination behind the end", copying(), dst = end());
  SHOW("sealed as it should be", sealing(), len = Bytes);
  SHOW("key is the kernel", sealing(), key = KernelText);
  SHOW("tag behind the end", sealing(), tag = end());
  SHOW("long IV is the kernel", sealing(), long_iv = KernelText, forged.iv_len = 64);
  SHOW("associated data is the kernel", sealing(), aad = KernelText, forged.aad_len = Bytes);
  SHOW("context is saved behind the end", sealing(), context = end(), forged.ctx_save = true,
       forged.more = true);
  SHOW("context is the kernel", sealing(), context = KernelText, forged.ctx_load = true);
  SHOW("list is the kernel", copying(), src = KernelText, forged.src_list = true);
  tile_piece_t *list = (tile_piece_t *)extra;
  list[0] = (tile_piece_t){.address = at(from), .len = Bytes / 2};
  list[1] = (tile_piece_t){.address = KernelText, .len = Bytes / 2, .flags = TilePieceLast};
  SHOW("list names the kernel", copying(), src = at(list), forged.src_list = true);
  SHOW("list of places in the kernel", copying(), dst = at(list), forged.dst_list = true);
  memset(extra, 0, 4 * Bytes);
  SHOW("list without end", copying(), src = at(extra), forged.src_list = true);
}

static void rights(void) {
  SHOW("key slot 0", sealing(), key = 0, forged.slot = 0);
  SHOW("key into slot 0", sealing(), decrypt = true, forged.unwrap_slot = 0);
  SHOW("token of slot 0", sealing(), token = true, forged.slot = 0);
  SHOW("no such engine", copying(), opcode = 15);
  SHOW("longer than MAX_BYTES", copying(), len = ring.max_bytes + 1);
}

static bool record_comes(void) {
  uint64_t start = tile_now();
  while (tile_now() - start < Soon) {
    if (cry_tile_ready(&ring.queue, 1)) {
      return true;
    }
  }
  return false;
}

// A job that is written, but not what it needs.
static void half_a_job(void) {
  tile_job_t job = sealing();
  need(cry_ring_restart(&ring) == CRYPTILE_OK, "restart");
  need(cry_ring_submit(&ring, &job, NULL) == CRYPTILE_OK, "half a job");
  bell(1);
  printf("half a job: %s\n", record_comes() ? "a record" : "none");
}

static void doorbells(void) {
  static const struct {
    const char *name;
    uint16_t first, second;
  } kBells[] = {{"doorbell over the ring's size", Entries + 1, Entries + 1},
                {"doorbell far over it", 0xffff, 0x8000},
                {"doorbell backward", 2, 1}};
  for (unsigned i = 0; i < sizeof(kBells) / sizeof(kBells[0]); i++) {
    need(cry_ring_restart(&ring) == CRYPTILE_OK, "restart");
    memset(ring.queue.entries, 0, Entries * sizeof(tile_entry_t));  // NOP
    bell(kBells[i].first);
    bell(kBells[i].second);
    bool refused = (queue_status() & TILE_PAGE__STATUS__DOORBELL_bm) != 0;
    printf("%s: %s\n", kBells[i].name, refused ? "refused" : "taken");
  }
}

// Entries of random bits, near what is right: opcodes and windows that exist.
static void noise(void) {
  need(cry_ring_restart(&ring) == CRYPTILE_OK, "restart");
  for (unsigned job = 0; job < RandomJobs; job++) {
    tile_entry_t *entry = &ring.queue.entries[job % Entries];
    for (unsigned word = 0; word < 8; word++) {
      uint64_t bits = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^ (uint64_t)random();
      bool address = word == 1 || word == 2 || word >= 6;
      entry->w[word] =
          address ? bits & ((3ull << 54) | (random() & 1 ? 0xffff : 0x8fffffff)) : bits;
    }
    entry->w[0] = (entry->w[0] & ~0xf8ull) | (random() & 7);
    entry->w[3] = (uint64_t)(random() & 511) << 32 | (random() & 511);
    if (job % Entries == Entries - 1) {
      bell((uint16_t)(job + 1));
      record_comes();
      need(cry_ring_restart(&ring) == CRYPTILE_OK, "restart");
    }
  }
}

int main(int count, char **words) {
  cry_ring_config_t config = {.ring_log2 = RingLog2, .arena_bytes = ArenaBytes, .exclusive = true};
  srandom(count == 2 ? (unsigned)atoi(words[1]) : 1);
  need(cry_ring_open(&other, &config) == CRYPTILE_OK, "no ring");
  size_t len = other.arena[0].bytes;
  memset(other.arena[0].memory, Pattern, len);
  need(cry_ring_open(&ring, &config) == CRYPTILE_OK, "no second ring");
  from = cry_ring_take(&ring, Bytes);
  to = cry_ring_take(&ring, Bytes);
  extra = cry_ring_take(&ring, 16 * Bytes);
  addresses();
  rights();
  half_a_job();
  doorbells();
  noise();
  size_t same = 0;
  while (same < len && other.arena[0].memory[same] == Pattern) {
    same++;
  }
  printf("the other's memory: %s\n", same == len ? "untouched" : "changed");
  memset(from, 1, Bytes);
  SHOW("works again", copying(), len = Bytes);
  printf("copied: %s\n", memcmp(from, to, Bytes) == 0 ? "yes" : "no");
  return 0;
}
