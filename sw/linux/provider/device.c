// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "device.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RingLog2 = 4, OneSecond = 1000000000, AskAgain = 1024 };

// All that a job reads and writes.
typedef struct {
  _Alignas(64) uint8_t key[TileMaxKey];
  uint8_t iv[TileMaxIv + 1];
  _Alignas(64) uint8_t context[TileContextBytes];
  _Alignas(64) uint8_t tag[TileMaxTag];
  _Alignas(64) uint8_t aad[DeviceAad];
  _Alignas(64) uint8_t message[DeviceMessage];
} arena_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;
static device_config_t config;
static char path[DevicePath];  // of it
static cry_ring_t ring = {.file = -1};
static arena_t *arena;  // null: there is no ring
static unsigned waits;  // jobs until the ring is asked for again
static device_counts_t counts;

static void give_up(void) {
  cry_ring_close(&ring);
  arena = NULL;
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
}

static void in_parent(void) {
  pthread_mutex_unlock(&lock);
}

// The ring's memory is not there; its file is, and would keep the parent's queue.
static void in_child(void) {
  cry_ring_forked(&ring);
  arena = NULL;
  waits = 0;
  pthread_mutex_unlock(&lock);
}

static void watch_forks(void) {
  (void)pthread_atfork(before_fork, in_parent, in_child);
}

void device_attach(const device_config_t *wanted) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
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
  if (arena != NULL) {
    return true;
  }
  if (waits != 0) {
    waits--;
    return false;
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

static cryptile_status_t run(const work_t *work) {
  size_t head = work->head_len, len = head + work->len + work->fill;
  tile_message_t message = {.decrypt = work->decrypt,
                            .key = work->key != NULL ? arena->key : NULL,
                            .key_len = work->key_len,
                            .iv = arena->iv,
                            .iv_len = work->iv_len,
                            .aad = arena->aad,
                            .aad_len = work->aad_len,
                            .in = arena->message,
                            .out = arena->message,
                            .len = len,
                            .total = work->total,
                            .tag = arena->tag,
                            .tag_len = work->tag_len};
  tile_job_t job;
  copy(arena->key, work->key, work->key_len);
  copy(arena->iv, work->iv, work->iv_len);
  copy(arena->aad, work->aad, work->aad_len);
  copy(arena->message, work->head, head);
  copy(arena->message + head, work->in, work->len);
  memset(arena->message + head + work->len, 0, work->fill);
  if (work->decrypt) {
    copy(arena->tag, work->tag, work->tag != NULL ? work->tag_len : 0);
  }
  cryptile_status_t status = cry_ring_prepare(&ring, work->alg, &message, &job);
  if (status != CRYPTILE_OK) {
    return status;
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

cryptile_status_t device_work(const work_t *work) {
  if (!fits(work)) {
    return CRYPTILE_ERR_LENGTH;
  }
  pthread_mutex_lock(&lock);
  if (!is_open()) {
    counts.refused++;
    pthread_mutex_unlock(&lock);
    return CRYPTILE_ERR_BUSY;
  }
  cryptile_status_t status = run(work);
  if (status == CRYPTILE_OK) {
    counts.jobs++;
    counts.bytes += work->len;
    copy(work->out, arena->message + work->head_len, work->out != NULL ? work->len : 0);
    copy(work->save, arena->context, work->save != NULL ? TileContextBytes : 0);
    if (work->tag != NULL && !work->decrypt) {
      copy(work->tag, arena->tag, work->tag_len);
    }
  } else {
    counts.failed += status != CRYPTILE_ERR_AUTH;
  }
  OPENSSL_cleanse(arena->key, work->key_len);
  if (work->load || work->save != NULL) {
    OPENSSL_cleanse(arena->context, TileContextBytes);
  }
  if (status == CRYPTILE_ERR_FAULT || status == CRYPTILE_ERR_STATE ||
      status == CRYPTILE_ERR_TIMEOUT) {
    give_up();  // the kernel aborts what may be under way
  }
  pthread_mutex_unlock(&lock);
  return status;
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
