// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "device.h"

#include <openssl/async.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "under_way.h"

// Looks at memory between two at the clock, of who waits: some thousand cycles. Bytes of the
// shortest message that is paused, which takes system calls.
enum { AskAgain = 1024, LooksBetween = 128, ShortestPaused = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;
static device_config_t config;
static char path[DevicePath];  // of it
static cry_ring_t ring = {.file = -1};
static area_t *area;     // null: there is no ring
static bool stopped;     // the ring takes no jobs, but programs have memory of it
static bool lent;        // it was asked for memory for programs, once
static bool has_paused;  // and for areas of paused jobs
static unsigned waits;   // jobs until the ring is asked for again
static device_counts_t counts;
// Bytes of the longest job, while the ring takes jobs; else 0. Read without the lock, which takes
// the core longer than all else that device_room() does: device_work() looks again.
static _Atomic(size_t) open_room;

// No area is there any more.
static void forget(void) {
  area = NULL;
  atomic_store(&open_room, 0);
  stopped = lent = has_paused = false;
  under_way_set_area(NULL);
}

// Jobs that are under way are aborted. When the device is gone its memory is, too.
static void give_up(void) {
  if (memory_take_back()) {
    cry_ring_close(&ring);
    forget();
  } else {
    // It is restarted once more before the next job.
    if (cry_ring_restart(&ring) == CRYPTILE_ERR_STATE) {
      under_way_set_area(NULL);
    }
    stopped = true;
    atomic_store(&open_room, 0);
  }
  under_way_abandon(false);
  waits = AskAgain;
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
  forget();
  under_way_abandon(true);
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
  if (area != NULL && !stopped) {
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
    return !stopped && area != NULL;
  }
  cry_ring_config_t wanted = {.path = config.path,
                              .ring_log2 = UnderWayRingLog2,
                              .arena_bytes = sizeof(area_t),
                              .exclusive = !config.shared};
  if (cry_ring_open(&ring, &wanted) == CRYPTILE_OK) {
    area = cry_ring_take(&ring, sizeof(area_t));
    under_way_set_area(area);
  }
  if (area == NULL) {
    give_up();
  }
  return area != NULL;
}

size_t device_room(size_t block) {
  size_t room = atomic_load_explicit(&open_room, memory_order_relaxed);
  if (room == 0) {
    pthread_mutex_lock(&lock);
    if (is_open()) {
      room = ring.max_bytes < DeviceMessage ? ring.max_bytes : DeviceMessage;
      atomic_store(&open_room, room);
    } else {
      counts.refused++;
    }
    pthread_mutex_unlock(&lock);
  }
  return room - room % block;
}

// Who looks after the job of OpenSSL's that this is, and will find a file of it. Null: it is none,
// or whoever does wants to be called instead, and nobody would. Not under the lock: OpenSSL may
// allocate.
static ASYNC_WAIT_CTX *waiting_program(void) {
  ASYNC_JOB *job = ASYNC_get_current_job();
  ASYNC_WAIT_CTX *program = job != NULL ? ASYNC_get_wait_ctx(job) : NULL;
  ASYNC_callback_fn call;
  void *argument;
  return program != NULL && !ASYNC_WAIT_CTX_get_callback(program, &call, &argument) ? program
                                                                                    : NULL;
}

// A place for a job that is paused; null: the job is waited for.
static place_t *take_paused(void) {
  if (ring.shared) {
    return NULL;
  }
  if (!has_paused) {
    has_paused = true;
    if (cry_ring_add_arena(&ring, UnderWayAreas) == CRYPTILE_OK) {
      under_way_set_areas(cry_ring_take(&ring, UnderWayAreas));
    }
  }
  place_t *place = under_way_take_paused(&ring);
  if (place != NULL) {
    unsigned now = under_way_paused();
    counts.paused++;
    counts.most = now > counts.most ? now : counts.most;
  }
  return place;
}

static cryptile_status_t wait_for(const place_t *place) {
  for (unsigned looks = 1; !place->ended; looks++) {
    if (!under_way_collect(&ring) && looks % LooksBetween == 0 && under_way_is_late(&ring)) {
      return CRYPTILE_ERR_TIMEOUT;
    }
  }
  return place->result.status;
}

// Looks after the jobs that are under way, in memory that is there.
static cryptile_status_t look(void) {
  cryptile_status_t status = cry_ring_take_event(&ring);
  if (status != CRYPTILE_ERR_STATE) {
    under_way_collect(&ring);
  }
  return status == CRYPTILE_OK && under_way_is_late(&ring) ? CRYPTILE_ERR_TIMEOUT : status;
}

// As wait_for(), but the program goes on, without the lock. Behind each pause all jobs may have
// been abandoned: then nothing of the place is ours.
static cryptile_status_t pause_for(const place_t *place, int file, ASYNC_WAIT_CTX *program) {
  const unsigned epoch = under_way_epoch();
  cryptile_status_t status = CRYPTILE_OK;
  pthread_mutex_unlock(&lock);
  bool told = ASYNC_WAIT_CTX_set_wait_fd(program, &lock, file, NULL, NULL) == 1;
  pthread_mutex_lock(&lock);
  while (epoch == under_way_epoch() && !place->ended && status == CRYPTILE_OK) {
    pthread_mutex_unlock(&lock);
    if (told) {
      (void)ASYNC_pause_job();  // does nothing where OpenSSL's caller has forbidden it
    }
    pthread_mutex_lock(&lock);
    if (epoch == under_way_epoch() && !place->ended) {
      status = look();
      if (!place->ended) {
        wake_after(&place->wake, UnderWayLimit);
      }
    }
  }
  if (told) {
    (void)ASYNC_WAIT_CTX_clear_fd(program, &lock);
  }
  if (epoch != under_way_epoch()) {
    return CRYPTILE_ERR_STATE;
  }
  return place->ended ? place->result.status : status;
}

static void count(const work_t *work, const place_t *place, size_t copied) {
  counts.jobs++;
  counts.bytes += work->len;
  counts.copied += copied;
  counts.cycles += place->result.cycles;
}

cryptile_status_t device_work(work_t *work) {
  if (!area_fits(work)) {
    return CRYPTILE_ERR_LENGTH;
  }
  ASYNC_WAIT_CTX *program = work->len >= ShortestPaused ? waiting_program() : NULL;
  pthread_mutex_lock(&lock);
  if (!is_open()) {
    counts.refused++;
    pthread_mutex_unlock(&lock);
    return CRYPTILE_ERR_BUSY;
  }
  const unsigned epoch = under_way_epoch();
  place_t *place = program != NULL ? take_paused() : NULL;
  const bool pauses = place != NULL;
  place = pauses ? place : under_way_take();
  const wake_t wake = place->wake;
  area_way_t way;
  tile_job_t job;
  cryptile_status_t status = area_describe(place->area, &ring, work, &way, &job);
  if (status == CRYPTILE_OK) {
    job.irq = pauses;
    status = under_way_begin(place, &ring, &job);
  }
  if (status == CRYPTILE_OK) {
    status = pauses ? pause_for(place, wake.file, program) : wait_for(place);
  }
  if (status == CRYPTILE_OK) {
    count(work, place, area_take(place->area, work, way));
  }
  counts.failed += status != CRYPTILE_OK && status != CRYPTILE_ERR_AUTH;
  if (epoch == under_way_epoch()) {
    if (status == CRYPTILE_ERR_FAULT || status == CRYPTILE_ERR_STATE ||
        status == CRYPTILE_ERR_TIMEOUT) {
      give_up();  // the kernel aborts what may be under way
    } else {
      under_way_give_back(place, work);
    }
  }
  if (pauses && epoch != under_way_epoch()) {
    wake_close(&wake);
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
  if (wanted && (waits == 0 || area != NULL) && is_open()) {
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
  const char *word = area == NULL ? "none" : ring.shared ? "shared" : "own";
  pthread_mutex_unlock(&lock);
  return word;
}
