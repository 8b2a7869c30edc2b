// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// The multiplier `fast`: four lanes of 64 x 64 bits, rows of 256. Of a multiplication that starts
// in cycle t the products are selected in t + 1 to t + n, n being 4, for a square 3, for one limb
// 1; the result is given to the ALU, which does the last step of the reduction, in t + n + 4.
// Between are a cycle each for three times a limb, the rows of the products, their sum, and what is
// folded or is left of Montgomery's reduction.
module cry_pka_fast_mul
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
(
  input  logic    clk_i,     // clock
  input  logic    rst_ni,    // asynchronous reset
  input  logic    wipe_i,    // stops; all is zero after six cycles of it with rows of zero
  input  logic    start_i,   // a multiplication begins; only with ready_o
  input  shape_e  shape_i,   // its products
  input  reduce_e reduce_i,  // its reduction
  output logic    ready_o,   // one can begin
  input  logic [255:0] a_i,  // its rows, in the cycle behind start_i
  input  logic [255:0] b_i,  // likewise

  output logic low_o,     // the lower row of a product that is not reduced comes in the next cycle
  output logic ending_o,  // the result, or the upper row, comes in the next cycle

  output logic         valid_o,   // either comes
  output logic [255:0] a_o,       // operands of the ALU: their sum is the result, if modular_o is
  output logic [255:0] b_o,       // low, else it is that modulo the modulus
  output logic         over_o,    // 2^256 is to be added to a
  output logic         modular_o  // see a_o
);

  // Stages, by number of registers before them: limbs, products, sum, rest, result.
  step_t step, step1_q, step2_q, step3_q;

  logic [FastLanes-1:0][64:0] a, a_q;
  logic [FastLanes-1:0][66:0] triple, triple_q;
  logic [FastLanes-1:0]       unused_carry;
  logic [FastLanes-1:0][63:0] b, b_q;
  sum_t [FastLanes-1:0]       sum, sum_q, carry, carry_q;

  cry_pka_fast_select u_select (
    .clk_i, .rst_ni, .wipe_i, .start_i, .shape_i, .reduce_i, .ready_o, .a_i, .b_i,
    .a_o(a), .b_o(b), .step_o(step)
  );

  for (genvar i = 0; i < FastLanes; i++) begin : gen_lane
    cry_pka_adder #(.Width(67)) u_triple (
      .a_i(67'(a[i])), .b_i({1'b0, a[i], 1'b0}), .carry_i(1'b0),
      .sum_o(triple[i]), .carry_o(unused_carry[i])
    );

    cry_pka_booth #(.Exact(1'b1)) u_booth (
      .a_i(a_q[i]), .triple_i(triple_q[i]), .b_i(b_q[i]), .sum_o(sum[i]), .carry_o(carry[i])
    );
  end

  logic [FastSumBits-1:0] total;
  logic [2:0][63:0]       limbs;

  cry_pka_fast_sum u_sum (
    .clk_i, .wipe_i, .step_i(step2_q), .sum_i(sum_q), .carry_i(carry_q),
    .total_o(total), .limbs_o(limbs)
  );

  logic [255:0] low, rest;
  logic [5:0]   top;

  cry_pka_fast_rest u_rest (
    .clk_i, .step_i(step3_q), .total_i(total), .limbs_i(limbs),
    .low_o(low), .rest_o(rest), .top_o(top)
  );

  assign low_o    = step2_q.valid & step2_q.last & (step2_q.reduce == ReduceNone);
  assign ending_o = step3_q.valid & step3_q.last;

  logic    low_q, valid_q, single_q;
  reduce_e reduce_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step1_q  <= '0;
      step2_q  <= '0;
      step3_q  <= '0;
      low_q    <= 1'b0;
      valid_q  <= 1'b0;
      single_q <= 1'b0;
      reduce_q <= ReduceNone;
    end else begin
      step1_q  <= wipe_i ? '0 : step;
      step2_q  <= wipe_i ? '0 : step1_q;
      step3_q  <= wipe_i ? '0 : step2_q;
      low_q    <= low_o & !wipe_i;
      valid_q  <= (low_o | ending_o) & !wipe_i;
      single_q <= step3_q.single;
      reduce_q <= ending_o ? step3_q.reduce : ReduceNone;
    end
  end

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    a_q      <= a;
    triple_q <= triple;
    b_q      <= b;
    sum_q    <= sum;
    carry_q  <= carry;
  end

  // The lower row of a product is there a cycle before the upper one.
  assign valid_o   = valid_q;
  assign a_o       = low_q ? low : rest;
  assign modular_o = reduce_q != ReduceNone;
  assign over_o    = ((reduce_q == ReduceMont) | single_q) & top[0];

  // What a product has above 2^256 when it has been folded once is folded once more.
  assign b_o = ((reduce_q == ReduceFold) & !single_q) ? 256'(12'd38 * 12'(top)) : '0;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(OneComes_A, !(low_o & ending_o))

  logic unused;
  assign unused = ^unused_carry;

endmodule
