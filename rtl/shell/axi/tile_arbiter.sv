// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Round robin: chooses one of those that ask, beginning behind the one that was taken last.
//
// any_o and index_o depend on ask_i combinationally; take_i says that the choice was used.
// Parameters: Number of those that may ask.
// Protect: the level of its registers; corrected_o and detected_o tell of upsets.
module tile_arbiter #(
  parameter  int unsigned Number = 4,
  parameter prim_protect_pkg::protect_e Protect = prim_protect_pkg::ProtectNone,
  localparam int unsigned Width  = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Number-1:0] ask_i,
  input  logic              take_i,
  output logic              any_o,
  output logic [Width-1:0]  index_o,

  output logic corrected_o,
  output logic detected_o
);

  logic [Width-1:0]  last_q;
  logic [Number-1:0] behind;

  always_comb begin
    for (int unsigned i = 0; i < Number; i++) behind[i] = ask_i[i] && (Width'(i) > last_q);
    index_o = '0;
    for (int unsigned i = Number; i > 0; i--) begin
      if (ask_i[i-1]) index_o = Width'(i - 1);
    end
    for (int unsigned i = Number; i > 0; i--) begin
      if (behind[i-1]) index_o = Width'(i - 1);
    end
  end

  assign any_o = |ask_i;

  logic [Width-1:0] last_d;
  always_comb begin
    last_d = last_q;
    if (take_i && any_o) last_d = index_o;
  end

  prim_reg_tmr #(
    .Width($bits(last_q)), .Protect(Protect)
  ) u_last_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(last_d),
    .q_o(last_q),
    .corrected_o(corrected_o), .detected_o(detected_o)
  );

endmodule
