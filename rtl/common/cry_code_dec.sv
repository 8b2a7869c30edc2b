// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Decodes a word of the code that a level of protection uses (cry_code_pkg). Combinational.
module cry_code_dec
  import cry_protect_pkg::*;
#(
  parameter int unsigned Width   = 32,           // data bits, 1 to 247
  parameter protect_e    Protect = ProtectNone,  // level of protection
  localparam int unsigned CheckWidth = cry_code_pkg::check_width(Width, Protect)
) (
  input  logic [Width+CheckWidth-1:0] codeword_i,  // {check bits, data}, as stored
  output logic [Width+CheckWidth-1:0] codeword_o,  // corrected; the lower Width bits are the data
  output logic                        correctable_o,  // one bit was wrong, right in codeword_o
  output logic                        wrong_o  // the data must not be used
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
