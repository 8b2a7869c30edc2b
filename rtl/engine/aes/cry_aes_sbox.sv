// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The AES S-box. Combinational: composite-field logic, as a table for Verilator.
module cry_aes_sbox (
  input  logic [7:0] in_i,  // byte
  output logic [7:0] out_o  // SubBytes of it
);

`ifdef VERILATOR
  assign out_o = cry_aes_sbox_pkg::Tabulated[in_i];
`else
  assign out_o = cry_aes_sbox_pkg::sub_byte(in_i);
`endif

endmodule
