// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Decodes a word of the code of a level of protection (cry_code_pkg). Combinational.
//
// correctable_o: one bit was wrong and is right in codeword_o. wrong_o: the data is not to be used.
// The lower Width bits of codeword_o are the data.
//
// Parameters: Width, data bits, 1 to 247; Protect, the level.
module cry_code_dec
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 32,
  parameter protect_e    Protect = ProtectNone,
  localparam int unsigned CheckWidth = cry_code_pkg::check_width(Width, Protect)
) (
  input  logic [Width+CheckWidth-1:0] codeword_i,
  output logic [Width+CheckWidth-1:0] codeword_o,
  output logic                        correctable_o,
  output logic                        wrong_o
);

  if (Protect == ProtectCorrect) begin : gen_correct
    logic [CheckWidth-1:0] unused_syndrome;
    cry_secded_dec #(.Width(Width)) u_dec (
      .codeword_i,
      .codeword_o,
      .syndrome_o(unused_syndrome),
      .single_o  (correctable_o),
      .double_o  (wrong_o)
    );
  end else if (Protect == ProtectDetect) begin : gen_detect
    logic [CheckWidth-1:0] parity;
    always_comb begin
      parity = codeword_i[Width+:CheckWidth];
      for (int unsigned i = 0; i < Width; i++) parity[i%CheckWidth] ^= codeword_i[i];
    end
    assign codeword_o    = codeword_i;
    assign correctable_o = 1'b0;
    assign wrong_o       = |parity;
  end else begin : gen_none
    assign codeword_o    = codeword_i;
    assign correctable_o = 1'b0;
    assign wrong_o       = 1'b0;
  end

endmodule
