// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SEC-DED decoder (cry_hsiao_pkg). Combinational: corrects any single wrong bit of a codeword and
// flags any two.
//
// single_o and double_o say what was found; codeword_o is the corrected word, for write-back, and
// syndrome_o tells the place of a single wrong bit. With a double error the data is of no use.
//
// Parameters: Width, data bits, 1 to 247.
module cry_secded_dec #(
  parameter int unsigned Width = 32,
  localparam int unsigned CheckWidth = cry_hsiao_pkg::check_width(Width)
) (
  input  logic [Width+CheckWidth-1:0] codeword_i,
  output logic [Width+CheckWidth-1:0] codeword_o,
  output logic [CheckWidth-1:0]       syndrome_o,
  output logic                        single_o,
  output logic                        double_o
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
