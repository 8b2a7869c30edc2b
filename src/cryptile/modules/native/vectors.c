// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "step.h"

#define PARTS_ROOM   (PARTS ? PARTS : 1)
#define ROOM(count)  ((count) ? (count) : 1)
#define STATE_BYTES  ((FLOPS + 7) / 8)
#define INPUT_BYTES  ((INPUTS + 7) / 8)
#define OUTPUT_BYTES ((OUTPUTS + 7) / 8)

typedef struct {
  word in[ROOM(INPUTS)], s[ROOM(FLOPS)], n[ROOM(FLOPS)], out[ROOM(OUTPUTS)], diff[ROOM(FLOPS)];
  site_fault fault[ROOM(GATES)];
  uint8_t faulty[PARTS_ROOM];
} lanes;

static word all(const uint8_t *bits, uint32_t index) {
  return bits[index / 8] >> index % 8 & 1 ? ONE : ZERO;
}

static word one(uint32_t lane) {
  word w = ZERO;
  w[lane / 64] = 1ULL << lane % 64;
  return w;
}

static int any(word w) {
  uint64_t found = 0;
  for (int i = 0; i < LIMBS; i++)
    found |= w[i];
  return found != 0;
}

// The lowest lane of a set, which is taken out of it.
static uint32_t take(word *w) {
  for (uint32_t i = 0; i < LIMBS; i++) {
    if ((*w)[i]) {
      const uint32_t bit = (uint32_t)__builtin_ctzll((*w)[i]);
      (*w)[i] &= (*w)[i] - 1;
      return i * 64 + bit;
    }
  }
  return LANES;
}

static lanes *room(void) {
  lanes *x = aligned_alloc(64, (sizeof(lanes) + 63) / 64 * 64);
  if (x)
    memset(x, 0, sizeof(lanes));
  return x;
}

static void enter(lanes *x, const stimuli *v, uint32_t cycle) {
  const uint32_t count = INPUTS;  // maybe none
  for (uint32_t i = 0; i < count; i++) {
    x->in[i] = all(v->inputs + (size_t)cycle * INPUT_BYTES, i);
  }
}

static void load(lanes *x, const uint8_t *state) {
  for (uint32_t i = 0; i < FLOPS; i++)
    x->s[i] = all(state, i);
}

static void step(lanes *x, int at_gates) {
  design_step(x->in, x->s, x->n, x->out, at_gates ? x->fault : NULL, at_gates ? x->faulty : NULL);
}

static void keep(uint8_t *bits, const word *values, uint32_t count) {
  memset(bits, 0, (count + 7) / 8);
  for (uint32_t i = 0; i < count; i++)
    bits[i / 8] |= (uint8_t)((values[i][0] & 1) << i % 8);
}

// Returns whether a gate is hit.
static int inject(lanes *x, const faults *f, uint32_t site, word where) {
  const uint32_t *places = f->places + (size_t)site * f->width;
  if (f->at_gates) {
    x->fault[places[0]].value |= where;
    x->faulty[places[0] / PART_GATES] = 1;
    return 1;
  }
  for (uint32_t i = 0; i < f->width; i++) {
    if (places[i] != NOWHERE)
      x->s[places[i]] ^= where;
  }
  return 0;
}

static void remove_gates(lanes *x, const faults *f, uint32_t site) {
  const uint32_t gate = f->places[(size_t)site * f->width];
  memset(&x->fault[gate], 0, sizeof(site_fault));
  x->faulty[gate / PART_GATES] = 0;
}

int vectors_golden(const stimuli *v, const uint8_t *start, uint8_t *states, uint8_t *outputs) {
  lanes *x = room();
  if (!x)
    return 1;
  load(x, start);
  for (uint32_t t = 0; t < v->cycles; t++) {
    keep(states + (size_t)t * STATE_BYTES, x->s, FLOPS);
    enter(x, v, t);
    step(x, 0);
    keep(outputs + (size_t)t * OUTPUT_BYTES, x->out, OUTPUTS);
    memcpy(x->s, x->n, sizeof(x->s));
  }
  keep(states + (size_t)v->cycles * STATE_BYTES, x->s, FLOPS);
  free(x);
  return 0;
}

int vectors_trace(const stimuli *v, const golden *g, const faults *f, uint32_t site, uint32_t cycle,
                  uint32_t end, uint8_t *states, uint8_t *outputs) {
  lanes *x = room();
  if (!x)
    return 1;
  load(x, g->states + (size_t)cycle * STATE_BYTES);
  for (uint32_t t = cycle; t < end; t++) {
    const int gate = t == cycle && inject(x, f, site, ONE);
    keep(states + (size_t)(t - cycle) * STATE_BYTES, x->s, FLOPS);
    enter(x, v, t);
    step(x, gate);
    if (gate)
      remove_gates(x, f, site);
    keep(outputs + (size_t)(t - cycle) * OUTPUT_BYTES, x->out, OUTPUTS);
    memcpy(x->s, x->n, sizeof(x->s));
  }
  free(x);
  return 0;
}

// Up to LANES faults, one in each lane, and what is known of them.
typedef struct {
  const stimuli *v;
  const golden *g;
  const result *known;
  result *out;
  const uint32_t *cycle;
  word live, armed, reported;  // armed: an output was wrong, and `done` is waited for
} batch;

static void end_as(batch *b, word some, uint8_t outcome) {
  b->live &= ~some;
  while (any(some)) {
    const uint32_t lane = take(&some);
    b->out[lane].outcome = outcome;
  }
}

// Looks at the outputs of a cycle.
static void look(batch *b, const lanes *x, uint32_t t) {
  const uint8_t *right = b->g->outputs + (size_t)t * OUTPUT_BYTES;
  word wrong = ZERO, alarm = ZERO, done = ZERO;
  for (uint32_t i = 0; i < OUTPUTS; i++) {
    const word good = all(right, i), differs = (x->out[i] ^ good) & b->live;
    switch (b->g->roles[i]) {
      case COMPARED:
        wrong |= differs;
        break;
      case ALARM:
        alarm |= differs & ~good;
        break;
      case REPORT:
        b->reported |= differs;
        break;
      default:
        break;
    }
    if (i == b->g->done)
      done = x->out[i];
  }
  word news = b->live & alarm & ~b->armed;
  for (word some = news; any(some);)
    b->out[take(&some)].seen = t;
  end_as(b, news, DETECTED);
  news = b->live & wrong & ~b->armed;
  const word fresh = news;
  for (uint32_t i = 0; any(news) && i < OUTPUTS; i++) {
    if (b->g->roles[i] != COMPARED)
      continue;
    word here = news & (x->out[i] ^ all(right, i));
    news &= ~here;
    b->armed |= here;
    while (any(here)) {
      const uint32_t lane = take(&here);
      b->out[lane].seen = t;
      b->out[lane].channel = i;
    }
  }
  // Without anything to wait for, a wrong output is the end.
  const int waits = b->g->done != NOWHERE && t <= b->g->last_done;
  end_as(b, b->live & b->armed & (waits ? done : done | fresh), SILENT);
}

// Looks at the state behind a cycle.
static void compare(batch *b, lanes *x, uint32_t t) {
  const uint8_t *right = b->g->states + (size_t)(t + 1) * STATE_BYTES;
  word some = ZERO, more = ZERO;
  for (uint32_t i = 0; i < FLOPS; i++) {
    const word d = (x->n[i] ^ all(right, i)) & b->live;
    x->diff[i] = d;
    more |= some & d;
    some |= d;
  }
  word same = b->live & ~some;
  if (any(same)) {
    const int done_comes = b->g->done != NOWHERE && b->g->last_done > t;
    end_as(b, same & b->armed, done_comes ? SILENT : HANG);
    same &= ~b->armed;
    word later = same & b->reported;
    same &= ~later;
    end_as(b, later, CORRECTED);
    while (any(same)) {
      const uint32_t lane = take(&same);
      end_as(b, one(lane), b->cycle[lane] == t ? MASKED : CORRECTED);
    }
  }
  if (t + 1 == b->v->cycles) {
    end_as(b, b->live & ~b->armed, LATENT);
    end_as(b, b->live, HANG);
    return;
  }
  // One flip-flop that differs is an upset of the next cycle, of which the class is known.
  word single = b->live & ~b->armed & some & ~more;
  if (!b->known || !any(single))
    return;
  const result *row = b->known + (size_t)(t + 1) * FLOPS;
  for (uint32_t i = 0; i < FLOPS; i++) {
    word here = x->diff[i] & single;
    while (any(here)) {
      const uint32_t lane = take(&here);
      b->out[lane] = row[i];
      if (row[i].outcome == MASKED)
        b->out[lane].outcome = CORRECTED;
      b->live &= ~one(lane);
    }
  }
}

// Runs faults, sorted by cycle, that have a lane each.
static void run(lanes *x, batch *b, const faults *f, uint32_t count, const uint32_t *site) {
  uint32_t next = 0, t = 0;
  b->live = b->armed = b->reported = ZERO;
  while (next < count || any(b->live)) {
    if (!any(b->live)) {
      t = b->cycle[next];
      load(x, b->g->states + (size_t)t * STATE_BYTES);
    }
    const uint32_t first = next;
    int gates = 0;
    for (; next < count && b->cycle[next] == t; next++) {
      b->out[next] = (result){NOWHERE, NOWHERE, MASKED};
      gates |= inject(x, f, site[next], one(next));
      b->live |= one(next);
    }
    enter(x, b->v, t);
    step(x, gates);
    for (uint32_t i = first; gates && i < next; i++)
      remove_gates(x, f, site[i]);
    if (b->v->watched[t])
      look(b, x, t);
    compare(b, x, t);
    memcpy(x->s, x->n, sizeof(x->s));
    t++;
  }
}

int vectors_run(const stimuli *v, const golden *g, const faults *f, uint32_t count,
                const uint32_t *cycle, const uint32_t *site, const result *known, result *out) {
  lanes *x = room();
  if (!x)
    return 1;
  for (uint32_t done = 0; done < count; done += LANES) {
    const uint32_t size = count - done < LANES ? count - done : LANES;
    batch b = {.v = v, .g = g, .known = known, .out = out + done, .cycle = cycle + done};
    run(x, &b, f, size, site + done);
  }
  free(x);
  return 0;
}
