// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ring oscillators as the entropy source takes them to be (rtl/engine/entropy/README.md), sampled
// once a cycle of 100 MHz: rings of 5, 7 and 9 stages in turn, of 80 ps each, give or take 1 % by
// ring, whose deviation is 2.5 % by passing. Every run with the same seed is the same.
#pragma once

#include <array>
#include <cstdint>
#include <random>

class Oscillators {
 public:
  static constexpr unsigned kLanes = 12;

  explicit Oscillators(uint64_t seed);

  // These lanes stand still from now on, at the level that they have, and no others: a failure.
  void fail(uint32_t lanes) {
    failed_ = lanes;
  }

  // Returns what they are a cycle later, a bit each: all high while they are off.
  uint32_t step(bool enabled);

 private:
  struct Ring {
    double phase;   // of a turn
    double turns;   // of a cycle
    double spread;  // their deviation
  };

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::array<Ring, kLanes> rings_;
  uint32_t failed_ = 0;  // a bit for each lane
};
