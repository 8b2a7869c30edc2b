// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 core, one double round per cycle: 20 rounds without the feed-forward addition.
//
// Latency: a block accepted in cycle t is offered in cycle t + 10, straight from the logic of the
// last double round; the next one may be accepted in that same cycle. No latency depends on data.
//
// flush_i drops the block inside. The state has no reset: whenever the core is empty it is loaded
// with zero.
module chacha20_core_opt (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         flush_i,

  input  logic                         in_valid_i,
  output logic                         in_ready_o,
  input  chacha20poly1305_pkg::state_t in_block_i,

  output logic                         out_valid_o,
  input  logic                         out_ready_i,
  output chacha20poly1305_pkg::state_t out_block_o
);

  import chacha20poly1305_pkg::*;

  localparam logic [3:0] Last = 4'd9;

  logic       busy_q, busy_d;
  logic [3:0] count_q, count_d;  // double rounds done
  state_t     state_q, state_d, stepped;
  logic       load, step, hold;

  assign out_valid_o = busy_q & (count_q == Last);
  assign in_ready_o  = !busy_q | (out_valid_o & out_ready_i);
  assign load        = in_valid_i & in_ready_o & !flush_i;
  assign step        = busy_q & (count_q != Last) & !flush_i;
  assign hold        = out_valid_o & !out_ready_i & !flush_i;
  assign busy_d      = load | step | hold;
  assign count_d     = load ? '0 : step ? count_q + 4'd1 : count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      count_q <= '0;
    end else begin
      busy_q  <= busy_d;
      count_q <= count_d;
    end
  end

  assign stepped     = double_round(state_q);
  assign out_block_o = stepped;
  assign state_d     = ({512{load}} & in_block_i) | ({512{step}} & stepped);
  always_ff @(posedge clk_i) begin
    if (!hold) state_q <= state_d;
  end

endmodule
