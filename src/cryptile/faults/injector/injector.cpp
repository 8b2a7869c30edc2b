// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The plain way: one run of the RTL per fault, written without any of the campaign's shortcuts, so
// that it can check them.
//
// usage: injector SCENARIO FAULTS
// SCENARIO is text: see read_scenario. FAULTS has a line per fault: cycle, number of places, and
// for each a variable's name, its width and the bit. Prints the golden handshakes, then a class per
// fault.
//
// A register is seen under several names, at ports that it goes through; as which of them is
// written here does not matter for wires, which are computed again, so all are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "Vdut.h"
#include "registers.h"
#include "verilated.h"

namespace {

enum { kJob, kKey, kSrc, kDst, kDone, kChannels };
enum { kOk = 0, kCorrected = 3, kDetected = 4 };
constexpr uint32_t kReset = 2;
using Item = std::vector<uint32_t>;

struct Abort {
  uint32_t position, wait, job;
};

struct Ends {
  uint32_t at[kChannels];
};

struct Scenario {
  std::vector<Item> items[kChannels];
  std::vector<uint32_t> waits[kChannels];
  std::vector<uint32_t> job_after;
  std::vector<Ends> ends;  // of each job: where every channel stands behind it
  std::vector<Abort> aborts;
  std::vector<Variable> registers;
  uint32_t finish = 0, hang = 0;
  bool repeats = false;  // a job that begins behind a report may report the fault again
  bool drains = false;   // the engine takes what a job that a fault ended had still to take
};

struct Fault {
  uint32_t cycle;
  std::vector<Bit> bits;
};

// Numbers: per channel the count of items, 32-bit words of each, the items, the waits; then jobs,
// aborts, the cycle of the end, the patience, whether a fault may be reported again, and whether
// the engine takes the rest of a job that a fault ended; then names and widths of all registers.
Scenario read_scenario(const char *path) {
  std::ifstream in(path);
  Scenario s;
  for (int c = 0; c < kChannels; c++) {
    const uint32_t count = number(in), words = number(in);
    for (uint32_t i = 0; i < count; i++) {
      Item item;
      for (uint32_t w = 0; w < words; w++)
        item.push_back(number(in));
      s.items[c].push_back(item);
    }
    for (uint32_t i = 0; i <= count; i++)
      s.waits[c].push_back(number(in));
  }
  for (size_t i = 0; i < s.items[kJob].size(); i++)
    s.job_after.push_back(number(in));
  s.ends.resize(s.items[kJob].size());
  for (Ends &ends : s.ends) {
    for (uint32_t &place : ends.at)
      place = number(in);
  }
  const uint32_t aborts = number(in);
  for (uint32_t i = 0; i < aborts; i++) {
    s.aborts.push_back(Abort{number(in), number(in), number(in)});
  }
  s.finish = number(in);
  s.hang = number(in);
  s.repeats = number(in) != 0;
  s.drains = number(in) != 0;
  const uint32_t registers = number(in);
  for (uint32_t i = 0; i < registers; i++) {
    Variable variable;
    in >> variable.name;
    variable.width = number(in);
    s.registers.push_back(variable);
  }
  return s;
}

template <typename T>
void drive(T &port, const Item &item) {
  if constexpr (std::is_integral_v<T>) {
    port = static_cast<T>(item[0]);
  } else {
    for (size_t i = 0; i < sizeof(port) / 4; i++)
      port[i] = i < item.size() ? item[i] : 0;
  }
}

template <typename T>
bool same(const T &port, const Item &item) {
  for (size_t i = 0; i < sizeof(port) / 4; i++) {
    if (port[i] != (i < item.size() ? item[i] : 0))
      return false;
  }
  return true;
}

// One machine with its surroundings.
class Run {
 public:
  Run(const Scenario &s, bool print) : s_(s), print_(print), context_(new VerilatedContext) {
    Verilated::threadContextp(context_.get());
    context_->randReset(0);
    dut_.reset(new Vdut(context_.get(), "TOP"));
    for (int c = 0; c < kChannels; c++)
      wait_[c] = s.waits[c][0];
  }
  ~Run() {
    dut_->final();
  }

  std::string play(const Fault *fault, const std::vector<std::vector<uint32_t>> *golden) {
    uint32_t still = 0, rested = 0;
    for (uint32_t t = 0;; t++) {
      if (fault && t == fault->cycle) {
        dut_->eval();
        bool found = false;
        for (const Bit &bit : fault->bits)
          found |= flip("TOP." SCOPE, bit);
        if (!found)
          return "unknown_register";
      }
      const bool moved = cycle(t);
      if (wrong_)
        return reported_ ? "unrecovered" : "silent";
      reported_ |= reporting_;
      still = moved ? 0 : still + 1;
      if (complete()) {
        if (t + 1 >= s_.finish && ++rested > s_.hang)
          break;
      } else if (still > 2 * s_.hang) {
        return reported_ ? "unrecovered" : "hang";
      }
    }
    if (reported_)
      return "detected";
    if (flagged_)
      return alarm_ ? "false_alarm" : "corrected";
    if (golden && state() != *golden)
      return "latent";
    return "masked";
  }

  std::vector<std::vector<uint32_t>> state() const {
    std::vector<std::vector<uint32_t>> all;
    for (const Variable &name : s_.registers) {
      if (vpiHandle h = handle("TOP." SCOPE, name))
        all.push_back(value_of(h));
    }
    return all;
  }

 private:
  bool complete() const {
    for (int c = 0; c < kChannels; c++) {
      if (at_[c] < s_.items[c].size())
        return false;
    }
    return true;
  }

  bool offers(int c) const {
    if (clear_ || wait_[c] || at_[c] >= s_.items[c].size())
      return false;
    return c != kJob || at_[kDone] >= s_.job_after[at_[kJob]];
  }

  bool cycle(uint32_t t) {
    static const Item kNothing(8, 0);
    clear_ = abort_armed_ && abort_wait_ == 0;
    dut_->rst_ni = t >= kReset;
    dut_->clear_i = clear_;
    dut_->job_valid_i = offers(kJob);
    drive(dut_->job_i, offers(kJob) ? s_.items[kJob][at_[kJob]] : kNothing);
    dut_->key_valid_i = offers(kKey);
    drive(dut_->key_i, offers(kKey) ? s_.items[kKey][at_[kKey]] : kNothing);
    dut_->src_valid_i = offers(kSrc);
    drive(dut_->src_i, offers(kSrc) ? s_.items[kSrc][at_[kSrc]] : kNothing);
    dut_->dst_ready_i = !clear_ && wait_[kDst] == 0;
    dut_->done_ready_i = !clear_ && wait_[kDone] == 0;
    dut_->eval();
    const bool fire[kChannels] = {
        dut_->job_valid_i && dut_->job_ready_o, dut_->key_valid_i && dut_->key_ready_o,
        dut_->src_valid_i && dut_->src_ready_o, dut_->dst_valid_o && dut_->dst_ready_i,
        dut_->done_valid_o && dut_->done_ready_i};
#ifdef HAS_FAULT_OUTPUTS
    if (clear_ && alarm_)
      report(at_[kJob]);
    flagged_ |= dut_->fault_corrected_o || dut_->fault_detected_o;
    alarm_ |= dut_->fault_detected_o;
#endif
    const uint32_t begun = at_[kJob];
    bool moved = false;
    for (int c = 0; c < kChannels; c++) {
      if (fire[c]) {
        moved = true;
        take(c, t, begun);
      } else if (wait_[c]) {
        wait_[c]--;
      }
    }
    step_abort();
    dut_->clk_i = 1;
    dut_->eval();
    dut_->clk_i = 0;
    dut_->eval();
    return moved;
  }

  void take(int c, uint32_t t, uint32_t begun) {
    if (print_)
      std::printf("%d %u %u\n", c, at_[c], t);
    if (at_[c] >= s_.items[c].size()) {
      wrong_ = true;
      return;
    }
    const Item &item = s_.items[c][at_[c]];
    if (c == kDst && !same(dut_->dst_o, item))
      wrong_ = true;
    if (c == kDone)
      check_done(item[0], begun);
    at_[c]++;
    wait_[c] = s_.waits[c][at_[c]];
  }

  void move(int c, uint32_t to) {
    at_[c] = to;
    wait_[c] = s_.waits[c][to];
  }

  // The first report is of a fault in a job that has begun.
  void report(uint32_t begun) {
    if (!reported_ && !reporting_)
      begun_ = begun;
    reporting_ = true;
  }

  void check_done(uint32_t expected, uint32_t begun) {
    const uint32_t job = at_[kDone];
    const uint32_t status = dut_->done_status_o;
    const bool right = status == expected, corrected = expected == kOk && status == kCorrected;
    flagged_ |= corrected;
    if (!right && status == kDetected) {
      if (reported_ && job >= begun_ && !s_.repeats)
        wrong_ = true;
      report(begun);
      // The job's rest is neither expected nor, if the engine does not take it, offered any more.
      for (int c = s_.drains ? kDst : kKey; c <= kDst; c++) {
        if (at_[c] < s_.ends[job].at[c])
          move(c, s_.ends[job].at[c]);
      }
    } else if ((!right && !corrected) || at_[kDst] < s_.ends[job].at[kDst]) {
      wrong_ = true;
    }
  }

  void step_abort() {
    if (clear_) {
      for (int c = 0; c < kChannels; c++)
        move(c, s_.ends[s_.aborts[abort_].job].at[c]);
      abort_++;
      abort_armed_ = false;
    } else if (abort_ < s_.aborts.size() && at_[kDone] > s_.aborts[abort_].job) {
      abort_++;
      abort_armed_ = false;
    } else if (abort_armed_) {
      abort_wait_--;
    } else if (abort_ < s_.aborts.size()) {
      const Abort &a = s_.aborts[abort_];
      abort_armed_ = at_[kSrc] >= a.position;
      abort_wait_ = a.wait;
    }
  }

  const Scenario &s_;
  const bool print_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vdut> dut_;
  uint32_t at_[kChannels] = {}, wait_[kChannels] = {};
  uint32_t abort_ = 0, abort_wait_ = 0, begun_ = 0;
  bool abort_armed_ = false, clear_ = false;
  bool wrong_ = false, reporting_ = false, reported_ = false, flagged_ = false, alarm_ = false;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const Scenario scenario = read_scenario(argv[1]);
  std::vector<std::vector<uint32_t>> golden;
  {
    Run run(scenario, true);
    std::printf("golden %s\n", run.play(nullptr, nullptr).c_str());
    golden = run.state();
  }
  std::ifstream in(argv[2]);
  Fault fault;
  while (in >> fault.cycle) {
    fault.bits.resize(number(in));
    for (Bit &bit : fault.bits) {
      in >> bit.variable.name;
      bit.variable.width = number(in);
      bit.bit = number(in);
    }
    Run run(scenario, false);
    std::printf("%s\n", run.play(&fault, &golden).c_str());
  }
}
