// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Jobs that are under way in the ring of the process: one that is waited for, and paused ones, each
// with an area of its own. Results come in any order; who takes one from the ring leaves it at the
// place of its job, whosever that is, and wakes who waits for it.
//
// All of it under the lock of device.c. The ring is one at a time, and no other jobs are in it.
#ifndef CRYPTILE_PROVIDER_UNDER_WAY_H
#define CRYPTILE_PROVIDER_UNDER_WAY_H

#include "area.h"
#include "wake.h"

// Each job takes two entries at most, and all have room at once. Nanoseconds in which one must end.
enum { UnderWayRingLog2 = 5, UnderWayPaused = 12, UnderWayLimit = 1000000000 };
enum { UnderWayAreas = UnderWayPaused * (int)sizeof(area_t) };  // bytes of the paused ones'

typedef struct {
  area_t *area;  // null: there is none
  bool taken;
  bool begun;      // then `index` is what will stand in its result
  bool ended;      // then `result` is good
  uint16_t index;  // of its entry in the ring
  tile_result_t result;
  bool has_wake;
  wake_t wake;  // of a paused job; the alarm tells when to look after it
} place_t;

// Gives the place for a job that is waited for its area; null: the ring is gone, and all areas.
void under_way_set_area(area_t *area);

// Gives the places of paused jobs UnderWayAreas bytes.
void under_way_set_areas(void *memory);
bool under_way_has_areas(void);

// Takes the place of the job that is waited for, or one for a job that is paused, with its files.
// Null: none is free.
place_t *under_way_take(void);
place_t *under_way_take_paused(const cry_ring_t *ring);

// The area is wiped of a job, and free.
void under_way_give_back(place_t *place, const work_t *work);

// Paused jobs that have places now.
unsigned under_way_paused(void);

// Begins a place's job.
//
// Returns as cry_ring_submit() and cry_ring_notify().
CRYPTILE_MUST_CHECK cryptile_status_t under_way_begin(place_t *place, cry_ring_t *ring,
                                                      const tile_job_t *job);

// Takes all results that are there. False: there was none.
bool under_way_collect(cry_ring_t *ring);

// Whether no job has ended for UnderWayLimit, with a last look at the results. Time is counted from
// the first call on, where no job is paused.
bool under_way_is_late(cry_ring_t *ring);

// Counts how often all jobs were abandoned: one that began before has neither result nor area.
unsigned under_way_epoch(void);

// Abandons all jobs, which the tile works on no more, or in a child of fork() those of the parent.
// Who was paused is woken, and closes its files itself.
void under_way_abandon(bool in_child);

#endif  // CRYPTILE_PROVIDER_UNDER_WAY_H
