// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A signature without upsets: what the RTL does in each cycle, and the program in each instruction.
#ifndef GOLDEN_H
#define GOLDEN_H

#include <bitset>
#include <vector>

#include "engine.h"
#include "machine.h"

// An instruction reads a row from a copy of the memory.
struct Read {
  unsigned instruction, copy, row;
  unsigned cycle;  // in which it does
  unsigned since;  // cycles in which an upset of the row has its first effect by this
};

struct Golden {
  Golden(const Setup &setup, Engine &engine);

  unsigned first = 0, begin = 0, halt = 0, end = 0;  // cycles: the job, the program and its halt
  Heard heard;
  Engine::Kept start, at_begin, behind_halt;  // before these cycles
  std::vector<std::vector<uint8_t>> way;      // from `first` on, each cycle
  std::vector<unsigned> issued;               // before it
  unsigned instructions = 0;                  // that issue, in all
  std::vector<Read> reads;

  // Of the program: its state every `kSpan` instructions, and which rows still matter then.
  static constexpr unsigned kSpan = 64;
  std::vector<State> states;
  std::vector<std::bitset<kRows>> live;

  // Whether a state is that of the same instruction, as far as it matters.
  bool is(const State &state, unsigned instruction) const;
  // Whether the program will refuse: a check has found something, and nothing but what it compares
  // and a constant is ever written over that.
  bool refuses(const State &state) const;
  // The state before an instruction.
  State before(unsigned instruction) const;

 private:
  void listen(Engine &engine);
  void follow();

  const Setup &setup_;
};

#endif
