// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sums up the products of each column of a result, and what Montgomery's reduction adds to it.
//
// Modulo P-256's prime p a limb q of the lower four, when it is final, is itself the quotient, as
// -1 / p mod 2^64 is 1: with q p = q (2^256 - 2^224 + 2^192 + 2^96 - 1) it becomes zero, and what
// is left goes to the four columns above. In 64 bits, with q = 2^32 h + l:
//   to the next one      2^32 l
//   to the second        h
//   to the third         q - 2^32 l
//   to the fourth        q - h
// The first is added at the start of the column; the others are made a column ahead (ahead_q).
module cry_pka_column
  import cry_pka_pkg::*;
(
  input  logic        clk_i,    // clock
  input  logic        wipe_i,   // with inputs of zero, makes all registers zero
  input  tag_t        tag_i,    // of the product
  input  sum_t        sum_i,    // the product is the sum of both
  input  sum_t        carry_i,  // the other number
  input  logic [3:0][63:0] limbs_i,  // the limbs before the last one, by number modulo 4

  output sum_t               column_o,  // the column; its lower 64 bits are the limb, when final
  output logic signed [66:0] ahead_o    // what is to be added to the next one
);

  typedef logic signed [66:0] ahead_t;

  sum_t   column_q, column_d, above, base, direct, ahead;
  ahead_t ahead_q, ahead_d;
  logic [31:0] second;
  logic [63:0] third, fourth;  // the quotients, or zero
  logic   start, mont;
  logic [1:0]  at_third, at_fourth;
  logic [63:0] q3, q4;

  assign column_o = column_q;
  assign ahead_o  = ahead_q;
  assign start    = tag_i.valid & tag_i.start;
  assign mont     = start & (tag_i.reduce == ReduceMont);

  // At the start of column k the last limb is k - 1, which stands in column_q. Only limbs 0 to 3
  // are quotients.
  assign direct = (mont & (tag_i.column inside {[3'd1:3'd4]}))
                  ? sum_t'({column_q[31:0], 32'd0}) : '0;
  assign ahead  = (mont & (tag_i.column != '0)) ? sum_t'(ahead_q) : '0;
  assign above  = column_q >>> 64;
  assign base   = wipe_i ? '0 : !start ? column_q : (tag_i.column == '0) ? '0 : above;

  sum_t sum, carry;
  logic unused_carry;

  cry_pka_compress #(.Rows(5), .Width(SumBits)) u_tree (
    .rows_i({base, sum_i, carry_i, direct, ahead}), .sum_o(sum), .carry_o(carry)
  );

  cry_pka_adder #(.Width(SumBits)) u_sum (
    .a_i(sum), .b_i(carry), .carry_i(1'b0), .sum_o(column_d), .carry_o(unused_carry)
  );

  // For column k + 1.
  assign at_third  = tag_i.column[1:0] - 2'd2;
  assign at_fourth = tag_i.column[1:0] - 2'd3;
  assign q3        = limbs_i[at_third];
  assign q4        = limbs_i[at_fourth];
  assign second = (mont & (tag_i.column inside {[3'd1:3'd4]})) ? column_q[63:32] : '0;
  assign third  = (mont & (tag_i.column inside {[3'd2:3'd5]})) ? q3 : '0;
  assign fourth = (mont & (tag_i.column inside {[3'd3:3'd6]})) ? q4 : '0;

  ahead_t ahead_sum, ahead_carry;
  logic   unused_ahead;

  // Minus x is not x and one more.
  cry_pka_compress #(.Rows(6), .Width(67)) u_ahead_tree (
    .rows_i({67'(second), 67'(third), ~67'({third[31:0], 32'd0}), 67'(fourth),
             ~67'(fourth[63:32]), 67'd2}),
    .sum_o(ahead_sum), .carry_o(ahead_carry)
  );

  cry_pka_adder #(.Width(67)) u_ahead (
    .a_i(ahead_sum), .b_i(ahead_carry), .carry_i(1'b0), .sum_o(ahead_d), .carry_o(unused_ahead)
  );

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    if (tag_i.valid | wipe_i) column_q <= column_d;
    if (start | wipe_i)       ahead_q  <= ahead_d;
  end

  logic unused;
  assign unused = ^{tag_i.last, tag_i.single, unused_carry, unused_ahead};

endmodule
