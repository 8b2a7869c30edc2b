// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Timer: counts cycles while enabled, and event_o is high for one cycle each time "enabled and
// count >= compare" becomes true. So a compare value in the past fires at once, and a timer that
// has fired is armed again by a later compare value or by clearing the count.
module mcu_timer (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,      // counts
  input  logic        clear_i,       // sets the count to zero
  input  logic        read_low_i,    // the low half is read in this cycle
  input  logic [63:0] compare_i,     // cycles
  output logic [31:0] count_low_o,   // bits 31:0
  output logic [31:0] count_high_o,  // bits 63:32 at the last read_low_i
  output logic        event_o        // one cycle
);

  logic [63:0] count;
  logic        reached_d, reached_q;

  mcu_counter64 u_counter (
    .clk_i,
    .rst_ni,
    .enable_i,
    .clear_i,
    .read_low_i,
    .value_o        (count),
    .high_snapshot_o(count_high_o)
  );

  assign count_low_o = count[31:0];
  assign reached_d   = enable_i & (count >= compare_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reached_q <= 1'b0;
    else         reached_q <= reached_d;
  end

  assign event_o = reached_d & ~reached_q;

endmodule
