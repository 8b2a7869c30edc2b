// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The RTL of a module under the same vectors, one run per fault: the check of the machine.
//
// usage: forced SCENARIO
// SCENARIO: the module, the number of cycles, the roles of an output that is compared and of an
// alarm, the role of each bit of the outputs, and of each cycle if they are looked at; the bits of
// all inputs, the lowest first, a word for each cycle; the number of variables that are registers,
// with name and width of each; then the faults, each its cycle, the number of places, and name,
// width and bit of each. Prints the outputs of the run without a fault, all bits in a row, then a
// line for each fault.
//
// pins.h, made for the module, names CLOCK and lists INPUTS(X) and OUTPUTS(X) with their widths.
//
// A register is seen under several names, at ports that it goes through; writing to those that are
// wires does nothing, as they are computed again.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "Vdut.h"
#include "pins.h"
#include "registers.h"
#include "verilated.h"

namespace {

struct Fault {
  uint32_t cycle;
  std::vector<Bit> bits;
};

struct Scenario {
  std::string top, roles, watched;
  uint32_t cycles, compared, alarm;
  std::vector<Variable> registers;
  std::vector<std::string> rows;
};

std::vector<Variable> variables(std::istream &in) {
  std::vector<Variable> found(number(in));
  for (Variable &one : found) {
    in >> one.name;
    one.width = number(in);
  }
  return found;
}

Scenario read(std::istream &in) {
  Scenario s;
  in >> s.top;
  s.cycles = number(in);
  s.compared = number(in);
  s.alarm = number(in);
  in >> s.roles >> s.watched;
  s.rows.resize(s.cycles);
  for (std::string &row : s.rows)
    in >> row;
  s.registers = variables(in);
  return s;
}

template <typename T>
void drive(T &port, const std::string &row, uint32_t &first, uint32_t width) {
  if constexpr (std::is_integral_v<T>) {
    port = 0;
    for (uint32_t bit = 0; bit < width; bit++) {
      port |= static_cast<T>(static_cast<T>(row[first + bit] - '0') << bit);
    }
  } else {
    for (uint32_t bit = 0; bit < width; bit++) {
      if (bit % 32 == 0)
        port[bit / 32] = 0;
      port[bit / 32] |= static_cast<uint32_t>(row[first + bit] - '0') << bit % 32;
    }
  }
  first += width;
}

template <typename T>
void sense(const T &port, std::string &row, uint32_t width) {
  for (uint32_t bit = 0; bit < width; bit++) {
    if constexpr (std::is_integral_v<T>) {
      row += port >> bit & 1 ? '1' : '0';
    } else {
      row += port[bit / 32] >> bit % 32 & 1 ? '1' : '0';
    }
  }
}

class Run {
 public:
  explicit Run(const Scenario &s) : s_(s), context_(new VerilatedContext) {
    Verilated::threadContextp(context_.get());
    context_->randReset(0);
    dut_.reset(new Vdut(context_.get(), "TOP"));
  }
  ~Run() {
    dut_->final();
  }

  // The outputs of all cycles; with `golden`, up to the first that is wrong, which is told.
  std::string play(const Fault *fault, const std::string *golden) {
    std::string all;
    for (uint32_t t = 0; t < s_.cycles; t++) {
      if (fault && t == fault->cycle) {
        bool found = false;
        for (const Bit &bit : fault->bits)
          found |= flip(scope(), bit);
        if (!found)
          return "no such register";
      }
      drive_all(t);
      dut_->eval();
      all += outputs();
      if (golden && s_.watched[t] == '1') {
        const std::string told = look(t, all, *golden);
        if (!told.empty())
          return told;
      }
      cycle_ends();
    }
    return golden ? "" : all;
  }

  std::vector<std::vector<uint32_t>> registers() const {
    std::vector<std::vector<uint32_t>> all;
    for (const Variable &variable : s_.registers) {
      if (vpiHandle h = handle(scope(), variable))
        all.push_back(value_of(h));
    }
    return all;
  }

 private:
  std::string scope() const {
    return "TOP." + s_.top + ".";
  }

  void cycle_ends() {
    dut_->CLOCK = 1;
    dut_->eval();
    dut_->CLOCK = 0;
    dut_->eval();
  }

  void drive_all(uint32_t t) {
    uint32_t first = 0;
#define DRIVE(port, width) drive(dut_->port, s_.rows[t], first, width);
    INPUTS(DRIVE)
    (void)first;
  }

  std::string outputs() const {
    std::string all;
#define SENSE(port, width) sense(dut_->port, all, width);
    OUTPUTS(SENSE)
    return all;
  }

  // An alarm counts before a wrong output of the same cycle.
  std::string look(uint32_t t, const std::string &all, const std::string &golden) const {
    const size_t width = s_.roles.size(), start = t * width;
    for (uint32_t role : {s_.alarm, s_.compared}) {
      for (size_t i = 0; i < width; i++) {
        if (static_cast<uint32_t>(s_.roles[i] - '0') != role || all[start + i] == golden[start + i])
          continue;
        if (role == s_.compared)
          return "wrong " + std::to_string(i) + " " + std::to_string(t);
        if (all[start + i] == '1')
          return "alarm " + std::to_string(t);
      }
    }
    return "";
  }

  const Scenario &s_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vdut> dut_;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  std::ifstream in(argv[1]);
  const Scenario scenario = read(in);
  std::string golden;
  std::vector<std::vector<uint32_t>> registers;
  {
    Run run(scenario);
    golden = run.play(nullptr, nullptr);
    registers = run.registers();
  }
  std::printf("%s\n", golden.c_str());
  Fault fault;
  while (in >> fault.cycle) {
    fault.bits.resize(number(in));
    for (Bit &bit : fault.bits) {
      in >> bit.variable.name;
      bit.variable.width = number(in);
      bit.bit = number(in);
    }
    Run run(scenario);
    std::string told = run.play(&fault, &golden);
    if (told.empty())
      told = run.registers() == registers ? "same" : "differs";
    std::printf("%s\n", told.c_str());
  }
}
