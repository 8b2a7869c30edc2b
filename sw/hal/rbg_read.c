// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "rbg_read.h"

#include <stdbool.h>

#include "rbg_io.h"
#include "wipe.h"

// Waits for a beat, and tells in `first` whether it is the first one of a row or of all.
static cryptile_status_t wait_beat(uint32_t limit, bool *first) {
  uint64_t begun = rbg_now();
  for (;;) {
    bool late = rbg_now() - begun > limit;  // before the last look
    uint32_t status = rbg_load(RBG_AT(STATUS));
    if ((status & RBG__STATUS__ALARM_bm) != 0) {
      return CRYPTILE_ERR_FAULT;
    }
    // Random bits and a read-out are never there at once.
    if ((status & RBG__STATUS__STOPPED_bm) == 0) {
      return CRYPTILE_ERR_SUPPORT;
    }
    if ((status & RBG__STATUS__READ_LOST_bm) != 0) {
      return CRYPTILE_ERR_STATE;
    }
    if ((status & RBG__STATUS__READ_VALID_bm) != 0) {
      *first = (status & RBG__STATUS__READ_FIRST_bm) != 0;
      return CRYPTILE_OK;
    }
    if (late) {
      return CRYPTILE_ERR_TIMEOUT;
    }
  }
}

// Words of RbgStageConditioned have no first one.
static bool is_in_place(rbg_stage_t stage, size_t index, bool first) {
  size_t in_row = stage == RbgStageRestart ? index % RbgRowSamples : index;
  return first == (in_row == 0 && stage != RbgStageConditioned);
}

static cryptile_status_t read_all(rbg_stage_t stage, uint64_t *samples, size_t count,
                                  uint32_t limit) {
  for (size_t i = 0; i < count; i++) {
    bool first;
    cryptile_status_t status = wait_beat(limit, &first);
    if (status != CRYPTILE_OK) {
      return status;
    }
    uint64_t upper = rbg_load(RBG_AT(READ_HI));
    samples[i] = upper << 32 | rbg_load(RBG_AT(READ_LO));
    if (!is_in_place(stage, i, first)) {
      return CRYPTILE_ERR_STATE;
    }
  }
  return CRYPTILE_OK;
}

cryptile_status_t cry_rbg_read(rbg_stage_t stage, uint64_t *samples, size_t count, uint32_t limit) {
  if (stage < RbgStageRaw || stage > RbgStageConditioned || samples == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  rbg_store(RBG_AT(CONTROL), 0);  // all anew, also if it was read out before
  rbg_store(RBG_AT(CONTROL), RBG__CONTROL__ENABLE_bm | (uint32_t)stage << RBG__CONTROL__READ_bp);
  cryptile_status_t status = read_all(stage, samples, count, limit);
  rbg_store(RBG_AT(CONTROL), 0);
  if (status != CRYPTILE_OK) {
    wipe(samples, count * sizeof(samples[0]));
  }
  return status;
}
