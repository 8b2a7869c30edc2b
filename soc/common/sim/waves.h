// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Waves of a run, in models that were built to write them (Verilator's --trace-fst).
#ifndef CRYPTILE_SIM_WAVES_H
#define CRYPTILE_SIM_WAVES_H

#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#include <cstdint>
#include <stdexcept>
#include <string>

#if VM_TRACE

class Waves {
 public:
  // Call once, before the model is made.
  static void allow() {
    Verilated::traceEverOn(true);
  }

  ~Waves() {
    file_.close();
  }

  // Writes the signals of a model to a file, if a path is given.
  template <typename Model>
  void open(Model &model, const std::string &path) {
    if (path.empty())
      return;
    model.trace(&file_, kAllLevels);
    file_.open(path.c_str());
    if (!file_.isOpen())
      throw std::runtime_error("cannot write " + path);
  }

  void dump(uint64_t time) {
    if (file_.isOpen())
      file_.dump(time);
  }

 private:
  static constexpr int kAllLevels = 99;
  VerilatedFstC file_;
};

#else

class Waves {
 public:
  static void allow() {
  }

  template <typename Model>
  void open(Model &, const std::string &path) {
    if (!path.empty())
      throw std::invalid_argument("this model was built without trace");
  }

  void dump(uint64_t) {
  }
};

#endif

#endif  // CRYPTILE_SIM_WAVES_H
