// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// AES core with an 8-bit datapath and one S-box, shared by the state and the key schedule.
//
// State and key are byte-wise shift registers: encryption and OpExpand shift downwards (byte 0
// leaves first), decryption upwards. Inputs are taken at the start of a block, the output stays in
// the registers until taken. No latency depends on data or keys.
//
//   - An encryption round is 24 cycles: 16 bytes through AddRoundKey and SubBytes, 4 in which the
//     key schedule uses the S-box, 4 columns of MixColumns with ShiftRows.
//   - A decryption round is 36: 16 for AddRoundKey with the key schedule, 4 columns of
//     InvMixColumns, 16 for InvSubBytes.
//
// Wiping: whenever the core is idle its data registers are loaded with zero, so that state and key
// are gone one cycle after the block left, after clear_i and after reset. The data registers have
// no reset.
module cry_aes_core_serial_full #(
  parameter bit EnDecrypt = 1'b1,  // build OpDecrypt, OpExpand; otherwise all operations encrypt
  parameter bit EnKey192  = 1'b1,  // build 192-bit keys
  parameter bit EnKey256  = 1'b1   // build 256-bit keys
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
  output logic [255:0]     out_key_o  // OpExpand: last window of the key schedule
);

  import cry_aes_pkg::*;

  localparam int unsigned KeyBytes = EnKey256 ? 32 : EnKey192 ? 24 : 16;
  localparam int unsigned KeyBits  = 8 * KeyBytes;
  localparam logic [3:0] LastRound256 = 4'd14;

  typedef enum logic [2:0] {
    StIdle,
    StAdd,     // AddRoundKey and key schedule; encryption: SubBytes too
    StMix,     // MixColumns and ShiftRows, a column per cycle
    StSub,     // InvSubBytes
    StExpand,  // key schedule only
    StDone
  } state_e;

  state_e             fsm_q, fsm_d;
  op_e                op_q;
  logic [1:0]         key_len, key_len_q;
  logic [3:0]         round_q, round_d, count_q, count_d;
  logic [2:0]         word_q, word_d, word_last;  // next word's index modulo words of the key
  logic [7:0]         rcon_q, rcon_d;
  logic               key_turn_q, key_turn_d;     // the S-box is the key schedule's
  logic [127:0]       block_q, block_d;
  logic [KeyBits-1:0] key_q, key_d, key_aligned;
  logic               decrypt, expand, in_decrypt, load, last_round, expanded;
  logic               key_sub, key_rot, key_step, block_step;
  logic [7:0]         key_tap, key_prev, key_first, key_byte, key_new;
  logic [7:0]         added, sbox_in, sbox_out, block_new;
  logic [127:0]       mix_in, mix_shifted;
  logic [31:0]        mixed;

  assign decrypt    = EnDecrypt & (op_q == OpDecrypt);
  assign expand     = EnDecrypt & (in_op_i == OpExpand);
  assign in_decrypt = EnDecrypt & (in_op_i == OpDecrypt);

  // Key lengths that are not built fall to the longest one that is.
  function automatic logic [1:0] built_key_len(logic [1:0] len);
    if (len == cry_engine_pkg::KeyLen128) return len;
    if (EnKey192 && (len == cry_engine_pkg::KeyLen192 || !EnKey256)) begin
      return cry_engine_pkg::KeyLen192;
    end
    return EnKey256 ? cry_engine_pkg::KeyLen256 : cry_engine_pkg::KeyLen128;
  endfunction

  assign key_len     = built_key_len(in_key_len_i);
  assign in_ready_o  = fsm_q == StIdle;
  assign load        = in_ready_o & in_valid_i & !clear_i;
  assign out_valid_o = fsm_q == StDone;
  assign out_block_o = block_q;
  assign last_round  = round_q == num_rounds(key_len_q);

  // The key is aligned to the top of its register, so that its newest word has a fixed position.
  always_comb begin
    key_aligned = in_key_i[KeyBits-1:0];
    key_first   = key_q[7:0];
    word_last   = 3'd7;
    out_key_o   = '0;
    out_key_o[KeyBits-1:0] = key_q;
    if (key_len_q == cry_engine_pkg::KeyLen128) begin
      key_first = key_q[KeyBits-128+:8];
      word_last = 3'd3;
      out_key_o = {128'd0, key_q[KeyBits-1-:128]};
    end else if (EnKey192 && key_len_q == cry_engine_pkg::KeyLen192) begin
      key_first = key_q[(KeyBytes >= 24 ? KeyBits - 192 : 0)+:8];
      word_last = 3'd5;
      out_key_o = 256'(key_q >> (KeyBytes >= 24 ? KeyBits - 192 : 0));
    end
    if (key_len == cry_engine_pkg::KeyLen128) begin
      key_aligned = in_key_i[KeyBits-1:0] << (KeyBits - 128);
    end else if (EnKey192 && key_len == cry_engine_pkg::KeyLen192) begin
      key_aligned = in_key_i[KeyBits-1:0] << (KeyBytes >= 24 ? KeyBits - 192 : 0);
    end
    if (!EnDecrypt) out_key_o = '0;
  end

  logic unused_key;
  assign unused_key = ^in_key_i;

  // Key schedule, a byte per step: W[i] and W[i-Nk] differ by W[i-1], substituted for some words.
  // Downwards W[i-1] is four bytes from the top, upwards W[i] is there and W[i-1] below it.
  assign key_rot = word_q == 3'd0;
  assign key_sub = key_rot |
                   (EnKey256 & (key_len_q == cry_engine_pkg::KeyLen256) & (word_q == 3'd4));
  always_comb begin
    if (decrypt) begin
      key_prev = key_q[KeyBits-40+:8];
      key_tap  = (count_q[1:0] == 2'd0) ? key_q[KeyBits-64+:8] : key_q[KeyBits-32+:8];
      key_byte = key_q[KeyBits-8+:8];
    end else begin
      key_prev = key_q[KeyBits-32+:8];
      key_tap  = (count_q[1:0] == 2'd3) ? key_q[KeyBits-56+:8] : key_q[KeyBits-24+:8];
      key_byte = key_first;
    end
    if (EnKey256 && !key_rot) key_tap = key_prev;
  end

  always_comb begin
    key_new = (decrypt ? key_byte : key_first) ^ (key_sub ? sbox_out : key_prev);
    if (key_rot && count_q[1:0] == {2{decrypt}}) key_new ^= rcon_q;
  end

  assign added   = (decrypt ? block_q[127:120] : block_q[7:0]) ^ key_byte;
  assign sbox_in = (fsm_q == StSub) ? block_q[127:120]
                 : (key_turn_q | decrypt | (fsm_q == StExpand)) ? key_tap : added;

  if (EnDecrypt) begin : gen_sbox_dual
    cry_aes_sbox_dual u_sbox (.inverse_i(fsm_q == StSub), .in_i(sbox_in), .out_o(sbox_out));
  end else begin : gen_sbox
    cry_aes_sbox u_sbox (.in_i(sbox_in), .out_o(sbox_out));
  end

  assign block_new = (fsm_q == StSub || (!decrypt && !last_round)) ? sbox_out : added;

  // A column per cycle; encryption shifts rows before the first, decryption after the last.
  always_comb begin
    mix_in = (!decrypt && count_q == 4'd0) ? shift_rows(block_q) : block_q;
    mixed  = mix_column(decrypt ? inv_mix_prepare(mix_in[31:0]) : mix_in[31:0]);
    // No mixing in encryption's last round, nor before decryption's first.
    if (decrypt ? round_q == 4'd1 : last_round) mixed = mix_in[31:0];
    mix_shifted = {mixed, mix_in[127:32]};
    if (decrypt && count_q == 4'd3) mix_shifted = inv_shift_rows(mix_shifted);
  end

  always_comb begin
    fsm_d      = fsm_q;
    round_d    = round_q;
    count_d    = count_q + 4'd1;
    key_turn_d = 1'b0;
    key_step   = 1'b0;
    block_step = 1'b0;
    expanded   = count_q == 4'd15;
    if (EnKey192 && key_len_q == cry_engine_pkg::KeyLen192) expanded = count_q == 4'd7;
    unique case (fsm_q)
      StIdle: begin
        count_d = '0;
        round_d = '0;
        if (load) fsm_d = expand ? StExpand : StAdd;
      end
      StAdd: begin
        block_step = !key_turn_q;
        key_step   = 1'b1;
        if (!decrypt && key_sub && !last_round && !key_turn_q) begin
          key_step   = 1'b0;
          key_turn_d = 1'b1;
          count_d    = count_q;
        end else if (count_q == 4'd15) begin
          fsm_d   = last_round ? StDone : StMix;
          round_d = round_q + 4'd1;
        end
      end
      StMix: begin
        if (count_q == 4'd3) begin
          count_d = '0;
          fsm_d   = decrypt ? StSub : StAdd;
        end
      end
      StSub: begin
        block_step = 1'b1;
        if (count_q == 4'd15) fsm_d = StAdd;
      end
      StExpand: begin
        key_step = 1'b1;
        if (count_q == 4'd15) round_d = round_q + 4'd1;
        // 40, 46 or 52 words
        if (expanded && round_q == (key_len_q == cry_engine_pkg::KeyLen128 ? 4'd9
                                  : EnKey192 && key_len_q == cry_engine_pkg::KeyLen192 ? 4'd11
                                  : LastRound256 - 4'd2)) begin
          fsm_d = StDone;
        end
      end
      StDone: if (out_ready_i) fsm_d = StIdle;
      default: fsm_d = StIdle;
    endcase
    if (clear_i) fsm_d = StIdle;
  end

  always_comb begin
    word_d = word_q;
    rcon_d = rcon_q;
    if (load) begin
      // Upwards the newest word is always the fourth after a multiple of the key length.
      word_d = in_decrypt ? 3'd3 : 3'd0;
      rcon_d = 8'h01;
      if (in_decrypt) begin
        rcon_d = (key_len == cry_engine_pkg::KeyLen128) ? 8'h36
               : (key_len == cry_engine_pkg::KeyLen192) ? 8'h80 : 8'h40;
      end
    end else if (key_step && count_q[1:0] == 2'd3) begin
      if (key_rot) rcon_d = decrypt ? xtime_inv(rcon_q) : xtime(rcon_q);
      if (decrypt) word_d = key_rot ? word_last : word_q - 3'd1;
      else         word_d = (word_q == word_last) ? 3'd0 : word_q + 3'd1;
    end
  end

  always_comb begin
    block_d = block_q;
    key_d   = key_q;
    if (in_ready_o) begin
      block_d = load ? in_block_i : '0;
      key_d   = load ? key_aligned : '0;
    end else begin
      if (fsm_q == StMix) block_d = mix_shifted;
      if (block_step) begin
        block_d = (decrypt) ? {block_q[119:0], block_new} : {block_new, block_q[127:8]};
      end
      if (key_step) begin
        key_d = {key_new, key_q[KeyBits-1:8]};
        if (decrypt) begin
          key_d = {key_q[KeyBits-9:0], 8'd0};
          if (key_len_q == cry_engine_pkg::KeyLen128) key_d[KeyBits-128+:8] = key_new;
          else if (EnKey192 && key_len_q == cry_engine_pkg::KeyLen192) begin
            key_d[(KeyBytes >= 24 ? KeyBits - 192 : 0)+:8] = key_new;
          end else key_d[7:0] = key_new;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    block_q <= block_d;
    key_q   <= key_d;
    word_q  <= word_d;
    rcon_q  <= rcon_d;
    if (load) begin
      op_q      <= in_op_i;
      key_len_q <= key_len;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fsm_q      <= StIdle;
      round_q    <= '0;
      count_q    <= '0;
      key_turn_q <= 1'b0;
    end else begin
      fsm_q      <= fsm_d;
      round_q    <= round_d;
      count_q    <= count_d;
      key_turn_q <= key_turn_d & !clear_i;
    end
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(IdleIsWiped_A, in_ready_o && !load |=> block_q == '0 && key_q == '0)
  `CRY_ASSERT(ResultStable_A,
    out_valid_o && !out_ready_i && !clear_i |=>
    out_valid_o && $stable(out_block_o) && $stable(out_key_o))

endmodule
