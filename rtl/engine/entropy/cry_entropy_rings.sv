// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ring oscillators of several lengths in turn, so that neighbours differ in frequency: the default
// source of cry_entropy. A foundry's source with the same ports may take the place of all of them,
// or of those of odd lanes (the second of the two sources).
module cry_entropy_rings #(
  parameter int unsigned Lanes     = 12,  // rings, at least 2
  parameter int unsigned MinStages = 5,   // of the shortest ones; odd, at least 3
  parameter int unsigned Lengths   = 3    // different ones, each two stages longer; at least 2
) (
  input  logic             enable_i,  // they run
  output logic [Lanes-1:0] osc_o      // asynchronous to any clock
);

  for (genvar i = 0; i < Lanes; i++) begin : gen_ring
    cry_entropy_ring #(.Stages(MinStages + 2 * (i % Lengths))) u_ring (.enable_i, .osc_o(osc_o[i]));
  end

endmodule
