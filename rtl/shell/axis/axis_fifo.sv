// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A valid/ready FIFO in LUT memory.
//
// Protocol: what is taken can be had from the next cycle on; one word in and one out in every cycle.
// flush_i (one cycle) empties it; a word that comes in that cycle is lost.
// Parameters: Width, bits of a word; Depth, words, a power of two.
module axis_fifo #(
  parameter  int unsigned Width = 32,
  parameter  int unsigned Depth = 4,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               flush_i,

  input  logic               in_valid_i,
  output logic               in_ready_o,
  input  logic [Width-1:0]   in_data_i,

  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [Width-1:0]   out_data_o,

  output logic [AddrWidth:0] count_o
);

  logic [AddrWidth:0] write_q, read_q;
  logic               push, pop;

  assign count_o     = write_q - read_q;
  assign in_ready_o  = !count_o[AddrWidth];
  assign out_valid_o = count_o != '0;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else if (flush_i) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (push) write_q <= write_q + 1'b1;
      if (pop)  read_q  <= read_q + 1'b1;
    end
  end

  prim_ram_1r1w #(
    .Width(Width),
    .Depth(Depth)
  ) u_ram (
    .clk_i,
    .we_i   (push),
    .waddr_i(write_q[AddrWidth-1:0]),
    .wdata_i(in_data_i),
    .raddr_i(read_q[AddrWidth-1:0]),
    .rdata_o(out_data_o)
  );

endmodule
