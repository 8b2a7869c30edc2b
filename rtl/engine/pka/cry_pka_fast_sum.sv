// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sums up the products of a multiplication, and what Montgomery's reduction adds to them. With each
// step the sum moves down by a limb: what leaves it is final, and so is its quotient q by P-256's
// prime p, which is that limb itself: q p makes it zero, and q (p + 1) / 2^64, which is q 2^192 -
// q 2^160 + q 2^128 + q 2^32, is added with the next step. The sum is never negative.
module cry_pka_fast_sum
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
(
  input  logic                 clk_i,    // clock
  input  logic                 wipe_i,   // with inputs of zero, makes all registers zero
  input  step_t                step_i,   // of the products
  input  sum_t [FastLanes-1:0] sum_i,    // the product of a lane is the sum of both, less BoothBias
  input  sum_t [FastLanes-1:0] carry_i,  // the other number

  output logic [FastSumBits-1:0] total_o,  // the sum behind the last step
  output logic [2:0][63:0]       limbs_o   // the limbs that left it, the last one highest
);

  typedef logic [FastSumBits-1:0] total_t;

  // The biases of all lanes are taken off; lane 0 is 256 bits up in the last step of a square.
  function automatic total_t biases(logic raised);
    total_t value;
    value = total_t'(BoothBias) << (raised ? 256 : 0);
    for (int unsigned i = 1; i < FastLanes; i++) value += total_t'(BoothBias) << (64 * i);
    return -value;
  endfunction

  localparam total_t Biases       = biases(1'b0);
  localparam total_t BiasesRaised = biases(1'b1);

  total_t           total_q, total_d, base, add, subtract, sum, carry;
  logic [2:0][63:0] limbs_q;
  logic [63:0]      q;
  logic             next, raised, unused_carry;

  assign next   = step_i.valid & !step_i.first;
  assign raised = step_i.square & step_i.last;
  assign base   = next ? total_q >> 64 : '0;
  assign q      = (next & (step_i.reduce == ReduceMont)) ? total_q[63:0] : '0;

  // Minus x is not x and one more, which is the carry into the sum.
  assign add      = total_t'({q, q, 32'd0, q, 32'd0});
  assign subtract = ~(total_t'(q) << 160);

  // Lanes that do not overlap are one number.
  function automatic total_t [2:0] placed(sum_t [FastLanes-1:0] lane, logic up);
    total_t [2:0] value;
    value[0] = (total_t'(unsigned'(lane[3])) << 192) |
               (up ? '0 : total_t'(unsigned'(lane[0])));
    value[1] = (total_t'(unsigned'(lane[1])) << 64) |
               (up ? total_t'(unsigned'(lane[0])) << 256 : '0);
    value[2] = total_t'(unsigned'(lane[2])) << 128;
    return value;
  endfunction

  cry_pka_compress #(.Rows(10), .Width(FastSumBits)) u_tree (
    .rows_i({base, add, subtract, raised ? BiasesRaised : Biases, placed(sum_i, raised),
             placed(carry_i, raised)}),
    .sum_o(sum), .carry_o(carry)
  );

  cry_pka_adder #(.Width(FastSumBits)) u_sum (
    .a_i(sum), .b_i(carry), .carry_i(1'b1), .sum_o(total_d), .carry_o(unused_carry)
  );

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    if (step_i.valid | wipe_i) total_q <= total_d;
    if (next | wipe_i)         limbs_q <= {total_q[63:0], limbs_q[2:1]};
  end

  assign total_o = total_q;
  assign limbs_o = limbs_q;

  logic unused;
  assign unused = ^{step_i.single, unused_carry};

endmodule
