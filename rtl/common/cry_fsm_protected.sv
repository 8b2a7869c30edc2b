// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// State register of a finite state machine: a cry_reg_tmr written at every clock edge, with a check
// for illegal states. Latency: one cycle.
module cry_fsm_protected
  import cry_protect_pkg::*;
#(
  parameter int unsigned         Width   = 3,           // bits of the state
  parameter logic [Width-1:0]    ResVal  = '0,          // state after reset
  parameter logic [2**Width-1:0] Legal   = '1,          // bit n is set if state n exists
  parameter protect_e            Protect = ProtectNone  // level of protection
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] state_d_i,    // next state
  input  logic             inject_i,     // test: flips bit 0 of one copy at the next clock edge
  output logic [Width-1:0] state_o,      // state
  output logic             corrected_o,  // copies differ and were outvoted
  output logic             detected_o    // illegal state, or (ProtectDetect) copies differ
);

  logic differ;

  cry_reg_tmr #(
    .Width(Width), .ResVal(ResVal), .Protect(Protect)
  ) u_state (
    .clk_i, .rst_ni,
    .en_i      (1'b1),
    .d_i       (state_d_i),
    .inject_i,
    .q_o       (state_o),
    .corrected_o,
    .detected_o(differ)
  );

  assign detected_o = differ | ((Protect != ProtectNone) & !Legal[state_o]);

endmodule
