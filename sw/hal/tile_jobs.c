// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_jobs.h"

// With the port: tile_io.h of the system that this is compiled for.
#include "tile_inline.h"

cryptile_status_t cry_tile_submit(tile_ring_t *ring, const tile_job_t *job, uint16_t *index) {
  tile_entry_t spare[2];
  if (!cry_tile_has_room(ring, cry_tile_is_extended(job) ? 2 : 1)) {
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

cryptile_status_t cry_tile_session_submit(tile_ring_t *ring, const tile_session_t *session,
                                          const tile_place_t *place, uint16_t *index) {
  if (!cry_tile_has_room(ring, session->count)) {
    return cry_tile_no_room(&ring->count);
  }
  cry_tile_put(ring, session, place);
  if (index != NULL) {
    *index = ring->count.tail;
  }
  cry_tile_append(&ring->count, session->count);
  return CRYPTILE_OK;
}

cryptile_status_t cry_tile_start(tile_ring_t *ring, const tile_session_t *session,
                                 const tile_place_t *place) {
  return cry_tile_start_inline(ring, session, place);
}

void cry_tile_notify(tile_ring_t *ring) {
  cry_tile_notify_inline(ring);
}

bool cry_tile_poll(tile_ring_t *ring, tile_result_t *result) {
  return cry_tile_poll_inline(ring, result);
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
