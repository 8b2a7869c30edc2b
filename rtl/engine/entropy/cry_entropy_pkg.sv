// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types of the entropy source: what its health tests say, its states, what can be read of it.
package cry_entropy_pkg;

  // Health tests of a lane that failed; README
  typedef struct packed {
    logic pair;  // it follows the next lane, or that lane's complement
    logic lag;   // it follows its own past
    logic apt;   // adaptive proportion, SP 800-90B 4.4.2
    logic rct;   // repetition count, SP 800-90B 4.4.1
  } fails_t;

  typedef enum logic [2:0] {
    StateOff     = 3'd0,  // the oscillators stand still
    StateSettle  = 3'd1,  // they begin to run
    StateStartup = 3'd2,  // tests before the first output
    StateRun     = 3'd3,
    StateRead    = 3'd4,  // samples are read out and nothing else
    StatePause   = 3'd5,  // between two rows of the restart matrix
    StateAlarm   = 3'd6   // a test failed: no output until a restart
  } state_e;

  // What the read-out gives
  typedef enum logic [2:0] {
    ReadNone        = 3'd0,
    ReadRaw         = 3'd1,  // a sample of all lanes each, from the first behind the switch on
    ReadRestart     = 3'd2,  // the same in rows, before each of which the oscillators stood still
    ReadTested      = 3'd3,  // combined samples behind the start-up tests
    ReadConditioned = 3'd4   // words of output, which then go nowhere else
  } read_e;

endpackage
