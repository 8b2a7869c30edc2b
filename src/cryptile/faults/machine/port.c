// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "port.h"

#include <string.h>

enum { STATUS_OK = 0, STATUS_CORRECTED = 3, STATUS_DETECTED = 4 };

// The engine's half of each handshake, the other half, and what is handed over.
static const int OUT[ABORT] = {OUT_JOB_READY, OUT_KEY_READY, OUT_SRC_READY, OUT_DST_VALID,
                               OUT_DONE_VALID};
static const int IN[ABORT] = {IN_JOB_VALID, IN_KEY_VALID, IN_SRC_VALID, IN_DST_READY,
                              IN_DONE_READY};
static const int PAYLOAD[ABORT] = {IN_JOB, IN_KEY, IN_SRC, OUT_DST, OUT_DONE_STATUS};
static const int WIDTH[ABORT] = {JOB_WIDTH, KEY_WIDTH, SRC_WIDTH, DST_WIDTH, STATUS_WIDTH};

static void add(port *p, int c, uint32_t position, uint32_t wait, word lanes) {
  if (!any(lanes))
    return;
  for (uint32_t i = 0; i < p->count[c]; i++) {
    standing *e = &p->at[c][i];
    if (e->position == position && e->wait == wait) {
      e->lanes |= lanes;
      return;
    }
  }
  p->at[c][p->count[c]++] = (standing){position, wait, lanes};
}

static uint32_t wait_at(const script *todo, int c, uint32_t position) {
  if (c == ABORT)
    return NEVER;
  return todo->channel[c].wait[position];
}

void port_set(port *p, const place at[CHANNELS]) {
  for (int c = 0; c < CHANNELS; c++) {
    p->count[c] = 1;
    p->at[c][0] = (standing){at[c].position, at[c].wait, ONE};
  }
}

static void take_out(port *p, int c, word lanes) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->count[c]; i++) {
    standing e = p->at[c][i];
    e.lanes &= ~lanes;
    if (any(e.lanes))
      p->at[c][kept++] = e;
  }
  p->count[c] = kept;
}

void port_move(port *p, word lanes, const place at[CHANNELS]) {
  for (int c = 0; c < CHANNELS; c++) {
    take_out(p, c, lanes);
    add(p, c, at[c].position, at[c].wait, lanes);
  }
}

word port_lanes_at(const port *p, const place at[CHANNELS]) {
  word same = ONE;
  for (int c = 0; c < CHANNELS; c++) {
    word here = ZERO;
    for (uint32_t i = 0; i < p->count[c]; i++) {
      const standing *e = &p->at[c][i];
      if (e->position == at[c].position && e->wait == at[c].wait)
        here = e->lanes;
    }
    same &= here;
  }
  return same;
}

void port_places(const port *p, uint32_t lane, place at[CHANNELS]) {
  for (int c = 0; c < CHANNELS; c++) {
    for (uint32_t i = 0; i < p->count[c]; i++) {
      const standing *e = &p->at[c][i];
      if (e->lanes[lane / 64] >> lane % 64 & 1)
        at[c] = (place){e->position, e->wait};
    }
  }
}

static word standing_from(const port *p, int c, uint32_t position) {
  word lanes = ZERO;
  for (uint32_t i = 0; i < p->count[c]; i++) {
    if (p->at[c][i].position >= position)
      lanes |= p->at[c][i].lanes;
  }
  return lanes;
}

word port_complete(const port *p, const script *todo) {
  word done = ONE;
  for (int c = 0; c < ABORT; c++)
    done &= standing_from(p, c, todo->channel[c].count);
  return done;
}

void port_start(const script *todo, place at[CHANNELS]) {
  for (int c = 0; c < CHANNELS; c++)
    at[c] = (place){0, wait_at(todo, c, 0)};
}

word port_drive(const port *p, const script *todo, word *in) {
  word cleared = ZERO;
  for (uint32_t i = 0; i < p->count[ABORT]; i++) {
    if (p->at[ABORT][i].wait == 0)
      cleared |= p->at[ABORT][i].lanes;
  }
  in[IN_CLEAR] = cleared;
  for (int c = 0; c < ABORT; c++) {
    const channel_script *s = &todo->channel[c];
    const int is_source = c <= SRC;
    word offered = ZERO;
    if (is_source)
      memset(&in[PAYLOAD[c]], 0, sizeof(word) * (size_t)WIDTH[c]);
    for (uint32_t i = 0; i < p->count[c]; i++) {
      const standing *e = &p->at[c][i];
      if (e->wait != 0 || (is_source && e->position >= s->count))
        continue;
      word lanes = e->lanes & ~cleared;
      if (c == JOB && todo->job_after[e->position]) {
        lanes &= standing_from(p, DONE, todo->job_after[e->position]);
      }
      offered |= lanes;
      if (!is_source)
        continue;
      const uint64_t *item = s->items + (size_t)e->position * s->limbs;
      for (uint32_t limb = 0; limb < s->limbs; limb++) {
        for (uint64_t bits = item[limb]; bits; bits &= bits - 1) {
          in[(uint32_t)PAYLOAD[c] + 64 * limb + (uint32_t)__builtin_ctzll(bits)] |= lanes;
        }
      }
    }
    in[IN[c]] = offered;
  }
  return cleared;
}

// The lanes that give out another item than the script's.
static word differing(const channel_script *s, int c, uint32_t position, const word *out) {
  const uint64_t *item = s->items + (size_t)position * s->limbs;
  word wrong = ZERO;
  for (int b = 0; b < WIDTH[c]; b++) {
    wrong |= out[PAYLOAD[c] + b] ^ splat(item[b / 64] >> b % 64);
  }
  return wrong;
}

static word status_is(const word *out, unsigned status) {
  word same = ONE;
  for (int b = 0; b < STATUS_WIDTH; b++) {
    same &= ~(out[OUT_DONE_STATUS + b] ^ splat(status >> b));
  }
  return same;
}

static void record_item(const channel_script *s, int c, uint32_t position, const word *out) {
  uint64_t *item = s->items + (size_t)position * s->limbs;
  memset(item, 0, sizeof(uint64_t) * s->limbs);
  for (int b = 0; b < WIDTH[c]; b++) {
    item[b / 64] |= (out[PAYLOAD[c] + b][0] & 1) << b % 64;
  }
}

static void check_done(const port *p, const script *todo, uint32_t position, word fire,
                       const word *out, seen *s) {
  const channel_script *expected = &todo->channel[DONE];
  const word same = ~differing(expected, DONE, position, out);
  const int ends_well = expected->items[(size_t)position * expected->limbs] == STATUS_OK;
  const word corrected = ends_well ? status_is(out, STATUS_CORRECTED) : ZERO;
  const word reported = status_is(out, STATUS_DETECTED) & ~same;
  s->amended |= fire & corrected & ~same;
  s->reported |= fire & reported;
  s->wrong |= fire & ~same & ~corrected & ~reported;
  // A job that ended otherwise has given all its beats.
  s->wrong |= fire & ~reported & ~standing_from(p, DST, todo->ends[position][DST]);
}

// What a job that a fault has ended did not give is not expected any more. What it did not take is
// not offered any more, but to an engine that promises to have taken it.
static void drop_rest(port *p, const script *todo, uint32_t job, word lanes) {
  for (int c = DRAINS ? DST : KEY; c <= DST; c++) {
    const uint32_t end = todo->ends[job][c];
    const word before = lanes & ~standing_from(p, c, end);
    take_out(p, c, before);
    add(p, c, end, wait_at(todo, c, end), before);
  }
}

static void step_aborts(port *p, const script *todo) {
  static _Thread_local standing old[LANES];
  const uint32_t count = p->count[ABORT];
  memcpy(old, p->at[ABORT], sizeof(standing) * count);
  p->count[ABORT] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const standing *e = &old[i];
    word lanes = e->lanes;
    if (e->wait != 0 && e->position < todo->aborts) {
      const word ended = lanes & standing_from(p, DONE, todo->abort[e->position].job + 1);
      add(p, ABORT, e->position + 1, NEVER, ended);
      lanes &= ~ended;
    }
    if (e->wait == NEVER && e->position < todo->aborts) {
      const abort_script *a = &todo->abort[e->position];
      const word due = lanes & standing_from(p, SRC, a->position);
      add(p, ABORT, e->position, a->wait, due);
      add(p, ABORT, e->position, NEVER, lanes & ~due);
    } else if (e->wait == NEVER) {
      add(p, ABORT, e->position, NEVER, e->lanes);
    } else if (e->wait > 0) {
      add(p, ABORT, e->position, e->wait - 1, lanes);
    } else {
      const uint32_t *end = todo->ends[todo->abort[e->position].job];
      for (int c = 0; c < ABORT; c++) {
        take_out(p, c, e->lanes);
        add(p, c, end[c], wait_at(todo, c, end[c]), e->lanes);
      }
      add(p, ABORT, e->position + 1, NEVER, e->lanes);
    }
  }
}

void port_collect(port *p, const script *todo, const word *in, const word *out, word cleared,
                  seen *s, int record) {
  static _Thread_local standing old[LANES];
  s->wrong = s->reported = s->amended = s->moved = ZERO;
  s->corrected =
      OUT_FAULT_CORRECTED >= 0 ? out[OUT_FAULT_CORRECTED < 0 ? 0 : OUT_FAULT_CORRECTED] : ZERO;
  s->alarm = OUT_FAULT_DETECTED >= 0 ? out[OUT_FAULT_DETECTED < 0 ? 0 : OUT_FAULT_DETECTED] : ZERO;
  for (int c = 0; c < ABORT; c++) {
    const channel_script *todo_c = &todo->channel[c];
    const word fire = in[IN[c]] & out[OUT[c]] & ~cleared;
    const uint32_t count = p->count[c];
    memcpy(old, p->at[c], sizeof(standing) * count);
    p->count[c] = 0;
    s->fired[c] = fire;
    s->moved |= fire;
    for (uint32_t i = 0; i < count; i++) {
      const standing *e = &old[i];
      if (e->wait > 0) {
        add(p, c, e->position, e->wait - 1, e->lanes);
        continue;
      }
      const word fired = e->lanes & fire;
      add(p, c, e->position, 0, e->lanes & ~fired);
      if (!any(fired))
        continue;
      if (e->position >= todo_c->count) {
        s->wrong |= fired;  // only dst and done get here: something surplus
        add(p, c, e->position, 0, fired);
        continue;
      }
      if (c > SRC && record)
        record_item(todo_c, c, e->position, out);
      if (c == DST && !record)
        s->wrong |= fired & differing(todo_c, c, e->position, out);
      if (c == DONE && !record) {
        check_done(p, todo, e->position, fired, out, s);
        drop_rest(p, todo, e->position, fired & s->reported);
      }
      add(p, c, e->position + 1, wait_at(todo, c, e->position + 1), fired);
    }
  }
  step_aborts(p, todo);
}
