// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// AES core, one pipeline stage per round: a block per cycle, each with its own key, key length and
// operation.
//
// Latency: one cycle per round, 10, 12 or 14 (128, 192, 256 bits), and as long as a longer block
// ahead, since blocks stay in order and a shorter one passes the last stages unchanged. A block
// leaves combinationally from its last round. A stage stalls only if the stage ahead is full and
// stalled (bubbles collapse). No latency depends on data or keys.
//
// The key travels with its block and each stage computes its round key, so that a change of key
// costs no cycle. Data registers have no reset: an empty stage is loaded with zero.
module cry_aes_core_pipelined #(
  parameter bit EnDecrypt = 1'b1,  // build OpDecrypt, OpExpand; otherwise all operations encrypt
  parameter bit EnKey192  = 1'b1,  // build 192-bit keys: at least 12 stages
  parameter bit EnKey256  = 1'b1   // build 256-bit keys: 14 stages
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // drops all blocks and wipes

  // A block with its operation and key
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  cry_aes_pkg::op_e in_op_i,
  input  logic [1:0]       in_key_len_i,  // key_len_e
  input  logic [255:0]     in_key_i,      // byte 0 in bits 7:0; OpDecrypt: the expanded key
  input  logic [127:0]     in_block_i,

  // The result; stable until taken
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [127:0]     out_block_o,
  output logic [255:0]     out_key_o  // OpExpand: last window of the key schedule
);

  import cry_aes_pkg::*;

  // Round constant n, from 0 on.
  function automatic logic [7:0] rcon_nth(int n);
    logic [7:0] value;
    value = 8'h01;
    for (int i = 0; i < n; i++) value = xtime(value);
    return value;
  endfunction

  localparam int unsigned Stages = EnKey256 ? 14 : EnKey192 ? 12 : 10;

  // Index s: after s rounds. Stage s is the register [s] and the round behind it.
  logic [Stages-1:0]        valid_q;
  logic [Stages-1:0]        exit;     // the block leaves from this stage
  logic [Stages-1:0]        leave;    // ... or moves on, if there is a block
  logic [Stages-1:0]        load;
  logic [Stages-1:0]        hold;
  logic [Stages-1:0][127:0] state_next;
  logic [Stages-1:0][255:0] window_next;
  logic [Stages-1:0]        decrypt_q;
  logic [Stages-1:0][1:0]   key_len_q;

  assign in_ready_o = !valid_q[0] | leave[0];
  assign load[0]    = in_valid_i & in_ready_o & !clear_i;

  // Where a block goes: out, when its rounds are done and nothing is ahead of it, or one stage on.
  // Two blocks, because `exit` must not seem to depend on out_ready_i.
  always_comb begin
    logic ahead;
    ahead = 1'b0;
    for (int s = Stages - 1; s >= 0; s--) begin
      exit[s] = (s == Stages - 1) ||
                ((s == 9 || s == 11) && num_rounds(key_len_q[s]) <= 4'(s + 1) && !ahead);
      ahead   = ahead | valid_q[s];
    end
  end

  always_comb begin
    logic free;
    free = 1'b0;
    for (int s = Stages - 1; s >= 0; s--) begin
      leave[s] = exit[s] ? out_ready_i : free;
      free     = !valid_q[s] | leave[s];
    end
  end

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    logic [127:0] state_q, state_in, state_round;
    logic [255:0] window_q, window_in, window_step;
    logic         decrypt_in;
    logic [1:0]   key_len_in;

    // Inputs of the stage.
    if (s == 0) begin : gen_first
      assign state_in   = in_block_i ^ in_key_i[127:0];
      assign window_in  = in_key_i;
      assign decrypt_in = EnDecrypt & (in_op_i == OpDecrypt);
      assign key_len_in = (EnKey192 | EnKey256) ? in_key_len_i : cry_engine_pkg::KeyLen128;
    end else begin : gen_later
      assign state_in   = state_next[s-1];
      assign window_in  = window_next[s-1];
      assign decrypt_in = decrypt_q[s-1];
      assign key_len_in = key_len_q[s-1];
      assign load[s]    = valid_q[s-1] & !exit[s-1] & (!valid_q[s] | leave[s]) & !clear_i;
    end

    assign hold[s] = valid_q[s] & !leave[s] & !clear_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q[s]   <= 1'b0;
        decrypt_q[s] <= 1'b0;
        key_len_q[s] <= '0;
      end else begin
        valid_q[s] <= load[s] | hold[s];
        if (load[s]) begin
          decrypt_q[s] <= decrypt_in;
          key_len_q[s] <= key_len_in;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!hold[s]) begin
        state_q  <= {128{load[s]}} & state_in;
        window_q <= {256{load[s]}} & window_in;
      end
    end

    // This stage's round, with the constants of its position.
    // Backward, stage s of n does schedule step n - 1 - s.
    localparam int         StepOf192 = (s < 12) ? 11 - s : 0;
    localparam logic [1:0] Fwd3    = 2'(s % 3);
    localparam logic [1:0] Back3   = 2'(StepOf192 % 3);
    localparam bit         Even    = (s % 2) == 0;
    localparam logic [7:0] Fwd128  = rcon_nth(s);
    localparam logic [7:0] Fwd192  = rcon_nth(s / 3 * 2 + s % 3);
    localparam logic [7:0] Fwd256  = rcon_nth(s / 2);
    localparam logic [7:0] Back128 = rcon_nth(9 - s);
    localparam logic [7:0] Back192 = rcon_nth(StepOf192 / 3 * 2 + StepOf192 % 3);
    localparam logic [7:0] Back256 = rcon_nth((13 - s) / 2);

    logic [7:0] rcon;
    logic       back, unused_rcon_used;

    assign back = EnDecrypt & decrypt_q[s];

    always_comb begin
      unique case (key_len_q[s])
        2'd0:    rcon = back ? Back128 : Fwd128;
        2'd1:    rcon = back ? Back192 : Fwd192;
        default: rcon = back ? Back256 : Fwd256;
      endcase
    end

    cry_aes_key_step #(
      .EnDecrypt(EnDecrypt),
      .EnKey192 (EnKey192),
      .EnKey256 (EnKey256)
    ) u_key_step (
      .backward_i (back),
      .key_len_i  (key_len_q[s]),
      .even_i     (Even ^ back),
      .phase_i    (back ? Back3 : Fwd3),
      .rcon_i     (rcon),
      .rcon_used_o(unused_rcon_used),
      .window_i   (window_q),
      .window_o   (window_step)
    );

    cry_aes_round #(
      .EnDecrypt(EnDecrypt)
    ) u_round (
      .decrypt_i(back),
      .last_i   (num_rounds(key_len_q[s]) == 4'(s + 1)),
      .state_i  (state_q),
      .key_i    (window_step[127:0]),
      .state_o  (state_round)
    );

    if (s < 10) begin : gen_always
      assign state_next[s]  = state_round;
      assign window_next[s] = window_step;
    end else begin : gen_pass
      logic finished;
      assign finished       = num_rounds(key_len_q[s]) <= 4'(s);
      assign state_next[s]  = finished ? state_q : state_round;
      assign window_next[s] = finished ? window_q : window_step;
    end
  end

  // At most one stage with a block may exit: the one furthest ahead.
  always_comb begin
    out_valid_o = 1'b0;
    out_block_o = '0;
    out_key_o   = '0;
    for (int s = 9; s < Stages; s++) begin
      out_valid_o |= valid_q[s] & exit[s];
      out_block_o |= {128{valid_q[s] & exit[s]}} & state_next[s];
      out_key_o   |= {256{valid_q[s] & exit[s] & EnDecrypt}} & window_next[s];
    end
  end

  `CRY_ASSERT_RUN
  // A stage without a block holds no secrets.
  for (genvar s = 0; s < Stages; s++) begin : gen_assert
    `CRY_ASSERT(EmptyStageIsWiped_A,
      !valid_q[s] |-> gen_stage[s].state_q == '0 && gen_stage[s].window_q == '0)
  end

endmodule
