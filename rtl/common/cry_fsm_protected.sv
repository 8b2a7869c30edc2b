// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The state register of a finite state machine: a cry_reg_tmr written at every clock, which also
// checks that the state is one that the machine has.
//
// detected_o is high while the state is illegal (at ProtectCorrect that takes two upsets in one
// cycle) or, at ProtectDetect, while the copies differ. Latency: one cycle.
//
// Parameters: Width, bits of the state; ResVal, the state after reset; Legal, bit n says that state n
// exists; Protect, the level.
module cry_fsm_protected
  import cry_protect_pkg::*;
#(
  parameter int unsigned         Width   = 3,
  parameter logic [Width-1:0]    ResVal  = '0,
  parameter logic [2**Width-1:0] Legal   = '1,
  parameter protect_e            Protect = ProtectNone
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] state_d_i,
  input  logic             inject_i,
  output logic [Width-1:0] state_o,
  output logic             corrected_o,
  output logic             detected_o
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
