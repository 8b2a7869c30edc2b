// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Register that synthesis neither merges with an equal one nor removes: one of several copies.
//
// The attribute on the process is what Yosys (through slang) puts on the flip-flops; those on the
// variable are for vendors' tools.
module cry_flop_kept #(
  parameter int unsigned      Width   = 1,     // bits
  parameter bit               EnReset = 1'b1,  // asynchronous reset to ResVal
  parameter logic [Width-1:0] ResVal  = '0     // value after reset
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,  // loads d_i at the next clock edge
  input  logic [Width-1:0] d_i,   // next value
  output logic [Width-1:0] q_o    // the register
);

  (* dont_touch = "true", preserve, syn_preserve = 1 *) logic [Width-1:0] copy_q;

  if (EnReset) begin : gen_reset
    (* keep *)
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)   copy_q <= ResVal;
      else if (en_i) copy_q <= d_i;
    end
  end else begin : gen_no_reset
    logic unused_rst_n;
    assign unused_rst_n = rst_ni;
    (* keep *)
    always_ff @(posedge clk_i) begin
      if (en_i) copy_q <= d_i;
    end
  end

  assign q_o = copy_q;

endmodule
