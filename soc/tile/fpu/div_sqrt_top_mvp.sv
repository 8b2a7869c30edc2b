// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// tsoc_divsqrt under the name and with the ports that CVA6's floating-point unit instantiates
// (fpnew_divsqrt_multi): formats single and double, as CVA6 has them.
module div_sqrt_top_mvp (
  input  logic        Clk_CI,            // clock
  input  logic        Rst_RBI,           // low: reset
  input  logic        Div_start_SI,      // a division begins
  input  logic        Sqrt_start_SI,     // or a square root, of operand a
  input  logic [63:0] Operand_a_DI,      // as in registers: boxed
  input  logic [63:0] Operand_b_DI,      // as operand a
  input  logic [2:0]  RM_SI,             // rounding mode, as frm
  input  logic [5:0]  Precision_ctl_SI,  // 0: of the format. No other is supported.
  input  logic [1:0]  Format_sel_SI,     // 0 single, 1 double; the others are not supported
  input  logic        Kill_SI,           // the operation under way ends; none begins
  output logic [63:0] Result_DO,         // with Done_SO
  output logic [4:0]  Fflags_SO,         // with Done_SO, as fflags
  output logic        Ready_SO,          // one may begin
  output logic        Done_SO            // one cycle
);

  import tsoc_divsqrt_pkg::*;

  tsoc_divsqrt u_divsqrt (
    .clk_i     (Clk_CI),
    .rst_ni    (Rst_RBI),
    .start_i   (Div_start_SI || Sqrt_start_SI),
    .root_i    (Sqrt_start_SI),
    .format_i  (format_e'(Format_sel_SI[0])),
    .rounding_i(rounding_e'(RM_SI)),
    .a_i       (Operand_a_DI),
    .b_i       (Operand_b_DI),
    .kill_i    (Kill_SI),
    .ready_o   (Ready_SO),
    .done_o    (Done_SO),
    .result_o  (Result_DO),
    .flags_o   (Fflags_SO)
  );

  logic unused;
  assign unused = ^{Precision_ctl_SI, Format_sel_SI[1]};

endmodule
