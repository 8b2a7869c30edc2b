// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A queue of the crypto tile in a process on Linux: /dev/cryptileN of the driver cryptile.ko.
//
//   cry_ring_config_t config = {.ring_log2 = 6, .arena_bytes = 1 << 20};
//   status = cry_ring_open(&ring, &config);
//   uint8_t *data = cry_ring_take(&ring, bytes);             // all that jobs read and write
//
//   tile_message_t message = {.in = data, .out = data, ...};  // is in the arena
//   status = cry_ring_prepare(&ring, cry_tile_alg(name), &message, &job);
//   status = cry_ring_run(&ring, &job, limit);               // one job, and wait for it
//
//   status = cry_ring_submit(&ring, &job, &index);           // or many: describe them,
//   status = cry_ring_notify(&ring);                         // tell the tile once,
//   status = cry_tile_wait(&ring.queue, limit, &result);     // and take the results
//
//   status = cry_tile_session(&session, &job);               // or what stays the same once,
//   status = cry_ring_start(&ring, &session, &place);        // and then each job in few cycles
//   while (!cry_tile_ready(&ring.queue, 1)) {}
//   cry_tile_poll(&ring.queue, &result);
//
// Jobs, sessions and results are those of tile_jobs.h: cry_tile_ready(), cry_tile_poll() and
// cry_tile_wait() are called with `ring.queue`, and limits are nanoseconds. Addresses in jobs,
// places and lists are cry_ring_address(): relative, so that a process knows none of memory's.
//
// A short job takes fewer cycles still with cry_tile_start_inline() and
// cry_tile_take_good_inline() of tile_inline.h on `ring.queue`, if the ring is not `shared`.
//
// A program that waits for more than a ring does so at cry_ring_file().
//
// A key in a slot of the tile takes less of each job than one that comes with it, and lies in no
// memory: cry_ring_load_key(), then cry_ring_prepare_by_slot() in the place of cry_ring_prepare().
//
// When no hardware queue is free the ring is `shared`: the same calls work, each notification is a
// system call that returns with all results there, and the next job is taken when all of these are.
// Others have their turn in its midst; signals are handled there, and it goes on.
//
// Holds for every function here unless it says otherwise:
// - Alignment and aliasing: as in tile.h. Nothing of a job is touched until its result is taken.
// - Constant time: steps depend on lengths, modes and addresses, never on keys or data.
// - Not reentrant on one ring; different rings are independent. A child of fork() has no memory of
//   the ring, but its file: it calls cry_ring_forked(), and opens its own.
// - When the device goes, memory of the ring is gone: touching it is SIGBUS.
#ifndef CRYPTILE_RING_CRY_RING_H
#define CRYPTILE_RING_CRY_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile_jobs.h"
#include "tile_prepare.h"

enum { RingMostArenas = 4 };

typedef struct {
  const char *path;    // null: /dev/cryptile0
  unsigned ring_log2;  // 2^ring_log2 entries: 1 to 12, 8 at most if it may be shared
  size_t arena_bytes;  // of the first arena, at least
  uint32_t max_bytes;  // longest message, associated data or output; 0: as the driver has it
  bool exclusive;      // a hardware queue, or nothing
} cry_ring_config_t;

// Memory that the tile can reach.
typedef struct {
  uint8_t *memory;  // its window's begin
  size_t bytes;     // of the window
  size_t used;      // from the begin on
} cry_ring_arena_t;

// A key for a slot, and what it may be used for: by this ring alone.
typedef struct {
  const tile_alg_t *alg;
  const uint8_t *key;  // anywhere
  size_t key_len;
  bool encrypt;     // also hash and make tags
  bool decrypt;     // also verify; which algorithms want both rights says the tile's manual
  bool parts;       // messages in parts, whose contexts may tell the key
  uint8_t tag_len;  // bytes of tags; 0: full ones, RingAnyTag: any number
  uint32_t uses;    // so many jobs and no more; 0: any number
} cry_ring_key_t;
enum { RingAnyTag = 127 };

// Where a key is.
typedef struct {
  uint8_t number;
  uint8_t generation;  // of that slot's keys
} cry_ring_slot_t;

// The members but `queue`, `shared`, `engines` and `max_bytes` are private.
typedef struct {
  tile_ring_t queue;
  bool shared;
  uint32_t engines;    // bit n: opcode n
  uint32_t max_bytes;  // that holds
  int file;
  uint16_t told;  // shared: entries of the batch that was run
  unsigned arenas;
  cry_ring_arena_t arena[RingMostArenas];
} cry_ring_t;

// Opens a ring. On an error it is closed.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_BUSY: no hardware queue is free, or the user has as many rings
// as the driver lets him; CRYPTILE_ERR_SUPPORT: there is no such device, or its driver speaks
// another version; CRYPTILE_ERR_KEY: this user may not open it, or have as much;
// CRYPTILE_ERR_PARAM: a number that the driver refuses; CRYPTILE_ERR_LENGTH: no memory, or no more
// that this user may lock; CRYPTILE_ERR_FAULT: the tile does not start.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_open(cry_ring_t *ring,
                                                    const cry_ring_config_t *config);

// Closes a ring that was opened once, also if it is closed. Jobs are aborted, and its memory is
// zeroized and gone.
void cry_ring_close(cry_ring_t *ring);

// Forgets a ring in a child of fork(), where cry_ring_close() must not be called: what lies in the
// place of the ring's memory there is not the ring's. The parent's ring goes on.
void cry_ring_forked(cry_ring_t *ring);

// Adds an arena; there can be RingMostArenas. Memory is then taken from this one.
//
// Returns as cry_ring_open(), and CRYPTILE_ERR_LENGTH if no window is left.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_add_arena(cry_ring_t *ring, size_t bytes);

// Takes zeroized memory of the last arena, aligned to 64 bytes; it is given back by closing.
//
// Returns it; null: not so much is left.
void *cry_ring_take(cry_ring_t *ring, size_t bytes);

// The address of memory of an arena for descriptors, places and lists; 0: it is in none.
uint64_t cry_ring_address(const cry_ring_t *ring, const void *memory);

// Makes a job of a message whose buffers all are in arenas: cry_tile_prepare(), and addresses.
//
// Returns as cry_tile_prepare(), and CRYPTILE_ERR_PARAM for a buffer that is elsewhere.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_prepare(const cry_ring_t *ring,
                                                       const tile_alg_t *alg,
                                                       const tile_message_t *message,
                                                       tile_job_t *job);

// Writes a key into a slot, for this ring alone, where nobody can read it. It stays there until
// cry_ring_forget_key() or cry_ring_close(), also after cry_ring_restart(); but not when the system
// has slept, and then jobs with it end with CRYPTILE_ERR_KEY.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_SUPPORT: the ring is shared, or firmware keeps the slots;
// CRYPTILE_ERR_BUSY: no slot is left; CRYPTILE_ERR_PARAM: no such key or use; CRYPTILE_ERR_FAULT:
// the queue or the tile has stopped; CRYPTILE_ERR_STATE: the ring is closed, or its device gone.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_load_key(cry_ring_t *ring, const cry_ring_key_t *key,
                                                        cry_ring_slot_t *slot);

// Wipes a key's slot, which is free again: jobs that have not begun are refused.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: this ring has no such slot; CRYPTILE_ERR_FAULT: the tile
// does not wipe it; CRYPTILE_ERR_STATE: the ring is closed, or its device gone.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_forget_key(cry_ring_t *ring, cry_ring_slot_t slot);

// As cry_ring_prepare(), with a key in a slot: of the message's key `key_len` counts.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_prepare_by_slot(const cry_ring_t *ring,
                                                               const tile_alg_t *alg,
                                                               const tile_message_t *message,
                                                               cry_ring_slot_t slot,
                                                               tile_job_t *job);

// As those of tile_jobs.h. Of a shared ring CRYPTILE_ERR_BUSY: take all results first.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_submit(cry_ring_t *ring, const tile_job_t *job,
                                                      uint16_t *index);
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_session_submit(cry_ring_t *ring,
                                                              const tile_session_t *session,
                                                              const tile_place_t *place,
                                                              uint16_t *index);

// Tells the tile of all jobs appended so far. Of a shared ring the jobs have ended then.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE: the ring is closed; and of a shared ring also
// CRYPTILE_ERR_TIMEOUT, _ERR_FAULT, _ERR_PARAM or _ERR_STATE: the batch was aborted; jobs without a
// result are in flight no more, and what they have written must be dropped.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_notify(cry_ring_t *ring);

// One job of a session at once: cry_ring_session_submit() and cry_ring_notify().
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_start(cry_ring_t *ring,
                                                     const tile_session_t *session,
                                                     const tile_place_t *place);

// As cry_tile_wait(), asleep: only for jobs with `irq` set.
//
// Returns as cry_tile_wait(), and CRYPTILE_ERR_FAULT if the queue has stopped: no result will come
// until cry_ring_restart().
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_sleep(cry_ring_t *ring, uint32_t limit,
                                                     tile_result_t *result);

// The file to wait at beside others, by poll(), select() or epoll: POLLIN when a job with `irq` has
// ended since cry_ring_take_event(), POLLERR when the queue has stopped. It is the ring's: nothing
// but waiting is done with it, and it ends with cry_ring_close(). -1: the ring is closed.
//
//   poll(&(struct pollfd){.fd = cry_ring_file(&ring), .events = POLLIN, ...}, ...);
//   status = cry_ring_take_event(&ring);
//   while (status == CRYPTILE_OK && cry_tile_poll(&ring.queue, &result)) {...}
int cry_ring_file(const cry_ring_t *ring);

// Takes what the file tells, if it tells anything: before a look at the results, so that a job that
// ends behind the look is told. One call takes it for all jobs and all who wait.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_FAULT: the queue has stopped, and no more results will come
// until cry_ring_restart(); CRYPTILE_ERR_STATE: the ring is closed, or its device gone, and then
// its memory too.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_take_event(cry_ring_t *ring);

// One job alone: submits, tells, waits; asleep if `irq` is set. The ring must be empty. On a
// time-out it is restarted, so that nothing is written later.
//
// Returns as cry_ring_submit(), cry_ring_notify() and cry_tile_wait(); CRYPTILE_ERR_BUSY: results
// of other jobs were not taken. Unless it is CRYPTILE_OK the caller must drop what was written.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_run(cry_ring_t *ring, const tile_job_t *job,
                                                   uint32_t limit);

// Aborts all jobs, and begins anew: none of them has a result any more.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_FAULT: the tile does not stop, or not start;
// CRYPTILE_ERR_STATE: the ring is closed, or its device gone.
CRYPTILE_MUST_CHECK cryptile_status_t cry_ring_restart(cry_ring_t *ring);

#endif  // CRYPTILE_RING_CRY_RING_H
