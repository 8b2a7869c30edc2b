// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// CVA6's decoder and floating-point unit, with what the core has between them: registers 10, 11
// and 12, integer and floating-point ones alike, are inputs.
module tb_fpu
  import ariane_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,        // an instruction; one at a time
  input  logic [31:0]      instruction_i,  // as in memory
  input  logic [2:0]       frm_i,          // dynamic rounding mode
  input  logic [2:0][63:0] registers_i,    // numbers 10, 11, 12
  output logic             illegal_o,      // with valid_i
  output logic             ready_o,        // for an instruction
  output logic             valid_o,        // its result
  output logic [63:0]      result_o,       // register
  output logic [4:0]       flags_o         // fflags
);

  scoreboard_entry_t decoded;
  logic              unused_control_flow;
  decoder u_decoder (
    .debug_req_i            (1'b0),
    .pc_i                   ('0),
    .is_compressed_i        (1'b0),
    .compressed_instr_i     ('0),
    .is_illegal_i           (1'b0),
    .instruction_i,
    .branch_predict_i       ('0),
    .ex_i                   ('0),
    .irq_i                  ('0),
    .irq_ctrl_i             ('0),
    .priv_lvl_i             (riscv::PRIV_LVL_M),
    .debug_mode_i           (1'b0),
    .fs_i                   (riscv::Dirty),
    .frm_i,
    .tvm_i                  (1'b0),
    .tw_i                   (1'b0),
    .tsr_i                  (1'b0),
    .instruction_o          (decoded),
    .is_control_flow_instr_o(unused_control_flow)
  );

  function automatic logic [63:0] register(logic [4:0] number);
    return registers_i[2'(number - 5'd10)];
  endfunction

  // As issue_read_operands
  fu_data_t data;
  always_comb begin
    data           = '0;
    data.fu        = decoded.fu;
    data.operator  = decoded.op;
    data.operand_a = register(decoded.rs1[4:0]);
    data.operand_b = (decoded.use_imm && !is_rs2_fpr(decoded.op)) ? decoded.result
                                                                 : register(decoded.rs2[4:0]);
    data.imm       = is_imm_fpr(decoded.op) ? register(decoded.result[4:0]) : decoded.result;
  end

  riscv::instruction_t instruction;
  exception_t          status;
  assign instruction = riscv::instruction_t'(instruction_i);
  assign illegal_o   = valid_i && (decoded.ex.valid || (decoded.fu != FPU));

  logic [TRANS_ID_BITS-1:0] unused_id;
  fpu_wrap u_fpu (
    .clk_i,
    .rst_ni,
    .flush_i        (1'b0),
    .fpu_valid_i    (valid_i),
    .fpu_ready_o    (ready_o),
    .fu_data_i      (data),
    .fpu_fmt_i      (instruction.rftype.fmt),
    .fpu_rm_i       (instruction.rftype.rm),
    .fpu_frm_i      (frm_i),
    .fpu_prec_i     ('0),
    .fpu_trans_id_o (unused_id),
    .result_o,
    .fpu_valid_o    (valid_o),
    .fpu_exception_o(status)
  );
  assign flags_o = status.cause[4:0];

endmodule
