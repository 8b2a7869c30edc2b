// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Round-robin arbiter: the first request above the one taken last, else the lowest.
//
// any_o and index_o depend on req_i combinationally. A request that stays is granted after at
// most Number - 1 others. corrected_o and detected_o: upsets of its register.
module cry_arbiter
  import cry_protect_pkg::*;
#(
  parameter  int unsigned Number  = 4,            // of requests
  parameter  protect_e    Protect = ProtectNone,  // level of protection
  localparam int unsigned Width   = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [Number-1:0] req_i,
  input  logic              take_i,   // the grant is used in this cycle: the next search starts above it
  output logic              any_o,    // there is a request
  output logic [Width-1:0]  index_o,  // number of the one granted; 0 if there is none

  output logic              corrected_o,
  output logic              detected_o
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
