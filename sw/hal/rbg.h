// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Driver of the random bit generator (regs/rbg.rdl): the entropy source and the DRBG that it seeds.
// Random bits come by jobs of the tile (tile_random.h); samples, for validation, by rbg_read.h.
//
//   status = cry_rbg_start(RbgStartLimit);                 // on, tested, seeded
//   ...
//   if (cry_rbg_check() == CRYPTILE_ERR_FAULT) {           // a test has failed: no random bits
//     state = cry_rbg_state();                             // which test of which lane; keep it
//     status = cry_rbg_restart(RbgStartLimit);             // on purpose; the tests come again
//   }
//
// Holds for every function here and in rbg_read.h:
// - One generator, and one caller at a time. Access to its registers is what rules over it: who has
//   it can stop and restart the generator, and can see no seed and no random bit.
// - Waiting is by reading STATUS, up to `limit` cycles of the core's clock, which is the
//   generator's.
// - Constant time: nothing here sees a random bit but what rbg_read.h gives out.
// - Nothing ends an alarm but cry_rbg_restart() and reset. Restarting in a loop hides a source that
//   is broken: count, and give up.
// - Random bits do not outlive an alarm, cry_rbg_stop(), a read-out, or what asks for a new seed:
//   the hardware forgets those that the generator and the tile hold ready.
#ifndef CRYPTILE_HAL_RBG_H
#define CRYPTILE_HAL_RBG_H

#include <stdbool.h>
#include <stdint.h>

#include "cryptile/status.h"

// What the entropy source is doing.
typedef enum {
  RbgOff = 0,
  RbgSettle = 1,   // the oscillators begin to run
  RbgStartup = 2,  // tests before the first word
  RbgRunning = 3,
  RbgRead = 4,   // samples are read out, and nothing else
  RbgPause = 5,  // the oscillators stand still
  RbgAlarm = 6   // a test failed
} rbg_source_t;

// Tests of the source that failed, a bit each.
enum {
  RbgFailRepetition = 1,  // repetition count, SP 800-90B 4.4.1
  RbgFailProportion = 2,  // adaptive proportion, 4.4.2
  RbgFailLag = 4,         // the lane follows its own past
  RbgFailPair = 8,        // the lane follows the next one
  RbgFailKnown = 16       // known-answer test of the conditioner, of no lane
};

typedef struct {
  rbg_source_t source;
  bool alarm;       // a test of the source failed
  bool drbg_alarm;  // the DRBG failed: its known-answer test, an upset, or entropy came too late
  bool stopped;     // the source gives no entropy: off, read out, or in alarm
  bool seeded;      // there are random bits, of a seed behind all that was asked for
  uint8_t lane;     // in its alarm: the lane that failed; the number of lanes: the parity of all
  uint8_t failed;   // in its alarm: RbgFail...; else 0
} rbg_state_t;

// Cycles that are enough to start, restart or reseed a sound generator as it is built by default,
// whose start takes about 315,000; and more than the generator itself waits for entropy. For one
// with other parameters `cryptile random cutoffs` says them.
enum { RbgStartLimit = 1000000 };

// Reads the state; waits for nothing.
rbg_state_t cry_rbg_state(void);

// Tells whether there are random bits now.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_FAULT: an alarm, of the source or of the DRBG, also while off;
// CRYPTILE_ERR_BUSY: it starts, or is reseeded; CRYPTILE_ERR_STATE: off, or read out.
CRYPTILE_MUST_CHECK cryptile_status_t cry_rbg_check(void);

// Turns the generator on, if it is not, and waits until it is tested and seeded. Any read-out ends.
// An alarm stays, and is told at once.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_FAULT as cry_rbg_check(); CRYPTILE_ERR_TIMEOUT: not seeded in
// time, and it is left on: start again to wait on, or stop it.
CRYPTILE_MUST_CHECK cryptile_status_t cry_rbg_start(uint32_t limit);

// Tests source and DRBG anew, seeds the DRBG anew, and waits until that is done, with an alarm or
// without: the tests on demand of SP 800-90B, 4.3. Ends an alarm, on purpose. Turns the generator
// on if it is off. Read cry_rbg_state() first: it forgets which test had failed.
//
// Returns as cry_rbg_start(): CRYPTILE_ERR_FAULT is a new alarm. Behind CRYPTILE_OK random bits are
// of the new seed, as behind cry_rbg_reseed().
CRYPTILE_MUST_CHECK cryptile_status_t cry_rbg_restart(uint32_t limit);

// Has the DRBG reseeded with fresh entropy, and waits until the seed is in: about 33,000 cycles.
// There are no random bits meanwhile.
//
// Returns CRYPTILE_OK: what jobs of the tile give that are put behind this is of the new seed,
// whoever puts them (prediction resistance). Otherwise, with nothing done, as cry_rbg_check(); or
// CRYPTILE_ERR_FAULT: it failed, with an alarm; CRYPTILE_ERR_TIMEOUT: the seed is not in yet, and
// there are no random bits until it is.
CRYPTILE_MUST_CHECK cryptile_status_t cry_rbg_reseed(uint32_t limit);

// Turns it off: seed and samples are wiped by the hardware. An alarm stays.
void cry_rbg_stop(void);

#endif  // CRYPTILE_HAL_RBG_H
