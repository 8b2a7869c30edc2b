// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A FIFO of four words without any protection; its reset is synchronous and active high.
module fifo (
  input  logic       clk,
  input  logic       rst,
  input  logic       push,   // take `din`, unless full
  input  logic       pop,    // drop the oldest word, unless empty
  input  logic [7:0] din,
  output logic [7:0] dout,   // the oldest word; zero while empty
  output logic       empty,
  output logic       full
);

  logic [7:0] mem[4];
  logic [1:0] head, tail;  // where to read, and where to write
  logic [2:0] count;

  assign empty = count == 3'd0;
  assign full = count[2];
  assign dout = empty ? 8'd0 : mem[head];

  always_ff @(posedge clk) begin
    if (push && !full) mem[tail] <= din;
    if (rst) begin
      head  <= 2'd0;
      tail  <= 2'd0;
      count <= 3'd0;
    end else begin
      if (push && !full) tail <= tail + 2'd1;
      if (pop && !empty) head <= head + 2'd1;
      count <= count + 3'(push && !full) - 3'(pop && !empty);
    end
  end

endmodule
