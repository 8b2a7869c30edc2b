// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-2 padding: beats of a message to the words of its blocks, in the order in which the core
// takes them.
//
// Words are combinational on the beat, which is taken with its last word. After the message follow
// a one bit, zeros and the length in bits; close_o marks the block with the length as the last one.
// The length has all bytes since total_load_i, on top of total_i: HMAC's key block, too. With
// protection all registers are triplicated.
module cry_sha2_pad #(
  parameter int unsigned               RoundsPerCycle = 1,     // words per cycle
  parameter bit                        EnSha512       = 1'b1,  // build 64-bit words
  // Level of protection
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,

  input  logic                                     begin_i,  // a message begins in the next cycle
  input  logic                                     empty_i,  // with begin_i: it has no beats
  input  logic                                     total_load_i,  // loads total_i
  input  logic [63:0]                              total_i,  // bytes of the parts before
  output logic [63:0]                              total_o,  // bytes up to now

  input  logic                                     sha512_i,  // 64-bit words
  // Beats of the message, as on the engine port
  input  logic                                     beat_valid_i,
  output logic                                     beat_ready_o,
  input  logic [127:0]                             beat_data_i,
  input  logic [15:0]                              beat_keep_i,
  input  logic                                     beat_last_i,

  // Words to the core
  output logic                                     word_valid_o,
  input  logic                                     word_ready_i,
  input  logic [3:0]                               word_index_i,  // of the first of the words
  output cry_sha2_pkg::word_t [RoundsPerCycle-1:0] word_o,        // the first is element 0
  output logic                                     beat_end_o,    // words end a beat
  output logic                                     block_end_o,   // words end a block
  output logic                                     close_o,       // ... which is the last
  output logic                                     corrected_o    // an upset was corrected
);

  import cry_protect_pkg::*;
  import cry_sha2_pkg::*;

  localparam int unsigned R       = RoundsPerCycle;
  localparam protect_e    Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  logic [63:0]  total_q, total_d;  // bytes; a partial beat counts at its end
  logic         ended_q, ended_d;  // all beats have been taken
  logic         marked_q, marked_d;  // so has the one bit
  logic         wide, fire, in_last_slot, ends, marks;
  logic [15:0]  keep, mark;
  logic [127:0] slot;
  logic [3:0]   partial;
  logic [63:0]  length_low;

  assign wide = EnSha512 & sha512_i;
  assign fire = word_valid_o & word_ready_i;

  if (R == 1) begin : gen_one
    assign beat_end_o  = word_index_i[0] & (wide | word_index_i[1]);
    assign block_end_o = word_index_i == 4'd15;
  end else begin : gen_two
    assign beat_end_o  = wide | word_index_i[1];
    assign block_end_o = word_index_i == 4'd14;
  end
  assign in_last_slot = (word_index_i[3:2] == 2'd3) & (!wide | word_index_i[1]);

  assign word_valid_o = ended_q | beat_valid_i;
  assign beat_ready_o = !ended_q & fire & beat_end_o;

  assign keep    = ended_q ? '0 : beat_keep_i;
  assign ends    = !ended_q & beat_last_i;
  assign marks   = ended_q ? !marked_q : ends & !beat_keep_i[15];
  assign mark    = {16{marks}} & ~keep & {keep[14:0], 1'b1};
  assign close_o = in_last_slot & (marked_q | (marks & !wide & !keep[7]));

  always_comb begin
    for (int i = 0; i < 16; i++) begin
      slot[8*i+:8] = (beat_data_i[8*i+:8] & {8{keep[i]}}) | {mark[i], 7'd0};
    end
  end

  // The number of bytes of a beat that is not full.
  always_comb begin
    partial = '0;
    for (int i = 0; i < 15; i++) partial += 4'(keep[i]);
  end
  assign length_low = {total_q[60:4], ends ? partial : total_q[3:0], 3'd0};

  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      word_o[r] = '0;
      if (wide) begin
        for (int i = 0; i < 8; i++) begin
          word_o[r][63-8*i-:8] = slot[7'(64 * 32'(word_index_i[0] ^ (r != 0)) + 8 * i)+:8];
        end
      end else begin
        for (int i = 0; i < 4; i++) begin
          word_o[r][63-8*i-:8] = slot[{word_index_i[1:0] | 2'(r), 5'(8 * i)}+:8];
        end
      end
      if (close_o & ((word_index_i | 4'(r)) == 4'd15)) begin
        word_o[r] |= wide ? length_low : {length_low[31:0], 32'd0};
      end
      if (close_o & ((word_index_i | 4'(r)) == 4'd14)) begin
        word_o[r] |= wide ? 64'(total_q[63:61]) : {length_low[63:32], 32'd0};
      end
    end
  end

  always_comb begin
    ended_d  = ended_q;
    marked_d = marked_q;
    total_d  = total_q;
    if (fire & beat_end_o) begin
      ended_d  = ended_q | beat_last_i;
      marked_d = marked_q | marks;
      if (!ended_q) begin
        if (beat_keep_i[15]) total_d[63:4] = total_q[63:4] + 60'd1;
        else                 total_d[3:0]  = partial;
      end
    end
    if (begin_i) begin
      ended_d  = empty_i;
      marked_d = 1'b0;
    end
    if (total_load_i) total_d = total_i;
  end

  // Every job begins with writing them.
  logic unused_detected;
  cry_reg_tmr #(
    .Width(66), .EnReset(Control != ProtectNone), .Protect(Control)
  ) u_progress (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({ended_d, marked_d, total_d}),
    .inject_i   (1'b0),
    .q_o        ({ended_q, marked_q, total_q}),
    .corrected_o,
    .detected_o (unused_detected)
  );

  assign total_o = total_q;

endmodule
