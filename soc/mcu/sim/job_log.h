// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Watches the HWPE: for every job the cycles of its first register write, of its trigger and of its
// event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

struct Job {
  uint64_t first_write;
  uint64_t trigger;
  uint64_t event;  // 0: there was none
};

class JobLog {
 public:
  // Keeps the first `limit` jobs and counts all of them.
  explicit JobLog(size_t limit) : limit_(limit) {
  }

  // A granted write to the peripheral port; offset within the HWPE.
  void write(uint64_t cycle, uint32_t offset);
  // A finished job.
  void event(uint64_t cycle);

  const std::vector<Job> &jobs() const {
    return jobs_;
  }
  // Jobs that raised their event.
  uint64_t finished() const {
    return finished_;
  }

 private:
  static constexpr uint32_t kTrigger = 0x00;
  static constexpr uint32_t kSoftClear = 0x14;
  static constexpr size_t kContexts = 2;

  void keep(const Job &job);

  size_t limit_;
  uint64_t first_write_ = 0;
  std::deque<Job> running_;
  std::vector<Job> jobs_;
  uint64_t finished_ = 0;
};
