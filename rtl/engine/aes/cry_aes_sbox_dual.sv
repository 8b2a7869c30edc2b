// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The AES S-box and its inverse around one inverter. Combinational: composite-field logic, as a
// table for Verilator.
module cry_aes_sbox_dual (
  input  logic       inverse_i,  // InvSubBytes
  input  logic [7:0] in_i,       // byte
  output logic [7:0] out_o       // substituted byte
);

`ifdef VERILATOR
  assign out_o = cry_aes_sbox_pkg::TabulatedDual[{inverse_i, in_i}];
`else
  assign out_o = cry_aes_sbox_pkg::sub_byte_dual(inverse_i, in_i);
`endif

endmodule
