// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Bounds the time that a scatter-gather list may take: each of its entries but the last counts as
// least_i bytes if it is shorter, and what they count beyond their bytes may be allowance_i.
module cry_tile_lane_spare #(
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        start_i,      // one cycle: a list begins
  input  logic [31:0] allowance_i,  // of it, with start_i
  input  logic [15:0] least_i,      // of it, stable until its end
  input  logic        entry_i,      // one cycle: an entry of it
  input  logic [31:0] length_i,     // bytes of the entry
  input  logic        last_i,       // it is the last one
  output logic        over_o,       // combinational: with this entry they are too many

  output logic        corrected_o,  // one cycle: an upset was corrected
  output logic        detected_o    // an uncorrectable upset was found
);

  logic [31:0] left_d, left_q;
  logic [15:0] lacks;
  logic        short;

  assign short  = !last_i && (length_i < 32'(least_i));
  assign lacks  = short ? least_i - length_i[15:0] : '0;
  assign over_o = 32'(lacks) > left_q;

  always_comb begin
    left_d = left_q;
    if (start_i)      left_d = allowance_i;
    else if (entry_i) left_d = left_q - 32'(lacks);
  end

  cry_reg_tmr #(.Width(32), .Protect(Protect)) u_left (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(left_d), .q_o(left_q), .corrected_o, .detected_o
  );

endmodule
