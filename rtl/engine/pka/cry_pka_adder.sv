// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sum of two numbers, combinational, by carry selection: each block but the first is added with and
// without a carry in, and the carry of the block below says which is taken. Mapping for area makes
// a long chain of what is written as one sum.
module cry_pka_adder #(
  parameter int unsigned Width = 256,  // bits
  parameter int unsigned Block = 24    // bits of a block, below Width
) (
  input  logic [Width-1:0] a_i,      // a number
  input  logic [Width-1:0] b_i,      // the other one
  input  logic             carry_i,  // into the lowest bit
  output logic [Width-1:0] sum_o,    // their sum
  output logic             carry_o   // out of the highest bit
);

  localparam int unsigned Blocks = (Width + Block - 1) / Block;

  for (genvar k = 0; k < Blocks; k++) begin : gen_block
    localparam int unsigned Low  = Block * k;
    localparam int unsigned Bits = (Width - Low < Block) ? Width - Low : Block;

    logic            out;
    logic [Bits-1:0] a, b;
    assign a = a_i[Low+:Bits];
    assign b = b_i[Low+:Bits];

    if (k == 0) begin : gen_first
      logic unused;
      assign {out, sum_o[Low+:Bits], unused} = {1'b0, a, 1'b1} + {1'b0, b, carry_i};
    end else begin : gen_next
      logic            unused;
      logic [Bits:0]   without, with_carry;
      assign without              = {1'b0, a} + {1'b0, b};
      assign {with_carry, unused} = {1'b0, a, 1'b1} + {1'b0, b, 1'b1};
      assign out                  = without[Bits] | (with_carry[Bits] & gen_block[k-1].out);
      assign sum_o[Low+:Bits]     = gen_block[k-1].out ? with_carry[Bits-1:0] : without[Bits-1:0];
    end
  end

  assign carry_o = gen_block[Blocks-1].out;

endmodule
