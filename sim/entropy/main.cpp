// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Reads samples out of the entropy source (cry_entropy), which a model of ring oscillators drives
// (soc/tile/sim/oscillators.h): a beat of 8 bytes each, lowest byte first, into a file.
//
// Lines on stdout: "<cycles> 0 <bytes>", at most about 20 a second.
// Exit status: 0 all were read, or a health test failed, 2 bad call or failed file, 3 the bound on
// cycles was reached.

#include <verilated.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "Vcry_entropy.h"
#include "options.h"
#include "oscillators.h"

namespace {

constexpr int kRead = 0;
constexpr int kFailed = 2;
constexpr int kBoundReached = 3;

// As cry_entropy_pkg has them.
constexpr unsigned kReadRestart = 2, kReadConditioned = 4;

struct Wanted {
  unsigned stage = 1;   // read_e
  uint64_t count = 0;   // beats
  uint64_t row = 1;     // RestartSamples of cry_entropy
  uint32_t failed = 0;  // lanes whose oscillators stand still
};

class Simulation {
 public:
  Simulation(const Options &options, const Wanted &wanted)
      : options_(options),
        wanted_(wanted),
        source_(std::make_unique<Vcry_entropy>("cry_entropy")),
        oscillators_(options.stall_seed),
        output_(options.output, std::ios::binary) {
    if (!output_)
      throw std::runtime_error("cannot open " + options.output);
    oscillators_.fail(wanted.failed);
    reset();
  }

  // Returns whether all beats were read.
  bool run() {
    while (beats_ < wanted_.count && cycles_ < options_.max_cycles && !source_->alarm_o) {
      cycles_++;
      if (source_->osc_enable_o || oscillating_)
        source_->osc_i = static_cast<uint16_t>(oscillators_.step(source_->osc_enable_o));
      oscillating_ = source_->osc_enable_o;
      clock(0);
      if (source_->read_valid_o)
        take();
      clock(1);
      if (source_->read_lost_o)
        throw std::runtime_error("a sample was lost");
      if ((cycles_ & kProgressMask) == 0)
        report();
    }
    source_->final();
    output_.close();
    if (!output_)
      throw std::runtime_error("cannot write " + options_.output);
    return beats_ == wanted_.count;
  }

  bool alarm() const {
    return source_->alarm_o;
  }

  void write_result() const {
    std::ofstream file(options_.result);
    file << "{\"ended\": " << (beats_ == wanted_.count ? "true" : "false")
         << ", \"exit_code\": 0, \"cycles\": " << cycles_ << ", \"sleep_cycles\": 0"
         << ", \"bytes_in\": 0, \"bytes_out\": " << 8 * beats_
         << ", \"alarm\": " << (alarm() ? "true" : "false")
         << ", \"lane\": " << +source_->alarm_lane_o << ", \"fails\": " << +source_->alarm_fails_o
         << "}\n";
    file.close();
    if (!file)
      throw std::runtime_error("cannot write " + options_.result);
  }

 private:
  static constexpr uint64_t kProgressMask = (1u << 17) - 1;

  void clock(bool level) {
    source_->clk_i = level;
    source_->eval();
  }

  void reset() {
    source_->enable_i = 1;
    source_->restart_i = 0;
    source_->read_i = static_cast<uint8_t>(wanted_.stage);
    source_->read_allowed_i = 1;
    source_->read_ready_i = 1;
    source_->ent_begin_i = 0;
    source_->ent_ready_i = 0;
    source_->osc_i = static_cast<uint16_t>(oscillators_.step(false));
    source_->rst_ni = 1;
    clock(0);
    source_->rst_ni = 0;
    for (int i = 0; i < 4; i++) {
      clock(0);
      clock(1);
    }
    source_->rst_ni = 1;
  }

  // Samples come in rows, or all in one; words in none.
  void take() {
    const uint64_t in_row = wanted_.stage == kReadRestart ? beats_ % wanted_.row : beats_;
    if (source_->read_first_o != (in_row == 0 && wanted_.stage != kReadConditioned))
      throw std::runtime_error("a row has another length");
    for (int i = 0; i < 8; i++)
      output_.put(static_cast<char>(source_->read_data_o >> (8 * i)));
    beats_++;
  }

  void report() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50))
      return;
    last_ = now;
    std::printf("%llu 0 %llu\n", static_cast<unsigned long long>(cycles_),
                static_cast<unsigned long long>(8 * beats_));
    std::fflush(stdout);
  }

  const Options &options_;
  const Wanted &wanted_;
  std::unique_ptr<Vcry_entropy> source_;
  Oscillators oscillators_;
  std::ofstream output_;
  uint64_t cycles_ = 0;
  uint64_t beats_ = 0;
  bool oscillating_ = false;  // in the cycle before
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

int main(int argc, char **argv) {
  try {
    Wanted wanted;
    const auto number = [](auto &to) {
      return [&to](const std::string &value) { to = std::stoull(value); };
    };
    const Options options = parse_options(argc, argv,
                                          {{"--stage", number(wanted.stage)},
                                           {"--count", number(wanted.count)},
                                           {"--row", number(wanted.row)},
                                           {"--failed", number(wanted.failed)}});
    Verilated::commandArgs(argc, argv);
    Simulation simulation(options, wanted);
    const bool all = simulation.run();
    simulation.write_result();
    return all || simulation.alarm() ? kRead : kBoundReached;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kFailed;
  }
}
