// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A counter that a single upset does not change, or that flags it: a prim_reg_tmr that counts.
//
// load_i sets it to load_value_i and goes before en_i, which counts by one. Latency: one cycle.
//
// Parameters: Width, bits; ResVal, its value after reset; Down, count down; Protect, the level.
module prim_counter_protected
  import prim_protect_pkg::*;
#(
  parameter int unsigned      Width   = 8,
  parameter logic [Width-1:0] ResVal  = '0,
  parameter bit               Down    = 1'b0,
  parameter protect_e         Protect = ProtectNone
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             load_i,
  input  logic [Width-1:0] load_value_i,
  input  logic             en_i,
  input  logic             inject_i,
  output logic [Width-1:0] count_o,
  output logic             corrected_o,
  output logic             detected_o
);

  logic [Width-1:0] next;
  assign next = Down ? count_o - Width'(1) : count_o + Width'(1);

  prim_reg_tmr #(
    .Width(Width), .ResVal(ResVal), .Protect(Protect)
  ) u_count (
    .clk_i, .rst_ni,
    .en_i(load_i | en_i),
    .d_i (load_i ? load_value_i : next),
    .inject_i,
    .q_o (count_o),
    .corrected_o,
    .detected_o
  );

endmodule
