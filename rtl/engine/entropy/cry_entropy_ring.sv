// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A ring oscillator: a NAND and Stages - 1 inverters in a loop. With enable_i low it stands still,
// with osc_o high.
//
// For synthesis alone: a simulator without delays cannot run it, and test benches drive the port
// in its place. Every net of the loop is kept, else a tool removes the pairs of inverters. A
// library's own cells may take the place of the expressions. README: placement and constraints.
module cry_entropy_ring #(
  parameter int unsigned Stages = 5  // odd, at least 3
) (
  input  logic enable_i,  // it runs
  output logic osc_o      // asynchronous to any clock
);

  // The loop is what this module is for.
  // verilator lint_off UNOPTFLAT
  (* keep *) logic [Stages-1:0] node;
  // verilator lint_on UNOPTFLAT

  assign node[0] = !(enable_i && node[Stages-1]);
  for (genvar i = 1; i < Stages; i++) begin : gen_stage
    assign node[i] = !node[i-1];
  end

  assign osc_o = node[0];

endmodule
