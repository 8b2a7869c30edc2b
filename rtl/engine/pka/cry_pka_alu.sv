// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sums and differences of 256 bits, combinational. Two adders make a + b or a - b and, at the same
// time, this with the modulus subtracted or added; which of them is taken no cycle depends on.
module cry_pka_alu
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
(
  input  alu_op_t op_i,       // what is done
  input  row_t    a_i,        // operand
  input  row_t    b_i,        // operand
  input  row_t    modulus_i,  // modulus
  output row_t    result_o,   // mod 2^256
  output logic    carry_o     // of a + b, or the borrow of a - b
);

  row_t           b, m, sum, carry;
  logic [256:0]   plain;
  logic [257:0]   reduced;
  logic           take;

  assign b = b_i ^ {256{op_i.subtract}};
  assign m = modulus_i ^ {256{!op_i.subtract}};

  cry_pka_adder #(.Width(256)) u_plain (
    .a_i, .b_i(b), .carry_i(op_i.carry ^ op_i.subtract), .sum_o(plain[255:0]),
    .carry_o(plain[256])
  );

  // a + b - m + 2^256, or a - b + m + 2^256.
  assign sum   = a_i ^ b ^ m;
  assign carry = (a_i & b) | (a_i & m) | (b & m);

  cry_pka_adder #(.Width(257)) u_reduced (
    .a_i({1'b0, sum}), .b_i({carry, 1'b0}), .carry_i(1'b1), .sum_o(reduced[256:0]),
    .carry_o(reduced[257])
  );

  // A sum that is no smaller than the modulus; a difference that is negative.
  assign take     = op_i.modular &
                    (op_i.subtract ? !plain[256] : op_i.over | (reduced[257:256] != '0));
  assign result_o = take ? reduced[255:0] : plain[255:0];
  assign carry_o  = plain[256] ^ op_i.subtract;

endmodule
