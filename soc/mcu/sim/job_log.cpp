// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "job_log.h"

void JobLog::keep(const Job &job) {
  if (jobs_.size() < limit_)
    jobs_.push_back(job);
}

void JobLog::write(uint64_t cycle, uint32_t offset) {
  if (offset == kSoftClear) {
    for (const Job &job : running_)
      keep(job);
    running_.clear();
    first_write_ = 0;
    return;
  }
  if (first_write_ == 0)
    first_write_ = cycle;
  if (offset != kTrigger)
    return;
  const Job job = {first_write_, cycle, 0};
  first_write_ = 0;
  // With both contexts taken the HWPE refuses the trigger, and no event will come.
  if (running_.size() < kContexts) {
    running_.push_back(job);
  } else {
    keep(job);
  }
}

void JobLog::event(uint64_t cycle) {
  if (running_.empty())
    return;
  Job job = running_.front();
  running_.pop_front();
  job.event = cycle;
  keep(job);
  finished_++;
}
