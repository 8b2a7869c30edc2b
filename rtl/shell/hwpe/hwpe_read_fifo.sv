// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Read FIFO: one entry for each wide read. The entry is taken when the access is granted in all its
// lanes, filled lane by lane as the answers come, and visible two cycles after the last grant.
//
// Parameters: Depth, entries (a power of two, at least 4 for a read per cycle).
module hwpe_read_fifo
  import hwpe_pkg::*;
#(
  parameter int unsigned Depth = 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flush_i,

  output logic              free_o,     // an access may be asked for
  input  logic              take_i,     // an access was granted in its last lane
  input  read_tag_t         tag_i,
  input  logic [3:0]        answer_i,   // lanes granted in the cycle before
  input  logic [3:0][31:0]  data_i,

  output logic              valid_o,
  input  logic              pop_i,
  output read_tag_t         tag_o,
  output logic [3:0][31:0]  data_o
);

  localparam int unsigned IndexWidth = $clog2(Depth);
  typedef logic [IndexWidth:0] ptr_t;  // one bit more, to tell full from empty

  // fill_q is take_q one cycle later: the entry that answers go to, and the end of visible entries.
  ptr_t take_q, fill_q, pop_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_q <= '0;
      fill_q <= '0;
      pop_q  <= '0;
    end else if (flush_i) begin
      take_q <= '0;
      fill_q <= '0;
      pop_q  <= '0;
    end else begin
      take_q <= take_q + ptr_t'(take_i);
      fill_q <= take_q;
      pop_q  <= pop_q + ptr_t'(pop_i);
    end
  end

  assign free_o  = take_q != {~pop_q[IndexWidth], pop_q[IndexWidth-1:0]};
  assign valid_o = fill_q != pop_q;

  prim_ram_1r1w #(
    .Width($bits(read_tag_t)),
    .Depth(Depth)
  ) u_tag (
    .clk_i,
    .we_i   (take_i),
    .waddr_i(take_q[IndexWidth-1:0]),
    .wdata_i(tag_i),
    .raddr_i(pop_q[IndexWidth-1:0]),
    .rdata_o(tag_o)
  );

  for (genvar i = 0; i < 4; i++) begin : gen_lane
    prim_ram_1r1w #(
      .Width(32),
      .Depth(Depth)
    ) u_data (
      .clk_i,
      .we_i   (answer_i[i]),
      .waddr_i(fill_q[IndexWidth-1:0]),
      .wdata_i(data_i[i]),
      .raddr_i(pop_q[IndexWidth-1:0]),
      .rdata_o(data_o[i])
    );
  end

`ifndef SYNTHESIS
  // High from the first cycle after reset on: a copy, because reset itself is asynchronous.
  logic run_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else         run_q <= 1'b1;
  end

  OverflowA: assert property (@(posedge clk_i) disable iff (!run_q) take_i |-> free_o);
  UnderflowA: assert property (@(posedge clk_i) disable iff (!run_q) pop_i |-> valid_o);
`endif

endmodule
