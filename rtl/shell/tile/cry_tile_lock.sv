// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// State kept until reset: that tamper_i was high, and that an uncorrectable upset was found
// (broken_i); also the cycle counter.
//
// locked_o is high from the cycle of broken_i on; hold_o follows one clock later and stops the
// queues.
module cry_tile_lock
  import cry_protect_pkg::*;
#(
  // Level of protection of its registers; a detected upset of theirs locks, too
  parameter protect_e Protect = ProtectNone
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tamper_i,     // level: tampering was seen
  input  logic        broken_i,     // an uncorrectable upset was found
  output logic        tampered_o,   // also in the cycle of tamper_i
  output logic        locked_o,     // from the cycle of broken_i on, until reset
  output logic        hold_o,       // one clock later: stops the queues
  output logic [31:0] now_o,        // cycles since reset
  output logic        corrected_o,  // one cycle: an upset was corrected
  output logic        detected_o    // an uncorrectable upset was found
);

  logic       tampered_q, locked_q;
  logic [2:0] corrected, detected;

  cry_reg_tmr #(.Width(1), .Protect(Protect)) u_tampered (
    .clk_i, .rst_ni, .en_i(tamper_i), .d_i(1'b1), .inject_i(1'b0),
    .q_o(tampered_q), .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_tmr #(.Width(1), .Protect(Protect)) u_locked (
    .clk_i, .rst_ni, .en_i(locked_o), .d_i(1'b1), .inject_i(1'b0),
    .q_o(locked_q), .corrected_o(corrected[1]), .detected_o(detected[1])
  );
  cry_reg_tmr #(.Width(32), .Protect(Protect)) u_now (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(now_o + 32'd1), .inject_i(1'b0),
    .q_o(now_o), .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign tampered_o  = tamper_i || tampered_q;
  assign locked_o    = locked_q || broken_i || detected_o;
  assign hold_o      = tampered_q || locked_q;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

endmodule
