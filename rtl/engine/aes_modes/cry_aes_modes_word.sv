// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A data register without reset: it is written until it rests at zero.
//
// ProtectCorrect: three copies, which are smaller and faster than a correcting code. ProtectDetect:
// parities, which are smaller than a second copy. ProtectNone: a plain register.
//
// Parameters:
//   Width    bits
//   Protect  level of protection
module cry_aes_modes_word
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 128,
  parameter protect_e    Protect = ProtectNone
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o,
  output logic             corrected_o,
  output logic             detected_o
);

  if (Protect == ProtectDetect) begin : gen_code
    logic [Width-1:0] unused_right;
    cry_reg_ecc #(.Width(Width), .EnReset(1'b0), .Protect(Protect)) u_word (
      .clk_i, .rst_ni, .en_i, .d_i, .inject_i(1'b0), .q_o(unused_right), .raw_o(q_o),
      .corrected_o, .detected_o
    );
  end else begin : gen_copies
    cry_reg_tmr #(.Width(Width), .EnReset(1'b0), .Protect(Protect)) u_word (
      .clk_i, .rst_ni, .en_i, .d_i, .inject_i(1'b0), .q_o, .corrected_o, .detected_o
    );
  end

endmodule
