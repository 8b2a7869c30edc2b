// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Concurrent assertions at the rising edge of clk_i, disabled in reset (rst_ni) and while Disable
// is high. With SYNTHESIS defined they are empty. A module with assertions has `CRY_ASSERT_RUN,
// once, before the first of them.

`ifndef CRY_ASSERT_SVH
`define CRY_ASSERT_SVH

`ifdef SYNTHESIS

`define CRY_ASSERT_RUN
`define CRY_ASSERT(Name, Property, Disable = 1'b0)
`define CRY_ASSERT_KNOWN(Name, Signal, Disable = 1'b0)
`define CRY_ASSERT_KNOWN_IF(Name, Signal, Enable, Disable = 1'b0)

`else

// High from the first clock edge after reset on: the asynchronous reset itself is not sampled.
`define CRY_ASSERT_RUN \
  logic assert_run_q; \
  always_ff @(posedge clk_i or negedge rst_ni) begin \
    if (!rst_ni) assert_run_q <= 1'b0; \
    else         assert_run_q <= 1'b1; \
  end

// The property holds in every cycle.
`define CRY_ASSERT(Name, Property, Disable = 1'b0) \
  Name: assert property (@(posedge clk_i) disable iff (!assert_run_q || (Disable)) Property);

// No bit of the signal is X or Z, in any cycle or in those in which Enable is high. This takes a
// four-state simulator: in a two-state one (Verilator) it always holds.
`define CRY_ASSERT_KNOWN(Name, Signal, Disable = 1'b0) \
  `CRY_ASSERT(Name, !$isunknown(Signal), Disable)
`define CRY_ASSERT_KNOWN_IF(Name, Signal, Enable, Disable = 1'b0) \
  `CRY_ASSERT(Name, (Enable) |-> !$isunknown(Signal), Disable)

`endif

`endif
