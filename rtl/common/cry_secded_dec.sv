// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SEC-DED decoder (cry_hsiao_pkg): corrects any single wrong bit and flags any two. Combinational.
module cry_secded_dec #(
  parameter int unsigned Width = 32,  // data bits, 1 to 247
  localparam int unsigned CheckWidth = cry_hsiao_pkg::check_width(Width)
) (
  input  logic [Width+CheckWidth-1:0] codeword_i,  // {check bits, data}, as stored
  output logic [Width+CheckWidth-1:0] codeword_o,  // corrected; not with double_o
  output logic [CheckWidth-1:0]       syndrome_o,  // check column of a single wrong bit
  output logic                        single_o,    // one bit is wrong
  output logic                        double_o     // two bits are wrong
);

  localparam cry_hsiao_pkg::matrix_t Columns = cry_hsiao_pkg::columns(CheckWidth);

  logic [CheckWidth-1:0] syndrome;
  always_comb begin
    syndrome = codeword_i[Width+:CheckWidth];
    for (int unsigned i = 0; i < Width; i++) begin
      syndrome ^= {CheckWidth{codeword_i[i]}} & Columns[i][CheckWidth-1:0];
    end
  end

  logic [Width+CheckWidth-1:0] flip;
  always_comb begin
    for (int unsigned i = 0; i < Width; i++) begin
      flip[i] = syndrome == Columns[i][CheckWidth-1:0];
    end
    for (int unsigned i = 0; i < CheckWidth; i++) begin
      flip[Width+i] = syndrome == (CheckWidth'(1) << i);
    end
  end

  assign codeword_o = codeword_i ^ flip;
  assign syndrome_o = syndrome;

  // One wrong bit makes an odd syndrome; an odd one that is no column takes three wrong bits.
  assign single_o = |flip;
  assign double_o = (|syndrome) & !single_o;

endmodule
