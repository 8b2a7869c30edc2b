// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Clock gate without a latch: passes the edges of clk_i that end cycles in which en_i is high.
//
// The enable is taken in the middle of the cycle, at the falling edge, and changes clk_o while it
// is low anyway, so that no edge is cut short; en_i has half a cycle. There is no reset: until the
// first falling edge clk_o is undefined. A cell of the foundry may take this module's place; its
// pin for scan is what scan insertion connects.
//
// Protect, other than ProtectNone: three flip-flops and a vote. An upset neither loses an edge nor
// makes one, and is gone within a cycle; it is not reported.
module cry_clock_gate
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection
) (
  input  logic clk_i,
  input  logic en_i,  // synchronous to clk_i: the next edge passes
  output logic clk_o  // gated clock
);

  logic clk_n, en_q, unused_corrected, unused_detected;
  assign clk_n = !clk_i;

  cry_reg_tmr #(
    .Width(1), .EnReset(1'b0), .Protect((Protect == ProtectNone) ? ProtectNone : ProtectCorrect)
  ) u_enable (
    .clk_i(clk_n), .rst_ni(1'b1), .en_i(1'b1), .d_i(en_i), .inject_i(1'b0), .q_o(en_q),
    .corrected_o(unused_corrected), .detected_o(unused_detected)
  );

  assign clk_o = clk_i && en_q;

endmodule
