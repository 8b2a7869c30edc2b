// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// What the plugin is told on QEMU's command line: -plugin FILE,name=value,...
#pragma once

#include <cstdint>

struct Options {
  static constexpr uint64_t registers = 0x100000;    // bytes of the guest's addresses for them
  static constexpr uint64_t rbg_registers = 0x1000;  // likewise, for those of the generator
  uint64_t base = 0x11000000;                        // where the guest sees the registers
  uint64_t irq = 40;               // PLIC source of queue 0; the others follow, then the errors
  uint64_t ram_base = 0x80000000;  // of the guest's memory
  uint64_t ram_size = 0;           // of it, in bytes; must be said
  uint64_t ns_per_cycle = 10;      // of the guest's time
  uint64_t quantum = 200;      // cycles between two looks at the guest's time while the tile works
  uint64_t latency = 10;       // of the memory, in cycles
  uint64_t stall_percent = 0;  // chance in each cycle that a channel of the memory stands still
  uint64_t errors_per_million = 0;  // chance that a burst is answered with SLVERR
  uint64_t most_still = 100000;     // cycles at work without a transfer, after which the tile hangs
  uint64_t seed = 1;                // of both chances
  uint64_t rbg_base =
      0;  // where the guest sees those of the random bit generator; 0: there is none
  uint64_t rbg_fail = 0;     // lanes of its oscillators that stand still, a bit each
  uint64_t tamper_at = 0;    // cycle in which the tile is tampered with; 0: none
  uint64_t faults_from = 0;  // cycle from which on engines detect faults, in each; 0: none
};

// Ends the simulation when a name is unknown or a value is no number, or too large.
Options parse_options(int argc, char **argv);
