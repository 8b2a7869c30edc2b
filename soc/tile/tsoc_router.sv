// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Routes the core's AXI4 port to memory (0) or to the bridge of the devices (1), which also answers
// unmapped addresses with an error. Adds no cycle.
//
// Writes are answered in order: a write waits while writes to the other subordinate are
// outstanding. The core has at most one read in flight per ID, so that reads need no order.
module tsoc_router
  import tsoc_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  // From the core
  input  logic         aw_valid_i,
  output logic         aw_ready_o,
  input  logic [63:0]  aw_addr_i,
  input  logic         w_valid_i,
  output logic         w_ready_o,
  input  logic         w_last_i,
  output logic         b_valid_o,
  input  logic         b_ready_i,
  output bresp_t       b_o,
  input  logic         ar_valid_i,
  output logic         ar_ready_o,
  input  logic [63:0]  ar_addr_i,
  output logic         r_valid_o,
  input  logic         r_ready_i,
  output rdata_t       r_o,

  // Subordinates; the payload of addresses and write data is connected directly
  output logic   [1:0] aw_valid_o,
  input  logic   [1:0] aw_ready_i,
  output logic   [1:0] w_valid_o,
  input  logic   [1:0] w_ready_i,
  input  logic   [1:0] b_valid_i,
  output logic   [1:0] b_ready_o,
  input  bresp_t [1:0] b_i,
  output logic   [1:0] ar_valid_o,
  input  logic   [1:0] ar_ready_i,
  input  logic   [1:0] r_valid_i,
  output logic   [1:0] r_ready_o,
  input  rdata_t [1:0] r_i
);

  localparam logic [5:0] MaxWrites = '1;

  // Writes. Data may be accepted in the cycle of its address, not before.
  logic       aw_to, aw_ok, aw_taken, w_to, w_ok, w_taken, writes_to_q;
  logic [5:0] unanswered_q, data_due_q;

  assign aw_to      = !is_memory(aw_addr_i);
  assign aw_ok      = (unanswered_q == '0) ||
                      ((aw_to == writes_to_q) && (unanswered_q != MaxWrites));
  assign aw_ready_o = aw_ok && aw_ready_i[aw_to];
  assign aw_taken   = aw_valid_i && aw_ready_o;
  assign w_to       = (data_due_q != '0) ? writes_to_q : aw_to;
  assign w_ok       = (data_due_q != '0) || aw_taken;
  assign w_ready_o  = w_ok && w_ready_i[w_to];
  assign w_taken    = w_valid_i && w_ready_o;
  assign b_valid_o  = b_valid_i[writes_to_q];
  assign b_o        = b_i[writes_to_q];

  always_comb begin
    aw_valid_o             = '0;
    aw_valid_o[aw_to]      = aw_valid_i && aw_ok;
    w_valid_o              = '0;
    w_valid_o[w_to]        = w_valid_i && w_ok;
    b_ready_o              = '0;
    b_ready_o[writes_to_q] = b_ready_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unanswered_q <= '0;
      data_due_q   <= '0;
      writes_to_q  <= 1'b0;
    end else begin
      unanswered_q <= unanswered_q + 6'(aw_taken) - 6'(b_valid_o && b_ready_i);
      data_due_q   <= data_due_q + 6'(aw_taken) - 6'(w_taken && w_last_i);
      if (aw_taken) writes_to_q <= aw_to;
    end
  end

  // Reads. A beat that waits for the core is not exchanged for another.
  logic ar_to, r_from, r_from_q, r_waits_q;

  assign ar_to      = !is_memory(ar_addr_i);
  assign ar_ready_o = ar_ready_i[ar_to];
  assign r_from     = r_waits_q ? r_from_q : !r_valid_i[0];
  assign r_valid_o  = |r_valid_i;
  assign r_o        = r_i[r_from];

  always_comb begin
    ar_valid_o         = '0;
    ar_valid_o[ar_to]  = ar_valid_i;
    r_ready_o          = '0;
    r_ready_o[r_from]  = r_ready_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_waits_q <= 1'b0;
      r_from_q  <= 1'b0;
    end else begin
      r_waits_q <= r_valid_o && !r_ready_i;
      r_from_q  <= r_from;
    end
  end

endmodule
