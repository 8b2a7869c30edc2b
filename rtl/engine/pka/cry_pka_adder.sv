// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sum of two numbers, combinational, by carry selection: each block but the first is added with and
// without a carry in, and the carry of the block below says which is taken. Mapping for area makes
// a long chain of what is written as one sum.
module cry_pka_adder #(
  parameter int unsigned Width = 256,  // bits
  parameter int unsigned Block = 8    // bits of a block, below Width
) (
  input  logic [Width-1:0] a_i,      // a number
  input  logic [Width-1:0] b_i,      // the other one
  input  logic             carry_i,  // into the lowest bit
  output logic [Width-1:0] sum_o,    // their sum
  output logic             carry_o   // out of the highest bit
);

  localparam int unsigned Blocks = (Width + Block - 1) / Block;

  // Carries out of blocks, without and with one in: first of a block alone, then of it and all
  // below it (Sklansky's tree).
  logic [Blocks-1:0] alone0, alone1, all0, all1;

  always_comb begin
    all0 = alone0;
    all1 = alone1;
    for (int unsigned level = 1; level < Blocks; level = 2 * level) begin
      for (int unsigned k = 0; k < Blocks; k++) begin
        if ((k & level) != 0) begin
          // The last block of the group below.
          all1[k] = all0[k] | (all1[k] & all1[(k & ~(level-1)) - 1]);
          all0[k] = all0[k] | (all1[k] & all0[(k & ~(level-1)) - 1]);
        end
      end
    end
  end

  for (genvar k = 0; k < Blocks; k++) begin : gen_block
    localparam int unsigned Low  = Block * k;
    localparam int unsigned Bits = (Width - Low < Block) ? Width - Low : Block;

    logic [Bits-1:0] a, b;
    logic            unused;
    assign a = a_i[Low+:Bits];
    assign b = b_i[Low+:Bits];

    if (k == 0) begin : gen_first
      assign {alone0[0], sum_o[Low+:Bits], unused} = {1'b0, a, 1'b1} + {1'b0, b, carry_i};
      assign alone1[0] = alone0[0];
    end else begin : gen_next
      logic [Bits-1:0] sum0, sum1;
      assign {alone0[k], sum0}         = {1'b0, a} + {1'b0, b};
      assign {alone1[k], sum1, unused} = {1'b0, a, 1'b1} + {1'b0, b, 1'b1};
      assign sum_o[Low+:Bits]          = all0[k-1] ? sum1 : sum0;
    end
  end

  assign carry_o = all0[Blocks-1];

endmodule
