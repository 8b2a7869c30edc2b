// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A 64-bit cycle counter that a 32-bit bus reads consistently: reading the low half keeps the high
// half of that moment for the read that follows.
//
// clear_i wins over enable_i.
module mcu_counter64 (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,
  input  logic        clear_i,
  input  logic        read_low_i,       // the low half is being read in this cycle
  output logic [63:0] value_o,
  output logic [31:0] high_snapshot_o
);

  logic [63:0] count_q;
  logic [31:0] high_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      high_q  <= '0;
    end else begin
      if (clear_i)       count_q <= '0;
      else if (enable_i) count_q <= count_q + 64'd1;
      if (read_low_i) high_q <= count_q[63:32];
    end
  end

  assign value_o         = count_q;
  assign high_snapshot_o = high_q;

endmodule
