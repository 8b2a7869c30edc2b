// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// axis_fifo with protected pointers and words (prim_reg_tmr, tile_ram).
//
// Protocol: what is taken can be had from the next cycle on; one word in and one out in every cycle.
// corrected_o and detected_o: of the pointers, and of the word that is offered.
//
// Parameters: Width, bits of a word; Depth, words, a power of two; Protect, the level.
module tile_fifo #(
  parameter  int unsigned Width = 32,
  parameter  int unsigned Depth = 4,
  parameter  prim_protect_pkg::protect_e Protect = prim_protect_pkg::ProtectNone,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               in_valid_i,
  output logic               in_ready_o,
  input  logic [Width-1:0]   in_data_i,

  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [Width-1:0]   out_data_o,

  output logic [AddrWidth:0] count_o,

  output logic               corrected_o,
  output logic               detected_o
);

  if (Protect == prim_protect_pkg::ProtectNone) begin : gen_none
    axis_fifo #(.Width(Width), .Depth(Depth)) u_fifo (
      .clk_i, .rst_ni, .flush_i(1'b0),
      .in_valid_i, .in_ready_o, .in_data_i, .out_valid_o, .out_ready_i, .out_data_o, .count_o
    );
    assign corrected_o = 1'b0;
    assign detected_o  = 1'b0;
  end else begin : gen_protected
    logic [AddrWidth:0] write_q, read_q;
    logic               push, pop;
    logic [1:0]         corrected, detected;

    assign count_o     = write_q - read_q;
    assign in_ready_o  = !count_o[AddrWidth];
    assign out_valid_o = count_o != '0;
    assign push        = in_valid_i && in_ready_o;
    assign pop         = out_valid_o && out_ready_i;

    prim_reg_tmr #(
      .Width(2 * AddrWidth + 2), .Protect(Protect)
    ) u_pointers (
      .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
      .d_i({write_q + (AddrWidth + 1)'(push), read_q + (AddrWidth + 1)'(pop)}),
      .q_o({write_q, read_q}),
      .corrected_o(corrected[0]), .detected_o(detected[0])
    );

    tile_ram #(.Width(Width), .Depth(Depth), .Protect(Protect)) u_ram (
      .clk_i,
      .we_i   (push),
      .waddr_i(write_q[AddrWidth-1:0]),
      .wdata_i(in_data_i),
      .raddr_i(read_q[AddrWidth-1:0]),
      .rdata_o(out_data_o),
      .used_i (out_valid_o),
      .corrected_o(corrected[1]), .detected_o(detected[1])
    );

    assign corrected_o = |corrected;
    assign detected_o  = |detected;
  end

endmodule
