// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 core, a ring of stages of one round each: 20 rounds without the feed-forward addition.
//
// A block goes round the ring 20 / Stages times. With 20 stages it is a plain pipeline that makes a
// block per cycle; with 5 a block per 4 cycles. The clock is that of one round.
//
// Latency: a block accepted in cycle t is offered in cycle t + 20, straight from the logic of its
// last round. Blocks are accepted at least 20 / Stages cycles apart, so that they leave evenly. While
// an offered block is not taken the whole ring stands. No latency depends on data.
//
// flush_i drops all blocks. The stages have no reset: what is dropped moves on to the end of the
// ring, and zero follows it, so the ring holds no secrets 20 cycles after a flush.
//
// Parameters:
//   Stages  5 or 20
module chacha20_core_ring #(
  parameter int unsigned Stages = 5
) (
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

  localparam int unsigned Passes = 20 / Stages;
  localparam int unsigned PassW  = (Passes > 1) ? $clog2(Passes) : 1;
  localparam logic [PassW-1:0] LastPass = PassW'(Passes - 1);

  logic [Stages-1:0]            valid_q, valid_d;
  logic [Stages-1:0][PassW-1:0] pass_q, pass_d;
  logic [PassW-1:0]             gap_q, gap_d;  // cycles until a block may enter
  state_t [Stages-1:0]          state_q, state_d, stepped;
  logic                         leaving, again, advance, load;

  assign leaving     = pass_q[Stages-1] == LastPass;
  assign again       = valid_q[Stages-1] & !leaving;
  assign out_valid_o = valid_q[Stages-1] & leaving;
  assign advance     = !out_valid_o | out_ready_i;
  assign in_ready_o  = advance & !again & (gap_q == '0);
  assign load        = in_valid_i & in_ready_o;

  // A round is a column round; the rows are turned behind it to make the next one a diagonal round,
  // or back. With an odd number of stages a stage does both kinds by turns.
  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    logic   diagonal;
    state_t column;
    assign diagonal   = (s % 2 == 1) ^ ((Stages % 2 == 1) & pass_q[s][0]);
    assign column     = column_round(state_q[s]);
    assign stepped[s] = diagonal ? turn_rows(column, 3) : turn_rows(column, 1);
  end

  assign out_block_o = stepped[Stages-1];

  always_comb begin
    for (int unsigned s = 1; s < Stages; s++) begin
      state_d[s] = stepped[s-1];
      valid_d[s] = valid_q[s-1];
      pass_d[s]  = pass_q[s-1];
    end
    state_d[0] = ({512{load}} & in_block_i) | ({512{again}} & stepped[Stages-1]);
    valid_d[0] = load | again;
    pass_d[0]  = again ? pass_q[Stages-1] + PassW'(1) : '0;
    gap_d      = load ? LastPass : (gap_q == '0) ? '0 : gap_q - PassW'(1);
    if (flush_i) begin
      valid_d = '0;
      gap_d   = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pass_q  <= '0;
      gap_q   <= '0;
    end else if (advance | flush_i) begin
      valid_q <= valid_d;
      pass_q  <= pass_d;
      gap_q   <= gap_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (advance | flush_i) state_q <= state_d;
  end

endmodule
