// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A data register held as a codeword (cry_code_pkg).
//
// ProtectCorrect: q_o is the corrected word. A wrong bit is written back right at the next clock, if
// the register is not written anyway; corrected_o is high until then. detected_o: more than one bit
// is wrong. ProtectDetect: q_o is as stored, and detected_o says that it is wrong. ProtectNone: a
// plain register. raw_o is the stored word as it is: for users that compute with it at once and look
// at corrected_o and detected_o beside their logic. inject_i flips bit 0 as if by an upset, at every
// clock edge at which it is high; tie it low where it is not wanted. Latency: one cycle.
//
// Parameters: Width, bits, 1 to 247; EnReset, build an asynchronous reset, to zero; Protect, the
// level. Without reset the word is in error until it was written.
module cry_reg_ecc
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 32,
  parameter bit          EnReset = 1'b1,
  parameter protect_e    Protect = ProtectNone
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  input  logic             inject_i,
  output logic [Width-1:0] q_o,
  output logic [Width-1:0] raw_o,
  output logic             corrected_o,
  output logic             detected_o
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
