// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Prints a line of progress when some time has passed since the last.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>

#include "host.h"

class Progress {
 public:
  void report(uint64_t cycles, const Host &host) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50))
      return;
    last_ = now;
    std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(cycles),
                static_cast<unsigned long long>(host.bytes_in()),
                static_cast<unsigned long long>(host.bytes_out()));
    std::fflush(stdout);
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};
