// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The entropy source with its ring oscillators, for synthesis: cry_entropy and cry_entropy_rings.
// Ports and parameters are those of cry_entropy, which describes them.
module cry_entropy_source
  import cry_entropy_pkg::*;
#(
  parameter int unsigned Lanes        = 12,    // even, 2 to 16
  parameter int unsigned MinStages    = 5,     // of the shortest rings; odd, at least 3
  parameter int unsigned Period       = 256,   // cycles from sample to sample
  parameter int unsigned Window       = 1024,  // samples of a window
  parameter int unsigned RctCutoff    = 81,    // equal samples in a row that fail
  parameter int unsigned Cutoff       = 810,   // right guesses in a window that fail
  parameter int unsigned StartWindows = 1,     // windows of the start-up test
  parameter int unsigned Entropy      = 500,   // of a combined bit, thousandths of a bit
  parameter int unsigned SettleCycles = 1024,  // before the first sample
  parameter bit          ClockGate    = 1'b1   // of the tests' records; no for FPGAs
) (
  input  logic   clk_i,           // clock
  input  logic   rst_ni,          // asynchronous reset
  input  logic   enable_i,        // level: it runs
  input  logic   restart_i,       // one cycle: ends an alarm
  input  read_e  read_i,          // level: what is read out
  input  logic   read_allowed_i,  // level: the life cycle permits it
  output state_e state_o,         // what it is doing
  output logic   alarm_o,         // level: a test failed

  output fails_t                     alarm_fails_o,  // which tests
  output logic [$clog2(Lanes+1)-1:0] alarm_lane_o,   // of which lane

  input  logic        ent_begin_i,   // one cycle: words come of later samples alone
  output logic        ent_valid_o,   // stable until taken, ent_begin_i, or ent_fail_o
  input  logic        ent_ready_i,   // it is taken
  output logic [63:0] ent_word_o,    // entropy
  output logic        ent_fail_o,    // level: no word will come

  output logic        read_valid_o,  // a beat, stable until taken or a switch
  input  logic        read_ready_i,  // it is taken
  output logic [63:0] read_data_o,   // a sample from bit 0 on, or a word
  output logic        read_first_o,  // first sample of a row, or of all
  output logic        read_lost_o    // level: a sample was not read in time
);

  logic             osc_enable;
  logic [Lanes-1:0] osc;

  cry_entropy_rings #(.Lanes(Lanes), .MinStages(MinStages)) u_rings (
    .enable_i(osc_enable), .osc_o(osc)
  );

  cry_entropy #(
    .Lanes(Lanes), .Period(Period), .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff),
    .StartWindows(StartWindows), .Entropy(Entropy), .SettleCycles(SettleCycles),
    .ClockGate(ClockGate)
  ) u_entropy (
    .clk_i, .rst_ni, .enable_i, .restart_i, .read_i, .read_allowed_i, .state_o, .alarm_o,
    .alarm_fails_o, .alarm_lane_o, .osc_enable_o(osc_enable), .osc_i(osc),
    .ent_begin_i, .ent_valid_o, .ent_ready_i, .ent_word_o, .ent_fail_o,
    .read_valid_o, .read_ready_i, .read_data_o, .read_first_o, .read_lost_o
  );

endmodule
