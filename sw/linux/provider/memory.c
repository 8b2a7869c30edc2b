// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "memory.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"

// A child keeps what its ancestors' windows had: that many of them, then it gets no window.
enum { MostPlaces = 8, Unit = 256 };
static const uint32_t kUsed = UINT32_C(1) << 31;

// Units from a block's first one on, with kUsed if it is; only of first ones.
typedef uint32_t run_t;

// A window, or what a child has in the place of its parent's.
typedef struct {
  _Atomic(uint8_t *) begin;  // null: there is none
  size_t bytes;
  run_t *runs;
  size_t in_use;  // blocks
} place_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static place_t places[MostPlaces];
static _Atomic(place_t *) window;  // that blocks are given of; null: none
static bool asked;
static void *copy;  // of the window, for a child

bool memory_is_asked(void) {
  return asked;
}

static bool has(const place_t *place, const void *at) {
  const uint8_t *begin = atomic_load(&place->begin);
  return begin != NULL && (uintptr_t)at - (uintptr_t)begin < place->bytes;
}

// Places come and go only while no block of them is in use: so whose a block is needs no lock.
static place_t *place_of(const void *block) {
  for (size_t i = 0; i < MostPlaces; i++) {
    if (has(&places[i], block)) {
      return &places[i];
    }
  }
  return NULL;
}

bool memory_holds(const void *bytes, size_t len) {
  const place_t *place = atomic_load_explicit(&window, memory_order_relaxed);
  if (bytes == NULL || len == 0 || place == NULL) {
    return false;  // without a fence: most programs have no window
  }
  atomic_thread_fence(memory_order_acquire);
  if (!has(place, bytes)) {
    return false;
  }
  return len <= place->bytes - ((uintptr_t)bytes - (uintptr_t)atomic_load(&place->begin));
}

bool memory_lend(void *memory, size_t bytes) {
  pthread_mutex_lock(&lock);
  place_t *place = places;
  while (place < places + MostPlaces && atomic_load(&place->begin) != NULL) {
    place++;
  }
  run_t *runs = place < places + MostPlaces ? calloc(bytes / Unit, sizeof(run_t)) : NULL;
  if (runs != NULL) {
    runs[0] = (run_t)(bytes / Unit);
    place->bytes = bytes;
    place->runs = runs;
    atomic_store(&place->begin, memory);
    atomic_store(&window, place);
  }
  pthread_mutex_unlock(&lock);
  return runs != NULL;
}

static void forget(place_t *place) {
  atomic_store(&place->begin, NULL);
  free(place->runs);
  place->runs = NULL;
}

bool memory_take_back(void) {
  pthread_mutex_lock(&lock);
  place_t *place = atomic_load(&window);
  bool free_of_blocks = place == NULL || place->in_use == 0;
  if (place != NULL && free_of_blocks) {
    atomic_store(&window, NULL);
    forget(place);
  }
  pthread_mutex_unlock(&lock);
  return free_of_blocks;
}

// The first run with room; free ones that touch become one. Null: there is none.
static void *take(size_t bytes) {
  place_t *place = atomic_load(&window);
  if (place == NULL || bytes > place->bytes) {
    return NULL;
  }
  run_t *runs = place->runs, wanted = (run_t)((bytes + Unit - 1) / Unit);
  size_t units = place->bytes / Unit;
  for (size_t at = 0; at < units; at += runs[at] & ~kUsed) {
    if ((runs[at] & kUsed) != 0) {
      continue;
    }
    for (size_t next = at + runs[at]; next < units && (runs[next] & kUsed) == 0;
         next = at + runs[at]) {
      runs[at] += runs[next];
    }
    if (runs[at] >= wanted) {
      if (runs[at] > wanted) {
        runs[at + wanted] = runs[at] - wanted;
      }
      runs[at] = wanted | kUsed;
      place->in_use++;
      return atomic_load(&place->begin) + at * Unit;
    }
  }
  return NULL;
}

static run_t *run_of(place_t *place, const void *block) {
  return &place->runs[((uintptr_t)block - (uintptr_t)atomic_load(&place->begin)) / Unit];
}

static void *taken(size_t bytes) {
  if (bytes < MemoryLeast) {
    return NULL;
  }
  if (atomic_load(&window) == NULL) {
    device_lend();
  }
  pthread_mutex_lock(&lock);
  void *block = take(bytes);
  pthread_mutex_unlock(&lock);
  return block;
}

static void *get(size_t bytes, const char *file, int line) {
  (void)file;
  (void)line;
  if (bytes == 0) {
    return NULL;
  }
  void *block = taken(bytes);
  return block != NULL ? block : malloc(bytes);
}

static void put(void *block, const char *file, int line) {
  (void)file;
  (void)line;
  place_t *place = place_of(block);
  if (place == NULL) {
    free(block);
    return;
  }
  pthread_mutex_lock(&lock);
  run_t *run = run_of(place, block);
  if ((*run & kUsed) == 0) {
    abort();  // freed twice, as the C library does
  }
  *run &= ~kUsed;
  if (--place->in_use == 0 && place != atomic_load(&window)) {
    (void)munmap(atomic_load(&place->begin), place->bytes);
    forget(place);
  }
  pthread_mutex_unlock(&lock);
}

static void *get_again(void *block, size_t bytes, const char *file, int line) {
  if (block == NULL) {
    return get(bytes, file, line);
  }
  if (bytes == 0) {
    put(block, file, line);
    return NULL;
  }
  place_t *place = place_of(block);
  if (place == NULL) {
    return realloc(block, bytes);
  }
  pthread_mutex_lock(&lock);
  size_t old = (size_t)(*run_of(place, block) & ~kUsed) * Unit;
  pthread_mutex_unlock(&lock);
  if (bytes <= old) {
    return block;
  }
  void *grown = get(bytes, file, line);
  if (grown != NULL) {
    memcpy(grown, block, old);
    put(block, file, line);
  }
  return grown;
}

void memory_before_fork(void) {
  pthread_mutex_lock(&lock);
  const place_t *place = atomic_load(&window);
  copy = NULL;
  if (place == NULL || place->in_use == 0) {
    return;
  }
  copy = mmap(NULL, place->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) {
    copy = NULL;  // the child has no more of it than any other child of a ring
    return;
  }
  (void)madvise(copy, place->bytes, MADV_DONTDUMP);
  const uint8_t *from = atomic_load(&place->begin);
  for (size_t at = 0; at < place->bytes / Unit; at += place->runs[at] & ~kUsed) {
    if ((place->runs[at] & kUsed) != 0) {
      memcpy((uint8_t *)copy + at * Unit, from + at * Unit,
             (size_t)(place->runs[at] & ~kUsed) * Unit);
    }
  }
}

void memory_in_parent(void) {
  if (copy != NULL) {
    munmap(copy, atomic_load(&window)->bytes);
    copy = NULL;
  }
  pthread_mutex_unlock(&lock);
}

void memory_in_child(void) {
  place_t *place = atomic_load(&window);
  if (copy != NULL) {
    (void)mremap(copy, place->bytes, place->bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                 atomic_load(&place->begin));
    copy = NULL;
  } else if (place != NULL && place->in_use == 0) {
    forget(place);
  }
  atomic_store(&window, NULL);
  pthread_mutex_unlock(&lock);
}

// OpenSSL refuses this when it has allocated something: so is a provider that it loads itself. It
// does not refuse when a program has set functions of its own, which have to stay: they know blocks
// that are in use.
__attribute__((constructor)) static void ask(void) {
  CRYPTO_malloc_fn now = NULL;
  CRYPTO_get_mem_functions(&now, NULL, NULL);
  asked = now == CRYPTO_malloc && CRYPTO_set_mem_functions(get, get_again, put) == 1;
}
