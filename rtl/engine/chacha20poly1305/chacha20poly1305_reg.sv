// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A data register of this engine, without reset.
//
// ProtectCorrect: the bits stand in lines of eight, with a parity for every line and one for every
// column. A wrong bit is where a wrong line and a wrong column cross: q_o has it right at once, and
// it is written back at the next clock. That takes two additions per bit where a Hamming code takes
// three, and one gate to place the fault. corrected_o: a bit is wrong; detected_o: more than one.
// ProtectDetect and ProtectNone are as in prim_reg_ecc. Latency: one cycle.
//
// Parameters: Width, bits; Protect, the level.
module chacha20poly1305_reg
  import prim_protect_pkg::*;
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

  if (Protect == ProtectCorrect) begin : gen_grid
    localparam int unsigned Lines = (Width + 7) / 8;

    logic [Width-1:0]      data_q;
    logic [Lines-1:0]      line_q, line_d, line_wrong;
    logic [7:0]            column_q, column_d, column_wrong;
    logic [Lines-1:0][7:0] given, stored, right;

    assign given  = (8 * Lines)'(d_i);
    assign stored = (8 * Lines)'(data_q);

    always_comb begin
      column_d     = '0;
      column_wrong = column_q;
      for (int unsigned l = 0; l < Lines; l++) begin
        line_d[l]     = ^given[l];
        line_wrong[l] = line_q[l] ^ (^stored[l]);
        column_d      ^= given[l];
        column_wrong  ^= stored[l];
      end
      for (int unsigned l = 0; l < Lines; l++) begin
        right[l] = stored[l] ^ ({8{line_wrong[l]}} & column_wrong);
      end
    end

    assign corrected_o = (|line_wrong) | (|column_wrong);
    assign detected_o  = ((line_wrong & (line_wrong - Lines'(1))) != '0) |
                         ((column_wrong & (column_wrong - 8'd1)) != '0);
    if (8 * Lines != Width) begin : gen_rest
      logic unused_rest;
      assign unused_rest = ^right[Lines-1][7:Width%8];
    end
    assign q_o = Width'(right);

    logic unused_rst_n;
    assign unused_rst_n = rst_ni;
    // Written at every clock: that is as cheap as to hold.
    always_ff @(posedge clk_i) begin
      data_q   <= en_i ? d_i : q_o;
      line_q   <= en_i ? line_d : line_q ^ ({Lines{column_wrong == '0}} & line_wrong);
      column_q <= en_i ? column_d : column_q ^ ({8{line_wrong == '0}} & column_wrong);
    end
  end else begin : gen_plain
    logic [Width-1:0] unused_raw;
    prim_reg_ecc #(
      .Width(Width), .EnReset(1'b0), .Protect(Protect)
    ) u_reg (
      .clk_i, .rst_ni, .en_i, .d_i,
      .inject_i(1'b0),
      .q_o,
      .raw_o   (unused_raw),
      .corrected_o,
      .detected_o
    );
  end

endmodule
