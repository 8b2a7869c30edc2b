// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Numbers that are held: b and v, which OpGcd and OpCof take in the place of a second row, and what
// the last OpGcd found. One step of an inverse is one of each: the ALU makes their sums
// (cry_pka_alu), and halves them. By OpPick, b becomes one entry of a table that is read whole.
module cry_pka_held
  import cry_pka_isa_pkg::*;
#(
  parameter int unsigned RowBits = 256  // bits of a row
) (
  input  logic               clk_i,    // clock
  input  logic               rst_ni,   // asynchronous reset
  input  logic               wipe_i,   // all is zero after a cycle of it with a row of zero
  input  logic               valid_i,  // an operation of the ALU, or beside it, is carried out
  input  logic [7:0]         op_i,     // its code
  input  logic [3:0]         entry_i,  // of OpPick: an even number
  input  logic [3:0]         digit_i,  // and which one is to be picked
  input  logic [RowBits-1:0] row_i,    // its row a
  input  logic [RowBits-1:0] next_i,   // its row b
  input  logic               borrow_i, // of the difference of the operands, the row being the first

  // Operands for OpGcd and OpCof: what is subtracted from what
  output logic [RowBits-1:0] a_o,
  output logic [RowBits-1:0] b_o,
  output logic               odd_o,  // their difference is

  output logic [RowBits-1:0] held_o  // b
);

  logic [RowBits-1:0] held_q, cofactor_q, kept;
  logic               odd_q, taken_q, hold, gcd, cof, pick, odd;

  assign hold = valid_i & (op_i == OpHold);
  assign gcd  = valid_i & (op_i == OpGcd);
  assign pick = valid_i & (op_i == OpPick) & (digit_i[3:1] == entry_i[3:1]);
  assign cof  = op_i == OpCof;

  // An even row is taken as it is.
  assign odd   = cof ? odd_q : row_i[0];
  assign kept  = (cof ? cofactor_q : held_q) & {RowBits{odd}};
  assign a_o   = (cof & taken_q) ? kept : row_i;
  assign b_o   = (cof & taken_q) ? row_i : kept;
  assign odd_o = row_i[0] ^ (odd_q & cofactor_q[0]);  // of OpCof: nobody asks for that of OpGcd

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      odd_q   <= 1'b0;
      taken_q <= 1'b0;
    end else if (wipe_i) begin
      odd_q   <= 1'b0;
      taken_q <= 1'b0;
    end else if (gcd) begin
      odd_q   <= odd;
      taken_q <= borrow_i;
    end
  end

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    if (wipe_i | hold | pick | (gcd & borrow_i)) held_q     <= (pick & digit_i[0]) ? next_i : row_i;
    if (wipe_i | (valid_i & cof & taken_q))      cofactor_q <= row_i;
  end

  assign held_o = held_q;

  logic unused;
  assign unused = entry_i[0];

endmodule
