// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// The tile's RTL: its clock, its registers over AXI4-Lite, and when it may sleep. Beside it, if
// wanted, the random bit generator.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>

#include "axi_memory.h"
#include "generator.h"

class Vcry_tile;

class Tile {
 public:
  Tile(const Options &options, AxiMemory::Access access);
  ~Tile();

  // The registers, 32 bits at a multiple of 4. They take a few cycles, and end the simulation when
  // the tile does not answer.
  uint32_t read(uint32_t offset);
  void write(uint32_t offset, uint32_t value);

  // Those of the generator, if there is one.
  uint32_t read_generator(uint32_t offset);
  void write_generator(uint32_t offset, uint32_t value);

  // One cycle. Ends the simulation when the tile has been at work for long and moved nothing.
  void step();

  // Whether nothing happens in it until registers are written: its clock can stand.
  bool asleep() const {
    return asleep_ && !(generator_ && generator_->starts());
  }

  // Levels: bit q that of queue q, the bit above the last queue that of errors.
  uint32_t interrupts() const;

  unsigned queues() const {
    return queues_;
  }

  uint64_t cycles() const {
    return cycles_;
  }

  const AxiMemory &memory() const {
    return memory_;
  }

 private:
  void edge();  // one cycle, without a look at whether it may sleep
  bool works();
  void note_wait(uint32_t offset, uint32_t value);

  VerilatedContext context_;
  std::unique_ptr<Vcry_tile> rtl_;
  std::unique_ptr<Generator> generator_;  // null: there is none
  AxiMemory memory_;
  const uint64_t most_still_;   // cycles at work without a transfer that are too many
  const uint64_t tamper_at_;    // cycle in which tamper_i is high; 0: none
  const uint64_t faults_from_;  // cycle from which on an engine tells of faults; 0: none
  unsigned queues_ = 0;
  uint64_t cycles_ = 0;
  uint64_t still_ = 0;   // cycles since the last transfer or write of a register
  uint64_t linger_ = 0;  // of these after which it may sleep
  bool asleep_ = true;
};
