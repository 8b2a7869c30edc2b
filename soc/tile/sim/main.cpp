// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Simulates tile_soc: loads a program by back door, runs it until it ends or the bound on cycles is
// reached, plays the memory's bytes and the host of the mailbox, and writes one JSON file with the
// result. The whole state can be saved and taken up again; the host's files and the oscillators are
// not part of it.
//
// Lines on stdout: "<cycles> <bytes in> <bytes out>", at most about 20 a second.
// Exit status: 0 the program ended (whatever its own exit code), 2 bad call or failed file, 3 the
// bound was reached.

#include <verilated.h>
#include <verilated_save.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "Vtile_soc.h"
#include "Vtile_soc__Dpi.h"
#include "Vtile_soc___024root.h"
#include "backing.h"
#include "host.h"
#include "memory.h"
#include "options.h"
#include "oscillators.h"
#include "progress.h"
#include "tile_map.h"
#include "waves.h"

namespace {

constexpr int kEnded = 0;
constexpr int kFailed = 2;
constexpr int kBoundReached = 3;
// Of the mailbox, beside those that read and write.
constexpr uint32_t kSaveCommand = 4;  // a good place to save the state
constexpr uint32_t kFailCommand = 5;  // the oscillators of the lanes in ARG0 stand still, no others

// The model's functions have no object that they belong to.
Backing *backing = nullptr;

struct StateOptions {
  std::string save;           // file for the state; empty: none
  uint64_t save_at = 0;       // after this cycle; 0: at the mailbox's command
  std::string restore;        // file with a state to start from
  std::string uart;           // file with what the UART receives
  bool read_allowed = false;  // the life cycle permits to read samples of the entropy source
};

struct Outcome {
  bool ended = false;
  uint32_t exit_code = 0;
  uint64_t cycles = 0;
  uint64_t sleep_cycles = 0;
};

class Simulation {
 public:
  Simulation(const Options &options, const StateOptions &state)
      : options_(options),
        state_(state),
        soc_(std::make_unique<Vtile_soc>("tile_soc")),
        random_(options.stall_seed),
        oscillators_(options.stall_seed) {
    backing = &backing_;
    memory_.add(SOC_MEMORY_BASE, backing_.data(), Backing::kSize);
    host_ = std::make_unique<Host>(memory_, options.input, options.output, options.params);
    reset();
    if (!state.restore.empty())
      restore();
    else
      memory_.load(options.image);
    open(console_, options.console);
    open(uart_, state.uart);
    waves_.open(*soc_, options.trace);
  }

  // Cycle 1 is the first one out of reset.
  Outcome run() {
    constexpr uint64_t kProgressMask = (1u << 15) - 1;
    while (outcome_.cycles < options_.max_cycles && !outcome_.ended) {
      outcome_.cycles++;
      if (options_.stall_percent != 0)
        soc_->mem_stall_i = static_cast<uint8_t>(stall() | stall() << 1);
      if (uart_.is_open())
        feed_uart();
      if (soc_->osc_enable_o || oscillating_)
        soc_->osc_i = static_cast<uint16_t>(oscillators_.step(soc_->osc_enable_o));
      oscillating_ = soc_->osc_enable_o;
      soc_->clk_i = 0;
      soc_->eval();
      const bool save_now = soc_->host_valid_o && serve_host();
      outcome_.sleep_cycles += sleeping();
      if (soc_->console_valid_o && console_.is_open())
        console_.put(static_cast<char>(soc_->console_data_o));
      if (soc_->uart_valid_o && console_.is_open())
        console_.put(static_cast<char>(soc_->uart_data_o));
      if (soc_->exit_valid_o) {
        outcome_.ended = true;
        outcome_.exit_code = soc_->exit_code_o;
      }
      waves_.dump(2 * outcome_.cycles);
      soc_->clk_i = 1;
      soc_->eval();
      waves_.dump(2 * outcome_.cycles + 1);
      if (save_now || (state_.save_at != 0 && outcome_.cycles == state_.save_at))
        save();
      if ((outcome_.cycles & kProgressMask) == 0) {
        console_.flush();  // for those who read it meanwhile
        progress_.report(outcome_.cycles, *host_);
      }
    }
    soc_->final();
    return outcome_;
  }

  void write_result(const Outcome &outcome) const {
    std::ofstream file(options_.result);
    file << "{\"ended\": " << (outcome.ended ? "true" : "false")
         << ", \"exit_code\": " << outcome.exit_code << ", \"cycles\": " << outcome.cycles
         << ", \"sleep_cycles\": " << outcome.sleep_cycles
         << ", \"bytes_in\": " << host_->bytes_in() << ", \"bytes_out\": " << host_->bytes_out()
         << ", \"saved\": " << (saved_ ? "true" : "false") << "}\n";
    file.close();
    if (!file)
      throw std::runtime_error("cannot write " + options_.result);
  }

 private:
  template <typename Stream>
  static void open(Stream &stream, const std::string &path) {
    if (path.empty())
      return;
    stream.open(path, std::ios::binary);
    if (!stream)
      throw std::runtime_error("cannot open " + path);
  }

  void reset() {
    soc_->mem_stall_i = 0;
    soc_->latency_i = static_cast<uint8_t>(options_.latency);
    soc_->host_result_i = 0;
    soc_->tamper_i = 0;
    soc_->read_allowed_i = state_.read_allowed;
    soc_->osc_i = static_cast<uint16_t>(oscillators_.step(false));
    soc_->uart_valid_i = 0;
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

  bool sleeping() const {
    return soc_->rootp->tile_soc__DOT__u_core__DOT__u_cva6__DOT__csr_regfile_i__DOT__wfi_q;
  }

  // The next byte is offered until it is taken.
  void feed_uart() {
    if (soc_->uart_valid_i && soc_->uart_ready_o)
      uart_.get();
    const int byte = uart_.peek();
    soc_->uart_valid_i = byte != std::char_traits<char>::eof();
    soc_->uart_data_i = static_cast<uint8_t>(byte);
  }

  // Carries the command out and returns whether the state is to be saved. That command's result is
  // 0, and 1 in a run that starts from the state.
  bool serve_host() {
    const bool is_save = soc_->host_cmd_o == kSaveCommand;
    const bool is_fail = soc_->host_cmd_o == kFailCommand;
    if (is_fail)
      oscillators_.fail(soc_->host_addr_o);
    soc_->host_result_i =
        is_save || is_fail ? 0
                           : host_->command(soc_->host_cmd_o, soc_->host_addr_o, soc_->host_len_o);
    soc_->eval();  // a read of RESULT may be on the bus already
    return is_save && state_.save_at == 0;
  }

#ifdef MODEL_IS_SAVABLE
  // Only the first save counts: a state is one point in time.
  void save() {
    if (state_.save.empty() || saved_)
      return;
    VerilatedSave file;
    file.open(state_.save);
    if (!file.isOpen())
      throw std::runtime_error("cannot open " + state_.save);
    const uint64_t numbers[] = {outcome_.cycles, outcome_.sleep_cycles, host_->bytes_in(),
                                host_->bytes_out()};
    file.write(numbers, sizeof numbers);
    file << *soc_;
    backing_.save(file);
    file.close();
    saved_ = true;
  }

  void restore() {
    VerilatedRestore file;
    file.open(state_.restore);
    if (!file.isOpen())
      throw std::runtime_error("cannot open " + state_.restore);
    uint64_t numbers[4];
    file.read(numbers, sizeof numbers);
    file >> *soc_;
    backing_.restore(file);
    file.close();
    outcome_.cycles = numbers[0];
    outcome_.sleep_cycles = numbers[1];
    host_->resume(numbers[2], numbers[3]);
    soc_->latency_i = static_cast<uint8_t>(options_.latency);
    soc_->read_allowed_i = state_.read_allowed;
    if (soc_->host_cmd_o == kSaveCommand)
      soc_->host_result_i = 1;
  }
#else
  void save() {
    if (!state_.save.empty())
      throw std::invalid_argument("a model with waves has no state to save");
  }

  void restore() const {
    throw std::invalid_argument("a model with waves has no state to start from");
  }
#endif

  const Options &options_;
  const StateOptions &state_;
  std::unique_ptr<Vtile_soc> soc_;
  std::mt19937_64 random_;
  Oscillators oscillators_;
  Progress progress_;
  Backing backing_;
  Memory memory_;
  std::unique_ptr<Host> host_;
  std::ofstream console_;
  std::ifstream uart_;
  Outcome outcome_;
  bool saved_ = false;
  bool oscillating_ = false;  // in the cycle before
  Waves waves_;
};

StateOptions state_options;

Options parse(int argc, char **argv) {
  const auto text = [](std::string &to) { return [&to](const std::string &value) { to = value; }; };
  const OptionTable own = {
      {"--save", text(state_options.save)},
      {"--save-at", [](const std::string &value) { state_options.save_at = std::stoull(value); }},
      {"--restore", text(state_options.restore)},
      {"--uart", text(state_options.uart)},
      {"--read-allowed",
       [](const std::string &value) { state_options.read_allowed = std::stoul(value) != 0; }},
  };
  return parse_options(argc, argv, own);
}

}  // namespace

// The model's memory: whole words, and bytes by strobe.
unsigned long long tsoc_memory_read(unsigned long long addr) {
  uint64_t word;
  std::memcpy(&word, backing->at(addr & ~uint64_t{7}), sizeof word);
  return word;
}

void tsoc_memory_write(unsigned long long addr, unsigned long long data, unsigned char strb) {
  uint8_t *const to = backing->at(addr & ~uint64_t{7});
  if (strb == 0xff) {
    std::memcpy(to, &data, sizeof(uint64_t));
    return;
  }
  for (int i = 0; i < 8; i++) {
    if (strb >> i & 1)
      to[i] = static_cast<uint8_t>(data >> (8 * i));
  }
}

int main(int argc, char **argv) {
  try {
    const Options options = parse(argc, argv);
    Verilated::commandArgs(argc, argv);
    Waves::allow();
    Simulation simulation(options, state_options);
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
