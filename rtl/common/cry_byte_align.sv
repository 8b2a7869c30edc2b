// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Turns the bytes of a beat to their places in the word of memory that is being filled.
//
// The beat's first unwritten byte (skip_i) goes to byte at_i; bytes that pass byte 15 come round to
// byte 0 of the next word. If the piece of memory ends (bound_i), at most left_i bytes are taken.
//
// Latency: none, combinational. No state.
module cry_byte_align (
  input  logic [127:0] data_i,      // the beat, its first byte in bits 7:0
  input  logic [15:0]  keep_i,      // its valid bytes, from byte 0 on without a gap
  input  logic [3:0]   skip_i,      // bytes of it that are written already: fewer than are valid
  input  logic [3:0]   at_i,        // byte of the word where the next one goes
  input  logic         bound_i,     // the piece of memory ends
  input  logic [31:0]  left_i,      // with bound_i: in so many bytes
  input  logic [127:0] part_i,      // the word so far
  input  logic [15:0]  strb_i,      // its valid bytes

  output logic [4:0]   present_o,   // bytes of the beat that are not written
  output logic [4:0]   count_o,     // of these, bytes that are taken now
  output logic [4:0]   sum_o,       // byte of the word behind them; above 16: of the next one
  output logic         consumed_o,  // they are all that is left of the beat
  output logic         filled_o,    // they end the piece of memory
  output logic [127:0] turned_o,    // the beat, turned: what the next word begins with
  output logic [127:0] merged_o,    // the word with them
  output logic [15:0]  strb_o       // its valid bytes
);

  logic [4:0] given;
  logic [3:0] turn;

  always_comb begin
    given = '0;
    for (int unsigned i = 0; i < 16; i++) given = given + 5'(keep_i[i]);
  end

  assign present_o  = given - 5'(skip_i);
  assign count_o    = (bound_i && (left_i < 32'(present_o))) ? left_i[4:0] : present_o;
  assign sum_o      = 5'(at_i) + count_o;
  assign consumed_o = count_o == present_o;
  assign filled_o   = bound_i && (left_i == 32'(count_o));

  assign turn = at_i - skip_i;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      turned_o[8*i+:8] = 8'(data_i >> {4'(i) - turn, 3'd0});
      merged_o[8*i+:8] = strb_i[i] ? part_i[8*i+:8] : turned_o[8*i+:8];
      strb_o[i]        = strb_i[i] || ((5'(i) >= 5'(at_i)) && (5'(i) < sum_o));
    end
  end

endmodule
