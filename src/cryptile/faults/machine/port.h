// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The surroundings of a group of lanes: what each lane's port is offered and expects.
#ifndef PORT_H
#define PORT_H

#include "machine.h"

// Lanes that stand at one place of a channel's script.
typedef struct {
  uint32_t position, wait;
  word lanes;
} standing;

typedef struct {
  uint32_t count[CHANNELS];
  standing at[CHANNELS][LANES];
} port;

// What a cycle showed, a bit per lane.
typedef struct {
  word wrong;      // a wrong, missing or surplus item went out
  word corrected;  // the engine's fault_corrected_o
  word amended;    // a job ended with the status that says so
  word alarm;      // the engine's fault_detected_o
  word reported;   // a job ended with the status that says so
  word moved;      // any handshake
  word fired[ABORT];
} seen;

static inline int any(word x) {
  uint64_t all = 0;
  for (int i = 0; i < LIMBS; i++)
    all |= x[i];
  return all != 0;
}

static inline word lane_bit(uint32_t lane) {
  word x = ZERO;
  x[lane / 64] = UINT64_C(1) << lane % 64;
  return x;
}

static inline word splat(uint64_t bit) {
  return ZERO - (bit & 1);
}

// Put all lanes at the same places.
void port_set(port *p, const place at[CHANNELS]);
// Move some lanes to given places.
void port_move(port *p, word lanes, const place at[CHANNELS]);
// The lanes that stand at given places.
word port_lanes_at(const port *p, const place at[CHANNELS]);
// The places of one lane.
void port_places(const port *p, uint32_t lane, place at[CHANNELS]);
// The lanes that have taken and given everything.
word port_complete(const port *p, const script *todo);
// The places at the start.
void port_start(const script *todo, place at[CHANNELS]);

// Drive the inputs of a cycle; returns the lanes that are cleared.
word port_drive(const port *p, const script *todo, word *in);
// Read the outputs of the cycle and advance. With `record`, lane 0 writes dst and done items.
void port_collect(port *p, const script *todo, const word *in, const word *out, word cleared,
                  seen *s, int record);

#endif
