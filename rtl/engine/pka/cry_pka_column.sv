// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sums up the products of each column of a result, and what Montgomery's reduction adds to it.
//
// Each limb of the lower row, when it is final, has a quotient q: q p makes it zero, and what is
// left goes to columns above (cry_pka_quotient). What goes to the next one is added at its start;
// the others are made a column ahead (ahead_q).
module cry_pka_column
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter  int unsigned RowBits   = 256,  // bits of a row: 256, 384, 512 or 576
  localparam int unsigned Limbs     = RowBits / LimbBits,
  localparam int unsigned NextRows  = next_rows(RowBits),
  localparam int unsigned AheadBits = ahead_bits(RowBits)
) (
  input  logic        clk_i,    // clock
  input  logic        wipe_i,   // with inputs of zero, makes all registers zero
  input  tag_t        tag_i,    // of the product
  input  sum_t        sum_i,    // the product is the sum of both
  input  sum_t        carry_i,  // the other number
  input  logic [Limbs-1:0][63:0] limbs_i,  // the limbs before the last one, by number modulo Limbs

  output sum_t column_o,  // the column; its lower 64 bits are the limb, when final
  output logic signed [AheadBits-1:0] ahead_o  // what is to be added to the next one
);

  typedef logic signed [AheadBits-1:0] ahead_t;

  sum_t                column_q, column_d, above, base, ahead;
  sum_t [NextRows-1:0] direct;
  ahead_t              ahead_q, ahead_d;
  logic                start, mont;

  assign column_o = column_q;
  // Behind the last column of rows of 512 and 576 bits there is nothing to be added.
  if (RowBits == 512 || RowBits == 576) begin : gen_none
    assign ahead_o = '0;
  end else begin : gen_ahead
    assign ahead_o = ahead_q;
  end
  assign start    = tag_i.valid & tag_i.start;
  assign mont     = start & (tag_i.reduce == ReduceMont);

  // At the start of column k the last limb is k - 1, which stands in column_q.
  assign ahead  = (mont & (tag_i.column != '0)) ? sum_t'(ahead_q) : '0;
  if (RowBits == 576) begin : gen_positive
    assign above = column_q >> 64;
  end else begin : gen_signed
    assign above = column_q >>> 64;
  end
  assign base   = wipe_i ? '0 : !start ? column_q : (tag_i.column == '0) ? '0 : above;

  sum_t sum, carry;
  logic unused_carry;

  cry_pka_compress #(.Rows(4 + NextRows), .Width(SumBits)) u_tree (
    .rows_i({base, sum_i, carry_i, direct, ahead}), .sum_o(sum), .carry_o(carry)
  );

  cry_pka_adder #(.Width(SumBits)) u_sum (
    .a_i(sum), .b_i(carry), .carry_i(1'b0), .sum_o(column_d), .carry_o(unused_carry)
  );

  cry_pka_quotient #(.RowBits(RowBits)) u_quotient (
    .mont_i(mont), .column_i(tag_i.column), .last_i(column_q[63:0]), .limbs_i,
    .next_o(direct), .ahead_o(ahead_d)
  );

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    if (tag_i.valid | wipe_i) column_q <= column_d;
    if (start | wipe_i)       ahead_q  <= ahead_d;
  end

  logic unused;
  assign unused = ^{tag_i.last, tag_i.single, unused_carry};

endmodule
