// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// All S-boxes side by side, for an exhaustive test.
module aes_sbox_bench (
  input  logic [7:0] in_i,
  output logic [7:0] forward_o,
  output logic [7:0] dual_forward_o,
  output logic [7:0] dual_inverse_o
);

  cry_aes_sbox u_forward (.in_i, .out_o(forward_o));
  cry_aes_sbox_dual u_dual_forward (.inverse_i(1'b0), .in_i, .out_o(dual_forward_o));
  cry_aes_sbox_dual u_dual_inverse (.inverse_i(1'b1), .in_i, .out_o(dual_inverse_o));

endmodule
