// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Data register of any type, without reset, with the smallest protection of its level. Latency: one
// cycle.
//
//   ProtectNone     plain register
//   ProtectDetect   parities (cry_reg_ecc), which are smaller than a second copy
//   ProtectCorrect  three copies (cry_reg_tmr), which are smaller and faster than a correcting code
//
// Unwritten, it is in error (ProtectDetect), or its copies differ until one clock has passed.
module cry_reg
  import cry_protect_pkg::*;
#(
  parameter type      T       = logic [31:0],  // what it holds, packed
  parameter protect_e Protect = ProtectNone    // level of protection
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic en_i,         // loads d_i at the next clock edge
  input  T     d_i,          // next value
  output T     q_o,          // value; ProtectCorrect: the majority
  output logic corrected_o,  // an upset was corrected
  output logic detected_o    // q_o is wrong
);

  if (Protect == ProtectDetect) begin : gen_code
    logic [$bits(T)-1:0] unused_right;
    cry_reg_ecc #(
      .Width($bits(T)), .EnReset(1'b0), .Protect(Protect)
    ) u_word (
      .clk_i, .rst_ni, .en_i, .d_i, .inject_i(1'b0),
      .q_o(unused_right), .raw_o(q_o), .corrected_o, .detected_o
    );
  end else begin : gen_copies
    cry_reg_tmr #(
      .Width($bits(T)), .EnReset(1'b0), .Protect(Protect)
    ) u_word (
      .clk_i, .rst_ni, .en_i, .d_i, .inject_i(1'b0), .q_o, .corrected_o, .detected_o
    );
  end

endmodule
