// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Adds many numbers down to two by layers of full adders (carry-save). Combinational.
//
// The two have the right sum modulo 2^Width, and their plain sum too if that of the rows is below
// 2^Width.
//
// Parameters: Rows, number of inputs, at least 2; Width, bits.
module cry_poly1305_compress #(
  parameter int unsigned Rows  = 3,
  parameter int unsigned Width = 132
) (
  input  logic [Width-1:0] rows_i [Rows],
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
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
