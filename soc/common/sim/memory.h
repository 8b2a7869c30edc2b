// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The memories of a simulated system, reached by back door.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

class Memory {
 public:
  // Adds a memory whose words lie in the arrays `mem` of the named instances, word i in array
  // i % arrays. Throws std::runtime_error if the model has no such public array.
  void add(uint32_t base, const std::vector<std::string> &instances);

  // Adds a memory that lies outside the model.
  void add(uint32_t base, uint8_t *data, uint64_t size);

  // Whether the model has such an instance with a public array.
  static bool exists(const std::string &instance);

  // Whether all of [addr, addr + size) lies in one memory.
  bool contains(uint32_t addr, uint64_t size) const;

  void write(uint32_t addr, const uint8_t *data, uint32_t size);
  void read(uint32_t addr, uint8_t *data, uint32_t size) const;

  // Loads an image: records of little-endian address and length, and then that many bytes.
  void load(const std::string &path);

 private:
  struct Region {
    uint32_t base;
    uint64_t size;
    uint32_t word;  // bytes
    std::vector<uint8_t *> arrays;
  };

  const Region *find(uint32_t addr, uint64_t size) const;
  static uint8_t &byte(const Region &region, uint32_t addr);

  std::vector<Region> regions_;
};
