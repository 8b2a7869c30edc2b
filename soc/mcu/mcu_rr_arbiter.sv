// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Round-robin arbiter: among the requests the first one above the last winner, else the lowest.
//
// Protocol: gnt_o is one-hot or zero, combinational from req_i; what is granted is served in this
// cycle, so the next search starts above it. A request that stays is granted after at most
// NumReqs - 1 others.
// Parameter NumReqs: number of requesters, at least 2.
module mcu_rr_arbiter #(
  parameter int unsigned NumReqs = 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [NumReqs-1:0] req_i,
  output logic [NumReqs-1:0] gnt_o
);

  // Ones above the last winner.
  logic [NumReqs-1:0] above_d, above_q;
  logic [NumReqs-1:0] preferred, candidates;

  assign preferred  = req_i & above_q;
  assign candidates = (preferred != '0) ? preferred : req_i;
  // The lowest set bit.
  assign gnt_o      = candidates & (~candidates + NumReqs'(1));
  assign above_d    = (req_i == '0) ? above_q : ~(gnt_o | (gnt_o - NumReqs'(1)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else         above_q <= above_d;
  end

`ifndef SYNTHESIS
  // Out of reset since a clock edge; the asynchronous reset itself is no data for assertions.
  logic run_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else         run_q <= 1'b1;
  end

  GrantOneHot: assert property (@(posedge clk_i) disable iff (!run_q) $onehot0(gnt_o));
  GrantIfAny: assert property (@(posedge clk_i) disable iff (!run_q)
    (req_i != '0) == (gnt_o != '0));
  GrantOnlyAsked: assert property (@(posedge clk_i) disable iff (!run_q) (gnt_o & ~req_i) == '0);
`endif

endmodule
