// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sums and differences of rows, combinational. Two adders make a + b or a - b and, at the same
// time, this with the modulus subtracted or added; which of them is taken no cycle depends on. With
// rows of 512 bits there is the first one alone.
//
// Steps of an inverse are half of a difference, halved_o: of b - a, where op_i.less says so, by the
// inverse of a - b - 1. Modulo m, of cof, m is added if the difference is odd, and two times if it
// is even and negative. Of gcd it is not negative with one lane; with several its amount is meant,
// for which the second adder makes a - b - 1.
module cry_pka_alu
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits = 256,  // bits of a row: 256, 384, 512 or 576
  parameter bit          Several = 1'b0  // there are several lanes; only with a modulus
) (
  input  alu_op_t            op_i,       // what is done
  input  logic [RowBits-1:0] a_i,        // operand
  input  logic [RowBits-1:0] b_i,        // operand
  input  logic [RowBits-1:0] modulus_i,  // modulus
  output logic [RowBits-1:0] result_o,   // mod 2^RowBits
  output logic [RowBits-1:0] halved_o,   // with op_i.gcd and op_i.cof, else any
  output logic               carry_o     // of a + b, or the borrow of a - b
);

  typedef logic [RowBits-1:0] row_t;

  row_t             b;
  logic [RowBits:0] plain;

  assign b       = b_i ^ {RowBits{op_i.subtract}};
  assign carry_o = plain[RowBits] ^ op_i.subtract;

  cry_pka_adder #(.Width(RowBits)) u_plain (
    .a_i, .b_i(b), .carry_i(op_i.carry ^ op_i.subtract), .sum_o(plain[RowBits-1:0]),
    .carry_o(plain[RowBits])
  );

  if (is_modular(RowBits)) begin : gen_modular
    row_t               sum, carry;
    logic [RowBits:0]   m;  // twice the modulus has a bit more than a row
    logic [RowBits+1:0] reduced;
    logic               take, amount, second, inverted;

    assign amount = Several & op_i.gcd;
    always_comb begin
      if (amount)                    m = {1'b0, {RowBits{1'b1}}};
      else if (op_i.cof & !op_i.odd) m = {modulus_i, 1'b0} ^ {(RowBits + 1){op_i.less}};
      else if (op_i.cof)             m = {1'b0, modulus_i} ^ {(RowBits + 1){op_i.less}};
      else                           m = {1'b0, modulus_i ^ {RowBits{!op_i.subtract}}};
    end

    // a + b - m + 2^RowBits, or a - b + m + 2^RowBits.
    assign sum   = a_i ^ b ^ m[RowBits-1:0];
    assign carry = (a_i & b) | (a_i & m[RowBits-1:0]) | (b & m[RowBits-1:0]);

    cry_pka_adder #(.Width(RowBits + 1)) u_reduced (
      .a_i({m[RowBits], sum}), .b_i({carry, 1'b0}), .carry_i(1'b1), .sum_o(reduced[RowBits:0]),
      .carry_o(reduced[RowBits+1])
    );

    // A sum that is no smaller than the modulus; a difference that is negative.
    assign take     = op_i.modular &
                      (op_i.subtract ? !plain[RowBits]
                                     : op_i.over | (reduced[RowBits+1:RowBits] != '0));
    assign result_o = take ? reduced[RowBits-1:0] : plain[RowBits-1:0];

    // A difference is negative if it borrows, and b - a if a - b - 1 does not.
    assign second   = amount ? carry_o : op_i.cof & (op_i.odd | (carry_o ^ op_i.less));
    assign inverted = amount ? carry_o : op_i.less;
    assign halved_o = {second & op_i.cof & !(reduced[RowBits] ^ op_i.less),
                       (second ? reduced[RowBits-1:1] : plain[RowBits-1:1]) ^
                       {(RowBits - 1){inverted}}};
  end else begin : gen_plain
    logic unused;
    assign result_o = plain[RowBits-1:0];
    assign halved_o = '0;
    assign unused   = ^{op_i.modular, op_i.over, op_i.gcd, op_i.cof, op_i.odd, op_i.less,
                        modulus_i, Several};
  end

endmodule
