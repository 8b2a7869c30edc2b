// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "options.h"

#include <stdexcept>

Options parse_options(int argc, char **argv, const OptionTable &own) {
  Options options;
  const auto text = [](std::string &to) { return [&to](const std::string &value) { to = value; }; };
  const auto number = [](auto &to) {
    return [&to](const std::string &value) { to = std::stoull(value); };
  };
  OptionTable known = {
      {"--image", text(options.image)},
      {"--result", text(options.result)},
      {"--console", text(options.console)},
      {"--input", text(options.input)},
      {"--output", text(options.output)},
      {"--params", text(options.params)},
      {"--trace", text(options.trace)},
      {"--max-cycles", number(options.max_cycles)},
      {"--stall-seed", number(options.stall_seed)},
      {"--stall-percent", number(options.stall_percent)},
      {"--max-jobs", number(options.max_jobs)},
      {"--latency", number(options.latency)},
  };
  known.insert(own.begin(), own.end());
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    if (name[0] == '+')
      continue;  // for Verilator itself
    const auto option = known.find(name);
    if (option == known.end())
      throw std::invalid_argument("unknown option " + name);
    if (++i == argc)
      throw std::invalid_argument(name + " needs a value");
    option->second(argv[i]);
  }
  if (options.result.empty())
    throw std::invalid_argument("--result is needed");
  return options;
}
