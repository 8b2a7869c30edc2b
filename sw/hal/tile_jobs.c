// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_jobs.h"

// The port's: tile_io.h of the system that this is compiled for.
#include <tile_io.h>

#include "gen/tile_layout.h"
#include "gen/tile_regs.h"

// As in tile.c.
#define PAGE_AT(ring, reg) ((ring)->page + offsetof(tile_page__stride1000_t, reg))

// Whether there is room; the register is read only when there seem to be too few entries.
static bool has_room(tile_ring_t *ring, unsigned wanted) {
  if (cry_tile_is_full(&ring->count)) {
    return false;
  }
  if (!cry_tile_has_free(&ring->count, wanted)) {
    ring->count.head = (uint16_t)tile_read(PAGE_AT(ring, HEAD));
  }
  return cry_tile_has_free(&ring->count, wanted);
}

cryptile_status_t cry_tile_submit(tile_ring_t *ring, const tile_job_t *job, uint16_t *index) {
  tile_entry_t spare[2];
  if (!has_room(ring, cry_tile_is_extended(job) ? 2 : 1)) {
    return cry_tile_no_room(&ring->count);
  }
  uint32_t at = cry_tile_at(&ring->count, ring->count.tail);
  bool wraps = at + 1 == ring->count.size;
  tile_entry_t *entries = &ring->entries[at];
  unsigned count = cry_tile_describe(job, wraps ? spare : entries);
  if (count == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  if (wraps) {
    entries[0] = spare[0];
    if (count == 2) {
      ring->entries[0] = spare[1];
    }
  }
  if (index != NULL) {
    *index = ring->count.tail;
  }
  cry_tile_append(&ring->count, count);
  return CRYPTILE_OK;
}

// Writes a session's entries at the tail.
static inline bool put(tile_ring_t *ring, const tile_session_t *session,
                       const tile_place_t *place) {
  if (!has_room(ring, session->count)) {
    return false;
  }
  const tile_counters_t *count = &ring->count;
  cry_tile_place(session, place, &ring->entries[cry_tile_at(count, count->tail)]);
  if (session->count == 2) {
    ring->entries[cry_tile_at(count, count->tail + 1u)] = session->entries[1];
  }
  return true;
}

cryptile_status_t cry_tile_session_submit(tile_ring_t *ring, const tile_session_t *session,
                                          const tile_place_t *place, uint16_t *index) {
  if (!put(ring, session, place)) {
    return cry_tile_no_room(&ring->count);
  }
  if (index != NULL) {
    *index = ring->count.tail;
  }
  cry_tile_append(&ring->count, session->count);
  return CRYPTILE_OK;
}

cryptile_status_t cry_tile_start(tile_ring_t *ring, const tile_session_t *session,
                                 const tile_place_t *place) {
  if (!put(ring, session, place)) {
    return cry_tile_no_room(&ring->count);
  }
  uint16_t tail = (uint16_t)(ring->count.tail + session->count);
  uintptr_t doorbell = PAGE_AT(ring, DOORBELL);
  tile_publish();
  tile_write(doorbell, tail);
  cry_tile_append(&ring->count, session->count);  // while the tile works
  return CRYPTILE_OK;
}

void cry_tile_notify(tile_ring_t *ring) {
  tile_publish();
  tile_write(PAGE_AT(ring, DOORBELL), ring->count.tail);
}

bool cry_tile_poll(tile_ring_t *ring, tile_result_t *result) {
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

cryptile_status_t cry_tile_wait(tile_ring_t *ring, uint32_t limit, tile_result_t *result) {
  if (cry_tile_is_idle(&ring->count)) {
    return CRYPTILE_ERR_STATE;
  }
  uint64_t start = tile_now();
  while (!cry_tile_poll(ring, result)) {
    if (tile_now() - start > limit) {
      // It may have come between the two.
      if (cry_tile_poll(ring, result)) {
        break;
      }
      return CRYPTILE_ERR_TIMEOUT;
    }
  }
  return result->status;
}
