// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The random bit generator by its driver: it fails at its start, is restarted on purpose, seeded by
// its source, and gives jobs of the tile their bytes; it fails in work, and there are none.

#include <stddef.h>
#include <string.h>

#include "console.h"
#include "oscillators.h"
#include "psa/crypto.h"
#include "random_queue.h"
#include "rbg.h"
#include "rbg_read.h"
#include "test.h"
#include "tile_random.h"

enum { Bytes = 100, Broken = 5, Soon = 2000 };
// Cycles of 100 samples: 81 equal ones in a row are an alarm.
enum { RunOfEqual = 100 * 256 };

static uint8_t given[3][Bytes + 4] __attribute__((aligned(64)));
static uint64_t samples[2];

static cryptile_status_t ask(uint8_t *to) {
  return cry_tile_random(&random_queue, to, Bytes, TileRandomLimit);
}

static bool all_are(const uint8_t *bytes, uint8_t value) {
  uint8_t other = 0;
  for (size_t i = 0; i < Bytes; i++)
    other |= bytes[i] ^ value;
  return other == 0;
}

// Nothing is given, and nothing of what was there stays.
static bool refuses(cryptile_status_t status) {
  memset(given[0], 0xa5, sizeof given[0]);
  return ask(given[0]) == status && all_are(given[0], 0) && given[0][Bytes] == 0xa5;
}

static bool is_alarm(void) {
  rbg_state_t state = cry_rbg_state();
  return state.alarm && state.stopped && !state.seeded && state.source == RbgAlarm &&
         state.lane == Broken && state.failed == RbgFailRepetition;
}

static psa_status_t new_key(psa_key_id_t *key) {
  psa_key_attributes_t attributes = psa_key_attributes_init();
  psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY));
  psa_set_key_bits(&attributes, 255);
  return psa_generate_key(&attributes, key);
}

int main(void) {
  CHECK(random_queue_open() == CRYPTILE_OK);
  cryptile_psa_set_random(cry_tile_random_source);
  CHECK(cry_rbg_state().source == RbgOff && cry_rbg_check() == CRYPTILE_ERR_STATE);
  CHECK(refuses(CRYPTILE_ERR_STATE) && cry_rbg_reseed(Soon) == CRYPTILE_ERR_STATE);

  // A lane is broken from the start on: its run of equal samples ends the start-up test.
  oscillators_fail(1u << Broken);
  CHECK(cry_rbg_start(Soon) == CRYPTILE_ERR_TIMEOUT && refuses(CRYPTILE_ERR_BUSY));
  CHECK(cry_rbg_start(RunOfEqual) == CRYPTILE_ERR_FAULT && is_alarm());
  CHECK(refuses(CRYPTILE_ERR_FAULT) && cry_rbg_reseed(Soon) == CRYPTILE_ERR_FAULT);
  // It was mended, and nothing but a restart forgets.
  oscillators_fail(0);
  cry_rbg_stop();
  CHECK(cry_rbg_start(RbgStartLimit) == CRYPTILE_ERR_FAULT && is_alarm());
  CHECK(cry_rbg_restart(RbgStartLimit) == CRYPTILE_OK && cry_rbg_check() == CRYPTILE_OK);
  rbg_state_t state = cry_rbg_state();
  CHECK(state.source == RbgRunning && !state.stopped && !state.alarm && state.failed == 0);

  for (size_t i = 0; i < 3; i++)
    CHECK(ask(given[i]) == CRYPTILE_OK && !all_are(given[i], 0));
  CHECK(memcmp(given[0], given[1], Bytes) != 0 && memcmp(given[1], given[2], Bytes) != 0);
  // A new seed: nothing is given until it is in.
  CHECK(cry_rbg_reseed(Soon) == CRYPTILE_ERR_TIMEOUT && refuses(CRYPTILE_ERR_BUSY));
  CHECK(cry_rbg_reseed(Soon) == CRYPTILE_ERR_BUSY);
  CHECK(cry_rbg_start(RbgStartLimit) == CRYPTILE_OK && ask(given[2]) == CRYPTILE_OK);
  CHECK(cry_rbg_reseed(RbgStartLimit) == CRYPTILE_OK && ask(given[0]) == CRYPTILE_OK);
  psa_key_id_t key;
  CHECK(psa_generate_random(given[2], Bytes) == PSA_SUCCESS && !all_are(given[2], 0));
  CHECK(new_key(&key) == PSA_SUCCESS && psa_destroy_key(key) == PSA_SUCCESS);
  CHECK(cry_tile_random(&random_queue, NULL, 1, TileRandomLimit) == CRYPTILE_ERR_PARAM);

  // It breaks in work.
  oscillators_fail(1u << Broken);
  for (uint64_t begun = CSR_READ("mcycle"); cry_rbg_check() == CRYPTILE_OK;)
    CHECK(CSR_READ("mcycle") - begun < RunOfEqual);
  CHECK(is_alarm() && refuses(CRYPTILE_ERR_FAULT));
  memset(given[1], 0xa5, sizeof given[1]);
  CHECK(psa_generate_random(given[1], Bytes) == PSA_ERROR_INSUFFICIENT_ENTROPY);
  CHECK(all_are(given[1], 0) && given[1][Bytes] == 0xa5);
  CHECK(new_key(&key) == PSA_ERROR_INSUFFICIENT_ENTROPY && key == PSA_KEY_ID_NULL);
  // A restart with the source as it was is an alarm again, and the life cycle permits no read-out.
  CHECK(cry_rbg_restart(RunOfEqual) == CRYPTILE_ERR_FAULT && is_alarm());
  oscillators_fail(0);
  samples[0] = samples[1] = UINT64_MAX;
  CHECK(cry_rbg_read(RbgStageRaw, samples, 2, RunOfEqual) == CRYPTILE_ERR_FAULT);
  CHECK(samples[0] == 0 && samples[1] == 0);
  CHECK(cry_rbg_restart(Soon) == CRYPTILE_ERR_TIMEOUT);
  samples[0] = samples[1] = UINT64_MAX;
  CHECK(cry_rbg_read(RbgStageRaw, samples, 2, RunOfEqual) == CRYPTILE_ERR_SUPPORT);
  CHECK(samples[0] == 0 && samples[1] == 0 && cry_rbg_state().source == RbgOff);
  CHECK(cry_rbg_read(0, samples, 2, Soon) == CRYPTILE_ERR_PARAM);
  cry_console_text("random bits\n");
  return 0;
}
