// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile for the algorithms of the provider: one ring for the process, and jobs on memory of the
// process (area.h).
//
// - The ring is opened by the first job. With no queue free, or no device, jobs are refused, and
//   the ring is asked for again after some of them.
// - Any thread may call. A job is waited for, and others' with it; one within a job of OpenSSL's
//   (ASYNC_start_job()) is paused, if it is not short, its program looks at files and there is an
//   area left, and others are begun meanwhile. Its caller's buffers are touched only by the job
//   itself.
// - If no job ends for a second, one ends with a fault, or the queue has stopped, all jobs that are
//   under way are aborted, and fail.
// - After fork() the child has no ring: its first job opens one. What callers keep between jobs
//   lies in their own memory and stays good. Its copies of the parent's paused jobs fail.
// - Key and context are wiped from the area behind each job; the rest of it by the kernel, when
//   the ring is closed. While a program has memory of the ring it stays open.
#ifndef CRYPTILE_PROVIDER_DEVICE_H
#define CRYPTILE_PROVIDER_DEVICE_H

#include "cry_ring.h"

typedef struct {
  const char *path;    // shorter than DevicePath; null: /dev/cryptile0
  bool shared;         // take turns when no hardware queue is free
  size_t arena_bytes;  // for programs, if they ask for it (memory.h); 0: none
} device_config_t;

typedef struct {
  uint64_t jobs;     // that the tile has ended
  uint64_t bytes;    // of their messages
  uint64_t copied;   // bytes of messages that were copied, to the tile and back
  uint64_t cycles;   // of the tile, from a job's descriptor to its end
  uint64_t refused;  // jobs that there was no ring for
  uint64_t failed;   // that ended with an error but a wrong tag, or not at all
  uint64_t paused;   // that were not waited for
  uint64_t most;     // of them at a time
} device_counts_t;

// A job on one message, or on a part of one. What is not used is 0.
typedef struct {
  const tile_alg_t *alg;
  bool decrypt;
  const uint8_t *key;
  size_t key_len;
  const uint8_t *iv;
  size_t iv_len;
  const uint8_t *aad;
  size_t aad_len;
  const uint8_t *head;  // first bytes of the message: what comes of them is dropped
  size_t head_len;
  const uint8_t *in;
  uint8_t *out;
  size_t len;    // of `in` and `out`
  size_t fill;   // zero bytes behind the message: what comes of them is dropped
  size_t total;  // of CCM in parts: the whole message
  uint8_t *tag;  // tag, digest or code of `tag_len` bytes, if it is not null
  size_t tag_len;
  uint8_t *context;  // TileContextBytes; null: the message is in one part
  bool load;         // goes on from `context`
  uint8_t *save;     // and is saved there: others follow; null: this is the last part
  bool lost;         // by device_work(): it has failed, and `in` is not what it was
} work_t;

enum { DeviceMessage = 1 << 16, DeviceAad = 1 << 14, DevicePath = 64 };

// Begins and ends the use of the device, for each instance of the provider.
void device_attach(const device_config_t *config);
void device_detach(void);

// The longest part of a message, in multiples of `block`; 0: there is no ring now.
size_t device_room(size_t block);

// Works on a job and waits for it.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_BUSY: there is no ring; else why the job failed. Then nothing
// was written but, maybe, `out`, which was wiped; if that is where `in` was, the message is lost.
cryptile_status_t device_work(work_t *work);

// Has a window of the ring given to programs (memory_lend()), if it can be.
void device_lend(void);

device_counts_t device_counts(void);

// "own", "shared" or "none".
const char *device_queue(void);

#endif  // CRYPTILE_PROVIDER_DEVICE_H
