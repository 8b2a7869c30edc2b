// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Register held in copies: a single upset does not change its value (ProtectCorrect). Latency: one
// cycle.
//
//   ProtectNone     plain register
//   ProtectDetect   two copies, compared
//   ProtectCorrect  three copies and a majority voter; while the register is not written, its
//                   copies are loaded with the majority, so that an upset is gone one clock later
//
// Without reset the copies differ until one clock has passed (ProtectDetect: until written).
module cry_reg_tmr
  import cry_protect_pkg::*;
#(
  parameter int unsigned      Width   = 1,           // bits
  parameter bit               EnReset = 1'b1,        // asynchronous reset to ResVal
  parameter logic [Width-1:0] ResVal  = '0,          // value after reset
  parameter protect_e         Protect = ProtectNone  // level of protection
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,         // loads d_i at the next clock edge
  input  logic [Width-1:0] d_i,          // next value
  input  logic             inject_i,     // test: flips bit 0 of one copy at the next clock edge
  output logic [Width-1:0] q_o,          // majority; at ProtectDetect copy 0
  output logic             corrected_o,  // ProtectCorrect: copies differ
  output logic             detected_o    // ProtectDetect: copies differ
);

  if (Protect == ProtectCorrect) begin : gen_correct
    logic [Width-1:0] voted, copy_d;
    logic [Width-1:0] copies [3];

    assign copy_d = en_i ? d_i : voted;
    for (genvar c = 0; c < 3; c++) begin : gen_copy
      cry_flop_kept #(
        .Width(Width), .EnReset(EnReset), .ResVal(ResVal)
      ) u_copy (
        .clk_i, .rst_ni,
        .en_i(1'b1),
        .d_i ((c == 0) ? copy_d ^ Width'(inject_i) : copy_d),
        .q_o (copies[c])
      );
    end
    cry_vote3 #(.Width(Width)) u_vote (
      .a_i(copies[0]), .b_i(copies[1]), .c_i(copies[2]), .q_o(voted), .mismatch_o(corrected_o)
    );
    assign q_o        = voted;
    assign detected_o = 1'b0;
  end else if (Protect == ProtectDetect) begin : gen_detect
    logic [Width-1:0] copies [2];

    for (genvar c = 0; c < 2; c++) begin : gen_copy
      cry_flop_kept #(
        .Width(Width), .EnReset(EnReset), .ResVal(ResVal)
      ) u_copy (
        .clk_i, .rst_ni,
        .en_i((c == 0) ? en_i | inject_i : en_i),
        .d_i ((c == 0) ? (en_i ? d_i : copies[c]) ^ Width'(inject_i) : d_i),
        .q_o (copies[c])
      );
    end
    assign q_o         = copies[0];
    assign corrected_o = 1'b0;
    assign detected_o  = copies[0] != copies[1];
  end else begin : gen_none
    logic unused_inject;
    assign unused_inject = inject_i;
    cry_dff #(
      .Width(Width), .EnReset(EnReset), .ResVal(ResVal)
    ) u_flop (
      .clk_i, .rst_ni, .en_i, .d_i, .q_o
    );
    assign corrected_o = 1'b0;
    assign detected_o  = 1'b0;
  end

endmodule
