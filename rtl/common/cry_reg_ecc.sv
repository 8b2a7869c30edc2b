// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Data register held as a codeword (cry_code_pkg). Latency: one cycle.
//
//   ProtectNone     plain register
//   ProtectDetect   q_o is the stored word; detected_o flags a wrong one
//   ProtectCorrect  q_o is the corrected word; a wrong bit is corrected in the register at the next
//                   clock edge, unless that writes it anyway
//
// Without reset the word is in error until it is first written.
module cry_reg_ecc
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 32,          // bits, 1 to 247
  parameter bit          EnReset = 1'b1,        // asynchronous reset to zero
  parameter protect_e    Protect = ProtectNone  // level of protection
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,         // loads d_i at the next clock edge
  input  logic [Width-1:0] d_i,          // next value
  input  logic             inject_i,     // test: flips bit 0 at the next clock edge
  output logic [Width-1:0] q_o,          // corrected value
  output logic [Width-1:0] raw_o,        // stored value, ahead of the decoder
  output logic             corrected_o,  // one bit is wrong, right in q_o
  output logic             detected_o    // q_o is wrong
);

  localparam int unsigned CodeWidth = Width + cry_code_pkg::check_width(Width, Protect);

  logic [CodeWidth-1:0] stored, right, encoded, word_d;
  logic                 inject;

  assign inject = (Protect != ProtectNone) & inject_i;

  cry_code_enc #(.Width(Width), .Protect(Protect)) u_enc (.data_i(d_i), .codeword_o(encoded));

  assign word_d = (en_i ? encoded : right) ^ CodeWidth'(inject);

  cry_dff #(
    .Width(CodeWidth), .EnReset(EnReset)
  ) u_codeword (
    .clk_i, .rst_ni,
    .en_i(en_i | corrected_o | inject),
    .d_i ((Protect == ProtectNone) ? encoded : word_d),
    .q_o (stored)
  );

  cry_code_dec #(.Width(Width), .Protect(Protect)) u_dec (
    .codeword_i(stored), .codeword_o(right), .correctable_o(corrected_o), .wrong_o(detected_o)
  );

  assign q_o   = right[Width-1:0];
  assign raw_o = stored[Width-1:0];

endmodule
