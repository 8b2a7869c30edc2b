// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The bytes of the simulated memory. Pages that nobody wrote take no room, neither in the host's
// memory nor in a saved state.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tile_map.h"

class VerilatedSerialize;
class VerilatedDeserialize;

class Backing {
 public:
  static constexpr uint64_t kSize = SOC_MEMORY_SIZE;

  Backing();
  ~Backing();
  Backing(const Backing &) = delete;
  Backing &operator=(const Backing &) = delete;

  uint8_t *data() {
    return data_;
  }

  // Addresses count from any multiple of the size, so the memory's second place needs no care.
  uint8_t *at(uint64_t addr) {
    return data_ + (addr & (kSize - 1));
  }

  void save(VerilatedSerialize &file) const;
  void restore(VerilatedDeserialize &file);

 private:
  uint8_t *data_;
};
