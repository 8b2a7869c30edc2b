// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A data register without reset: parities at ProtectDetect, three voted copies at ProtectCorrect,
// which are less than the logic of a code for what is written in most cycles.
//
// ProtectDetect: detected_o is high while the word is wrong, and until it was written.
module cry_ascon_reg
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 64,          // bits
  parameter protect_e    Protect = ProtectNone  // level of protection against SEUs
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,         // load d_i
  input  logic [Width-1:0] d_i,          // next value
  output logic [Width-1:0] q_o,          // value; ProtectCorrect: voted
  output logic             corrected_o,  // a copy differs
  output logic             detected_o    // ProtectDetect: a parity is wrong
);

  if (Protect == ProtectDetect) begin : gen_parity
    logic [Width-1:0] unused_raw;
    cry_reg_ecc #(
      .Width(Width), .EnReset(1'b0), .Protect(Protect)
    ) u_reg (
      .clk_i, .rst_ni, .en_i, .d_i,
      .inject_i(1'b0),
      .q_o,
      .raw_o   (unused_raw),
      .corrected_o,
      .detected_o
    );
  end else begin : gen_copies
    cry_reg_tmr #(
      .Width(Width), .EnReset(1'b0), .Protect(Protect)
    ) u_reg (
      .clk_i, .rst_ni, .en_i, .d_i,
      .inject_i(1'b0),
      .q_o, .corrected_o, .detected_o
    );
  end

endmodule
