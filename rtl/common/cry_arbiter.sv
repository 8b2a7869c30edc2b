// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Round-robin arbiter: grants the lowest request above the last one granted, else the lowest of
// all.
//
// any_o and index_o are combinational on req_i. A request that stays is granted after at most
// Number - 1 others. The number granted last is a cry_reg_tmr.
module cry_arbiter
  import cry_protect_pkg::*;
#(
  parameter  int unsigned Number  = 4,            // requesters
  parameter  protect_e    Protect = ProtectNone,  // level of protection
  localparam int unsigned Width   = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [Number-1:0] req_i,    // level; may be withdrawn
  input  logic              take_i,   // the grant is used: the next search starts above it
  output logic              any_o,    // at least one request
  output logic [Width-1:0]  index_o,  // requester that is granted; 0 if there is none

  output logic              corrected_o,  // an upset of the register is corrected
  output logic              detected_o    // an upset of the register cannot be corrected
);

  logic [Width-1:0]  last_q, last_d;
  logic [Number-1:0] above;

  always_comb begin
    for (int unsigned i = 0; i < Number; i++) above[i] = req_i[i] && (Width'(i) > last_q);
    index_o = '0;
    for (int unsigned i = Number; i > 0; i--) begin
      if (req_i[i-1]) index_o = Width'(i - 1);
    end
    for (int unsigned i = Number; i > 0; i--) begin
      if (above[i-1]) index_o = Width'(i - 1);
    end
  end

  assign any_o  = |req_i;
  assign last_d = (take_i && any_o) ? index_o : last_q;

  cry_reg_tmr #(
    .Width(Width), .ResVal(Width'(Number - 1)), .Protect(Protect)
  ) u_last (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(last_d), .q_o(last_q), .corrected_o, .detected_o
  );

  `CRY_ASSERT_RUN
  `CRY_ASSERT(GrantOnlyAsked_A, any_o |-> req_i[index_o])

endmodule
