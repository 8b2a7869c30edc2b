// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "port.h"

// Cycles by which a machine that was held up may lag and still be recognised.
#define HISTORY        128
#define MERGE_INTERVAL 32

// A fault that a lane stands for. Faults that led to the same machine share a lane.
typedef struct {
  uint32_t site, cycle, next;  // site: of the campaign, event, or flip-flop of a probe
  uint32_t report;             // cycle in which the engine reported it, or 0
} fault_node;

typedef struct {
  uint32_t head, tail;
} fault_list;

typedef struct {
  word s[2][FLOPS];
  int now;  // which of `s` is the state
  int live;
  word active, corrected, alarm, false_flag, checker_only, still;
  word reported, stopped;  // a fault was reported; in this cycle, by an abort behind the alarm
  uint32_t begun[LANES];   // of lanes with a report: jobs that had begun before it
  port at;
  seen saw;
  fault_list faults[LANES];
} group;

typedef struct {
  group *g;
  uint32_t lane;
} slot;

typedef struct {
  const script *todo;
  const golden *gold;
  const campaign *what;
  result *out;
  group **groups;
  uint32_t group_count;
  fault_node *nodes;
  uint32_t node_count, node_room, free_node;
  // Single upsets of the coming cycle that stand for earlier faults; [1]: that were reported.
  fault_list waiting[2][FLOPS];
  uint32_t waiting_count;
  word g[FLOPS];  // golden state, in all lanes
  uint64_t past[HISTORY][FLOP_LIMBS];
  place past_at[HISTORY][CHANNELS];
  word in[INPUTS], output[OUTPUTS];
  site_fault *site_faults;
  uint8_t part_faulty[PARTS];
  uint64_t mixed[FLOPS];
  slot reporter;  // the last lane that reported, in this cycle if `report_time` says so
  uint32_t report_time;
  uint32_t time, active_lanes, past_from;  // past_from: first cycle that `past` knows
  int failed;
} machine;

// --- Lists of faults ----------------------------------------------------------------------------

static const fault_list EMPTY = {NONE, NONE};
static const uint32_t PROBE = UINT32_C(1) << 31;

static fault_list single(machine *m, uint32_t site, uint32_t cycle) {
  uint32_t n = m->free_node;
  if (n != NONE) {
    m->free_node = m->nodes[n].next;
  } else {
    if (m->node_count == m->node_room) {
      const uint32_t room = m->node_room * 2 + 4096;
      fault_node *more = realloc(m->nodes, sizeof(fault_node) * room);
      if (!more) {
        m->failed = 1;
        return EMPTY;
      }
      m->nodes = more;
      m->node_room = room;
    }
    n = m->node_count++;
  }
  m->nodes[n] = (fault_node){site, cycle, NONE, 0};
  return (fault_list){n, n};
}

static fault_list joined(machine *m, fault_list a, fault_list b) {
  if (a.head == NONE)
    return b;
  if (b.head == NONE)
    return a;
  m->nodes[a.tail].next = b.head;
  return (fault_list){a.head, b.tail};
}

static void note(machine *m, const fault_node *n, uint32_t verdict) {
  const campaign *what = m->what;
  result *out = m->out;
  if (n->site & PROBE) {
    out->probe[n->site & ~PROBE] = verdict;
    return;
  }
  const uint32_t latency = (verdict == DETECTED && n->report ? n->report : m->time) - n->cycle;
  if (!what->exhaustive) {
    out->outcome[n->site] = verdict;
    out->latency[n->site] = latency;
    if (verdict >= CLASSES)
      return;
  } else {
    const uint32_t bin = (n->cycle - what->first) / what->bin_cycles;
    if (verdict >= CLASSES) {
      if (out->rest_count < out->rest_size) {
        uint32_t *row = out->rest + 3 * out->rest_count;
        row[0] = n->site;
        row[1] = bin;
        row[2] = verdict - CLASSES;
      }
      out->rest_count++;
      return;
    }
    out->counts[((size_t)n->site * what->bins + bin) * CLASSES + verdict]++;
    uint32_t *example = &out->example[(size_t)n->site * CLASSES + verdict];
    if (n->cycle < *example)
      *example = n->cycle;
  }
  out->latencies[verdict * LATENCIES + (latency ? 32 - (uint32_t)__builtin_clz(latency) : 0)]++;
}

static void settle(machine *m, fault_list list, uint32_t verdict) {
  for (uint32_t n = list.head; n != NONE;) {
    const uint32_t next = m->nodes[n].next;
    note(m, &m->nodes[n], verdict);
    m->nodes[n].next = m->free_node;
    m->free_node = n;
    n = next;
  }
}

// --- Lanes --------------------------------------------------------------------------------------

static uint32_t next_lane(word x, uint32_t from) {
  for (uint32_t limb = from / 64; limb < LIMBS; limb++) {
    uint64_t bits = x[limb];
    if (limb == from / 64)
      bits &= ~UINT64_C(0) << from % 64;
    if (bits)
      return 64 * limb + (uint32_t)__builtin_ctzll(bits);
  }
  return LANES;
}

#define FOR_LANES(lane, lanes) \
  for (uint32_t lane = next_lane(lanes, 0); lane < LANES; lane = next_lane(lanes, lane + 1))

static uint32_t count_lanes(word x) {
  uint32_t n = 0;
  for (int i = 0; i < LIMBS; i++)
    n += (uint32_t)__builtin_popcountll(x[i]);
  return n;
}

static group *new_group(machine *m) {
  group *g =
      aligned_alloc(sizeof(word), (sizeof(group) + sizeof(word) - 1) / sizeof(word) * sizeof(word));
  group **more = realloc(m->groups, sizeof(group *) * (m->group_count + 1));
  if (more)
    m->groups = more;
  if (!g || !more) {
    free(g);
    m->failed = 1;
    return NULL;
  }
  memset(g, 0, sizeof *g);
  m->groups[m->group_count++] = g;
  return g;
}

// Make all lanes of a group copies of the golden machine.
static void enliven(machine *m, group *g, const place at[CHANNELS]) {
  memcpy(g->s[g->now], m->g, sizeof m->g);
  port_set(&g->at, at);
  g->corrected = g->alarm = g->false_flag = g->checker_only = g->still = g->reported = ZERO;
  g->live = 1;
}

// The place to look for free lanes goes on from where one was found last.
typedef struct {
  uint32_t group;
  word free;
} cursor;

static cursor cursor_start(const machine *m) {
  return (cursor){0, ~m->groups[0]->active & ~lane_bit(0)};
}

static slot allocate(machine *m, cursor *c, const place at[CHANNELS]) {
  while (!any(c->free)) {
    c->group++;
    if (c->group == m->group_count && !new_group(m))
      return (slot){NULL, 0};
    group *g = m->groups[c->group];
    if (!g->live)
      enliven(m, g, at);
    c->free = ~g->active;
  }
  const uint32_t lane = next_lane(c->free, 0);
  c->free &= ~lane_bit(lane);
  group *g = m->groups[c->group];
  const word bit = lane_bit(lane);
  g->active |= bit;
  g->corrected &= ~bit;
  g->alarm &= ~bit;
  g->false_flag &= ~bit;
  g->checker_only &= ~bit;
  g->still &= ~bit;
  g->reported &= ~bit;
  g->faults[lane] = EMPTY;
  m->active_lanes++;
  return (slot){g, lane};
}

static void flip(group *g, uint32_t lane, uint32_t flop) {
  g->s[g->now][flop][lane / 64] ^= UINT64_C(1) << lane % 64;
}

static void inject_flops(machine *m, cursor *c, const place at[CHANNELS], const uint32_t *flops,
                         uint32_t width, fault_list faults, int reported) {
  const slot to = allocate(m, c, at);
  if (!to.g)
    return;
  int checker = 1;
  for (uint32_t i = 0; i < width && flops[i] != NONE; i++) {
    flip(to.g, to.lane, flops[i]);
    checker &= flops[i] >= CORE_FLOPS;
  }
  if (checker)
    to.g->checker_only |= lane_bit(to.lane);
  if (reported)
    to.g->reported |= lane_bit(to.lane);
  to.g->faults[to.lane] = faults;
}

// Faults at gates last for one cycle (flipped) or for ever (forced).
static void inject_gate(machine *m, cursor *c, const place at[CHANNELS], uint32_t site,
                        fault_list faults);

static void inject_site(machine *m, cursor *c, const place at[CHANNELS], uint32_t site,
                        uint32_t name) {
  const campaign *what = m->what;
  fault_list list = single(m, name, m->time);
  m->out->faults++;
  if (what->model == SET || what->model == STUCK) {
    inject_gate(m, c, at, site, list);
    return;
  }
  const uint32_t *flops = what->targets + (size_t)site * what->width;
  if (what->merge && (what->width == 1 || flops[1] == NONE)) {
    fault_list *waiting = &m->waiting[0][flops[0]];
    m->waiting_count += waiting->head == NONE;
    *waiting = joined(m, *waiting, list);
    return;
  }
  inject_flops(m, c, at, flops, what->width, list, 0);
}

static void inject(machine *m, uint32_t *event) {
  const campaign *what = m->what;
  place at[CHANNELS];
  port_places(&m->groups[0]->at, 0, at);
  cursor c = cursor_start(m);
  if (m->time >= what->first && m->time < what->end) {
    if (what->probes && m->time == what->first) {
      for (uint32_t f = 0; f < FLOPS; f++) {
        m->waiting_count += m->waiting[0][f].head == NONE;
        m->waiting[0][f] = joined(m, m->waiting[0][f], single(m, f | PROBE, m->time));
      }
    }
    if (what->exhaustive) {
      for (uint32_t s = 0; s < what->sites; s++)
        inject_site(m, &c, at, s, s);
    } else {
      for (; *event < what->events && what->event_time[*event] == m->time; ++*event) {
        inject_site(m, &c, at, what->event_site[*event], *event);
      }
    }
  }
  // Lists that wait at the end of a part that others follow are its rest.
  if (m->waiting_count && (m->time < what->end || what->last)) {
    for (uint32_t f = 0; f < FLOPS; f++) {
      for (int reported = 0; reported < 2; reported++) {
        if (m->waiting[reported][f].head == NONE)
          continue;
        inject_flops(m, &c, at, &f, 1, m->waiting[reported][f], reported);
        m->waiting[reported][f] = EMPTY;
      }
    }
    m->waiting_count = 0;
  }
}

// --- Hashes -------------------------------------------------------------------------------------

static const word NOTHING[FLOPS];

static uint64_t mixed(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

// A hash of each lane: of the first registers, as they differ from others, and of all places. It is
// computed for all lanes at once, a word for each of its bits.
static void hash_lanes(const machine *m, const group *g, word lanes, const word *others,
                       uint32_t flops, uint64_t hash[LANES]) {
  const word *s = g->s[g->now];
  word sum[64];
  memset(sum, 0, sizeof sum);
  for (uint32_t f = 0; f < flops; f++) {
    const word x = (s[f] ^ others[f]) & lanes;
    if (!any(x))
      continue;
    for (uint64_t bits = m->mixed[f]; bits; bits &= bits - 1)
      sum[__builtin_ctzll(bits)] ^= x;
  }
  FOR_LANES(lane, lanes) {
    hash[lane] = 0;
    for (uint32_t b = 0; b < 64; b++)
      hash[lane] |= (sum[b][lane / 64] >> lane % 64 & 1) << b;
  }
  for (uint32_t c = 0; c < CHANNELS; c++) {
    for (uint32_t i = 0; i < g->at.count[c]; i++) {
      const standing *e = &g->at.at[c][i];
      const uint64_t where = mixed(mixed((uint64_t)e->position << 32 | e->wait) + c);
      FOR_LANES(lane, e->lanes & lanes) hash[lane] ^= where;
    }
  }
}

// --- Faults at gates ----------------------------------------------------------------------------

typedef struct gate_fault {
  group *g;
  uint32_t lane, gate, forced;
} gate_fault;

static _Thread_local gate_fault *gate_faults;
static _Thread_local uint32_t gate_fault_count, gate_fault_room;

static void inject_gate(machine *m, cursor *c, const place at[CHANNELS], uint32_t site,
                        fault_list faults) {
  const slot to = allocate(m, c, at);
  if (!to.g)
    return;
  to.g->faults[to.lane] = faults;
  if (gate_fault_count == gate_fault_room) {
    gate_fault_room = gate_fault_room * 2 + 1024;
    gate_fault *more = realloc(gate_faults, sizeof(gate_fault) * gate_fault_room);
    if (!more) {
      m->failed = 1;
      return;
    }
    gate_faults = more;
  }
  const campaign *what = m->what;
  const uint32_t forced = what->model == STUCK ? 2U | what->forced[site] : 0;
  gate_faults[gate_fault_count++] = (gate_fault){to.g, to.lane, what->targets[site], forced};
}

static int set_gate_faults(machine *m, const group *g, int on) {
  int found = 0;
  for (uint32_t i = 0; i < gate_fault_count; i++) {
    const gate_fault *f = &gate_faults[i];
    if (f->g != g)
      continue;
    found = 1;
    const word bit = on ? lane_bit(f->lane) : ZERO;
    site_fault *at = &m->site_faults[f->gate];
    if (!on) {
      *at = (site_fault){ZERO, ZERO};
      m->part_faulty[f->gate / PART_GATES] = 0;
      continue;
    }
    if (f->forced & 2)
      at->force |= bit;
    if (!(f->forced & 2) || (f->forced & 1))
      at->value |= bit;
    m->part_faulty[f->gate / PART_GATES] = 1;
  }
  return found;
}

static void end_gate_faults(machine *m) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < gate_fault_count; i++) {
    const gate_fault f = gate_faults[i];
    const int active = f.g->active[f.lane / 64] >> f.lane % 64 & 1;
    if (m->what->model == STUCK && active)
      gate_faults[kept++] = f;
  }
  gate_fault_count = kept;
}

// --- One cycle of a group -----------------------------------------------------------------------

static void step(machine *m, group *g) {
  m->in[IN_RESET] = m->time >= RESET_CYCLES ? ONE : ZERO;
  const word cleared = port_drive(&g->at, m->todo, m->in);
  const int faulty = gate_fault_count && set_gate_faults(m, g, 1);
  design_step(m->in, g->s[g->now], g->s[!g->now], m->output, m->site_faults,
              faulty ? m->part_faulty : NULL);
  if (faulty)
    set_gate_faults(m, g, 0);
  g->now = !g->now;
  port_collect(&g->at, m->todo, m->in, m->output, cleared, &g->saw, 0);
  // What an alarm has stopped may be aborted before it says more.
  g->stopped = cleared & g->alarm;
  g->corrected |= g->saw.corrected & g->active;
  // To say that something was corrected in a checker or a log is no false alarm if it was.
  const word flagged =
      (g->saw.amended | g->saw.alarm | g->saw.reported | g->stopped) & g->active & ~g->reported;
  g->false_flag |= flagged & g->checker_only & ~(g->corrected | g->alarm);
  g->corrected |= g->saw.amended & g->active;
  g->alarm |= g->saw.alarm & g->active;
  g->still &= ~g->saw.moved;
  m->out->group_cycles++;
}

typedef struct {
  word core, function, all;  // differ in: registers of the function; ... and of checks; any
  word several;              // differ in more than one
} difference;

static difference compare(const word *restrict s, const word *restrict g) {
  difference d = {ZERO, ZERO, ZERO, ZERO};
  word one = ZERO, two = ZERO;
  uint32_t f = 0;
  for (; f < CORE_FLOPS; f++) {
    const word x = s[f] ^ g[f];
    two |= one & x;
    one |= x;
  }
  d.core = one;
  for (; f < CHECK_FLOPS; f++) {
    const word x = s[f] ^ g[f];
    two |= one & x;
    one |= x;
  }
  d.function = one;
  for (; f < FLOPS; f++) {
    const word x = s[f] ^ g[f];
    two |= one & x;
    one |= x;
  }
  d.all = one;
  d.several = two;
  return d;
}

static void free_lanes(machine *m, group *g, word lanes, const place at[CHANNELS]) {
  if (!any(lanes))
    return;
  word *s = g->s[g->now];
  for (uint32_t f = 0; f < FLOPS; f++)
    s[f] = (s[f] & ~lanes) | (m->g[f] & lanes);
  port_move(&g->at, lanes, at);
  m->active_lanes -= count_lanes(lanes);
  g->active &= ~lanes;
}

static void settle_lanes(machine *m, group *g, word lanes, uint32_t verdict) {
  FOR_LANES(lane, lanes) {
    settle(m, g->faults[lane], verdict);
  }
}

// Lanes that have come to an end with everything right.
static void settle_right(machine *m, group *g, word lanes, uint32_t otherwise) {
  const word reported = lanes & g->reported;
  settle_lanes(m, g, reported & g->false_flag, FALSE_ALARM);
  settle_lanes(m, g, reported & ~g->false_flag, DETECTED);
  lanes &= ~reported;
  const word wrong_flag = lanes & (g->false_flag | g->alarm);
  const word corrected = lanes & g->corrected & ~wrong_flag;
  settle_lanes(m, g, wrong_flag, FALSE_ALARM);
  settle_lanes(m, g, corrected, CORRECTED);
  settle_lanes(m, g, lanes & ~wrong_flag & ~corrected, otherwise);
}

// Lanes that are the golden machine of some cycles ago.
static word late(machine *m, const group *g, word candidates) {
  static const int channels[] = {SRC, DST, DONE};
  word found = ZERO;
  uint32_t tried[16];
  uint32_t tries = 0;
  for (int i = 0; i < 3; i++) {
    const int c = channels[i];
    if (!any(g->saw.fired[c] & candidates))
      continue;
    for (uint32_t e = 0; e < g->at.count[c]; e++) {
      const standing *here = &g->at.at[c][e];
      if (here->position == 0)
        continue;
      if (!any(here->lanes & g->saw.fired[c] & candidates & ~found))
        continue;
      const uint32_t then = m->gold->fired[c][here->position - 1];
      const uint32_t lag = m->time - then;
      if (then >= m->time || lag >= HISTORY - 1 || tries == 16)
        continue;
      if (m->time + 1 < lag + m->past_from)
        continue;
      int again = 0;
      for (uint32_t k = 0; k < tries; k++)
        again |= tried[k] == lag;
      if (again)
        continue;
      tried[tries++] = lag;
      const uint32_t slot_ = (m->time + 1 - lag) % HISTORY;
      word same = candidates & port_lanes_at(&g->at, m->past_at[slot_]);
      const word flagged = g->corrected | g->alarm | g->reported;
      const word *s = g->s[g->now];
      for (uint32_t f = 0; f < FLOPS && any(same); f += 32) {
        for (uint32_t b = f; b < f + 32 && b < FLOPS; b++) {
          const word x = s[b] ^ splat(m->past[slot_][b / 64] >> b % 64);
          same &= ~(b < CHECK_FLOPS ? x : x & ~flagged);
        }
      }
      found |= same;
    }
  }
  return found;
}

static void merge_single(machine *m, group *g, word lanes, fault_list waiting[FLOPS]) {
  const word *s = g->s[g->now];
  for (uint32_t f = 0; f < FLOPS; f++) {
    const word here = (s[f] ^ m->g[f]) & lanes;
    if (!any(here))
      continue;
    FOR_LANES(lane, here) {
      m->waiting_count += waiting[f].head == NONE;
      waiting[f] = joined(m, waiting[f], g->faults[lane]);
    }
  }
}

// Note who reports a fault in this cycle; returns the lanes that do it again and may not.
static word take_reports(machine *m, group *g, word lanes) {
  word again = ZERO;
  if (!m->what->repeats) {
    for (uint32_t i = 0; i < g->at.count[DONE]; i++) {
      const standing *e = &g->at.at[DONE][i];
      FOR_LANES(lane, e->lanes & g->saw.reported & g->reported & lanes) {
        if (e->position > g->begun[lane])
          again |= lane_bit(lane);
      }
    }
  }
  const word first = (g->saw.reported | g->stopped) & ~g->reported & lanes;
  if (!any(first))
    return again;
  for (uint32_t i = 0; i < g->at.count[JOB]; i++) {
    const standing *e = &g->at.at[JOB][i];
    FOR_LANES(lane, e->lanes & first) {
      g->begun[lane] = e->position - (g->saw.fired[JOB][lane / 64] >> lane % 64 & 1);
      for (uint32_t n = g->faults[lane].head; n != NONE; n = m->nodes[n].next) {
        m->nodes[n].report = m->time;
      }
    }
  }
  g->reported |= first;
  return again;
}

static int lane_of(word x, uint32_t lane) {
  return x[lane / 64] >> lane % 64 & 1;
}

// The lanes that are the same machine as another one, which has reported in this cycle as they
// have.
static word same_as(const slot other, const group *g, word lanes) {
  const group *o = other.g;
  place at[CHANNELS];
  port_places(&o->at, other.lane, at);
  lanes &= port_lanes_at(&g->at, at) & ~(g->still ^ splat(lane_of(o->still, other.lane))) &
           ~(g->false_flag ^ splat(lane_of(o->false_flag, other.lane)));
  const word *s = g->s[g->now], *t = o->s[o->now];
  for (uint32_t f = 0; f < FLOPS && any(lanes); f += 32) {
    for (uint32_t b = f; b < f + 32 && b < FLOPS; b++) {
      lanes &= ~(s[b] ^ splat(t[b][other.lane / 64] >> other.lane % 64));
    }
  }
  FOR_LANES(lane, lanes) {
    if (g->begun[lane] != o->begun[other.lane])
      lanes &= ~lane_bit(lane);
  }
  return lanes;
}

// What a report has wiped differs no more: join the lanes that have just reported and are equal.
static word join_reports(machine *m, group *g, word lanes) {
  word gone = ZERO;
  while (any(lanes)) {
    const slot last = m->reporter;
    const int known = m->report_time == m->time && lane_of(last.g->active, last.lane);
    if (!known || !any(same_as(last, g, lanes))) {
      m->report_time = m->time;
      m->reporter = (slot){g, next_lane(lanes, 0)};
      lanes &= ~lane_bit(m->reporter.lane);
    }
    const slot to = m->reporter;
    const word same = same_as(to, g, lanes);
    FOR_LANES(lane, same) {
      to.g->faults[to.lane] = joined(m, to.g->faults[to.lane], g->faults[lane]);
    }
    gone |= same;
    lanes &= ~same;
  }
  return gone;
}

// Behind a report: the lanes that have just taken a job in the state in which golden took it.
static word like_golden(const machine *m, const group *g, word candidates) {
  word found = ZERO;
  const word taken = candidates & g->reported & g->saw.fired[JOB];
  if (!any(taken))
    return found;
  uint64_t hash[LANES];
  hash_lanes(m, g, taken, NOTHING, CHECK_FLOPS, hash);
  for (uint32_t i = 0; i < g->at.count[JOB]; i++) {
    const standing *e = &g->at.at[JOB][i];
    FOR_LANES(lane, e->lanes & taken) {
      if (hash[lane] == m->gold->mark[e->position - 1])
        found |= lane_bit(lane);
    }
  }
  return found;
}

// Judge the lanes of a group after cycle `time`; returns those that can be merged with equals.
static word judge(machine *m, group *g, const place at[CHANNELS]) {
  const campaign *what = m->what;
  const uint32_t next = m->time + 1, finish = what->complete;
  const difference d = compare(g->s[g->now], m->g);
  const word lockstep = port_lanes_at(&g->at, at);
  const word permanent = what->model == STUCK ? ONE : ZERO;
  const word wrong = g->saw.wrong & g->active;
  word done = wrong;
  settle_lanes(m, g, wrong & ~g->reported, SILENT);
  settle_lanes(m, g, wrong & g->reported, UNRECOVERED);

  const word before = g->reported;
  const word again = take_reports(m, g, g->active & ~done);
  settle_lanes(m, g, again, UNRECOVERED);
  done |= again;

  const word flagged = g->corrected | g->alarm | g->reported;
  const word differs = (flagged & d.function) | (~flagged & d.all);
  const word open = g->active & ~done;
  word right = open & lockstep & ~differs & ~permanent;
  const word behind = open & ~lockstep & ~permanent;
  if (any(behind))
    right |= late(m, g, behind) | like_golden(m, g, behind);
  settle_right(m, g, right, MASKED);
  done |= right;

  const word reports = g->active & ~done & g->reported & ~before & ~permanent;
  if (what->merge)
    done |= join_reports(m, g, reports);

  if (next >= finish) {
    const word over = g->active & ~done & lockstep;
    settle_right(m, g, over & ~differs, MASKED);
    settle_right(m, g, over & differs, LATENT);
    done |= over;
  }
  if (next % what->hang == 0) {
    const word stuck = g->active & ~done & g->still & ~lockstep;
    const word complete = stuck & port_complete(&g->at, m->todo);
    // Golden is at rest by now, or it has not finished and this lane is ahead of it.
    settle_right(m, g, complete & ~differs, MASKED);
    settle_right(m, g, complete & differs, LATENT);
    settle_lanes(m, g, stuck & ~complete & ~g->reported, HANG);
    settle_lanes(m, g, stuck & ~complete & g->reported, UNRECOVERED);
    done |= stuck;
    g->still = ONE;
  }
  const word same_port = g->active & ~done & lockstep & ~flagged & ~permanent;
  const int mergeable = what->merge && next < finish && (next <= what->end || what->last);
  if (mergeable) {
    const word one = same_port & ~d.several;
    if (any(one))
      merge_single(m, g, one, m->waiting[0]);
    done |= one;
    if (what->repeats && (next < what->end || what->last)) {
      const word stays =
          g->active & ~done & lockstep & g->reported & ~g->false_flag & ~permanent & ~d.several;
      if (any(stays))
        merge_single(m, g, stays, m->waiting[1]);
      done |= stays;
    }
  }
  g->checker_only = lockstep & d.all & ~d.core;
  free_lanes(m, g, done, at);
  if (!any(g->active))
    g->live = 0;
  const int due = what->merge && next % MERGE_INTERVAL == 0;
  return due ? (same_port | (g->reported & g->active & ~permanent)) & ~done : ZERO;
}

// --- Lanes that have become the same machine ----------------------------------------------------

typedef struct {
  uint64_t hash;
  group *g;
  uint32_t lane;
} candidate;

static int by_hash(const void *a, const void *b) {
  const uint64_t x = ((const candidate *)a)->hash, y = ((const candidate *)b)->hash;
  return (x > y) - (x < y);
}

static void merge_equal(machine *m, const word *lanes, const place at[CHANNELS]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->group_count; i++)
    count += count_lanes(lanes[i]);
  if (count < 2)
    return;
  candidate *all = malloc(sizeof(candidate) * count);
  if (!all) {
    m->failed = 1;
    return;
  }
  uint32_t used = 0;
  for (uint32_t i = 0; i < m->group_count; i++) {
    if (!any(lanes[i]))
      continue;
    group *g = m->groups[i];
    uint64_t hash[LANES];
    hash_lanes(m, g, lanes[i], m->g, FLOPS, hash);
    FOR_LANES(lane, g->reported & lanes[i]) {
      const uint64_t flags =
          (g->still[lane / 64] >> lane % 64 & 1) | (g->false_flag[lane / 64] >> lane % 64 & 1) << 1;
      hash[lane] ^= mixed(UINT64_C(1) << 63 | flags << 32 | g->begun[lane]);
    }
    FOR_LANES(lane, lanes[i]) all[used++] = (candidate){hash[lane], g, lane};
  }
  qsort(all, used, sizeof *all, by_hash);
  for (uint32_t i = 1; i < used; i++) {
    candidate *a = &all[i - 1], *b = &all[i];
    if (a->hash != b->hash)
      continue;
    b->g->faults[b->lane] = joined(m, a->g->faults[a->lane], b->g->faults[b->lane]);
    free_lanes(m, a->g, lane_bit(a->lane), at);
    if (!any(a->g->active))
      a->g->live = 0;
  }
  free(all);
}

// --- Runs ---------------------------------------------------------------------------------------

static void take_golden(machine *m, place at[CHANNELS]) {
  const group *g = m->groups[0];
  uint64_t *past = m->past[(m->time + 1) % HISTORY];
  memset(past, 0, sizeof m->past[0]);
  for (uint32_t f = 0; f < FLOPS; f++) {
    const uint64_t bit = g->s[g->now][f][0] & 1;
    m->g[f] = splat(bit);
    past[f / 64] |= bit << f % 64;
  }
  port_places(&g->at, 0, at);
  memcpy(m->past_at[(m->time + 1) % HISTORY], at, sizeof m->past_at[0]);
}

static void load(machine *m, uint32_t cycle, group *g) {
  const uint32_t last = m->gold->checkpoint_count - 1, wanted = cycle / m->gold->interval;
  const uint32_t index = wanted < last ? wanted : last;
  const checkpoint *from = &m->gold->checkpoints[index];
  m->time = index * m->gold->interval;
  m->past_from = m->time + 1;
  for (uint32_t f = 0; f < FLOPS; f++) {
    g->s[g->now][f] = m->g[f] = splat(from->state[f / 64] >> f % 64);
  }
  port_set(&g->at, from->at);
  g->live = 1;
}

static void write_trace(const machine *m, const group *g, uint8_t **trace) {
  for (uint32_t lane = 0; lane < 2; lane++) {
    for (uint32_t i = 0; i < INPUTS; i++)
      *(*trace)++ = m->in[i][0] >> lane & 1;
    for (uint32_t i = 0; i < FLOPS; i++)
      *(*trace)++ = g->s[!g->now][i][0] >> lane & 1;
    for (uint32_t i = 0; i < OUTPUTS; i++)
      *(*trace)++ = m->output[i][0] >> lane & 1;
  }
}

// Between sampled faults go on from the last checkpoint before the next one.
static void skip(machine *m, uint32_t event) {
  const campaign *what = m->what;
  if (m->active_lanes || m->waiting_count || m->time <= what->first)
    return;
  const uint32_t next = event < what->events ? what->event_time[event] : what->end;
  const uint32_t index = next / m->gold->interval;
  if (index < m->gold->checkpoint_count && index * m->gold->interval > m->time) {
    load(m, next, m->groups[0]);
  }
}

static void run(machine *m, uint8_t *trace, uint32_t trace_cycles) {
  const campaign *what = m->what;
  uint32_t event = 0, room = 0;
  word *mergeable = NULL;
  group *first = m->groups[0];
  for (; !m->failed; m->time++) {
    if (!what->exhaustive && !trace)
      skip(m, event);
    inject(m, &event);
    m->out->lane_cycles += m->active_lanes;
    m->out->cycles++;
    if (!m->active_lanes && m->time >= what->end && !(trace_cycles && trace))
      break;
    if (room < m->group_count) {
      word *more = aligned_alloc(sizeof(word), sizeof(word) * 2 * m->group_count);
      free(mergeable);
      mergeable = more;
      room = 2 * m->group_count;
      if (!more)
        break;
    }
    place at[CHANNELS];
    step(m, first);
    if (trace && trace_cycles) {
      write_trace(m, first, &trace);
      if (--trace_cycles == 0)
        break;
    }
    take_golden(m, at);
    for (uint32_t i = 0; i < m->group_count; i++) {
      group *g = m->groups[i];
      mergeable[i] = ZERO;
      if (!any(g->active))
        continue;
      if (i)
        step(m, g);
      mergeable[i] = judge(m, g, at);
    }
    if (gate_fault_count)
      end_gate_faults(m);
    if (what->merge && (m->time + 1) % MERGE_INTERVAL == 0)
      merge_equal(m, mergeable, at);
    first->live = 1;
  }
  free(mergeable);
}

static machine *open_machine(const script *todo, const golden *gold, const campaign *what,
                             result *out) {
  machine *m = aligned_alloc(sizeof(word),
                             (sizeof(machine) + sizeof(word) - 1) / sizeof(word) * sizeof(word));
  if (!m)
    return NULL;
  memset(m, 0, sizeof *m);
  m->todo = todo;
  m->gold = gold;
  m->what = what;
  m->out = out;
  m->free_node = NONE;
  gate_fault_count = 0;
  for (uint32_t f = 0; f < FLOPS; f++) {
    m->waiting[0][f] = m->waiting[1][f] = EMPTY;
    m->mixed[f] = mixed(f);
  }
  const size_t bytes = sizeof(site_fault) * GATES;
  m->site_faults = aligned_alloc(sizeof(word), bytes ? bytes : sizeof(site_fault));
  if (!m->site_faults || !new_group(m))
    m->failed = 1;
  else
    memset(m->site_faults, 0, bytes);
  return m;
}

static void close_machine(machine *m) {
  for (uint32_t i = 0; i < m->group_count; i++)
    free(m->groups[i]);
  free(m->groups);
  free(m->nodes);
  free(m->site_faults);
  free(m);
}

int machine_run(const script *todo, const golden *g, const campaign *what, result *out,
                uint8_t *trace, uint32_t trace_cycles) {
  machine *m = open_machine(todo, g, what, out);
  if (!m)
    return 1;
  if (!m->failed) {
    load(m, what->first, m->groups[0]);
    run(m, trace, trace_cycles);
    for (uint32_t f = 0; f < FLOPS; f++)
      settle(m, m->waiting[0][f], CLASSES + f);
  }
  const int failed = m->failed;
  close_machine(m);
  return failed;
}

uint32_t machine_golden(const script *todo, golden *g, int record, uint32_t limit) {
  result none = {0};
  machine *m = open_machine(todo, g, NULL, &none);
  if (!m || m->failed)
    return NEVER;
  group *first = m->groups[0];
  place start[CHANNELS];
  port_start(todo, start);
  port_set(&first->at, start);
  uint32_t gap = 0, failed = 0, done = 0;
  const uint32_t room = g->checkpoint_count;
  for (;; m->time++) {
    if (m->time % g->interval == 0 && m->time / g->interval < room) {
      checkpoint *c = &g->checkpoints[m->time / g->interval];
      memset(c->state, 0, sizeof c->state);
      for (uint32_t f = 0; f < FLOPS; f++) {
        c->state[f / 64] |= (first->s[first->now][f][0] & 1) << f % 64;
      }
      port_places(&first->at, 0, c->at);
      g->checkpoint_count = m->time / g->interval + 1;
    }
    place before[CHANNELS];
    port_places(&first->at, 0, before);
    m->in[IN_RESET] = m->time >= RESET_CYCLES ? ONE : ZERO;
    const word cleared = port_drive(&first->at, todo, m->in);
    design_step(m->in, first->s[first->now], first->s[!first->now], m->output, NULL, NULL);
    first->now = !first->now;
    port_collect(&first->at, todo, m->in, m->output, cleared, &first->saw, record);
    for (int c = 0; c < ABORT; c++) {
      if (!(first->saw.fired[c][0] & 1))
        continue;
      if (before[c].position < todo->channel[c].count)
        g->fired[c][before[c].position] = m->time;
      if (c != JOB)
        continue;
      uint64_t hash[LANES];
      hash_lanes(m, first, lane_bit(0), NOTHING, CHECK_FLOPS, hash);
      g->mark[before[c].position] = hash[0];
    }
    if (first->saw.wrong[0] & 1)
      failed = m->time + 1;
    gap = first->saw.moved[0] & 1 ? 0 : gap + 1;
    if (gap > g->longest_gap)
      g->longest_gap = gap;
    place now[CHANNELS];
    port_places(&first->at, 0, now);
    done = record ? now[DONE].position == todo->channel[DONE].count
                  : (uint32_t)(port_complete(&first->at, todo)[0] & 1);
    if (done)
      g->complete = m->time + 1;
    if (!done && (gap > limit || m->time + 1 == NEVER / 2))
      failed = m->time + 1;
    if (failed || done)
      break;
  }
  close_machine(m);
  return failed;
}
