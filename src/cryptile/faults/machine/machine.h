// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Many copies of one design on the engine port, each with a fault of its own, beside one without.
//
// All lanes stand at the same cycle. Lane 0 of group 0 is the golden machine; a free lane is a copy
// of it. The surroundings of a lane are automata that see handshakes only, never time, so a machine
// that was held up goes on exactly as the golden one did.
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>

#include "design.h"
#include "step.h"

enum { JOB, KEY, SRC, DST, DONE, ABORT, CHANNELS };
enum { MASKED, LATENT, CORRECTED, DETECTED, SILENT, HANG, FALSE_ALARM, UNRECOVERED, CLASSES };
enum { SEU, MBU, SET, STUCK };

#define RESET_CYCLES 2
#define NEVER        UINT32_MAX
#define NONE         UINT32_MAX
#define FLOP_LIMBS   ((FLOPS + 63) / 64)
#define LATENCIES    33  // bucket b counts latencies below 2^b

// What one channel offers (job, key, src) or expects (dst, done), one item after the other. An item
// is valid, or ready, `wait` cycles after the one before it was taken.
typedef struct {
  uint32_t count, limbs;
  uint64_t *items;       // `limbs` of each item
  const uint32_t *wait;  // count + 1 of them
} channel_script;

// After item `position` of src was reached and `wait` more cycles clear_i is one for one cycle,
// which ends `job`. If that has ended before, nothing happens.
typedef struct {
  uint32_t position, wait, job;
} abort_script;

typedef struct {
  channel_script channel[ABORT];
  const uint32_t *job_after;      // a job is offered when so many jobs are done
  const uint32_t (*ends)[ABORT];  // of each job: where every channel stands behind it
  uint32_t aborts;
  const abort_script *abort;
} script;

typedef struct {
  uint32_t position, wait;
} place;

// A golden machine at the start of a cycle.
typedef struct {
  uint64_t state[FLOP_LIMBS];
  place at[CHANNELS];
} checkpoint;

// What is to be done: faults of the cycles first <= t < end.
typedef struct {
  uint32_t model, first, end, last;  // last: no part of the campaign follows
  uint32_t exhaustive, events;       // events: number of sampled faults
  const uint32_t *event_time, *event_site;
  uint32_t sites, width;    // width: targets of one site, such as flip-flops of a pattern
  const uint32_t *targets;  // NONE where a site has fewer
  const uint8_t *forced;    // stuck-at: the value of each site
  uint32_t bins, bin_cycles, probes, merge;
  uint32_t repeats;  // a fault may be reported again by jobs that begin behind the first report
  uint32_t complete, hang;  // cycle in which golden has done all; patience
} campaign;

// What came out. Classes from CLASSES on mean: what becomes of a single upset of flip-flop
// (class - CLASSES) in cycle `end`.
typedef struct {
  uint64_t *counts;     // [sites][bins][CLASSES], exhaustive
  uint32_t *outcome;    // [events]
  uint32_t *latency;    // [events], cycles to the verdict
  uint32_t *probe;      // [FLOPS]: class of a single upset of each flip-flop in cycle `first`
  uint32_t *example;    // [sites][CLASSES]: cycle of the first fault of that class, or NEVER
  uint64_t *latencies;  // [CLASSES][LATENCIES]
  uint32_t *rest;       // [rest_size][3]: site, bin, flip-flop: single upsets left at `end`
  uint64_t rest_size, rest_count;
  uint64_t faults, lane_cycles, group_cycles, cycles;
} result;

// Cycles of the golden machine's handshakes and what it gave out.
typedef struct {
  uint32_t *fired[ABORT];  // cycle of each item
  uint64_t *mark;          // of each job: hash of registers and places when it was taken
  checkpoint *checkpoints;
  uint32_t interval, checkpoint_count;
  uint32_t complete, longest_gap;
} golden;

// Run without faults; `checkpoint_count` is the room for them. With `record` items of dst and done
// are written, else compared. Returns 0, or the cycle + 1 in which the machine went wrong or
// stopped.
uint32_t machine_golden(const script *todo, golden *g, int record, uint32_t limit);

// Run a campaign. `trace`, if given, gets bits of golden and of lane 1 of each cycle: inputs,
// state, outputs, a byte each. Returns 0, or 1 when there was no memory.
int machine_run(const script *todo, const golden *g, const campaign *what, result *out,
                uint8_t *trace, uint32_t trace_cycles);

#endif
