// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// The counters of a ring, and what its completions tell. Indices of entries run freely over 16
// bits; jobs are counted apart, as one may take two entries.
#ifndef CRYPTILE_DRIVER_TILE_RING_H
#define CRYPTILE_DRIVER_TILE_RING_H

#include "cryptile/status.h"
#include "gen/tile_catalog.h"
#include "gen/tile_layout.h"
#include "tile_types.h"

// What the tile writes at the end of a job.
typedef struct {
  _Alignas(16) uint64_t w[2];
} tile_completion_t;

// A finished job.
typedef struct {
  cryptile_status_t status;
  uint8_t code;    // TileOk, ...: the tile's own word for it
  uint16_t index;  // what cry_tile_submit() gave
  uint32_t bytes;  // of message or digest written
  uint32_t
      cycles;  // from the descriptor's fetch to the end; with a key whose nonces the tile makes,
               // bytes 8 to 11 of the nonce. Of a job that unwrapped such a key `bytes` and
               // `cycles` are bytes 0 to 7 of all its nonces.
} tile_result_t;

// Where a ring stands.
typedef struct {
  uint32_t size;                   // entries, a power of two; 0: the ring is closed
  uint32_t finished;               // jobs whose results were taken
  _Alignas(8) uint32_t submitted;  // jobs; one word of memory with those below
  uint16_t tail;                   // entries written, free-running
  uint16_t head;                   // entries that the tile is known to have read
} tile_counters_t;

// Where in the ring an entry lies, or in the completions a job's.
static inline uint32_t cry_tile_at(const tile_counters_t *count, uint32_t index) {
  return index & (count->size - 1);
}

// Whether each completion that there is room for belongs to a job whose result was not taken.
static inline bool cry_tile_is_full(const tile_counters_t *count) {
  return count->submitted - count->finished >= count->size;
}

static inline bool cry_tile_is_idle(const tile_counters_t *count) {
  return count->submitted == count->finished;
}

// Whether as many entries are known to be free.
static inline bool cry_tile_has_free(const tile_counters_t *count, unsigned entries) {
  return (uint16_t)(count->tail - count->head) + entries <= count->size;
}

// Why a job finds no room.
static inline cryptile_status_t cry_tile_no_room(const tile_counters_t *count) {
  return count->size == 0 ? CRYPTILE_ERR_STATE : CRYPTILE_ERR_BUSY;
}

// Takes note of a job that was written at the tail.
static inline void cry_tile_append(tile_counters_t *count, unsigned entries) {
  count->tail = (uint16_t)(count->tail + entries);
  count->submitted++;
}

// The number of the job, from 1 on, that a completion with this first word belongs to.
static inline uint32_t cry_tile_sequence(uint64_t first) {
  return tile_completion_ended_decode(first).sequence_number;
}

// What a code of the tile means to a caller.
static inline cryptile_status_t cry_tile_status(unsigned code) {
#define ROW(job, status) \
  case job:              \
    return status;
  switch (code) {
    TILE_STATUSES(ROW)
    default:
      return CRYPTILE_ERR_FAULT;
  }
#undef ROW
}

// What both words of a completion tell.
static inline tile_result_t cry_tile_result(uint64_t first, uint64_t second) {
  tile_completion_ended_t ended = tile_completion_ended_decode(first);
  tile_completion_counts_t counts = tile_completion_counts_decode(second);
  return (tile_result_t){
      .code = ended.status,
      // The way through a table is longer.
      .status = ended.status == TileOk ? CRYPTILE_OK : cry_tile_status(ended.status),
      .index = ended.index,
      .bytes = counts.bytes,
      .cycles = counts.cycles};
}

// Takes note of the entry of a finished job: it was read, and so were those before it. Entries are
// read in order; completions may come in another.
static inline void cry_tile_was_read(tile_counters_t *count, uint16_t index) {
  uint16_t read = (uint16_t)(index + 1);
  if ((int16_t)(read - count->head) > 0) {
    count->head = read;
  }
}

#endif  // CRYPTILE_DRIVER_TILE_RING_H
