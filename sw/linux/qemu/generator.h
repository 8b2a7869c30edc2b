// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// The random bit generator's RTL with oscillators, which the simulation of the SoC has too.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "options.h"
#include "oscillators.h"

class Vcry_rbg;

class Generator {
 public:
  using Edge = std::function<void()>;  // a cycle of tile and generator

  Generator(VerilatedContext *context, const Options &options);
  ~Generator();

  // A cycle of both, in two halves around the tile's evaluation.
  void low(bool tamper);
  void high(bool taken);

  // Whether there is a block; it is written to `to`.
  bool offers(VlWide<4> &to) const;

  // Whether the tile forgets the blocks that it has, or should have while its clock stood.
  bool forgets();

  // A cycle of its own, while the tile's clock stands.
  void step();

  // Whether it is on and has no seed yet: its clock must go on.
  bool starts() const {
    return starts_;
  }

  // The registers, 32 bits at a multiple of 4.
  uint32_t read(uint32_t offset, const Edge &edge);
  void write(uint32_t offset, uint32_t value, const Edge &edge);

 private:
  void cycle();
  void look();

  std::unique_ptr<Vcry_rbg> rtl_;
  Oscillators oscillators_;
  bool awake_ = false;   // like the SoC's it has no clock until its first register is accessed
  bool starts_ = false;  // as far as it was looked at
  bool forgot_ = false;  // while the tile's clock stood
  uint32_t steps_ = 0;
};
