// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// A counter, for tests of how benches see that it is broken.
module mutant_bench (
  input  logic       clk_i,     // clock
  input  logic       rst_ni,    // asynchronous reset
  input  logic       strict_i,  // steps are asserted
  output logic [2:0] count_o    // one more each clock
);

  logic [2:0] count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else         count_q <= count_q + 3'd1;
  end
  assign count_o = count_q;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Counts_A, strict_i |=> count_q == $past(count_q) + 3'd1)

endmodule
