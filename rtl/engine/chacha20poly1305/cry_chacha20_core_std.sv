// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 core, one quarter round per cycle: 20 rounds without the final addition of the initial
// state.
//
// Latency: a block accepted in cycle t is valid from cycle t + 81 on, from the state register; the
// next one may be accepted in the cycle in which it is taken. The rows shift by one word per cycle,
// so that one quarter round and few multiplexers suffice. No latency depends on data.
//
// Wiping: whenever the core is empty its state is loaded with zero. The state has no reset.
//
// Protection: each word has parities, which are compared when the word is used; fault_o reports in
// the same cycle that the block inside, and out_block_o, is wrong: the user flushes and restarts.
// Control is triplicated.
module cry_chacha20_core_std #(
  // Other than ProtectNone: parities and triplicated control
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              flush_i,  // drops the block

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

  logic unused_detected;
  cry_reg_tmr #(
    .Width(8), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({busy_d, count_d}),
    .inject_i   (1'b0),
    .q_o        ({busy_q, count_q}),
    .corrected_o,
    .detected_o (unused_detected)
  );

  // In column rounds the operands stand in column 0 and go to column 3; in diagonal rounds the
  // operand of row r stands in column r and takes part in the same shift.
  logic            diagonal;
  logic      [3:0] wrong;
  row_t            operands, results;
  state_t          stepped;
  checks_t         checks_q, checks_d, stepped_checks;
  assign diagonal = count_q[2];

  always_comb begin
    for (int unsigned r = 0; r < 4; r++) begin
      operands[r] = state_q[r][diagonal ? r : 0];
      wrong[r]    = word_check(operands[r]) != checks_q[r][diagonal ? r : 0];
    end
    results = quarter_round(operands);
    for (int unsigned r = 0; r < 4; r++) begin
      stepped[r]        = {state_q[r][0], state_q[r][3:1]};
      stepped_checks[r] = {checks_q[r][0], checks_q[r][3:1]};
      stepped[r][diagonal ? (r + 3) % 4 : 3]        = results[r];
      stepped_checks[r][diagonal ? (r + 3) % 4 : 3] = word_check(results[r]);
    end
  end

  // A word is compared when it is an operand; those of the result are, by the user of the block.
  assign fault_o      = Checked & busy_q & (count_q != Steps) & (|wrong);
  assign out_block_o  = state_q;
  assign out_checks_o = checks_q;
  assign state_d      = ({512{load}} & in_block_i) | ({512{step}} & stepped);
  assign checks_d     = ({64{load & Checked}} & in_checks_i) |
                        ({64{step & Checked}} & stepped_checks);
  always_ff @(posedge clk_i) begin
    if (!hold) begin
      state_q  <= state_d;
      checks_q <= checks_d;
    end
  end

endmodule
