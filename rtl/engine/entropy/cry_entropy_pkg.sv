// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types of the entropy source: what its tests say, its states, what can be read of it; and what of
// its parameters follows from others.
package cry_entropy_pkg;

  // Tests that failed: known alone, or health tests of a lane; README
  typedef struct packed {
    logic known;  // known-answer test of the conditioner
    logic pair;  // it follows the next lane, or that lane's complement
    logic lag;   // it follows its own past
    logic apt;   // adaptive proportion, SP 800-90B 4.4.2
    logic rct;   // repetition count, SP 800-90B 4.4.1
  } fails_t;

  typedef enum logic [2:0] {
    StateOff     = 3'd0,  // the oscillators stand still
    StateSettle  = 3'd1,  // they begin to run; known-answer test
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

  // Bits of min-entropy in a message of the conditioner, for 128 that come out; README
  parameter int unsigned MessageEntropy = 192;

  // The least blocks of 16 combined samples in a message, at so many thousandths of a bit of
  // min-entropy in each combined bit.
  function automatic int unsigned least_blocks(int unsigned lanes, int unsigned entropy);
    int unsigned block = 16 * (lanes / 2) * entropy;
    return (block == 0) ? 0 : (1000 * MessageEntropy + block - 1) / block;
  endfunction

endpackage
