// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "oscillators.h"

#include <cmath>

namespace {

constexpr double kCycle = 10e-9;  // seconds
constexpr double kDelay = 80e-12;
constexpr double kMismatch = 0.01;
constexpr double kJitter = 0.025;

}  // namespace

Oscillators::Oscillators(uint64_t seed) : random_(seed), rings_() {
  for (unsigned i = 0; i < kLanes; i++) {
    const double stages = 5 + 2 * (i % 3);
    const double delay = kDelay * (1 + kMismatch * normal_(random_));
    rings_[i] = {0.0, kCycle / (2 * stages * delay),
                 kJitter * std::sqrt(kCycle / kDelay) / (2 * stages)};
  }
}

uint32_t Oscillators::step(bool enabled) {
  uint32_t high = 0;
  for (unsigned i = 0; i < kLanes; i++) {
    Ring &ring = rings_[i];
    if (failed_ >> i & 1 && enabled) {
      high |= static_cast<uint32_t>(ring.phase < 0.5) << i;
      continue;
    }
    ring.phase += enabled ? ring.turns + ring.spread * normal_(random_) : -ring.phase;
    ring.phase -= std::floor(ring.phase);
    high |= static_cast<uint32_t>(ring.phase < 0.5) << i;
  }
  return high;
}
