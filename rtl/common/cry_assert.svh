// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Concurrent assertions at the rising edge of clk_i, off in reset (rst_ni). With SYNTHESIS defined they
// are nothing. A module with assertions says `CRY_ASSERT_RUN once, before the first of them.

`ifndef CRY_ASSERT_SVH
`define CRY_ASSERT_SVH

`ifdef SYNTHESIS

`define CRY_ASSERT_RUN
`define CRY_ASSERT(Name, Property)
`define CRY_ASSERT_KNOWN(Name, Signal)
`define CRY_ASSERT_KNOWN_IF(Name, Signal, Enable)

`else

// High from the first clock edge after reset on: a copy, since the asynchronous reset itself is no data.
`define CRY_ASSERT_RUN \
  logic assert_run_q; \
  always_ff @(posedge clk_i or negedge rst_ni) begin \
    if (!rst_ni) assert_run_q <= 1'b0; \
    else         assert_run_q <= 1'b1; \
  end

// The property holds in every cycle.
`define CRY_ASSERT(Name, Property) \
  Name: assert property (@(posedge clk_i) disable iff (!assert_run_q) Property);

// No bit of the signal is X or Z, in any cycle or in those in which Enable is high.
`define CRY_ASSERT_KNOWN(Name, Signal) `CRY_ASSERT(Name, !$isunknown(Signal))
`define CRY_ASSERT_KNOWN_IF(Name, Signal, Enable) `CRY_ASSERT(Name, (Enable) |-> !$isunknown(Signal))

`endif

`endif
