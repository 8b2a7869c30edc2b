// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The calls of a short job, to be compiled into their caller: cry_tile_start() and cry_tile_poll()
// of tile_jobs.h, which see for what they do. What a caller has at hand for a job it then stores
// once, in the ring, and a result that it does not look at is not stored at all: behind a cache
// that writes through stores are what a short job waits for.
//
// Includes tile_io.h, the port: for programs that are compiled for one system.
#ifndef CRYPTILE_HAL_TILE_INLINE_H
#define CRYPTILE_HAL_TILE_INLINE_H

#include <tile_io.h>

#include "gen/tile_layout.h"
#include "gen/tile_regs.h"
#include "tile_jobs.h"

// A register of the queue's user page.
#define TILE_PAGE_AT(ring, reg) ((ring)->page + offsetof(tile_page__stride1000_t, reg))

// Whether there is room; the register is read only when there seem to be too few entries.
static inline bool cry_tile_has_room(tile_ring_t *ring, unsigned wanted) {
  if (cry_tile_is_full(&ring->count)) {
    return false;
  }
  if (!cry_tile_has_free(&ring->count, wanted)) {
    ring->count.head = (uint16_t)tile_read(TILE_PAGE_AT(ring, HEAD));
  }
  return cry_tile_has_free(&ring->count, wanted);
}

// Whether there is room for so many jobs of a session.
static inline bool cry_tile_has_room_for(tile_ring_t *ring, const tile_session_t *session,
                                         uint32_t jobs) {
  const tile_counters_t *count = &ring->count;
  return count->submitted - count->finished + jobs <= count->size &&
         cry_tile_has_room(ring, jobs * session->count);
}

// Writes a session's entries at the tail, where there is room.
static inline void cry_tile_put(tile_ring_t *ring, const tile_session_t *session,
                                const tile_place_t *place) {
  const tile_counters_t *count = &ring->count;
  cry_tile_place(session, place, &ring->entries[cry_tile_at(count, count->tail)]);
  if (session->count == 2) {
    ring->entries[cry_tile_at(count, count->tail + 1u)] = session->entries[1];
  }
}

// As cry_tile_session_submit(), where cry_tile_has_room_for() has told that there is room. In a
// loop over many jobs a copy of ring and session in local variables, which nothing else points to,
// is kept in registers.
static inline void cry_tile_append_inline(tile_ring_t *ring, const tile_session_t *session,
                                          const tile_place_t *place) {
  cry_tile_put(ring, session, place);
  cry_tile_append(&ring->count, session->count);
}

// As cry_tile_notify().
static inline void cry_tile_notify_inline(const tile_ring_t *ring) {
  tile_publish();
  tile_write(TILE_PAGE_AT(ring, DOORBELL), ring->count.tail);
}

// As cry_tile_start().
CRYPTILE_MUST_CHECK static inline cryptile_status_t cry_tile_start_inline(
    tile_ring_t *ring, const tile_session_t *session, const tile_place_t *place) {
  if (!cry_tile_has_room(ring, session->count)) {
    return cry_tile_no_room(&ring->count);
  }
  cry_tile_put(ring, session, place);
  uint16_t tail = (uint16_t)(ring->count.tail + session->count);
  uintptr_t doorbell = TILE_PAGE_AT(ring, DOORBELL);
  tile_publish();
  tile_write(doorbell, tail);
  cry_tile_append(&ring->count, session->count);  // while the tile works
  return CRYPTILE_OK;
}

// As cry_tile_poll().
static inline bool cry_tile_poll_inline(tile_ring_t *ring, tile_result_t *result) {
  if (cry_tile_is_idle(&ring->count)) {
    return false;
  }
  volatile tile_completion_t *record =
      &ring->completions[cry_tile_at(&ring->count, ring->count.finished)];
  uint64_t ended = record->w[TileCompletionEnded];
  if (cry_tile_sequence(ended) != ring->count.finished + 1) {
    return false;
  }
  tile_acquire();
  ring->count.finished++;
  if (result != NULL) {
    *result = cry_tile_result(ended, record->w[TileCompletionCounts]);
    cry_tile_was_read(&ring->count, result->index);
  }
  return true;
}

// A half of a word, in a load of its own.
typedef const volatile uint32_t __attribute__((may_alias)) tile_half_t;

// Waits for the next result, for at most `looks` loads, and takes it if the job went well. If not,
// it stays: cry_tile_poll() tells of it.
//
// Looks at the upper half, the job's number, which needs no shift. The tile writes the whole word
// at once, and a core's loads from one place are in order: loaded again, it is the record's.
CRYPTILE_MUST_CHECK static inline bool cry_tile_take_good_inline(tile_ring_t *ring,
                                                                 unsigned looks) {
  tile_counters_t *counts = &ring->count;
  if (cry_tile_is_idle(counts)) {
    return false;
  }
  const volatile uint64_t *place =
      &ring->completions[cry_tile_at(counts, counts->finished)].w[TileCompletionEnded];
  tile_half_t *sequence_number = (tile_half_t *)place + 1;
  const uint32_t number = counts->finished + 1;
  for (; looks != 0 && *sequence_number != number; looks--) {
    tile_relax();
  }
  if (looks == 0) {
    return false;
  }
  tile_completion_ended_t record = tile_completion_ended_decode(*place);
  if (record.status != TileOk) {
    return false;
  }
  tile_acquire();
  counts->finished = number;
  cry_tile_was_read(counts, record.index);
  return true;
}

// Takes up to `count` results in a row of jobs that went well. One that did not stays, and so do
// those behind it: cry_tile_poll() tells of them. There is one barrier for all.
//
// Returns how many were taken.
static inline uint32_t cry_tile_poll_good_inline(tile_ring_t *ring, uint32_t count) {
  tile_counters_t *counts = &ring->count;
  uint32_t in_flight = counts->submitted - counts->finished, begin = counts->finished;
  uint32_t end = begin + (count < in_flight ? count : in_flight), now = begin;
  const uint64_t looked_at = tile_completion_ended_encode(
      (tile_completion_ended_t){.status = UINT8_MAX, .sequence_number = UINT32_MAX});
  const uint64_t next =
      tile_completion_ended_encode((tile_completion_ended_t){.sequence_number = 1});
  uint64_t last = 0, good = tile_completion_ended_encode(
                         (tile_completion_ended_t){.status = TileOk, .sequence_number = begin + 1});
  for (; now != end; now++, good += next) {
    uint64_t ended = ring->completions[cry_tile_at(counts, now)].w[TileCompletionEnded];
    if ((ended & looked_at) != good) {
      break;
    }
    last = ended;
  }
  if (now == begin) {
    return 0;
  }
  tile_acquire();
  counts->finished = now;
  cry_tile_was_read(counts, tile_completion_ended_decode(last).index);
  return now - begin;
}

#endif  // CRYPTILE_HAL_TILE_INLINE_H
