// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "device.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

enum { RingLog2 = 4, OneSecond = 1000000000, AskAgain = 1024 };

// Bytes that the tile counts each piece of a process' list as, at least (PIECE); the shortest
// message for which a list is better than a copy; most bytes that are dropped in front of output.
enum { Piece = 64, LeastListed = 256, MostDropped = 16 };

// All that a job reads and writes.
typedef struct {
  _Alignas(64) uint8_t key[TileMaxKey];
  uint8_t iv[TileMaxIv + 1];
  _Alignas(64) uint8_t context[TileContextBytes];
  _Alignas(64) uint8_t tag[TileMaxTag];
  _Alignas(16) tile_piece_t in_list[2];
  tile_piece_t out_list[2];
  uint8_t dropped[MostDropped];
  _Alignas(64) uint8_t aad[DeviceAad];
  _Alignas(64) uint8_t message[DeviceMessage];
} arena_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;
static device_config_t config;
static char path[DevicePath];  // of it
static cry_ring_t ring = {.file = -1};
static arena_t *arena;  // null: there is no ring
static bool stopped;    // the ring takes no jobs, but programs have memory of it
static bool lent;       // it was asked for memory for programs, once
static unsigned waits;  // jobs until the ring is asked for again
static device_counts_t counts;

// Jobs that are under way are aborted.
static void give_up(void) {
  if (memory_take_back()) {
    cry_ring_close(&ring);
    arena = NULL;
    stopped = lent = false;
  } else {
    cryptile_status_t aborted = cry_ring_restart(&ring);
    (void)aborted;  // it is restarted once more before the next job
    stopped = true;
  }
  waits = AskAgain;
}

// No sum of these overflows.
static bool fits(const work_t *work) {
  return work->key_len <= TileMaxKey && work->iv_len <= TileMaxIv && work->aad_len <= DeviceAad &&
         work->tag_len <= TileMaxTag && work->head_len <= DeviceMessage &&
         work->fill <= DeviceMessage && work->len <= DeviceMessage &&
         work->head_len + work->len + work->fill <= DeviceMessage;
}

static void before_fork(void) {
  pthread_mutex_lock(&lock);
  memory_before_fork();
}

static void in_parent(void) {
  memory_in_parent();
  pthread_mutex_unlock(&lock);
}

// The ring's memory is not there; its file is, and would keep the parent's queue.
static void in_child(void) {
  memory_in_child();
  cry_ring_forked(&ring);
  arena = NULL;
  stopped = lent = false;
  waits = 0;
  pthread_mutex_unlock(&lock);
}

// Early: so before other handlers in a child, and behind them in the parent, which may use memory.
__attribute__((constructor)) static void watch_forks(void) {
  (void)pthread_atfork(before_fork, in_parent, in_child);
}

void device_attach(const device_config_t *wanted) {
  pthread_mutex_lock(&lock);
  if (users++ == 0) {
    config = *wanted;
    if (wanted->path != NULL) {
      (void)snprintf(path, sizeof(path), "%s", wanted->path);
      config.path = path;
    }
    waits = 0;
  }
  pthread_mutex_unlock(&lock);
}

void device_detach(void) {
  pthread_mutex_lock(&lock);
  if (--users == 0) {
    give_up();
    config = (device_config_t){0};
  }
  pthread_mutex_unlock(&lock);
}

// Opens the ring if it is not, and tells whether it is.
static bool is_open(void) {
  if (arena != NULL && !stopped) {
    return true;
  }
  if (waits != 0) {
    waits--;
    return false;
  }
  if (stopped) {
    stopped = cry_ring_restart(&ring) != CRYPTILE_OK;
    if (stopped) {
      give_up();  // closes it, if programs have no memory of it any more
    }
    return !stopped && arena != NULL;
  }
  cry_ring_config_t wanted = {.path = config.path,
                              .ring_log2 = RingLog2,
                              .arena_bytes = sizeof(arena_t),
                              .exclusive = !config.shared};
  if (cry_ring_open(&ring, &wanted) == CRYPTILE_OK) {
    arena = cry_ring_take(&ring, sizeof(arena_t));
  }
  if (arena == NULL) {
    give_up();
  }
  return arena != NULL;
}

size_t device_room(size_t block) {
  pthread_mutex_lock(&lock);
  bool open = is_open();
  size_t room = !open ? 0 : ring.max_bytes < DeviceMessage ? ring.max_bytes : DeviceMessage;
  counts.refused += !open;
  pthread_mutex_unlock(&lock);
  return room - room % block;
}

static void copy(uint8_t *to, const uint8_t *from, size_t len) {
  if (len != 0) {
    memcpy(to, from, len);
  }
}

// Where a job's message is read and written, and what is described by a list.
typedef struct {
  bool in, out;            // in the window: is not copied
  bool in_list, out_list;  // behind what comes in front of it
} way_t;

// A message that begins with other bytes is a list; one that is longer by fill is copied, as it is
// short. Where input and output overlap otherwise than in place all input is read first.
static way_t choose(const work_t *work) {
  uintptr_t in = (uintptr_t)work->in, out = (uintptr_t)work->out;
  bool overlap = work->out != NULL && in != out && in < out + work->len && out < in + work->len;
  bool listed = work->head_len != 0;
  bool fitting = work->fill == 0 &&
                 (!listed || (work->len >= LeastListed && work->len + 2 * Piece <= ring.max_bytes));
  way_t way = {0};
  if (fitting && !overlap) {
    way.in = memory_holds(work->in, work->len);
    way.out = memory_holds(work->out, work->len) && work->head_len <= MostDropped;
    way.in_list = way.in && listed;
    way.out_list = way.out && listed;
  }
  return way;
}

static uint64_t list(tile_piece_t pieces[2], const uint8_t *head, size_t head_len,
                     const uint8_t *rest, size_t rest_len) {
  pieces[0] = (tile_piece_t){.address = cry_ring_address(&ring, head), .len = (uint32_t)head_len};
  pieces[1] = (tile_piece_t){
      .address = cry_ring_address(&ring, rest), .len = (uint32_t)rest_len, .flags = TilePieceLast};
  return cry_ring_address(&ring, pieces);
}

static cryptile_status_t run(const work_t *work, way_t way) {
  size_t head = work->head_len, len = head + work->len + work->fill;
  tile_message_t message = {.decrypt = work->decrypt,
                            .key = work->key != NULL ? arena->key : NULL,
                            .key_len = work->key_len,
                            .iv = arena->iv,
                            .iv_len = work->iv_len,
                            .aad = arena->aad,
                            .aad_len = work->aad_len,
                            .in = way.in && !way.in_list ? work->in : arena->message,
                            .out = way.out && !way.out_list ? work->out : arena->message,
                            .len = len,
                            .total = work->total,
                            .tag = arena->tag,
                            .tag_len = work->tag_len};
  tile_job_t job;
  copy(arena->key, work->key, work->key_len);
  copy(arena->iv, work->iv, work->iv_len);
  copy(arena->aad, work->aad, work->aad_len);
  copy(arena->message, work->head, head);
  if (!way.in) {
    copy(arena->message + head, work->in, work->len);
    memset(arena->message + head + work->len, 0, work->fill);
  }
  if (work->decrypt) {
    copy(arena->tag, work->tag, work->tag != NULL ? work->tag_len : 0);
  }
  cryptile_status_t status = cry_ring_prepare(&ring, work->alg, &message, &job);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (way.in_list) {
    job.src_list = true;
    job.src = list(arena->in_list, arena->message, head, work->in, work->len);
  }
  if (way.out_list) {
    job.dst_list = true;
    job.dst = list(arena->out_list, arena->dropped, head, work->out, work->len);
  }
  job.ctx_load = work->load;
  job.ctx_save = job.more = work->save != NULL;
  if (work->load || work->save != NULL) {
    job.context = cry_ring_address(&ring, arena->context);
  }
  if (work->load) {
    copy(arena->context, work->context, TileContextBytes);
  }
  if (job.more) {
    job.tag = 0;  // its length stays: CCM begins with it
  }
  tile_result_t result = {0};
  status = cry_ring_submit(&ring, &job, NULL);
  if (status == CRYPTILE_OK) {
    status = cry_ring_notify(&ring);
  }
  if (status == CRYPTILE_OK) {
    status = cry_tile_wait(&ring.queue, OneSecond, &result);
  }
  counts.cycles += result.cycles;
  return status;
}

// Takes what a job has made out of the arena.
static void collect(const work_t *work, way_t way) {
  bool back = work->out != NULL && !way.out;
  counts.jobs++;
  counts.bytes += work->len;
  counts.copied += (way.in ? 0 : work->len) + (back ? work->len : 0);
  copy(work->out, arena->message + work->head_len, back ? work->len : 0);
  copy(work->save, arena->context, work->save != NULL ? TileContextBytes : 0);
  if (work->tag != NULL && !work->decrypt) {
    copy(work->tag, arena->tag, work->tag_len);
  }
}

cryptile_status_t device_work(work_t *work) {
  if (!fits(work)) {
    return CRYPTILE_ERR_LENGTH;
  }
  pthread_mutex_lock(&lock);
  if (!is_open()) {
    counts.refused++;
    pthread_mutex_unlock(&lock);
    return CRYPTILE_ERR_BUSY;
  }
  way_t way = choose(work);
  cryptile_status_t status = run(work, way);
  if (status == CRYPTILE_OK) {
    collect(work, way);
  } else {
    counts.failed += status != CRYPTILE_ERR_AUTH;
  }
  OPENSSL_cleanse(arena->key, work->key_len);
  OPENSSL_cleanse(arena->dropped, sizeof(arena->dropped));
  if (work->load || work->save != NULL) {
    OPENSSL_cleanse(arena->context, TileContextBytes);
  }
  if (status == CRYPTILE_ERR_FAULT || status == CRYPTILE_ERR_STATE ||
      status == CRYPTILE_ERR_TIMEOUT) {
    give_up();  // the kernel aborts what may be under way
  }
  if (status != CRYPTILE_OK && way.out) {
    OPENSSL_cleanse(work->out, work->len);
    work->lost = work->in == work->out;
  }
  pthread_mutex_unlock(&lock);
  return status;
}

void device_lend(void) {
  pthread_mutex_lock(&lock);
  bool wanted = users != 0 && memory_is_asked() && config.arena_bytes != 0 && !lent;
  if (wanted && (waits == 0 || arena != NULL) && is_open()) {
    lent = true;
    if (cry_ring_add_arena(&ring, config.arena_bytes) == CRYPTILE_OK) {
      size_t bytes = ring.arena[ring.arenas - 1].bytes;
      (void)memory_lend(cry_ring_take(&ring, bytes), bytes);
    }
  }
  pthread_mutex_unlock(&lock);
}

device_counts_t device_counts(void) {
  pthread_mutex_lock(&lock);
  device_counts_t now = counts;
  pthread_mutex_unlock(&lock);
  return now;
}

const char *device_queue(void) {
  pthread_mutex_lock(&lock);
  const char *word = arena == NULL ? "none" : ring.shared ? "shared" : "own";
  pthread_mutex_unlock(&lock);
  return word;
}
