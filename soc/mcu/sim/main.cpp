// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Simulates mcu_soc: loads a program by back door, runs it until it ends or the bound on cycles is
// reached, plays the host of the mailbox, and writes one JSON file with the result.
//
// Lines on stdout: "<cycles> <bytes in> <bytes out>", at most about 20 a second.
// Exit status: 0 the program ended (whatever its own exit code), 2 bad call or failed file, 3 the
// bound was reached.

#include <verilated.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vmcu_soc.h"
#include "Vmcu_soc___024root.h"
#include "host.h"
#include "job_log.h"
#include "mcu_map.h"
#include "memory.h"
#include "options.h"
#include "progress.h"
#include "waves.h"

namespace {

constexpr int kEnded = 0;
constexpr int kFailed = 2;
constexpr int kBoundReached = 3;

// Holds back TCDM masters at random.
class Stalls {
 public:
  Stalls(uint64_t seed, unsigned percent) : random_(seed), percent_(percent) {
  }

  bool enabled() const {
    return percent_ != 0;
  }

  uint8_t next() {
    uint8_t mask = 0;
    for (int master = 0; master < 5; master++) {
      if (random_() % 100 < percent_)
        mask |= static_cast<uint8_t>(1u << master);
    }
    return mask;
  }

 private:
  std::mt19937_64 random_;
  unsigned percent_;
};

struct Outcome {
  bool ended = false;
  uint32_t exit_code = 0;
  uint64_t cycles = 0;
  uint64_t sleep_cycles = 0;
};

class Simulation {
 public:
  explicit Simulation(const Options &options)
      : options_(options),
        soc_(std::make_unique<Vmcu_soc>("mcu_soc")),
        stalls_(options.stall_seed, options.stall_percent),
        jobs_(options.max_jobs) {
    reset();
    add_memories();
    memory_.load(options.image);
    host_ = std::make_unique<Host>(memory_, options.input, options.output, options.params);
    if (!options.console.empty()) {
      console_.open(options.console, std::ios::binary);
      if (!console_)
        throw std::runtime_error("cannot open " + options.console);
    }
    waves_.open(*soc_, options.trace);
  }

  // Cycle 1 is the first one out of reset.
  Outcome run() {
    constexpr uint64_t kProgressMask = (1u << 15) - 1;
    Outcome outcome;
    for (uint64_t cycle = 1; cycle <= options_.max_cycles && !outcome.ended; cycle++) {
      if (stalls_.enabled())
        soc_->tcdm_stall_i = stalls_.next();
      soc_->clk_i = 0;
      soc_->eval();
      if (soc_->host_valid_o)
        serve_host();
      outcome.sleep_cycles += soc_->core_sleep_o;
      watch_hwpe(cycle);
      if (soc_->console_valid_o && console_.is_open()) {
        console_.put(static_cast<char>(soc_->console_data_o));
      }
      if (soc_->exit_valid_o) {
        outcome.ended = true;
        outcome.exit_code = soc_->exit_code_o;
      }
      waves_.dump(2 * cycle);
      soc_->clk_i = 1;
      soc_->eval();
      waves_.dump(2 * cycle + 1);
      outcome.cycles = cycle;
      if ((cycle & kProgressMask) == 0)
        progress_.report(cycle, *host_);
    }
    soc_->final();
    return outcome;
  }

  void write_result(const Outcome &outcome) const {
    std::ofstream file(options_.result);
    file << "{\"ended\": " << (outcome.ended ? "true" : "false")
         << ", \"exit_code\": " << outcome.exit_code << ", \"cycles\": " << outcome.cycles
         << ", \"sleep_cycles\": " << outcome.sleep_cycles
         << ", \"bytes_in\": " << host_->bytes_in() << ", \"bytes_out\": " << host_->bytes_out()
         << ", \"jobs_finished\": " << jobs_.finished() << ", \"jobs\": [";
    const char *separator = "";
    for (const Job &job : jobs_.jobs()) {
      file << separator << "[" << job.first_write << ", " << job.trigger << ", " << job.event
           << "]";
      separator = ", ";
    }
    file << "]}\n";
    file.close();
    if (!file)
      throw std::runtime_error("cannot write " + options_.result);
  }

 private:
  void add_memories() {
    const std::string top = "mcu_soc.mcu_soc";
    std::vector<std::string> banks;
    const auto bank = [&](size_t i) { return top + ".gen_bank[" + std::to_string(i) + "].u_sram"; };
    while (Memory::exists(bank(banks.size())))
      banks.push_back(bank(banks.size()));
    memory_.add(MCU_IMEM_BASE, {top + ".u_imem.u_sram"});
    memory_.add(MCU_TCDM_BASE, banks);
  }

  void reset() {
    soc_->tcdm_stall_i = 0;
    soc_->host_result_i = 0;
    soc_->rst_ni = 1;
    soc_->clk_i = 0;
    soc_->eval();
    soc_->rst_ni = 0;
    for (int i = 0; i < 4; i++) {
      soc_->clk_i = 0;
      soc_->eval();
      soc_->clk_i = 1;
      soc_->eval();
    }
    soc_->rst_ni = 1;
  }

  void serve_host() {
    soc_->host_result_i = host_->command(soc_->host_cmd_o, soc_->host_addr_o, soc_->host_len_o);
    soc_->eval();  // a read of RESULT may be on the bus already
  }

  void watch_hwpe(uint64_t cycle) {
    const Vmcu_soc___024root *root = soc_->rootp;
    // The event first: a job that ends frees its context for a trigger in the same cycle.
    if (root->mcu_soc__DOT__hwpe_event)
      jobs_.event(cycle);
    if (root->mcu_soc__DOT__hwpe_req && root->mcu_soc__DOT__hwpe_gnt &&
        root->mcu_soc__DOT__data_we) {
      jobs_.write(cycle, root->mcu_soc__DOT__data_addr & 0xfff);
    }
  }

  const Options &options_;
  std::unique_ptr<Vmcu_soc> soc_;
  Stalls stalls_;
  JobLog jobs_;
  Progress progress_;
  Memory memory_;
  std::unique_ptr<Host> host_;
  std::ofstream console_;
  Waves waves_;
};

}  // namespace

int main(int argc, char **argv) {
  try {
    const Options options = parse_options(argc, argv);
    Verilated::commandArgs(argc, argv);
    Waves::allow();
    Simulation simulation(options);
    const Outcome outcome = simulation.run();
    simulation.write_result(outcome);
#if VM_COVERAGE
    Verilated::threadContextp()->coveragep()->write();
#endif
    return outcome.ended ? kEnded : kBoundReached;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kFailed;
  }
}
