// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Carry-save adder tree: reduces many numbers to two by layers of full adders. Combinational.
//
// sum_o + carry_o is the sum of the rows modulo 2^Width, and the exact sum if that is below
// 2^Width.
module cry_poly1305_compress #(
  parameter int unsigned Rows  = 3,   // inputs, 2 or more
  parameter int unsigned Width = 132  // bits
) (
  input  logic [Width-1:0] rows_i [Rows],  // the numbers
  output logic [Width-1:0] sum_o,          // first of the two
  output logic [Width-1:0] carry_o         // second of the two
);

  logic [Width-1:0] rows [Rows];
  logic [Width-1:0] a, b, c;

  always_comb begin
    rows = rows_i;
    a    = '0;
    b    = '0;
    c    = '0;
    /* verilator unroll_disable */
    for (int unsigned n = Rows; n > 2; n = n - n / 3) begin
      /* verilator unroll_disable */
      for (int unsigned g = 0; g < n / 3; g++) begin
        a           = rows[3*g];
        b           = rows[3*g+1];
        c           = rows[3*g+2];
        rows[2*g]   = a ^ b ^ c;
        rows[2*g+1] = ((a & b) | (c & (a ^ b))) << 1;
      end
      /* verilator unroll_disable */
      for (int unsigned g = 0; g < n % 3; g++) rows[2*(n/3)+g] = rows[3*(n/3)+g];
    end
    sum_o   = rows[0];
    carry_o = rows[1];
  end

endmodule
