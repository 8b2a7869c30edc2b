// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What is to be done with a sum of products when it is complete, but for the ALU's step: the upper
// row is folded onto the lower one, or the last quotients of Montgomery's reduction are added. A
// square has left two limbs of its lower row in the sum, others one.
module cry_pka_fast_rest
  import cry_pka_pkg::*;
(
  input  logic  clk_i,   // clock
  input  step_t step_i,  // of the last products; what is made of others nobody takes
  input  logic [FastSumBits-1:0] total_i,  // the sum
  input  logic [2:0][63:0]       limbs_i,  // the limbs that left it

  output logic [255:0] low_o,   // the lower row as it is; combinational
  output logic [255:0] rest_o,  // in the next cycle: the result, or the upper row
  output logic [5:0]   top_o    // what that has above 2^256
);

  localparam int unsigned Width = 262;
  typedef logic [Width-1:0] wide_t;

  logic         fold, mont, two, carried;
  logic [255:0] low;
  wide_t        high, sum, carry, rest_q, rest_d;
  wide_t [3:0]  rows;
  logic [63:0]  below, q;  // quotients, of the last limb and of the one before
  logic         unused_carry;

  assign fold = step_i.reduce == ReduceFold;
  assign mont = step_i.reduce == ReduceMont;
  assign two  = step_i.square;

  always_comb begin
    low  = {total_i[63:0], limbs_i};
    high = wide_t'(total_i >> 64);
    if (two) begin
      low  = {total_i[127:0], limbs_i[2:1]};
      high = wide_t'(total_i >> 128);
    end
    if (step_i.single) begin
      low  = total_i[255:0];
      high = wide_t'(total_i[319:256]);
    end
  end

  // The quotient of the limb before goes to the upper half of the last one with its lower half.
  logic [63:0] last;

  assign below = (mont & two) ? total_i[63:0] : '0;
  assign last  = !mont ? '0 : two ? total_i[127:64] : total_i[63:0];
  assign q[31:0] = last[31:0];

  cry_pka_adder #(.Width(32)) u_last (
    .a_i(last[63:32]), .b_i(below[31:0]), .carry_i(1'b0), .sum_o(q[63:32]), .carry_o(carried)
  );

  // Times 38; or q (2^192 - 2^160 + 2^128 + 2^32), and the same of the other one 64 bits lower.
  always_comb begin
    rows = {high, wide_t'(0), wide_t'(0), wide_t'(0)};
    if (fold) rows = {wide_t'(low), high << 5, high << 2, high << 1};
    if (mont) begin
      rows[2] = wide_t'({q, q, 32'd0, q, 31'd0, carried});
      rows[1] = wide_t'({below, below, 32'd0, below[63:32]});
      rows[0] = ~wide_t'({q, below, 96'd0});  // minus, with the carry into the sum
    end
  end

  cry_pka_compress #(.Rows(4), .Width(Width)) u_tree (
    .rows_i(rows), .sum_o(sum), .carry_o(carry)
  );

  cry_pka_adder #(.Width(Width)) u_sum (
    .a_i(sum), .b_i(carry), .carry_i(mont), .sum_o(rest_d), .carry_o(unused_carry)
  );

  // Without reset: what is wiped before follows it.
  always_ff @(posedge clk_i) begin
    rest_q <= rest_d;
  end

  assign low_o  = low;
  assign rest_o = rest_q[255:0];
  assign top_o  = rest_q[Width-1:256];

  logic unused;
  assign unused = ^{step_i.valid, step_i.first, step_i.last, unused_carry};

endmodule
