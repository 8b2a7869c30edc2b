// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The host side of the mailbox: streams files of any size through a buffer of the running program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "memory.h"

class Host {
 public:
  static constexpr uint32_t kRefused = 0xffffffff;

  Host(Memory &memory, const std::string &input, const std::string &output,
       const std::string &params);
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  // Carries out one command and returns what the RESULT register shows.
  uint32_t command(uint32_t cmd, uint32_t addr, uint32_t length);

  // Goes on where a saved run was: the input at its next byte, the output from here on.
  void resume(uint64_t bytes_in, uint64_t bytes_out);

  uint64_t bytes_in() const {
    return bytes_in_;
  }
  uint64_t bytes_out() const {
    return bytes_out_;
  }

 private:
  enum Command : uint32_t { kReadInput = 1, kWriteOutput = 2, kReadParams = 3 };

  uint32_t read_input(uint32_t addr, uint32_t length);
  uint32_t write_output(uint32_t addr, uint32_t length);
  uint32_t read_params(uint32_t addr, uint32_t length);

  Memory &memory_;
  std::FILE *input_ = nullptr;
  std::FILE *output_ = nullptr;
  std::vector<uint8_t> params_;
  uint64_t bytes_in_ = 0;
  uint64_t bytes_out_ = 0;
};
