// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "backing.h"

#include <sys/mman.h>
#include <verilated_save.h>

#include <algorithm>
#include <stdexcept>

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kEnd = ~uint64_t{0};

bool is_zero(const uint8_t *page) {
  return std::all_of(page, page + kPage, [](uint8_t byte) { return byte == 0; });
}

}  // namespace

Backing::Backing() {
  void *const place = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    throw std::runtime_error("no room for the simulated memory");
  data_ = static_cast<uint8_t *>(place);
}

Backing::~Backing() {
  munmap(data_, kSize);
}

void Backing::save(VerilatedSerialize &file) const {
  for (uint64_t offset = 0; offset < kSize; offset += kPage) {
    if (is_zero(data_ + offset))
      continue;
    file << offset;
    file.write(data_ + offset, kPage);
  }
  uint64_t end = kEnd;
  file << end;
}

void Backing::restore(VerilatedDeserialize &file) {
  for (;;) {
    uint64_t offset = 0;
    file >> offset;
    if (offset == kEnd)
      return;
    if (offset >= kSize)
      throw std::runtime_error("the saved state is damaged");
    file.read(at(offset), kPage);
  }
}
