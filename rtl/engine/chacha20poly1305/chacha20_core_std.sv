// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 core, one quarter round per cycle: 20 rounds without the feed-forward addition.
//
// Latency: a block accepted in cycle t is offered from cycle t + 81 on, out of the state register;
// the next one may be accepted in the cycle in which it is taken. The rows shift by one word per
// cycle, so that only one quarter round and few multiplexers are there. No latency depends on data.
//
// flush_i drops the block inside. The state has no reset: whenever the core is empty it is loaded
// with zero.
module chacha20_core_std (
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

  localparam logic [6:0] Steps = 7'd80;

  // Quarter rounds done; Steps while the result is offered.
  logic       busy_q, busy_d;
  logic [6:0] count_q, count_d;
  state_t     state_q, state_d;
  logic       load, step, hold;

  assign out_valid_o = busy_q & (count_q == Steps);
  assign in_ready_o  = !busy_q | (out_valid_o & out_ready_i);
  assign load        = in_valid_i & in_ready_o & !flush_i;
  assign step        = busy_q & (count_q != Steps) & !flush_i;
  assign hold        = out_valid_o & !out_ready_i & !flush_i;
  assign busy_d      = load | step | hold;
  assign count_d     = load ? '0 : step ? count_q + 7'd1 : count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      count_q <= '0;
    end else begin
      busy_q  <= busy_d;
      count_q <= count_d;
    end
  end

  // In column rounds the operands stand in column 0 and go to column 3; in diagonal rounds the
  // operand of row r stands in column r and takes part in the same shift.
  logic   diagonal;
  row_t   operands, results;
  state_t stepped;
  assign diagonal = count_q[2];

  always_comb begin
    for (int unsigned r = 0; r < 4; r++) operands[r] = state_q[r][diagonal ? r : 0];
    results = quarter_round(operands);
    for (int unsigned r = 0; r < 4; r++) begin
      stepped[r]                         = {state_q[r][0], state_q[r][3:1]};
      stepped[r][diagonal ? (r + 3) % 4 : 3] = results[r];
    end
  end

  assign out_block_o = state_q;
  assign state_d     = ({512{load}} & in_block_i) | ({512{step}} & stepped);
  always_ff @(posedge clk_i) begin
    if (!hold) state_q <= state_d;
  end

endmodule
