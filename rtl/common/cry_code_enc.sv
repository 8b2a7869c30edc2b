// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Encodes a word with the code that a level of protection uses (cry_code_pkg). Combinational.
module cry_code_enc
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 32,           // data bits, 1 to 247
  parameter protect_e    Protect = ProtectNone,  // level of protection
  localparam int unsigned CheckWidth = cry_code_pkg::check_width(Width, Protect)
) (
  input  logic [Width-1:0]            data_i,     // bit n of the data is bit n of the codeword
  output logic [Width+CheckWidth-1:0] codeword_o  // {check bits, data}
);

  if (Protect == ProtectCorrect) begin : gen_correct
    cry_secded_enc #(.Width(Width)) u_enc (.data_i, .codeword_o);
  end else if (Protect == ProtectDetect) begin : gen_detect
    logic [CheckWidth-1:0] parity;
    always_comb begin
      parity = '0;
      for (int unsigned i = 0; i < Width; i++) parity[i%CheckWidth] ^= data_i[i];
    end
    assign codeword_o = {parity, data_i};
  end else begin : gen_none
    assign codeword_o = data_i;
  end

endmodule
