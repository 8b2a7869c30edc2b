// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Turns the bytes of a beat to their place in the word of memory that is being filled.
//
// The beat's first unwritten byte (skip_i) goes to byte pos_i.at; bytes that pass byte 15 come
// round to byte 0 of the next word. At most pos_i.left bytes are taken if the segment is bound.
//
// Latency: none, combinational. No state.
module cry_tile_lane_align
  import cry_tile_lane_pkg::*;
(
  input  cry_engine_pkg::beat_t beat_i,  // from the engine; `keep` has its valid bytes, from byte 0
  input  logic [3:0]   skip_i,      // bytes of it that are written already
  input  position_t    pos_i,       // of its next byte
  input  logic [127:0] part_i,      // the word so far
  input  logic [15:0]  strb_i,      // its valid bytes

  output logic [4:0]   count_o,     // bytes that go to the segment now: 0 to 16
  output logic [4:0]   sum_o,       // byte in the word behind them; above 16: of the next one
  output logic         consumed_o,  // they are all that is left of the beat
  output logic         filled_o,    // they fill the bound segment
  output logic [127:0] turned_o,    // the beat, turned: what the next word begins with
  output logic [127:0] merged_o,    // the word with them
  output logic [15:0]  strb_o       // its valid bytes
);

  logic [4:0] present;
  logic [3:0] turn;

  always_comb begin
    present = '0;
    for (int unsigned i = 0; i < 16; i++) present = present + 5'(beat_i.keep[i]);
    present = present - 5'(skip_i);
  end

  assign count_o    = (pos_i.bound && (pos_i.left < 32'(present))) ? pos_i.left[4:0] : present;
  assign sum_o      = 5'(pos_i.at) + count_o;
  assign consumed_o = count_o == present;
  assign filled_o   = pos_i.bound && (pos_i.left == 32'(count_o));

  assign turn = pos_i.at - skip_i;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      turned_o[8*i+:8] = 8'(beat_i.data >> {4'(i) - turn, 3'd0});
      merged_o[8*i+:8] = strb_i[i] ? part_i[8*i+:8] : turned_o[8*i+:8];
      strb_o[i]        = strb_i[i] || ((5'(i) >= 5'(pos_i.at)) && (5'(i) < sum_o));
    end
  end

  logic unused;
  assign unused = ^{beat_i.kind, beat_i.last, pos_i.word_addr};

endmodule
