// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Soft reset: stops all queues, waits until no burst is under way, then resets what works for them
// and wipes the keys.
//
// soft_rst_no is an asynchronous reset for parts on the same clock. It comes from a flip-flop, or
// from the vote of three, also at ProtectDetect: of them no single upset resets anything, and as
// they rise and fall together the vote has no glitch.
module cry_tile_reset
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection of its registers
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic request_i,    // level until done_o: a soft reset is wanted
  input  logic quiet_i,      // level: no queue has anything under way, and no burst is
  output logic hold_o,       // level: stops all queues
  output logic wipe_o,       // level: wipes keys and key masks
  output logic done_o,       // one cycle: it is done
  output logic soft_rst_no,  // the reset: rst_ni, or low for two cycles

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  typedef enum logic [1:0] {
    StIdle,
    StWait,
    StFirst,
    StLast
  } state_e;

  state_e     state_d, state_q;
  logic       resets_d, resets_q;
  logic [1:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (request_i) state_d = StWait;
      StWait:  if (quiet_i) state_d = StFirst;
      StFirst: state_d = StLast;
      default: state_d = StIdle;
    endcase
  end
  assign resets_d = (state_q == StFirst) || (state_q == StLast);

  cry_reg_tmr #(.Width($bits(state_q)), .Protect(Protect)) u_state (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(state_d), .q_o({state_q}), .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_tmr #(
    .Width(1), .Protect((Protect == ProtectNone) ? ProtectNone : ProtectCorrect)
  ) u_resets (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(resets_d), .q_o(resets_q), .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign hold_o      = (state_q != StIdle) || resets_q;
  assign wipe_o      = resets_d;
  assign done_o      = state_q == StLast;
  assign soft_rst_no = rst_ni && !resets_q;

endmodule
