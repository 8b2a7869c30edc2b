// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Command line of the harness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

struct Options {
  std::string image;    // memory image, made from the program
  std::string result;   // JSON file for the result
  std::string console;  // file for console text; empty: none
  std::string input;
  std::string output;
  std::string params;
  std::string trace;  // FST file, in models built for it
  uint64_t max_cycles = 1000000000;
  uint64_t stall_seed = 0;
  unsigned stall_percent = 0;  // chance in each cycle that an access to memory is held back
  size_t max_jobs = 4096;      // jobs that the result lists
  unsigned latency = 0;        // of a memory that has one, in cycles
};

// Options by name, and what takes their value.
using OptionTable = std::map<std::string, std::function<void(const std::string &)>>;

// `own` are the options of one harness alone. Throws std::invalid_argument with a message for the
// user.
Options parse_options(int argc, char **argv, const OptionTable &own = {});
