// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Driver of the crypto tile: queues of jobs in memory, key slots, windows.
//
// This is the port to bare metal of what sw/driver/core makes: registers, memory and waiting. A job
// is described by a tile_job_t (tile_prepare.h fills it in for an algorithm by name), given to a
// queue, and found again by its result. Its addresses are made with tile_address().
//
//   status = cry_tile_open(&ring, &config);
//   status = cry_tile_window(0, 0, base, size, TileWindowRead | TileWindowWrite);
//   status = cry_tile_run(&ring, &job, limit);             // one job, and wait for it
//
//   status = cry_tile_submit(&ring, &job, &index);         // or many: describe them,
//   cry_tile_notify(&ring);                                // tell the tile once,
//   status = cry_tile_wait(&ring, limit, &result);         // and take the results
//
//   status = cry_tile_session(&session, &job);             // or what stays the same once,
//   status = cry_tile_start(&ring, &session, &place);      // and then each job in few cycles
//   status = cry_tile_wait(&ring, limit, &result);         // (fewer still with tile_inline.h)
//
// Holds for every function here unless it says otherwise:
// - Alignment: data, keys, initialisation vectors and tags may have any alignment. Ring entries are
//   aligned to 64 bytes, completions to 16, contexts and lists to 16.
// - Aliasing: a job's destination is its source, or they are disjoint. Buffers of a job are left
//   alone until its result has been taken; jobs of one queue on one engine are worked on in order.
// - Memory: the tile reads and writes main memory, and the core's data cache drops the lines that
//   the tile has written before a job's result can be seen. The driver publishes what the core has
//   stored before it tells the tile (tile_io.h). Bytes that a job writes must not be written by the
//   core meanwhile; others may, of the same line too.
// - Constant time: the driver's own steps depend on lengths, modes and addresses, never on keys or
//   data; the engines' latencies depend on lengths alone. Whether a tag was right shows in the
//   status.
// - Not reentrant on one queue; different queues are independent.
#ifndef CRYPTILE_HAL_TILE_H
#define CRYPTILE_HAL_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"
#include "tile_jobs.h"

enum {
  TileMaxIrqCount = 255,
  TileMaxIrqTimeout = 65535 * 16,
  TileMaxWeight = 15,
  TileMaxProcess = 0xfffff
};

// What one queue may use.
typedef struct {
  unsigned number;
  tile_entry_t *ring;              // 2^ring_log2 entries
  tile_completion_t *completions;  // as many
  unsigned ring_log2;              // 1 to 15
  uint32_t key_mask;               // bit n: key slot n
  unsigned irq_count;              // results of jobs that ask for one, until an interrupt; 0 as 1;
                                   // at most TileMaxIrqCount
  unsigned irq_timeout;            // cycles until an interrupt anyway, rounded up to 16; 0: never;
                                   // at most TileMaxIrqTimeout
  uint32_t max_bytes;              // longest message, associated data or output; 0: any
  uint16_t piece;                  // bytes that an entry of an SG list counts as at least; 0: 64
  uint16_t refused;                // bit n: jobs of opcode n are bad descriptors
  bool no_clear_keys;              // keys come from slots and tokens alone, not in messages either
  bool make_keys;                  // jobs may make keys, in slots of `key_mask` that are empty or
                                   // the queue's alone
  unsigned weight;                 // of the turns in which queues start jobs: 1 to 15; 0 as 1
  uint32_t process;                // on the bus, for an IOMMU: at most TileMaxProcess
} tile_queue_config_t;

// Windows of memory that a queue may use.
enum { TileWindowRead = 1, TileWindowWrite = 2 };

// Flags of a window for the bursts in it: AxCACHE, of 4 bits, and AxPROT, of 3. Without: both 0.
static inline unsigned tile_window_marks(unsigned cache, unsigned prot) {
  return (cache & 15) << 8 | (prot & 7) << 12;
}

// What a key slot may be used for. A queue that may encrypt with a tag and choose nonces can
// decrypt too, and keystreams are their own inverse: such slots have both rights or do nothing, but
// those with `tile_nonce`. With modes of one purpose alone a slot does what its rights say.
typedef struct {
  uint8_t opcode;    // the engine, tile_opcode_t
  uint16_t modes;    // of it; bit n: mode n
  uint8_t key_len;   // bytes that jobs take as the key, 0 to TileMaxKey, or TileLongKey of
                     // TilePka521; of XTS both keys
  uint8_t tag_len;   // bytes of tags; 0: full ones, TileAnyTag: any number (short tags are found
                     // byte by byte by whoever may verify them)
  uint8_t queues;    // bit n: queue n
  bool encrypt;      // also hash and make tags
  bool decrypt;      // also verify tags
  bool unwrap_only;  // it unwraps other keys, and does nothing else
  bool contexts;     // messages in parts; a context may tell the key to who reads it
  bool tile_nonce;   // the tile makes the nonces of encryption, for `uses` messages
  bool counted;      // `uses` jobs, and no more
  bool lock;         // nobody changes it before reset
  uint32_t uses;
} tile_slot_use_t;
enum { TileAnyTag = 127, TileAnySlot = 255 };
// Of a key with `tile_nonce`: bytes 32 to 39 stand before its nonces.
enum { TileNoncePrefix = 32, TileNonceKey = 40 };

// What was built in.
typedef struct {
  uint32_t engines;  // bit n: opcode n
  unsigned queues;
  unsigned slots;
  unsigned windows;    // of each queue
  unsigned page_log2;  // a queue's user page is 2^page_log2 bytes behind that of the one before
} tile_features_t;

tile_features_t cry_tile_features(void);

enum { TilePage = 4096 };

// Lets a queue use the memory [base, base + size): whole pages, of TilePage bytes. `flags` are
// TileWindowRead, TileWindowWrite and tile_window_marks(); neither of the first two closes the
// window. Until a window is open a queue can reach nothing: not its ring either.
// cry_tile_open() closes all windows of a queue: open them behind it.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: no such queue, window or flag, no whole pages, or none:
// nothing was changed.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_window(unsigned queue, unsigned window,
                                                      uint64_t base, uint64_t size, unsigned flags);

// Sets a queue up and starts it. Nothing is left of who had it before: any jobs are lost, all
// windows are closed, events and the log of violations are cleared and the interrupt is disabled;
// all else is what `config` says. On an error the ring is closed.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: no such queue, a ring that is not aligned, or more than
// the tile can hold of interrupt settings, weight or process, with nothing done;
// CRYPTILE_ERR_TIMEOUT: jobs of before did not end.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_open(tile_ring_t *ring,
                                                    const tile_queue_config_t *config);

// Stops a queue and closes its ring: jobs that wait are dropped, those in work are aborted. None of
// them has a result any more, also if it was there already: what they were to make must be dropped.
// When it returns CRYPTILE_OK the tile will not touch their memory any more. Open the queue again
// to go on.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_TIMEOUT: the tile may still write, call this again, also after
// a cry_tile_open() or cry_tile_run() in which it did not stop; CRYPTILE_ERR_STATE: the ring is
// closed, and its queue has stopped.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_abort(tile_ring_t *ring);

// The same asleep, until the queue's interrupt: only for jobs with `irq` set. With mstatus.MIE = 0
// no handler is needed. Uses the timer for the limit. When the queue has stopped itself, as it does
// if its ring or its records are out of reach, no result will come: that is CRYPTILE_ERR_TIMEOUT
// without waiting for the limit.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_sleep(tile_ring_t *ring, uint32_t limit,
                                                     tile_result_t *result);

// One job alone: submits, rings, waits. The queue must be empty.
//
// Returns as cry_tile_submit() and cry_tile_wait(), and CRYPTILE_ERR_BUSY with nothing done if
// results of other jobs were not taken. Unless the status is CRYPTILE_OK, what the job has written
// of message and tag is zeroized, also in the pieces of a list, where the queue may write; the rest
// of the destination stays, as the message of a job in place that was refused. So is all of a
// context that it was to save, also if it was loaded from there: the message cannot be continued.
// If no record tells how much a job that was begun has written, all of the destination is zeroized.
//
// On a time-out the queue is aborted first, so that nothing is written later, and the ring is
// closed. If the tile does not stop within a million cycles, the queue's windows are closed, it is
// waited for once more as long, and then all of the destination is zeroized: bursts that the
// windows had let pass before may still reach memory, until cry_tile_abort() returns CRYPTILE_OK.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_run(tile_ring_t *ring, const tile_job_t *job,
                                                   uint32_t limit);

// Writes a key into a slot: `use->key_len` bytes, or TileNonceKey with `tile_nonce`. Only software
// at the machine's most trusted level can reach the page of the key slots.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: no such slot, opcode or tag, or not this length, with
// nothing done; CRYPTILE_ERR_KEY: locked, sealed, or another slot was written at the same time.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_slot_write(unsigned slot, const tile_slot_use_t *use,
                                                          const uint8_t *key, size_t key_len);

// Which key is in a slot, for the `generation` of a job: another number each time that it changes.
uint8_t cry_tile_slot_generation(unsigned slot);

// Forgets a slot's key. Returns as cry_tile_slot_write().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_slot_clear(unsigned slot);

// The associated data under which a key for a slot is wrapped with AES-GCM: whoever wraps a key
// says what it may be used for, and in which slot; TileAnySlot: in any, and by the queue alone that
// unwraps it. A job that unwraps has these 16 bytes as `aad`, the wrapped key as `src`, its tag of
// 16 bytes, a slot with `unwrap_only` as `slot`, `decrypt`, and `unwrap_slot`.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: no such opcode, tag, length or slot; zeros are given.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_wrapped_as(const tile_slot_use_t *use, unsigned slot,
                                                          uint8_t aad[16]);

// No slot is written any more until reset, but by unwrapping.
void cry_tile_seal(void);

#endif  // CRYPTILE_HAL_TILE_H
