// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Read FIFO: lets reads of the message run ahead of the engine, and says how far they may. Places
// are taken when an access has its last grant, filled by the realigner two cycles later, and free
// again one cycle after the engine took the beat. An empty FIFO adds no latency.
//
// Where Depth is 1 the realigner's register is the only place; 4 or more let a read follow in each
// cycle.
module cry_hwpe_read_fifo
  import cry_hwpe_pkg::*;
#(
  parameter int unsigned Depth = 4  // beats: 1 (no memory is built) or a power of two, at least 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         flush_i,  // one cycle: empties the FIFO

  output logic         free_o,  // an access may be asked for
  input  logic         take_i,  // an access was granted in its last lane

  input  logic         valid_i,  // a beat from the realigner
  output logic         ready_o,  // it is taken
  input  logic [127:0] data_i,   // beat in
  input  logic         last_i,   // last beat of the message

  output logic         valid_o,  // a beat for the engine
  input  logic         ready_i,  // it is taken
  output logic [127:0] data_o,   // beat out
  output logic         last_o    // last beat of the message
);

  logic pop;
  assign pop = valid_o && ready_i;

  if (Depth == 1) begin : gen_wire
    logic taken_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)      taken_q <= 1'b0;
      else if (flush_i) taken_q <= 1'b0;
      else              taken_q <= take_i || (taken_q && !pop);
    end

    assign free_o  = !taken_q;
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign data_o  = data_i;
    assign last_o  = last_i;
  end else begin : gen_memory
    localparam int unsigned IndexWidth = $clog2(Depth);
    typedef logic [IndexWidth:0] ptr_t;  // one bit more, to tell full from empty

    ptr_t         take_q, fill_q, pop_q;
    logic         empty, stored_last;
    logic [127:0] stored_data;

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
        fill_q <= fill_q + ptr_t'(valid_i);
        pop_q  <= pop_q + ptr_t'(pop);
      end
    end

    assign free_o  = take_q != {~pop_q[IndexWidth], pop_q[IndexWidth-1:0]};
    assign empty   = fill_q == pop_q;
    assign valid_o = !empty || valid_i;
    assign ready_o = 1'b1;
    assign data_o  = empty ? data_i : stored_data;
    assign last_o  = empty ? last_i : stored_last;

    logic [1:0] unused_ram_faults;  // unprotected: it has none
    cry_ram #(
      .Width(129),
      .Depth(Depth)
    ) u_ram (
      .clk_i,
      .we_i   (valid_i),
      .waddr_i(fill_q[IndexWidth-1:0]),
      .wdata_i({last_i, data_i}),
      .raddr_i(pop_q[IndexWidth-1:0]),
      .rdata_o({stored_last, stored_data}),
      .used_i (1'b1), .corrected_o(unused_ram_faults[1]), .detected_o (unused_ram_faults[0])
    );
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Overflow_A, take_i |-> free_o)

endmodule
