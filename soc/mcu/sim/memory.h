// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The two memories of the microcontroller, reached by back door.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

class Memory {
 public:
  // Finds the memory arrays of a model that was built with them public.
  explicit Memory(const std::string &top);

  // Whether all of [addr, addr + size) lies in one memory.
  bool contains(uint32_t addr, uint64_t size) const;

  void write(uint32_t addr, const uint8_t *data, uint32_t size);
  void read(uint32_t addr, uint8_t *data, uint32_t size) const;

  // Loads an image: records of little-endian address and length, and then that many bytes.
  void load(const std::string &path);

 private:
  static constexpr uint32_t kTcdmBase = 0x10000000;

  uint8_t &byte(uint32_t addr) const;

  uint32_t *imem_;
  uint32_t imem_size_;
  std::vector<uint32_t *> banks_;
  uint32_t tcdm_size_;
};
