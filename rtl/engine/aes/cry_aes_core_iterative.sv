// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// AES core, one round per cycle, key schedule on the fly.
//
// Latency: a block accepted in cycle t leaves in cycle t + 10, t + 12 or t + 14 (128, 192, 256
// bits), combinationally from the last round; the next block may be accepted in that same cycle.
// OpExpand has the latency of a block. No latency depends on data or keys.
//
// Wiping: whenever the core is idle its data registers are loaded with zero, so that state and key
// are gone one cycle after the last block left, after clear_i and after reset. The data registers
// have no reset.
//
// Protection: all registers are cry_reg_tmr; control is triplicated at either level.
//
//   ProtectDetect   state and key are held twice; detected_o: the block in work is wrong and its
//                   output must be dropped
//   ProtectCorrect  state and key are triplicated; corrected_o: a copy was outvoted
module cry_aes_core_iterative
  import cry_protect_pkg::*;
#(
  parameter bit       EnDecrypt = 1'b1,        // build OpDecrypt and OpExpand, else all encrypt
  parameter bit       EnKey192  = 1'b1,        // build 192-bit keys
  parameter bit       EnKey256  = 1'b1,        // build 256-bit keys
  parameter protect_e Protect   = ProtectNone  // level of protection
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // drops the block and wipes

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
  output logic [255:0]     out_key_o,  // OpExpand: last window of the key schedule

  output logic             corrected_o,  // an upset was corrected
  output logic             detected_o    // the block in work is wrong
);

  import cry_aes_pkg::*;

  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  logic         busy_q, busy_d;
  logic         decrypt_q, in_decrypt;
  logic [1:0]   key_len_q, in_key_len;
  logic [3:0]   left_q;             // rounds left after this one
  logic [1:0]   left_mod3_q;        // left_q mod 3, kept for 192-bit keys
  logic [7:0]   rcon_q;
  logic [127:0] state_q, state_next;
  logic [255:0] window_q, window_next;
  logic         load, step, hold, last, rcon_used, rcon_update;

  assign in_decrypt = EnDecrypt & (in_op_i == OpDecrypt);
  always_comb begin
    in_key_len = in_key_len_i;
    if (!EnKey256 && !EnKey192) in_key_len = cry_engine_pkg::KeyLen128;
  end

  assign last        = left_q == 4'd0;
  assign out_valid_o = busy_q & last;
  assign in_ready_o  = !busy_q | (last & out_ready_i);
  assign load        = in_valid_i & in_ready_o & !clear_i;
  assign step        = busy_q & !last & !clear_i;
  assign hold        = busy_q & last & !out_ready_i & !clear_i;
  assign busy_d      = load | step | hold;

  logic [5:0] corrected, detected;

  cry_reg_tmr #(.Width(1), .Protect(Control)) u_busy (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(busy_d), .inject_i(1'b0), .q_o(busy_q),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // Control of the round in progress; meaningless while not busy.
  cry_reg_tmr #(.Width(3), .Protect(Control)) u_op (
    .clk_i, .rst_ni, .en_i(load), .d_i({in_decrypt, in_key_len}), .inject_i(1'b0),
    .q_o({decrypt_q, key_len_q}), .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  logic [3:0] left_d;
  logic [1:0] left_mod3_d;
  always_comb begin
    if (load) begin
      left_d      = num_rounds(in_key_len) - 4'd1;
      left_mod3_d = 2'd2;
    end else begin
      left_d      = left_q - 4'd1;
      left_mod3_d = (left_mod3_q == 2'd0) ? 2'd2 : left_mod3_q - 2'd1;
    end
  end
  cry_reg_tmr #(.Width(6), .Protect(Control)) u_left (
    .clk_i, .rst_ni, .en_i(load | step), .d_i({left_d, left_mod3_d}), .inject_i(1'b0),
    .q_o({left_q, left_mod3_q}), .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  // Round constants run forward from 01, backward from the last one that the schedule used.
  logic [7:0] rcon_d;
  assign rcon_update = step & rcon_used;
  always_comb begin
    if (!load) begin
      rcon_d = decrypt_q ? xtime_inv(rcon_q) : xtime(rcon_q);
    end else if (!in_decrypt) begin
      rcon_d = 8'h01;
    end else begin
      unique case (in_key_len)
        2'd0:    rcon_d = 8'h36;
        2'd1:    rcon_d = 8'h80;
        default: rcon_d = 8'h40;
      endcase
    end
  end
  cry_reg_tmr #(.Width(8), .Protect(Control)) u_rcon (
    .clk_i, .rst_ni, .en_i(load | rcon_update), .d_i(rcon_d), .inject_i(1'b0), .q_o(rcon_q),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  // Forward, the step's r is 9, 11 or 13 less left_q; backward it is left_q.
  cry_aes_key_step #(
    .EnDecrypt(EnDecrypt),
    .EnKey192 (EnKey192),
    .EnKey256 (EnKey256)
  ) u_key_step (
    .backward_i (decrypt_q),
    .key_len_i  (key_len_q),
    .even_i     (left_q[0] ^ decrypt_q),
    .phase_i    (decrypt_q ? left_mod3_q : 2'd2 - left_mod3_q),
    .rcon_i     (rcon_q),
    .rcon_used_o(rcon_used),
    .window_i   (window_q),
    .window_o   (window_next)
  );

  cry_aes_round #(
    .EnDecrypt(EnDecrypt)
  ) u_round (
    .decrypt_i(decrypt_q),
    .last_i   (last),
    .state_i  (state_q),
    .key_i    (window_next[127:0]),
    .state_o  (state_next)
  );

  assign out_block_o = state_next;
  assign out_key_o   = EnDecrypt ? window_next : '0;

  logic [127:0] state_d;
  logic [255:0] window_d;
  assign state_d  = ({128{load}} & (in_block_i ^ in_key_i[127:0])) | ({128{step}} & state_next);
  assign window_d = ({256{load}} & in_key_i) | ({256{step}} & window_next);

  cry_reg_tmr #(.Width(128), .EnReset(1'b0), .Protect(Protect)) u_state (
    .clk_i, .rst_ni, .en_i(!hold), .d_i(state_d), .inject_i(1'b0), .q_o(state_q),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );
  cry_reg_tmr #(.Width(256), .EnReset(1'b0), .Protect(Protect)) u_window (
    .clk_i, .rst_ni, .en_i(!hold), .d_i(window_d), .inject_i(1'b0), .q_o(window_q),
    .corrected_o(corrected[5]), .detected_o(detected[5])
  );

  assign corrected_o = |corrected;
  assign detected_o  = busy_q & (|detected);

  `CRY_ASSERT_RUN
  `CRY_ASSERT(IdleIsWiped_A, !busy_d |=> state_q == '0 && window_q == '0)

endmodule
