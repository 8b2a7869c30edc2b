// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Samples asynchronous oscillators: each lane passes two flip-flops, and every Period cycles what
// they hold is a sample. The time in between lets jitter accumulate.
//
// Latency: the first sample comes Period cycles behind enable_i, and is what the lanes were two
// cycles before. Wiping: flip-flops of lanes follow the oscillators, which stand still when off.
module cry_entropy_sampler #(
  parameter int unsigned Lanes  = 12,  // oscillators
  parameter int unsigned Period = 256  // cycles from sample to sample, at least 4
) (
  input  logic clk_i,     // clock
  input  logic rst_ni,    // asynchronous reset
  input  logic enable_i,  // level: it samples; low begins anew

  input  logic [Lanes-1:0] osc_i,    // asynchronous
  output logic             valid_o,  // one cycle: a sample
  output logic [Lanes-1:0] sample_o  // with valid_o
);

  localparam int unsigned Width = $clog2(Period);

  logic [Width-1:0] cycle_q, cycle_d;
  logic [Lanes-1:0] meta_q, sync_q;

  assign valid_o  = enable_i && (cycle_q == Width'(Period - 1));
  assign sample_o = sync_q;
  assign cycle_d  = (!enable_i || valid_o) ? '0 : cycle_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else         cycle_q <= cycle_d;
  end

  // They need no reset: nothing reads them in the first cycles.
  always_ff @(posedge clk_i) begin
    meta_q <= osc_i;
    sync_q <= meta_q;
  end

endmodule
