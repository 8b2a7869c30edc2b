// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Data register without reset: it is written until it rests at zero. Latency: one cycle.
//
//   ProtectNone     plain register
//   ProtectDetect   parities, which are smaller than a second copy
//   ProtectCorrect  three copies, which are smaller and faster than a correcting code
module cry_aes_modes_word
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 128,         // bits
  parameter protect_e    Protect = ProtectNone  // level of protection
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,         // loads d_i at the next clock edge
  input  logic [Width-1:0] d_i,          // next value
  output logic [Width-1:0] q_o,          // value
  output logic             corrected_o,  // an upset was corrected
  output logic             detected_o    // q_o is wrong
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
