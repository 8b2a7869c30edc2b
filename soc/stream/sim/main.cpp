// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Simulates stream_soc: loads a program by back door, runs it until it ends or the bound on cycles
// is reached, plays the host of the mailbox, and writes one JSON file with the result.
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

#include "Vstream_soc.h"
#include "Vstream_soc___024root.h"
#include "host.h"
#include "memory.h"
#include "options.h"
#include "packet_log.h"
#include "progress.h"
#include "stream_map.h"
#include "waves.h"

namespace {

constexpr int kEnded = 0;
constexpr int kFailed = 2;
constexpr int kBoundReached = 3;
constexpr uint32_t kStart = STREAM_DMA_BASE + 0x20;  // S2MM.HEAD

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
        soc_(std::make_unique<Vstream_soc>("stream_soc")),
        random_(options.stall_seed),
        packets_(options.max_jobs) {
    reset();
    const std::string top = "stream_soc.stream_soc.";
    memory_.add(STREAM_IMEM_BASE, {top + "u_imem.u_sram"});
    memory_.add(STREAM_LOCAL_BASE, {top + "u_local"});
    memory_.add(STREAM_MEM_BASE, {top + "u_memory"});
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
      if (options_.stall_percent != 0)
        soc_->mem_stall_i = static_cast<uint8_t>(stall() | stall() << 1);
      soc_->clk_i = 0;
      soc_->eval();
      if (soc_->host_valid_o)
        serve_host();
      outcome.sleep_cycles += soc_->core_sleep_o;
      watch(cycle);
      if (soc_->console_valid_o && console_.is_open())
        console_.put(static_cast<char>(soc_->console_data_o));
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
         << ", \"packets_finished\": " << packets_.count() << ", \"packets\": [";
    const char *separator = "";
    for (const Packet &packet : packets_.packets()) {
      file << separator << "[" << packet.start << ", " << packet.first_in << ", " << packet.last_in
           << ", " << packet.first_out << ", " << packet.last_out << ", " << packet.beats_in << ", "
           << packet.beats_out << "]";
      separator = ", ";
    }
    file << "]}\n";
    file.close();
    if (!file)
      throw std::runtime_error("cannot write " + options_.result);
  }

 private:
  void reset() {
    soc_->mem_stall_i = 0;
    soc_->latency_i = static_cast<uint8_t>(options_.latency);
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

  bool stall() {
    return random_() % 100 < options_.stall_percent;
  }

  void serve_host() {
    soc_->host_result_i = host_->command(soc_->host_cmd_o, soc_->host_addr_o, soc_->host_len_o);
    soc_->eval();  // a read of RESULT may be on the bus already
  }

  void watch(uint64_t cycle) {
    const Vstream_soc___024root *root = soc_->rootp;
    if (root->stream_soc__DOT__axil_gnt && root->stream_soc__DOT__data_we &&
        root->stream_soc__DOT__data_addr == kStart)
      packets_.start(cycle);
    if (root->stream_soc__DOT__to_valid && root->stream_soc__DOT__to_ready)
      packets_.input(cycle);
    if (root->stream_soc__DOT__from_valid && root->stream_soc__DOT__from_ready)
      packets_.output(cycle, root->stream_soc__DOT__from_last);
  }

  const Options &options_;
  std::unique_ptr<Vstream_soc> soc_;
  std::mt19937_64 random_;
  PacketLog packets_;
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
