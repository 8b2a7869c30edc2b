// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "rbg.h"

#include "rbg_io.h"

static uint32_t field(uint32_t value, uint32_t mask, unsigned position) {
  return (value & mask) >> position;
}

rbg_state_t cry_rbg_state(void) {
  uint32_t status = rbg_load(RBG_AT(STATUS));
  rbg_state_t state = {
      .source = (rbg_source_t)field(status, RBG__STATUS__SOURCE_bm, RBG__STATUS__SOURCE_bp),
      .alarm = (status & RBG__STATUS__ALARM_bm) != 0,
      .drbg_alarm = (status & RBG__STATUS__DRBG_ALARM_bm) != 0,
      .stopped = (status & RBG__STATUS__STOPPED_bm) != 0,
      .seeded = (status & RBG__STATUS__SEEDED_bm) != 0};
  if (state.alarm) {
    state.lane = (uint8_t)field(status, RBG__STATUS__LANE_bm, RBG__STATUS__LANE_bp);
    state.failed = (uint8_t)field(status, RBG__STATUS__FAILS_bm, RBG__STATUS__FAILS_bp);
  }
  return state;
}

cryptile_status_t cry_rbg_check(void) {
  uint32_t read = rbg_load(RBG_AT(CONTROL)) & RBG__CONTROL__READ_bm;
  rbg_state_t state = cry_rbg_state();
  if (state.alarm || state.drbg_alarm) {
    return CRYPTILE_ERR_FAULT;
  }
  // A read-out that the life cycle does not permit stops nothing.
  if (state.source == RbgOff || (read != 0 && state.stopped)) {
    return CRYPTILE_ERR_STATE;
  }
  return state.seeded ? CRYPTILE_OK : CRYPTILE_ERR_BUSY;
}

// The source leaves "off", and STATUS.seeded is 0, a cycle behind the store that asks for it,
// before a load can see it.
static cryptile_status_t wait_seeded(uint32_t limit) {
  uint64_t begun = rbg_now();
  cryptile_status_t status = cry_rbg_check();
  while (status == CRYPTILE_ERR_BUSY) {
    bool late = rbg_now() - begun > limit;  // before the last look
    status = cry_rbg_check();
    if (late && status == CRYPTILE_ERR_BUSY) {
      return CRYPTILE_ERR_TIMEOUT;
    }
  }
  return status;
}

cryptile_status_t cry_rbg_start(uint32_t limit) {
  rbg_store(RBG_AT(CONTROL), RBG__CONTROL__ENABLE_bm);
  return wait_seeded(limit);
}

cryptile_status_t cry_rbg_restart(uint32_t limit) {
  rbg_store(RBG_AT(CONTROL), RBG__CONTROL__ENABLE_bm);
  rbg_store(RBG_AT(COMMAND), RBG__COMMAND__RESTART_bm);
  return wait_seeded(limit);
}

cryptile_status_t cry_rbg_reseed(uint32_t limit) {
  cryptile_status_t status = cry_rbg_check();
  if (status == CRYPTILE_OK) {
    rbg_store(RBG_AT(COMMAND), RBG__COMMAND__RESEED_bm);
    status = wait_seeded(limit);
  }
  return status;
}

void cry_rbg_stop(void) {
  rbg_store(RBG_AT(CONTROL), 0);
}
