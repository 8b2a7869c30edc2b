// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A timer without a reset, which tells that it is done: what it holds first stands in the RTL.
module timer (
  input  logic       clk,
  input  logic       start,  // begin, unless running
  output logic       busy,
  output logic       done    // for a cycle
);

  logic       running = 1'b1;
  logic [2:0] left = 3'd5;

  assign busy = running;
  assign done = running && left == 3'd0;

  always_ff @(posedge clk) begin
    if (running) begin
      running <= left != 3'd0;
      left    <= left - 3'd1;
    end else begin
      running <= start;
      left    <= 3'd3;
    end
  end

endmodule
