// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What Montgomery's reduction adds to the columns of a product, combinational. A limb of the lower
// row, when it is final, has the quotient q = -limb / p mod 2^64: with q p it becomes zero, and
// what is left goes to columns above. In 64 bits, with limb = 2^32 h + l:
//
// P-256, p = 2^256 - 2^224 + 2^192 + 2^96 - 1; q is the limb
//   to the next one      2^32 l
//   to the second        h
//   to the third         q - 2^32 l
//   to the fourth        q - h
// P-384, p = 2^384 - 2^128 - 2^96 + 2^32 - 1; q is the limb times 2^32 + 1: 2^32 g + l, g = h + l
// without its carry c
//   to the next one      g + c - 2^32 l
//   to the second        - q - g
//   to the sixth         q
// P-521, p = 2^521 - 1; q is the limb
//   to the eighth        2^9 q
// With rows of 512 bits there is no such reduction.
module cry_pka_quotient
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter  int unsigned RowBits   = 256,  // bits of a row: 256, 384, 512 or 576
  localparam int unsigned Limbs     = RowBits / LimbBits,
  localparam int unsigned NextRows  = next_rows(RowBits),
  localparam int unsigned AheadBits = ahead_bits(RowBits)
) (
  input  logic                   mont_i,    // a column begins, and the reduction is Montgomery's
  input  logic [3:0]             column_i,  // its number k
  input  logic [63:0]            last_i,    // limb k - 1
  input  logic [Limbs-1:0][63:0] limbs_i,   // the limbs before it, by number modulo Limbs

  output sum_t [NextRows-1:0]         next_o,  // to column k: their sum
  output logic signed [AheadBits-1:0] ahead_o  // to column k + 1
);

  typedef logic [$clog2(Limbs)-1:0]    index_t;
  typedef logic signed [AheadBits-1:0] ahead_t;

  localparam int unsigned AheadRows = (RowBits == 256) ? 6 : (RowBits == 384) ? 5 : 3;

  // Whether limb k - back is one of the lower row. Its quotient is zero if it is not.
  function automatic logic lower(logic [3:0] column, logic [3:0] back);
    return (column - back) < 4'(Limbs);  // columns below go round, and are larger
  endfunction

  function automatic index_t at(logic [3:0] column, logic [3:0] back);
    return index_t'(column - back);
  endfunction

  ahead_t                 sum, carry;
  ahead_t [AheadRows-1:0] rows;
  logic [63:0]            last;
  logic                   unused_carry;

  assign last = (mont_i & lower(column_i, 4'd1)) ? last_i : '0;

  if (RowBits == 256) begin : gen_p256
    logic [63:0] third, fourth;
    assign third  = (mont_i & lower(column_i, 4'd2)) ? limbs_i[at(column_i, 4'd2)] : '0;
    assign fourth = (mont_i & lower(column_i, 4'd3)) ? limbs_i[at(column_i, 4'd3)] : '0;
    assign next_o = sum_t'({last[31:0], 32'd0});
    // Minus x is not x and one more.
    assign rows   = {67'(last[63:32]), 67'(third), ~67'({third[31:0], 32'd0}), 67'(fourth),
                     ~67'(fourth[63:32]), 67'd2};
  end else if (RowBits == 384) begin : gen_p384
    logic        c;
    logic [31:0] g, round, next;  // round: g + 1
    logic [63:0] sixth;
    logic [SumBits-33:0] minus;  // - l - 1
    assign {c, g} = {1'b0, last[63:32]} + {1'b0, last[31:0]};
    assign round  = last[63:32] + last[31:0] + 32'd1;
    assign next   = c ? round : g;
    assign sixth  = (mont_i & lower(column_i, 4'd5)) ? limbs_i[at(column_i, 4'd5)] : '0;
    assign minus  = ~(SumBits-32)'(last[31:0]);
    assign next_o = {minus, next, sum_t'(1) << 32};
    assign rows   = {~67'({g, last[31:0]}), ~67'(g), 67'd2, 67'(sixth[31:0]),
                     67'({sixth[63:32] + sixth[31:0], 32'd0})};
  end else if (RowBits == 512) begin : gen_none
    logic unused_limbs;
    assign next_o = '0;
    assign rows   = '0;
    assign unused_limbs = ^{last, limbs_i, column_i};
  end else begin : gen_p521
    logic [63:0] eighth;
    logic        unused_last;
    assign eighth = (mont_i & lower(column_i, 4'd7)) ? limbs_i[at(column_i, 4'd7)] : '0;
    assign next_o = '0;
    assign rows   = {ahead_t'({eighth, 9'd0}), ahead_t'(0), ahead_t'(0)};
    assign unused_last = ^last;
  end

  cry_pka_compress #(.Rows(AheadRows), .Width(AheadBits)) u_tree (
    .rows_i(rows), .sum_o(sum), .carry_o(carry)
  );

  cry_pka_adder #(.Width(AheadBits)) u_sum (
    .a_i(sum), .b_i(carry), .carry_i(1'b0), .sum_o(ahead_o), .carry_o(unused_carry)
  );

  logic unused;
  assign unused = unused_carry;

endmodule
