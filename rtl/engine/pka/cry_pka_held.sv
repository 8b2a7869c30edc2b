// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Numbers that are held: b and v, which OpGcd and OpCof take in the place of a second row, and what
// the last OpGcd found. One step of an inverse is one of each: the ALU makes their sums
// (cry_pka_alu), and halves them. By OpPick, b becomes one entry of a table that is read whole.
module cry_pka_held #(
  parameter int unsigned RowBits = 256  // bits of a row
) (
  input  logic               clk_i,    // clock
  input  logic               rst_ni,   // asynchronous reset
  input  logic               wipe_i,   // all is zero after a cycle of it with a row of zero

  // What is carried out, one at most
  input  logic               hold_i,   // OpHold
  input  logic               pick_i,   // OpPick, of two entries of which one is to be picked
  input  logic               second_i, // which
  input  logic               gcd_i,    // OpGcd
  input  logic               cof_i,    // OpCof

  input  logic [RowBits-1:0] row_i,    // its row a
  input  logic [RowBits-1:0] next_i,   // its row b
  input  logic               borrow_i, // of the difference of the operands, the row being the first

  // For OpGcd and OpCof: what the row's difference is with, and of OpCof that it is odd, and is
  // meant the other way round
  output logic [RowBits-1:0] other_o,
  output logic               odd_o,
  output logic               less_o,

  output logic [RowBits-1:0] held_o  // b
);

  logic [RowBits-1:0] held_q, cofactor_q;
  logic               odd_q, taken_q, take;

  assign take = row_i[0] & borrow_i;

  // Of OpGcd with an even row nobody asks for the difference.
  assign other_o = !cof_i ? held_q : cofactor_q & {RowBits{odd_q}};
  assign odd_o   = row_i[0] ^ (odd_q & cofactor_q[0]);
  assign less_o  = cof_i & taken_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      odd_q   <= 1'b0;
      taken_q <= 1'b0;
    end else if (wipe_i) begin
      odd_q   <= 1'b0;
      taken_q <= 1'b0;
    end else if (gcd_i) begin
      odd_q   <= row_i[0];
      taken_q <= take;
    end
  end

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    if (wipe_i | hold_i | pick_i | (gcd_i & take)) held_q <= (pick_i & second_i) ? next_i : row_i;
    if (wipe_i | (cof_i & taken_q)) cofactor_q <= row_i;
  end

  assign held_o = held_q;

endmodule
