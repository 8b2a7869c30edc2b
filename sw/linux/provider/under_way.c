// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "under_way.h"

#include <openssl/crypto.h>

#include "tile_io.h"

_Static_assert(2 * (UnderWayPaused + 1) <= 1 << UnderWayRingLog2, "each job has room in the ring");

static place_t waited_for, paused[UnderWayPaused];
// When a job began alone, or the last one ended; 0: the clock was not looked at. Most jobs that are
// waited for end before anybody does.
static uint64_t moved;
static unsigned epoch;

void under_way_set_area(area_t *area) {
  waited_for.area = area;
  for (unsigned i = 0; area == NULL && i < UnderWayPaused; i++) {
    paused[i].area = NULL;
  }
}

void under_way_set_areas(void *memory) {
  for (unsigned i = 0; i < UnderWayPaused; i++) {
    paused[i].area = (area_t *)memory + i;
  }
}

bool under_way_has_areas(void) {
  return paused[0].area != NULL;
}

place_t *under_way_take(void) {
  waited_for.taken = true;
  return &waited_for;
}

place_t *under_way_take_paused(const cry_ring_t *ring) {
  for (place_t *place = paused; place < paused + UnderWayPaused; place++) {
    if (place->taken || place->area == NULL) {
      continue;
    }
    place->has_wake = place->has_wake || wake_open(&place->wake, cry_ring_file(ring));
    place->taken = place->has_wake;
    return place->taken ? place : NULL;
  }
  return NULL;
}

void under_way_give_back(place_t *place, const work_t *work) {
  area_wipe(place->area, work);
  place->taken = place->begun = place->ended = false;
}

unsigned under_way_paused(void) {
  unsigned count = 0;
  for (unsigned i = 0; i < UnderWayPaused; i++) {
    count += paused[i].taken;
  }
  return count;
}

cryptile_status_t under_way_begin(place_t *place, cry_ring_t *ring, const tile_job_t *job) {
  if (cry_tile_is_idle(&ring->queue.count)) {
    moved = place->has_wake ? tile_now() : 0;
  }
  cryptile_status_t status = cry_ring_submit(ring, job, &place->index);
  if (status != CRYPTILE_OK) {
    return status;
  }
  place->begun = true;
  if (place->has_wake) {
    wake_after(&place->wake, UnderWayLimit);
  }
  return cry_ring_notify(ring);
}

static void end(place_t *place, const tile_result_t *result) {
  place->result = *result;
  place->ended = true;
  if (place->has_wake) {
    // Nobody may ever look after it.
    OPENSSL_cleanse(place->area->key, sizeof(place->area->key));
    wake_after(&place->wake, 0);
  }
}

static bool is_under_way(const place_t *place) {
  return place->begun && !place->ended;
}

// Whose result that is; null: of nobody who waits. Many jobs may have come and gone since a long
// one began, and have had its entry in the ring: an index stands for 2^16 entries, which takes all
// of the processor for more than a second.
static place_t *place_of(uint16_t index) {
  if (is_under_way(&waited_for) && waited_for.index == index) {
    return &waited_for;
  }
  for (place_t *place = paused; place < paused + UnderWayPaused; place++) {
    if (is_under_way(place) && place->index == index) {
      return place;
    }
  }
  return NULL;
}

bool under_way_collect(cry_ring_t *ring) {
  tile_result_t result;
  bool any = false;
  for (; cry_tile_poll(&ring->queue, &result); any = true) {
    place_t *place = place_of(result.index);
    if (place != NULL) {
      end(place, &result);
    }
  }
  if (any) {
    moved = cry_tile_is_idle(&ring->queue.count) ? 0 : tile_now();
  }
  return any;
}

bool under_way_is_late(cry_ring_t *ring) {
  const uint64_t now = tile_now();
  moved = moved == 0 ? now : moved;
  return now - moved > UnderWayLimit && !under_way_collect(ring);
}

unsigned under_way_epoch(void) {
  return epoch;
}

static void let_go(place_t *place, bool in_child) {
  if (place->taken && place->area != NULL) {
    area_wipe(place->area, NULL);
  }
  if (place->taken && place->has_wake) {
    if (in_child) {
      wake_in_child(&place->wake);
    } else {
      wake_after(&place->wake, 0);
    }
  } else if (place->has_wake) {
    wake_close(&place->wake);
  }
  place->taken = place->begun = place->ended = place->has_wake = false;
}

void under_way_abandon(bool in_child) {
  epoch++;
  for (unsigned i = 0; i < UnderWayPaused; i++) {
    let_go(&paused[i], in_child);
  }
  let_go(&waited_for, in_child);
}
