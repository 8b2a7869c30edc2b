// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Clock gate that opens at the first wake_i after reset and stays open: an unused block takes no
// energy, and no simulation time. The block is reset without a clock. The first edge of clk_o is
// the one at the end of the cycle of wake_i.
module tsoc_wake (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic wake_i,  // synchronous to clk_i
  output logic clk_o    // gated clock
);

  // Changes while the clock is low, so that no edge is cut short.
  logic awake_q;

  always_ff @(negedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     awake_q <= 1'b0;
    else if (wake_i) awake_q <= 1'b1;
  end

  assign clk_o = clk_i & awake_q;

endmodule
