// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The multiplier: 64 x 64 bits in each cycle. Of a multiplication of n products that starts in
// cycle t limbs are selected in t + 1 to t + n, and the result is given to the ALU, which does the
// last step of the reduction, in t + n + 4. Between are a cycle each for three times a limb, the
// rows of the product, the sum of its column, and what is carried and folded at the top.
module cry_pka_mul
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits = 256  // bits of a row: 256, 384, 512 or 576
) (
  input  logic    clk_i,     // clock
  input  logic    rst_ni,    // asynchronous reset
  input  logic    wipe_i,    // stops; all is zero after six cycles of it with rows of zero
  input  logic    start_i,   // a multiplication begins; only with ready_o
  input  shape_e  shape_i,   // its products
  input  reduce_e reduce_i,  // its reduction
  output logic    ready_o,   // one can begin
  input  logic [RowBits-1:0] a_i,  // its rows, in the cycle behind start_i
  input  logic [RowBits-1:0] b_i,  // likewise

  output logic low_o,     // the lower row of a product that is not reduced comes in the next cycle
  output logic ending_o,  // the result, or the upper row, comes in the next cycle

  output logic               valid_o,   // either comes
  output logic [RowBits-1:0] a_o,       // operands of the ALU: their sum is the result, if
  output logic [RowBits-1:0] b_o,       // modular_o is low, else it is that modulo the modulus
  output logic               over_o,    // 2^RowBits is to be added to a
  output logic               modular_o  // see a_o
);

  localparam int unsigned Limbs = RowBits / LimbBits;

  // Stages, by number of registers before them: limbs, product, column, result.
  tag_t tag, tag1_q, tag2_q, tag3_q;

  logic [64:0] a, a_q;
  logic [66:0] triple, triple_q;
  logic        unused_carry;
  logic [63:0] b, b_q;
  sum_t        sum, sum_q, carry, carry_q, column;
  logic signed [ahead_bits(RowBits)-1:0] ahead;
  logic [5:0]  top;
  logic        valid_q, single_q;
  reduce_e     reduce_q;

  cry_pka_select #(.RowBits(RowBits)) u_select (
    .clk_i, .rst_ni, .wipe_i, .start_i, .shape_i, .reduce_i, .ready_o, .a_i, .b_i,
    .a_o(a), .b_o(b), .tag_o(tag)
  );

  cry_pka_adder #(.Width(67)) u_triple (
    .a_i(67'(a)), .b_i({1'b0, a, 1'b0}), .carry_i(1'b0), .sum_o(triple), .carry_o(unused_carry)
  );

  cry_pka_booth u_booth (
    .a_i(a_q), .triple_i(triple_q), .b_i(b_q), .sum_o(sum), .carry_o(carry)
  );

  logic [Limbs-1:0][63:0] limbs;

  cry_pka_column #(.RowBits(RowBits)) u_column (
    .clk_i, .wipe_i, .tag_i(tag2_q), .sum_i(sum_q), .carry_i(carry_q), .limbs_i(limbs),
    .column_o(column), .ahead_o(ahead)
  );

  cry_pka_limbs #(.RowBits(RowBits)) u_limbs (
    .clk_i, .wipe_i, .tag_i(tag2_q), .done_i(tag3_q), .column_i(column), .ahead_i(ahead),
    .limbs_o(limbs), .carry_o(top)
  );

  assign low_o    = tag2_q.valid & tag2_q.start & (tag2_q.column == 4'(Limbs)) &
                    (tag2_q.reduce == ReduceNone);
  assign ending_o = tag3_q.valid & tag3_q.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tag1_q   <= '0;
      tag2_q   <= '0;
      tag3_q   <= '0;
      valid_q  <= 1'b0;
      single_q <= 1'b0;
      reduce_q <= ReduceNone;
    end else begin
      tag1_q   <= wipe_i ? '0 : tag;
      tag2_q   <= wipe_i ? '0 : tag1_q;
      tag3_q   <= wipe_i ? '0 : tag2_q;
      valid_q  <= (low_o | ending_o) & !wipe_i;
      single_q <= tag3_q.single;
      reduce_q <= ending_o ? tag3_q.reduce : ReduceNone;
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

  assign valid_o   = valid_q;
  assign a_o       = limbs;
  assign modular_o = reduce_q != ReduceNone;
  assign over_o    = (reduce_q == ReduceMont) & top[0];

  // The carry out of a row is folded once more, that of limb 0 stands above it.
  always_comb begin
    b_o = '0;
    if (reduce_q == ReduceFold) begin
      if (single_q) b_o[69:64] = top;
      else          b_o[11:0]  = 12'd38 * 12'(top);
    end
  end

  logic unused;
  assign unused = unused_carry;

endmodule
