// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Bitwise majority of three words. Combinational.
module cry_vote3 #(
  parameter int unsigned Width = 1  // bits
) (
  // The copies
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] q_o,        // majority
  output logic             mismatch_o  // at least one bit of one copy is outvoted
);

  assign q_o        = (a_i & b_i) | (c_i & (a_i | b_i));
  assign mismatch_o = |((a_i | b_i | c_i) & ~(a_i & b_i & c_i));

endmodule
