// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// The memory behind the tile's AXI4 port: any number of bursts in flight, answered in order, each
// `latency` cycles after its request. It can hold back handshakes and answer with errors by chance.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <random>

#include "options.h"

class Vcry_tile;

class AxiMemory {
 public:
  // Moves bytes between the guest's memory and a buffer; false: there is no such memory.
  using Access = std::function<bool(uint64_t addr, void *bytes, uint64_t length, bool write)>;

  AxiMemory(const Options &options, Access access);

  // Drives the tile's inputs of this cycle. The clock is low.
  void drive(Vcry_tile &tile);

  // Takes the handshakes of this cycle, before its rising edge; true: there was one.
  bool take(const Vcry_tile &tile);

  uint64_t errors() const {  // that it made up
    return errors_;
  }

 private:
  static constexpr unsigned kWord = 16;  // bytes of a beat
  static constexpr unsigned kBeats = 256;

  struct Read {
    uint64_t addr, due;
    unsigned last;  // number of the last beat
  };
  struct Write {
    uint64_t addr;
    unsigned last;
    uint8_t resp;
  };
  struct Answer {
    uint64_t due;
    uint8_t resp;
  };

  bool chance(uint64_t of, uint64_t in);
  uint64_t due();   // cycle of the answer to what is asked now
  uint8_t begin();  // OKAY, or an error that is made up
  void fetch();
  void store(const Vcry_tile &tile);

  const Options options_;
  const Access access_;
  std::mt19937_64 random_;
  uint64_t cycle_ = 0;
  uint64_t errors_ = 0;
  std::deque<Read> reads_;
  std::deque<Write> writes_;
  std::deque<Answer> answers_;
  bool fetched_ = false;  // the line holds the first of the reads
  uint8_t line_[kWord * kBeats] = {};
  uint8_t read_resp_ = 0;
  unsigned read_beat_ = 0, write_beat_ = 0;
};
