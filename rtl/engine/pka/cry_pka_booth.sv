// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Product of 65 and 64 bits as the sum of two numbers modulo 2^132, combinational: Booth's recoding
// in base 8, whose digits -4 to 4 take 22 rows, with three times the multiplicand from outside, and
// carry-save adders. Base 8 has a third fewer adders than base 4, and they are most of the area.
module cry_pka_booth
  import cry_pka_pkg::*;
#(
  // The sum is that of the product and BoothBias itself: no carry out of 132 bits is lost.
  parameter bit Exact = 1'b0
) (
  input  logic [64:0] a_i,       // multiplicand
  input  logic [66:0] triple_i,  // three times a_i
  input  logic [63:0] b_i,       // multiplier
  output sum_t        sum_o,     // with carry_o the product
  output sum_t        carry_o    // see sum_o
);

  localparam int unsigned Digits = BoothDigits;
  localparam int unsigned Width  = BoothBits;

  // A row has its sign inverted instead of extended; this makes up for it.
  localparam int unsigned Rows = Exact ? Digits : Digits + 1;

  logic [3*Digits:0] bits;  // with a zero below, and zeros above
  assign bits = {2'b00, b_i, 1'b0};

  sum_t [Rows-1:0] rows;

  always_comb begin
    logic [3:0]       digit;
    logic [Width-1:0] row, multiple;
    logic             below;
    below = 1'b0;
    for (int unsigned d = 0; d < Digits; d++) begin
      digit = bits[3*d+:4];
      unique case (digit ^ {4{digit[3]}})
        4'd1, 4'd2: multiple = Width'(a_i);
        4'd3, 4'd4: multiple = Width'({a_i, 1'b0});
        4'd5, 4'd6: multiple = Width'(triple_i);
        4'd7:       multiple = Width'({a_i, 2'b00});
        default:    multiple = '0;
      endcase
      row = multiple ^ {Width{digit[3]}};
      // Minus x is not x and one more, which stands below the next row.
      rows[d] = sum_t'({!row[Width-1], row[Width-2:0]}) << (3 * d);
      if (d > 0) rows[d][3*d-3] = below;
      below = digit[3];
    end
    for (int unsigned n = Digits; n < Rows; n++) rows[n] = -BoothBias;
  end

  cry_pka_compress #(.Rows(Rows), .Width(SumBits)) u_tree (
    .rows_i(rows), .sum_o(sum_o), .carry_o(carry_o)
  );

endmodule
