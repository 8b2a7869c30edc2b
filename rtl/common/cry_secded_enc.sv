// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SEC-DED encoder (cry_hsiao_pkg). Combinational.
module cry_secded_enc #(
  parameter int unsigned Width = 32,  // data bits, 1 to 247
  localparam int unsigned CheckWidth = cry_hsiao_pkg::check_width(Width)
) (
  input  logic [Width-1:0]            data_i,     // bit n of the data is bit n of the codeword
  output logic [Width+CheckWidth-1:0] codeword_o  // {check bits, data}
);

  localparam cry_hsiao_pkg::matrix_t Columns = cry_hsiao_pkg::columns(CheckWidth);

  logic [CheckWidth-1:0] check;
  always_comb begin
    check = '0;
    for (int unsigned i = 0; i < Width; i++) begin
      check ^= {CheckWidth{data_i[i]}} & Columns[i][CheckWidth-1:0];
    end
  end

  assign codeword_o = {check, data_i};

endmodule
