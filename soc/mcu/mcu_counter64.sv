// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// 64-bit cycle counter that a 32-bit bus reads consistently: a read of the low half stores the high
// half of the same cycle for the read that follows.
module mcu_counter64 (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,        // counts
  input  logic        clear_i,         // sets to zero; wins over enable_i
  input  logic        read_low_i,      // the low half is read in this cycle
  output logic [63:0] value_o,         // cycles
  output logic [31:0] high_snapshot_o  // bits 63:32 at the last read_low_i
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
