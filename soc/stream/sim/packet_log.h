// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Watches the engine's streams: for every packet of the output the cycles of the beats around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

struct Packet {
  uint64_t start;     // first write to a register of DMA or engine since the packet before
  uint64_t first_in;  // beats into the engine; 0: none since the packet before
  uint64_t last_in;
  uint64_t first_out;  // beats out of it
  uint64_t last_out;
  uint64_t beats_in;
  uint64_t beats_out;
};

class PacketLog {
 public:
  // Keeps the first `limit` packets and counts all of them.
  explicit PacketLog(size_t limit) : limit_(limit) {
  }

  // The driver's first register write of a job.
  void start(uint64_t cycle) {
    now_.start = cycle;
  }

  void input(uint64_t cycle) {
    if (now_.beats_in++ == 0)
      now_.first_in = cycle;
    now_.last_in = cycle;
  }

  void output(uint64_t cycle, bool last) {
    if (now_.beats_out++ == 0)
      now_.first_out = cycle;
    now_.last_out = cycle;
    if (!last)
      return;
    if (packets_.size() < limit_)
      packets_.push_back(now_);
    count_++;
    now_ = {};
  }

  const std::vector<Packet> &packets() const {
    return packets_;
  }
  uint64_t count() const {
    return count_;
  }

 private:
  size_t limit_;
  uint64_t count_ = 0;
  Packet now_ = {};
  std::vector<Packet> packets_;
};
