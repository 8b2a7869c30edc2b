// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A register that a single upset does not change: three copies and a majority voter.
//
// ProtectCorrect: q_o is the majority; corrected_o is high while copies differ. While the register is
// not written, its copies are loaded with the majority, so that an upset is gone one clock later.
// ProtectDetect: two copies; detected_o is high while they differ. ProtectNone: a plain register.
// inject_i flips bit 0 of one copy as if by an upset, at every clock edge at which it is high; tie it
// low where it is not wanted. Latency: one cycle, as a register.
//
// Parameters: Width, bits; EnReset, build an asynchronous reset, to ResVal; Protect, the level.
// Without reset the copies differ until a clock has passed (ProtectDetect: until it was written).
module cry_reg_tmr
  import cry_protect_pkg::*;
#(
  parameter int unsigned      Width   = 1,
  parameter bit               EnReset = 1'b1,
  parameter logic [Width-1:0] ResVal  = '0,
  parameter protect_e         Protect = ProtectNone
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  input  logic             inject_i,
  output logic [Width-1:0] q_o,
  output logic             corrected_o,
  output logic             detected_o
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
