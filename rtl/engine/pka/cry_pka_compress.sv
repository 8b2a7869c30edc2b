// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Adds numbers up to two, combinational: a tree of carry-save adders.
module cry_pka_compress #(
  parameter int unsigned Rows  = 3,   // numbers, at least 3
  parameter int unsigned Width = 132  // bits; sums are modulo 2^Width
) (
  input  logic [Rows-1:0][Width-1:0] rows_i,  // the numbers
  output logic [Width-1:0]           sum_o,   // with carry_o their sum
  output logic [Width-1:0]           carry_o  // see sum_o; its lowest bit is zero
);

  // The numbers, and behind them what the adders make: each takes the three oldest ones.
  localparam int unsigned Items = 3 * Rows - 4;

  logic [Width-1:0] item[Items];

  always_comb begin
    for (int unsigned n = 0; n < Rows; n++) item[n] = rows_i[n];
    for (int unsigned n = 0; n < Rows - 2; n++) begin
      item[Rows+2*n]   = item[3*n] ^ item[3*n+1] ^ item[3*n+2];
      item[Rows+2*n+1] = ((item[3*n] & item[3*n+1]) | (item[3*n] & item[3*n+2])
                          | (item[3*n+1] & item[3*n+2])) << 1;
    end
  end

  assign sum_o   = item[Items-2];
  assign carry_o = item[Items-1];

endmodule
