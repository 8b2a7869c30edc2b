// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Packs pieces of up to 16 bytes densely into the lanes of a block, at any byte position.
//
// A piece is offered with item_valid_i and is used up in the cycle in which item_done_o is high;
// it stays the same until then. What is written is to be ORed to lanes that begin as zero. A piece
// that begins at a lane takes one cycle, or two where it is divided between blocks; others take a
// cycle for every lane that they touch.
//
// write_o: lanes that are written in this cycle; even_o and odd_o: what lanes of even and of odd
// number get. block_o: the last lane of the block was filled in this cycle, or item_close_i said
// that the block ends with this piece. clear_i goes back to the block's begin.
module cry_keccak_feed
  import cry_keccak_pkg::*;
#(
  // ProtectCorrect: the position is a cry_reg_tmr; or ProtectNone
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,  // goes back to the begin of a block
  input  logic [4:0]          lanes_i,  // of the block

  input  logic                item_valid_i,  // a piece is offered; stable until item_done_o
  input  logic [127:0]        item_i,        // zero beyond its bytes
  input  logic [4:0]          item_bytes_i,  // 1 to 16
  input  logic                item_close_i,  // the block ends with this piece
  output logic                item_done_o,   // the piece is consumed in this cycle

  input  logic                ready_i,  // lanes can be written
  output logic [CtxLanes-1:0] write_o,  // lanes written in this cycle, one bit each
  output lane_t               even_o,   // value for lanes of even number
  output lane_t               odd_o,    // value for lanes of odd number
  output logic                block_o,  // the block is complete with what is written in this cycle

  output logic                corrected_o  // an upset of the position was corrected
);

  logic [4:0] lane_q, lane_d;      // the lane that the next byte goes to
  logic [2:0] offset_q, offset_d;  // its byte
  logic [1:0] step_q, step_d;      // lanes that this piece has filled

  logic       write, pair, wrap;
  logic [4:0] total, after;
  logic [1:0] filled;
  lane_t      upper, lower, lane;
  logic [127:0] shifted;

  assign write  = item_valid_i & ready_i & !clear_i;
  assign pair   = (offset_q == '0) & (step_q == '0) & (lane_q != lanes_i - 5'd1);
  assign total  = 5'(offset_q) + item_bytes_i;
  assign filled = pair ? total[4:3] : 2'(total[4:3] > step_q);
  assign after  = lane_q + 5'(filled);
  assign wrap   = after == lanes_i;

  assign item_done_o = write & (pair | (total <= {step_q + 2'd1, 3'd0}));
  assign block_o     = write & (wrap | (item_done_o & item_close_i));

  // The lane that is reached, out of two neighbours in the piece.
  always_comb begin
    unique case (step_q)
      2'd0:    {upper, lower} = {item_i[63:0], 64'd0};
      2'd1:    {upper, lower} = item_i;
      default: {upper, lower} = {64'd0, item_i[127:64]};
    endcase
  end
  assign shifted = {upper, lower} << {offset_q, 3'b000};
  assign lane    = shifted[127:64];
  logic unused_shifted;
  assign unused_shifted = ^shifted[63:0];

  assign even_o = lane_q[0] ? item_i[127:64] : lane;
  assign odd_o  = lane_q[0] ? lane : item_i[127:64];
  assign write_o = CtxLanes'({pair & write, write}) << lane_q;

  always_comb begin
    lane_d   = lane_q;
    offset_d = offset_q;
    step_d   = step_q;
    if (write) begin
      lane_d = block_o ? '0 : after;
      step_d = step_q + 2'd1;
      if (item_done_o) begin
        step_d   = '0;
        offset_d = item_close_i ? '0 : total[2:0];
      end
    end
    if (clear_i) {lane_d, offset_d, step_d} = '0;
  end

  logic unused_detected;
  cry_reg_tmr #(
    .Width(10), .Protect(Protect)
  ) u_position (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({lane_d, offset_d, step_d}),
    .inject_i   (1'b0),
    .q_o        ({lane_q, offset_q, step_q}),
    .corrected_o,
    .detected_o (unused_detected)
  );

endmodule
