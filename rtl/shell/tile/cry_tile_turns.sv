// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Weighted turns: round-robin among the queues that ask and have turns left; when none of them has,
// each queue gets as many as its weight says, 0 as 1.
//
// A queue that asks without end is chosen after at most as many others as their weights' sum.
// Turns that a queue has not used do not add up.
module cry_tile_turns #(
  parameter  int unsigned NumQueues = 4,  // queues
  // Level of protection of its registers
  parameter  cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned Width = (NumQueues > 1) ? $clog2(NumQueues) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic [NumQueues-1:0]      ask_i,     // level; may be withdrawn
  input  logic [NumQueues-1:0][3:0] weight_i,  // by queue
  input  logic                      take_i,    // the turn is used
  output logic                      any_o,     // a queue asks
  output logic [Width-1:0]          index_o,   // whose turn it is; 0 if none asks

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [1:0]                corrected, detected;
  logic [NumQueues-1:0][3:0] left_d, left_q;
  logic [NumQueues-1:0]      ready;
  logic                      reload;

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) ready[q] = ask_i[q] && (left_q[q] != '0);
  end
  assign reload = ready == '0;

  cry_arbiter #(
    .Number(NumQueues), .Protect(Protect)
  ) u_arbiter (
    .clk_i, .rst_ni, .req_i(reload ? ask_i : ready), .take_i, .any_o, .index_o,
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  always_comb begin
    left_d = left_q;
    if (take_i && any_o) begin
      for (int unsigned q = 0; q < NumQueues; q++) begin
        if (reload) left_d[q] = (weight_i[q] == '0) ? 4'd1 : weight_i[q];
        if (index_o == Width'(q)) left_d[q] = left_d[q] - 4'd1;
      end
    end
  end

  cry_reg_tmr #(
    .Width($bits(left_q)), .Protect(Protect)
  ) u_left (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(left_d), .q_o(left_q), .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  `CRY_ASSERT_RUN
  `CRY_ASSERT(TurnIsLeft_A, (any_o && !reload) |-> left_q[index_o] != '0)

endmodule
