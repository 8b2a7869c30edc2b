// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A module driven by vectors, in many lanes, each with a fault of its own.
//
// Bits of inputs, states and outputs are packed, the lowest first; each cycle begins at a byte.
#ifndef VECTORS_H
#define VECTORS_H

#include <stdint.h>

enum { MASKED, CORRECTED, DETECTED, LATENT, SILENT, HANG };
enum { IGNORED, COMPARED, ALARM, REPORT };

#define NOWHERE UINT32_MAX

// What all machines are given.
typedef struct {
  uint32_t cycles;
  const uint8_t *inputs;
  const uint8_t *watched;  // of each cycle, if outputs are looked at
} stimuli;

// What the machine without a fault did: one state more than cycles.
typedef struct {
  const uint8_t *states, *outputs;
  const uint8_t *roles;  // of each bit of the outputs
  uint32_t done;         // the output that tells the end of work, or NOWHERE
  uint32_t last_done;    // the last cycle in which it is up
} golden;

// Where faults can be: of each site `width` flip-flops, or one gate; NOWHERE fills up.
typedef struct {
  uint32_t width, at_gates;
  const uint32_t *places;
} faults;

// What became of one fault. `seen`: the cycle of the first wrong output, or of the alarm;
// `channel`: that output.
typedef struct {
  uint32_t seen, channel;
  uint8_t outcome;
} result;

// All functions return 0, or 1 when there is no memory.

// Runs without a fault from the state `start`.
int vectors_golden(const stimuli *v, const uint8_t *start, uint8_t *states, uint8_t *outputs);

// Runs one fault, and writes state and outputs of the cycles `cycle` to `end` - 1.
int vectors_trace(const stimuli *v, const golden *g, const faults *f, uint32_t site, uint32_t cycle,
                  uint32_t end, uint8_t *states, uint8_t *outputs);

// Runs faults that are sorted by cycle. `known`, or NULL, holds what becomes of each single upset
// of each later cycle, by cycle and flip-flop.
int vectors_run(const stimuli *v, const golden *g, const faults *f, uint32_t count,
                const uint32_t *cycle, const uint32_t *site, const result *known, result *out);

#endif
