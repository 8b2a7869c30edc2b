// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

#include "options.h"

#include <cerrno>
#include <cstdlib>
#include <map>
#include <string>

#include "fail.h"
#include "oscillators.h"

namespace {

struct Range {
  uint64_t *to;
  uint64_t least;
  uint64_t most;
};

}  // namespace

Options parse_options(int argc, char **argv) {
  constexpr uint64_t kAny = ~uint64_t{0};
  Options options;
  const std::map<std::string, Range> known = {
      {"base", {&options.base, 0, kAny}},
      {"irq", {&options.irq, 1, 80}},
      {"ram_base", {&options.ram_base, 0, kAny}},
      {"ram_size", {&options.ram_size, 4096, kAny}},
      {"ns_per_cycle", {&options.ns_per_cycle, 1, 1000}},
      {"quantum", {&options.quantum, 1, 1000000}},
      {"latency", {&options.latency, 0, 10000}},
      {"stall_percent", {&options.stall_percent, 0, 99}},
      {"errors_per_million", {&options.errors_per_million, 0, 1000000}},
      {"most_still", {&options.most_still, 1, kAny}},
      {"seed", {&options.seed, 0, kAny}},
      {"rbg_base", {&options.rbg_base, 0, kAny}},
      {"rbg_fail", {&options.rbg_fail, 0, (1u << Oscillators::kLanes) - 1}},
      {"tamper_at", {&options.tamper_at, 0, kAny}},
      {"faults_from", {&options.faults_from, 0, kAny}},
  };
  for (int i = 0; i < argc; i++) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    const auto found = known.find(word.substr(0, equals));
    if (found == known.end() || equals == std::string::npos)
      fail("unknown argument of the plugin: %s", argv[i]);
    const char *const text = argv[i] + equals + 1;
    char *end = nullptr;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 0);
    const Range &range = found->second;
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || value < range.least ||
        value > range.most)
      fail("bad value of the plugin's argument: %s", argv[i]);
    *range.to = value;
  }
  if (options.ram_size == 0)
    fail("the plugin's argument ram_size is needed");
  return options;
}
