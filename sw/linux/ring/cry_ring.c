// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cry_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cryptile_ring.h"
#include "gen/tile_regs.h"
#include "tile_io.h"

enum { PageBytes = 4096, Alignment = 64 };
enum { Nanoseconds = 1000000 };  // of a millisecond

// In the place of a shared ring's user page: its HEAD says that no entry was read, so that a ring
// that seems full is.
static const uint32_t kNoPage[PageBytes / sizeof(uint32_t)];

static cryptile_status_t status_of(int error) {
  switch (error) {
    case EBUSY:
    case EMFILE:
      return CRYPTILE_ERR_BUSY;
    case EACCES:
    case EPERM:
      return CRYPTILE_ERR_KEY;
    case ENOENT:
    case ENXIO:
    case ENOTTY:
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
      return CRYPTILE_ERR_SUPPORT;
    case ENOMEM:
    case ENOSPC:
      return CRYPTILE_ERR_LENGTH;
    case EINVAL:
      return CRYPTILE_ERR_PARAM;
    case ETIMEDOUT:
      return CRYPTILE_ERR_TIMEOUT;
    case ENODEV:
    case EBADF:
    case EINTR:
      return CRYPTILE_ERR_STATE;
    default:
      return CRYPTILE_ERR_FAULT;
  }
}

static void *map(const cry_ring_t *ring, uint64_t offset, size_t bytes) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->file, (off_t)offset);
}

// Maps a window's memory; `used` bytes of it are taken.
static cryptile_status_t map_arena(cry_ring_t *ring, size_t bytes, size_t used) {
  void *memory = map(ring, CRYPTILE_RING_WINDOW(ring->arenas), bytes);
  if (memory == MAP_FAILED) {
    return status_of(errno);
  }
  ring->arena[ring->arenas++] = (cry_ring_arena_t){.memory = memory, .bytes = bytes, .used = used};
  return CRYPTILE_OK;
}

static cryptile_status_t set_up(cry_ring_t *ring, const cry_ring_config_t *config) {
  struct cryptile_ring_setup setup = {.version = CRYPTILE_RING_VERSION,
                                      .ring_log2 = config->ring_log2,
                                      .max_bytes = config->max_bytes,
                                      .arena_bytes = config->arena_bytes};
  if (ioctl(ring->file, CRYPTILE_RING_SETUP, &setup) != 0) {
    return status_of(errno);
  }
  cryptile_status_t status = map_arena(ring, setup.arena_bytes, setup.arena);
  if (status != CRYPTILE_OK) {
    return status;
  }
  ring->shared = (setup.flags & CRYPTILE_RING_SHARED) != 0;
  ring->engines = setup.engines;
  ring->max_bytes = setup.max_bytes;
  const void *page = kNoPage;
  if (!ring->shared) {
    page = map(ring, CRYPTILE_RING_PAGE, PageBytes);
    if (page == MAP_FAILED) {
      return status_of(errno);
    }
  }
  ring->queue = (tile_ring_t){
      .page = (uintptr_t)page,
      .entries = (tile_entry_t *)ring->arena[0].memory,
      .completions = (volatile tile_completion_t *)(ring->arena[0].memory + setup.records),
      .count = {.size = 1u << config->ring_log2}};
  return CRYPTILE_OK;
}

cryptile_status_t cry_ring_open(cry_ring_t *ring, const cry_ring_config_t *config) {
  const char *path = config->path != NULL ? config->path : "/dev/cryptile0";
  int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | (config->exclusive ? O_EXCL : 0);
  *ring = (cry_ring_t){.file = open(path, flags)};
  cryptile_status_t status = ring->file >= 0 ? set_up(ring, config) : status_of(errno);
  if (status != CRYPTILE_OK) {
    cry_ring_close(ring);
  }
  return status;
}

void cry_ring_close(cry_ring_t *ring) {
  for (unsigned i = 0; i < ring->arenas; i++) {
    munmap(ring->arena[i].memory, ring->arena[i].bytes);
  }
  if (ring->queue.page != 0 && !ring->shared) {
    munmap((void *)ring->queue.page, PageBytes);
  }
  if (ring->file >= 0) {
    close(ring->file);
  }
  *ring = (cry_ring_t){.file = -1};
}

void cry_ring_forked(cry_ring_t *ring) {
  if (ring->file >= 0) {
    close(ring->file);
  }
  *ring = (cry_ring_t){.file = -1};
}

cryptile_status_t cry_ring_add_arena(cry_ring_t *ring, size_t bytes) {
  struct cryptile_ring_arena arena = {.bytes = bytes};
  if (ioctl(ring->file, CRYPTILE_RING_ARENA, &arena) != 0) {
    return status_of(errno);
  }
  return map_arena(ring, arena.bytes, 0);
}

void *cry_ring_take(cry_ring_t *ring, size_t bytes) {
  if (ring->arenas == 0) {
    return NULL;
  }
  cry_ring_arena_t *arena = &ring->arena[ring->arenas - 1];
  size_t left = arena->bytes - arena->used;
  if (bytes > left) {
    return NULL;
  }
  void *memory = arena->memory + arena->used;
  size_t whole = (bytes + Alignment - 1) & ~(size_t)(Alignment - 1);
  arena->used += whole < left ? whole : left;
  return memory;
}

uint64_t cry_ring_address(const cry_ring_t *ring, const void *memory) {
  for (unsigned i = 0; i < ring->arenas; i++) {
    uintptr_t at = (uintptr_t)memory - (uintptr_t)ring->arena[i].memory;
    if (at < ring->arena[i].bytes) {
      return CRYPTILE_RING_ADDRESS(i, at);
    }
  }
  return 0;
}

// Makes of an address of this process one of the tile's; 0 stays. False if the tile has none.
static bool translate(const cry_ring_t *ring, uint64_t *address) {
  if (*address == 0) {
    return true;
  }
  *address = cry_ring_address(ring, (const void *)(uintptr_t)*address);
  return *address != 0;
}

// With the key in a slot, if there is one; else the message's.
static cryptile_status_t prepare(const cry_ring_t *ring, const tile_alg_t *alg,
                                 const tile_message_t *message, const cry_ring_slot_t *slot,
                                 tile_job_t *job) {
  if (message == NULL || ring->arenas == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  tile_message_t keyed;
  if (slot == NULL && message->key == NULL && message->key_len == 0) {
    keyed = *message;
    keyed.key = ring->arena[0].memory + ring->arena[0].bytes - 1;  // not read: anywhere
    message = &keyed;
  }
  cryptile_status_t status =
      slot != NULL ? cry_tile_prepare_by_slot(alg, message, slot->number, slot->generation, job)
                   : cry_tile_prepare(alg, message, job);
  if (status != CRYPTILE_OK) {
    return status;
  }
  uint64_t *addresses[] = {&job->key, &job->long_iv, &job->src,    &job->dst,
                           &job->aad, &job->tag,     &job->context};
  for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
    if (!translate(ring, addresses[i])) {
      return CRYPTILE_ERR_PARAM;
    }
  }
  return CRYPTILE_OK;
}

cryptile_status_t cry_ring_prepare(const cry_ring_t *ring, const tile_alg_t *alg,
                                   const tile_message_t *message, tile_job_t *job) {
  return prepare(ring, alg, message, NULL, job);
}

cryptile_status_t cry_ring_prepare_by_slot(const cry_ring_t *ring, const tile_alg_t *alg,
                                           const tile_message_t *message, cry_ring_slot_t slot,
                                           tile_job_t *job) {
  return prepare(ring, alg, message, &slot, job);
}

cryptile_status_t cry_ring_load_key(cry_ring_t *ring, const cry_ring_key_t *key,
                                    cry_ring_slot_t *slot) {
  struct cryptile_ring_key wanted = {0};
  if (key->alg == NULL || key->key == NULL || key->key_len == 0 ||
      key->key_len > sizeof(wanted.key)) {
    return CRYPTILE_ERR_PARAM;
  }
  wanted.flags = (key->encrypt ? CRYPTILE_RING_KEY_ENCRYPT : 0) |
                 (key->decrypt ? CRYPTILE_RING_KEY_DECRYPT : 0) |
                 (key->parts ? CRYPTILE_RING_KEY_PARTS : 0) |
                 (key->uses != 0 ? CRYPTILE_RING_KEY_COUNTED : 0);
  wanted.opcode = key->alg->opcode;
  wanted.modes = 1u << key->alg->mode;
  wanted.key_bytes = (uint32_t)key->key_len;
  wanted.tag_bytes = key->tag_len;
  wanted.uses = key->uses;
  memcpy(wanted.key, key->key, key->key_len);
  int error = ioctl(ring->file, CRYPTILE_RING_KEY, &wanted) == 0 ? 0 : errno;
  explicit_bzero(wanted.key, sizeof(wanted.key));
  if (error != 0) {
    return error == ENOSPC ? CRYPTILE_ERR_BUSY : status_of(error);
  }
  *slot = (cry_ring_slot_t){(uint8_t)wanted.slot, (uint8_t)wanted.generation};
  return CRYPTILE_OK;
}

cryptile_status_t cry_ring_forget_key(cry_ring_t *ring, cry_ring_slot_t slot) {
  uint32_t number = slot.number;
  if (ioctl(ring->file, CRYPTILE_RING_FORGET, &number) == 0) {
    return CRYPTILE_OK;
  }
  return errno == ENOENT ? CRYPTILE_ERR_PARAM : status_of(errno);
}

// Whether a shared ring takes a job: when all results of the batch before are taken it is empty
// again, as the kernel begins each at its first place.
static bool begin_batch(cry_ring_t *ring) {
  if (ring->told == 0) {
    return true;
  }
  if (!cry_tile_is_idle(&ring->queue.count)) {
    return false;
  }
  ring->queue.count = (tile_counters_t){.size = ring->queue.count.size};
  ring->told = 0;
  return true;
}

cryptile_status_t cry_ring_submit(cry_ring_t *ring, const tile_job_t *job, uint16_t *index) {
  if (ring->shared && !begin_batch(ring)) {
    return CRYPTILE_ERR_BUSY;
  }
  return cry_tile_submit(&ring->queue, job, index);
}

cryptile_status_t cry_ring_session_submit(cry_ring_t *ring, const tile_session_t *session,
                                          const tile_place_t *place, uint16_t *index) {
  if (ring->shared && !begin_batch(ring)) {
    return CRYPTILE_ERR_BUSY;
  }
  return cry_tile_session_submit(&ring->queue, session, place, index);
}

static cryptile_status_t run_batch(cry_ring_t *ring) {
  tile_counters_t *count = &ring->queue.count;
  struct cryptile_ring_batch batch = {.entries = count->tail};
  if (count->tail == ring->told) {
    return CRYPTILE_OK;
  }
  ring->told = count->tail;
  while (ioctl(ring->file, CRYPTILE_RING_RUN, &batch) != 0) {
    if (errno != EINTR) {  // else a signal came between turns, and the batch goes on
      cryptile_status_t status = status_of(errno);
      count->submitted = batch.completed;
      return status;
    }
  }
  return CRYPTILE_OK;
}

cryptile_status_t cry_ring_notify(cry_ring_t *ring) {
  if (ring->shared) {
    return run_batch(ring);
  }
  if (ring->queue.count.size == 0) {
    return CRYPTILE_ERR_STATE;
  }
  cry_tile_notify(&ring->queue);
  return CRYPTILE_OK;
}

cryptile_status_t cry_ring_start(cry_ring_t *ring, const tile_session_t *session,
                                 const tile_place_t *place) {
  if (!ring->shared) {
    return cry_tile_start(&ring->queue, session, place);
  }
  cryptile_status_t status = cry_ring_session_submit(ring, session, place, NULL);
  return status == CRYPTILE_OK ? run_batch(ring) : status;
}

int cry_ring_file(const cry_ring_t *ring) {
  return ring->file;
}

cryptile_status_t cry_ring_take_event(cry_ring_t *ring) {
  uint64_t interrupts;
  if (read(ring->file, &interrupts, sizeof(interrupts)) >= 0 || errno == EAGAIN || errno == EINTR) {
    return CRYPTILE_OK;
  }
  return status_of(errno);
}

cryptile_status_t cry_ring_sleep(cry_ring_t *ring, uint32_t limit, tile_result_t *result) {
  if (cry_tile_is_idle(&ring->queue.count)) {
    return CRYPTILE_ERR_STATE;
  }
  uint64_t start = tile_now();
  bool stopped = false, late = false;
  for (;;) {
    // Interrupts before the look at memory: one between them is not lost.
    stopped |= cry_ring_take_event(ring) != CRYPTILE_OK;
    if (cry_tile_poll(&ring->queue, result)) {
      return result->status;
    }
    if (stopped) {
      return CRYPTILE_ERR_FAULT;
    }
    if (late) {
      return CRYPTILE_ERR_TIMEOUT;
    }
    uint64_t gone = tile_now() - start;
    late = gone >= limit;
    if (!late) {
      struct pollfd wanted = {.fd = ring->file, .events = POLLIN};
      (void)poll(&wanted, 1, (int)((limit - gone) / Nanoseconds + 1));
      stopped = (wanted.revents & (POLLERR | POLLHUP)) != 0;
    }
  }
}

cryptile_status_t cry_ring_run(cry_ring_t *ring, const tile_job_t *job, uint32_t limit) {
  tile_result_t result;
  if (!cry_tile_is_idle(&ring->queue.count)) {
    return CRYPTILE_ERR_BUSY;
  }
  cryptile_status_t status = cry_ring_submit(ring, job, NULL);
  if (status != CRYPTILE_OK) {
    return status;
  }
  status = cry_ring_notify(ring);
  if (status != CRYPTILE_OK) {
    return status;
  }
  status =
      job->irq ? cry_ring_sleep(ring, limit, &result) : cry_tile_wait(&ring->queue, limit, &result);
  if (!cry_tile_is_idle(&ring->queue.count)) {
    cryptile_status_t again = cry_ring_restart(ring);
    return again == CRYPTILE_OK ? status : again;
  }
  return status;
}

cryptile_status_t cry_ring_restart(cry_ring_t *ring) {
  if (ring->queue.count.size == 0) {
    return CRYPTILE_ERR_STATE;
  }
  if (ioctl(ring->file, CRYPTILE_RING_RESTART) != 0) {
    return status_of(errno);
  }
  ring->queue.count = (tile_counters_t){.size = ring->queue.count.size};
  ring->told = 0;
  return CRYPTILE_OK;
}
