// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 core, a ring of stages of one round each: 20 rounds without the final addition of the
// initial state.
//
// A block passes the ring 20 / Stages times: 20 stages are a pipeline with a throughput of one
// block per cycle, 5 stages of one block per 4 cycles. The critical path is one round.
//
// Latency: a block accepted in cycle t is valid in cycle t + 20, combinationally from its last
// round. Blocks are accepted at least 20 / Stages cycles apart, so that they leave evenly. While a
// valid block is not taken the whole ring stalls. No latency depends on data.
//
// Wiping: a flushed block moves on to the end of the ring and zero follows it, so that the ring
// holds no secrets 20 cycles after a flush. The stages have no reset.
//
// Protection: each word has parities, which are compared when the word is used; fault_o reports in
// the same cycle that a block inside, or out_block_o, is wrong: the user flushes and restarts.
// Control is triplicated.
module cry_chacha20_core_ring #(
  parameter int unsigned               Stages  = 5,  // 5 or 20
  // Other than ProtectNone: parities and triplicated control
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              flush_i,  // drops all blocks

  // Initial state, with word_check of each word
  input  logic                              in_valid_i,
  output logic                              in_ready_o,
  input  cry_chacha20poly1305_pkg::state_t  in_block_i,
  input  cry_chacha20poly1305_pkg::checks_t in_checks_i,

  // State after 20 rounds, with word_check of each word; stable until taken
  output logic                              out_valid_o,
  input  logic                              out_ready_i,
  output cry_chacha20poly1305_pkg::state_t  out_block_o,
  output cry_chacha20poly1305_pkg::checks_t out_checks_o,

  output logic                              fault_o,     // a word is wrong in this cycle: flush
  output logic                              corrected_o  // an upset in control was corrected
);

  import cry_chacha20poly1305_pkg::*;
  import cry_protect_pkg::*;

  localparam bit       Checked = Protect != ProtectNone;
  localparam protect_e Control = Checked ? ProtectCorrect : ProtectNone;

  localparam int unsigned Passes = 20 / Stages;
  localparam int unsigned PassW  = (Passes > 1) ? $clog2(Passes) : 1;
  localparam logic [PassW-1:0] LastPass = PassW'(Passes - 1);

  logic [Stages-1:0]            valid_q, valid_d;
  logic [Stages-1:0][PassW-1:0] pass_q, pass_d;
  logic [PassW-1:0]             gap_q, gap_d;  // cycles until a block may enter
  state_t  [Stages-1:0]         state_q, state_d, stepped;
  checks_t [Stages-1:0]         checks_q, checks_d, stepped_checks;
  logic [Stages-1:0]            wrong;
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

    assign stepped_checks[s] = state_checks(stepped[s]);
    assign wrong[s]          = valid_q[s] & (state_checks(state_q[s]) != checks_q[s]);
  end

  assign fault_o      = Checked & (|wrong);
  assign out_block_o  = stepped[Stages-1];
  assign out_checks_o = stepped_checks[Stages-1];

  always_comb begin
    for (int unsigned s = 1; s < Stages; s++) begin
      state_d[s]  = stepped[s-1];
      checks_d[s] = {64{Checked}} & stepped_checks[s-1];
      valid_d[s]  = valid_q[s-1];
      pass_d[s]   = pass_q[s-1];
    end
    state_d[0] = ({512{load}} & in_block_i) | ({512{again}} & stepped[Stages-1]);
    checks_d[0] = ({64{load & Checked}} & in_checks_i) |
                  ({64{again & Checked}} & stepped_checks[Stages-1]);
    valid_d[0] = load | again;
    pass_d[0]  = again ? pass_q[Stages-1] + PassW'(1) : '0;
    gap_d      = load ? LastPass : (gap_q == '0) ? '0 : gap_q - PassW'(1);
    if (flush_i) begin
      valid_d = '0;
      gap_d   = '0;
    end
  end

  logic unused_detected;
  cry_reg_tmr #(
    .Width(Stages * (1 + PassW) + PassW), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni,
    .en_i       (advance | flush_i),
    .d_i        ({valid_d, pass_d, gap_d}),
    .inject_i   (1'b0),
    .q_o        ({valid_q, pass_q, gap_q}),
    .corrected_o,
    .detected_o (unused_detected)
  );

  always_ff @(posedge clk_i) begin
    if (advance | flush_i) begin
      state_q  <= state_d;
      checks_q <= checks_d;
    end
  end

endmodule
