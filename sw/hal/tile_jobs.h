// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Jobs into a queue of the tile that is open, and their results out of it. Nothing here takes more
// than the queue's ring, its records and its user page (doorbell and HEAD): so these are the same
// for bare metal, whose queues tile.h opens, and for a process with a queue of its own
// (sw/linux/ring). What holds for every function of tile.h holds here.
#ifndef CRYPTILE_HAL_TILE_JOBS_H
#define CRYPTILE_HAL_TILE_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"
#include "tile_job.h"
#include "tile_ring.h"

// The bus address of memory of this core's.
static inline uint64_t tile_address(const void *memory) {
  return (uint64_t)(uintptr_t)memory;
}

// The driver's side of a queue. The members are private.
typedef struct {
  unsigned number;
  uintptr_t page;  // of the queue's doorbell, from the tile's registers on
  bool stopping;   // it was closed, but the tile had not stopped in time
  tile_entry_t *entries;
  volatile tile_completion_t *completions;
  tile_counters_t count;
} tile_ring_t;

// Appends a job to the ring; the tile is not told yet.
//
// `index`, if not null, is set to what will stand in the job's result.
// Returns CRYPTILE_OK; CRYPTILE_ERR_BUSY: no room, take results first; CRYPTILE_ERR_STATE: the ring
// is closed; CRYPTILE_ERR_PARAM: the job cannot be described. On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_submit(tile_ring_t *ring, const tile_job_t *job,
                                                      uint16_t *index);

// As cry_tile_submit(), for a job of a session. Reads no register while results are taken with
// cry_tile_poll() or cry_tile_wait(): they tell which entries are free.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_BUSY: no room, take results first; CRYPTILE_ERR_STATE: the ring
// is closed.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_session_submit(tile_ring_t *ring,
                                                              const tile_session_t *session,
                                                              const tile_place_t *place,
                                                              uint16_t *index);

// One job of a session at once: cry_tile_session_submit() and cry_tile_notify(). The job's own
// entry is all that must reach memory before the tile is told.
//
// Returns as cry_tile_session_submit(); on an error nothing was done, and the tile was not told.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_start(tile_ring_t *ring,
                                                     const tile_session_t *session,
                                                     const tile_place_t *place);

// Tells the tile of all jobs appended so far: one register write, and the memory barrier before it.
void cry_tile_notify(tile_ring_t *ring);

// Tells whether `count` more results can be taken without waiting: one load, of the last one's
// record. False if fewer jobs are in flight. Here, so that a loop around it is that load and no
// call.
static inline bool cry_tile_ready(const tile_ring_t *ring, uint32_t count) {
  uint32_t number = ring->count.finished + count;
  uint32_t at = cry_tile_at(&ring->count, number - 1);
  return count <= ring->count.submitted - ring->count.finished &&
         (count == 0 || cry_tile_sequence(ring->completions[at].w[TileCompletionEnded]) == number);
}

// Takes the next result, if there is one; reads no register. With `result` null it is only counted.
// Loads behind it see what the job has written.
bool cry_tile_poll(tile_ring_t *ring, tile_result_t *result);

// Takes the next result, and waits for it by reading memory, up to `limit` cycles.
//
// Returns the job's status: CRYPTILE_OK, _ERR_AUTH, _ERR_SUPPORT (a parameter the engine does not
// have), _ERR_FAULT, _ERR_BUS (address outside memory or outside the windows), _ERR_KEY (a key slot
// that refuses), _ERR_PARAM (bad descriptor), _ERR_STATE (aborted, or no job is in flight); or
// CRYPTILE_ERR_TIMEOUT: no result came, and the job is still in the queue. After any other than
// CRYPTILE_OK a part of the message may have been written, unauthentic: the caller must drop it.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_wait(tile_ring_t *ring, uint32_t limit,
                                                    tile_result_t *result);

#endif  // CRYPTILE_HAL_TILE_JOBS_H
