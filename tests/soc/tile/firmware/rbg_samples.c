// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Reads samples out of the random bit generator and hands them to the host, 8 bytes each. Its
// parameters: stage and number of samples, 4 bytes each.

#include "host.h"
#include "rbg.h"
#include "rbg_read.h"
#include "test.h"

enum { Most = 4096 };

static uint64_t samples[Most];

int main(void) {
  uint32_t wanted[2];
  CHECK(cry_host_params(wanted, sizeof wanted) == sizeof wanted);
  forget_cached();
  CHECK(wanted[1] <= Most);
  CHECK(cry_rbg_read((rbg_stage_t)wanted[0], samples, wanted[1], RbgStartLimit) == CRYPTILE_OK);
  fence();
  cry_host_write(samples, wanted[1] * sizeof samples[0]);
  // It is off behind it, and gives random bits no sooner than it was tested and seeded anew.
  CHECK(cry_rbg_state().source == RbgOff && cry_rbg_check() == CRYPTILE_ERR_STATE);
  CHECK(cry_rbg_start(0) == CRYPTILE_ERR_TIMEOUT && !cry_rbg_state().seeded);
  return 0;
}
