// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "golden.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kPatience = 500'000;  // cycles

void ask(bool holds, const char *complaint) {
  if (!holds) {
    std::fprintf(stderr, "without upsets: %s\n", complaint);
    std::exit(2);
  }
}

}  // namespace

Golden::Golden(const Setup &setup, Engine &engine) : setup_(setup) {
  listen(engine);
  follow();
}

// Runs the RTL. `touched` has the last cycle in which a copy of a row was read or written.
void Golden::listen(Engine &engine) {
  std::vector<unsigned> touched[2];
  for (auto &copy : touched)
    copy.assign(kRows, 0);
  unsigned cycle = 0, count = 0;
  bool program = false;
  for (; !engine.heard().done; cycle++) {
    ask(cycle < kPatience, "the job has no end");
    if (engine.idle()) {
      first = cycle;
      start = engine.keep();
      way.clear();
      issued.clear();
      std::fill(touched[0].begin(), touched[0].end(), cycle);
      std::fill(touched[1].begin(), touched[1].end(), cycle);
    }
    way.push_back(engine.part(Part::kWay));
    issued.push_back(count);
    if (engine.runs() && !program) {
      program = true;
      begin = cycle;
      at_begin = engine.keep();
      states.assign(1, engine.state());
    }
    if (halt != 0 && cycle == halt + 1)
      behind_halt = engine.keep();
    const State before = engine.state();
    engine.settle();
    if (engine.issues()) {
      const Word &word = setup_.code.at(before.pc);
      const unsigned rows[2] = {word.row_a(before.digit), word.op == kSqr ? word.a : word.b};
      const bool used[2] = {word.reads_a(), word.reads_b()};
      for (unsigned copy = 0; copy < 2; copy++) {
        const bool passed = engine.writes() && engine.written_row() == rows[copy];
        if (used[copy] && !passed) {
          unsigned &last = touched[copy][rows[copy]];
          reads.push_back({count, copy, rows[copy], cycle, cycle - last});
          last = cycle;
        }
      }
      if (word.op == kHalt)
        halt = cycle;
      count++;
    }
    if (engine.writes()) {
      for (auto &copy : touched)
        copy[engine.written_row()] = cycle;
    }
    engine.edge();
  }
  end = cycle;
  heard = engine.heard();
  ask(program && halt != 0 && heard.status == 0, "no result");
}

// Runs the program, and back from its end: a row is live if it is read before it is written.
void Golden::follow() {
  State state = states[0];
  std::vector<uint32_t> path;
  for (End found = End::kNone; found != End::kHalted; found = step(setup_, state)) {
    ask(found != End::kFault && path.size() < kPatience, "the program has no end");
    if (path.size() % kSpan == 0 && !path.empty())
      states.push_back(state);
    path.push_back(state.pc);
  }
  ask(setup_.released(state, 0) == heard.bytes, "RTL and program give two results");
  instructions = static_cast<unsigned>(path.size());
  std::bitset<kRows> needed;
  for (unsigned n = 0; n < setup_.results; n++)
    needed.set(setup_.result + n);
  live.resize(states.size());
  for (size_t n = path.size(); n-- > 0;) {
    const Word &word = setup_.code[path[n]];
    for (unsigned row = 0; row < kRows; row++) {
      if (word.writes(row))
        needed.reset(row);
    }
    if (word.reads_a()) {
      for (unsigned digit = 0; digit < kBlock; digit++)  // whatever it was
        needed.set(word.row_a(static_cast<uint8_t>(digit)));
    }
    if (word.reads_b() && word.op != kSqr)
      needed.set(word.b);
    if (n % kSpan == 0)
      live[n / kSpan] = needed;
  }
}

bool Golden::is(const State &state, unsigned instruction) const {
  const State &mine = states[instruction / kSpan];
  if (!state.same_place(mine))
    return false;
  const auto &rows = live[instruction / kSpan];
  for (unsigned row = 0; row < kRows; row++) {
    for (unsigned copy = 0; copy < 2; copy++) {
      if (rows[row] && state.rows[copy][row] != mine.rows[copy][row])
        return false;
    }
  }
  return true;
}

bool Golden::refuses(const State &state) const {
  for (unsigned copy = 0; copy < 2; copy++) {
    if (state.rows[copy][setup_.error] == Row{} ||
        !std::equal(state.rows[copy] + setup_.constants, state.rows[copy] + kRows,
                    states[0].rows[copy] + setup_.constants))
      return false;
  }
  return true;
}

State Golden::before(unsigned instruction) const {
  State state = states[instruction / kSpan];
  for (unsigned n = 0; n < instruction % kSpan; n++)
    step(setup_, state);
  return state;
}
