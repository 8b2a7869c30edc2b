// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES as a hardware processing engine. Ports: see hwpe_shell.
//
// Upsets that the engine corrected or found are told by the job's status in RESULT.
//
// Parameters: those of aes_engine, with its levels of Protect; IdWidth, bits of the peripheral port's request identifier; AddrWidth,
// address bits that count (see hwpe_shell): 20 are enough for memories of up to 512 KiB.
module hwpe_aes
  import engine_pkg::*;
#(
  parameter aes_pkg::impl_e Impl      = aes_pkg::ImplIterative,
  parameter bit             EnDecrypt = 1'b1,
  parameter bit             EnKey192  = 1'b1,
  parameter bit             EnKey256  = 1'b1,
  parameter bit             EnEcb     = 1'b1,
  parameter bit             EnCbc     = 1'b1,
  parameter bit             EnCtr     = 1'b1,
  parameter prim_protect_pkg::protect_e Protect = prim_protect_pkg::ProtectNone,
  parameter int unsigned    IdWidth   = 8,
  parameter int unsigned    AddrWidth = 20
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  output logic [3:0]         tcdm_req_o,
  input  logic [3:0]         tcdm_gnt_i,
  output logic [3:0][31:0]   tcdm_add_o,
  output logic [3:0]         tcdm_wen_o,
  output logic [3:0][3:0]    tcdm_be_o,
  output logic [3:0][31:0]   tcdm_data_o,
  input  logic [3:0][31:0]   tcdm_r_data_i,
  input  logic [3:0]         tcdm_r_valid_i,
  input  logic [3:0]         tcdm_err_i,

  input  logic               periph_req_i,
  output logic               periph_gnt_o,
  input  logic [31:0]        periph_add_i,
  input  logic               periph_wen_i,
  input  logic [3:0]         periph_be_i,
  input  logic [31:0]        periph_data_i,
  input  logic [IdWidth-1:0] periph_id_i,
  output logic [31:0]        periph_r_data_o,
  output logic               periph_r_valid_o,
  output logic [IdWidth-1:0] periph_r_id_o,

  output logic               evt_o
);

  // FEATURES: engine 1 is AES; bits of modes and key lengths as in hwpe.rdl.
  localparam logic [31:0] Features = {
    13'd0, EnCtr, EnCbc, EnEcb, EnDecrypt, EnKey256, EnKey192, 1'b1, 4'(Impl), 8'd1
  };
  localparam logic [15:0] NoIvModes = 16'd1 << aes_pkg::ModeEcb;

  logic    clear;
  logic    job_valid, job_ready;
  job_t    job;
  logic    key_valid, key_ready;
  key_t    key;
  logic    src_valid, src_ready;
  beat_t   src;
  logic    dst_valid, dst_ready;
  beat_t   dst;
  logic    done_valid, done_ready;
  status_e done_status;

  hwpe_shell #(
    .IdWidth(IdWidth),
    .NoIvModes(NoIvModes),
    .AddrWidth (AddrWidth),
    .FifoDepth ((Impl == aes_pkg::ImplPipelined) ? 4 : 1),
    .EnLongKey (EnKey192 || EnKey256),
    .Features(Features)
  ) u_shell (
    .clk_i,
    .rst_ni,
    .tcdm_req_o,
    .tcdm_gnt_i,
    .tcdm_add_o,
    .tcdm_wen_o,
    .tcdm_be_o,
    .tcdm_data_o,
    .tcdm_r_data_i,
    .tcdm_r_valid_i,
    .tcdm_err_i,
    .periph_req_i,
    .periph_gnt_o,
    .periph_add_i,
    .periph_wen_i,
    .periph_be_i,
    .periph_data_i,
    .periph_id_i,
    .periph_r_data_o,
    .periph_r_valid_o,
    .periph_r_id_o,
    .evt_o,
    .clear_o          (clear),
    .job_valid_o      (job_valid),
    .job_ready_i      (job_ready),
    .job_o            (job),
    .key_valid_o      (key_valid),
    .key_ready_i      (key_ready),
    .key_o            (key),
    .src_valid_o      (src_valid),
    .src_ready_i      (src_ready),
    .src_o            (src),
    .dst_valid_i      (dst_valid),
    .dst_ready_o      (dst_ready),
    .dst_i            (dst),
    .done_valid_i     (done_valid),
    .done_ready_o     (done_ready),
    .done_status_i    (done_status)
  );

  logic [1:0] unused_faults;  // the status of the job tells them

  aes_engine #(
    .Impl(Impl),
    .EnDecrypt(EnDecrypt),
    .EnKey192(EnKey192),
    .EnKey256(EnKey256),
    .EnEcb(EnEcb),
    .EnCbc(EnCbc),
    .EnCtr(EnCtr),
    .Protect(Protect)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .clear_i          (clear),
    .job_valid_i      (job_valid),
    .job_ready_o      (job_ready),
    .job_i            (job),
    .key_valid_i      (key_valid),
    .key_ready_o      (key_ready),
    .key_i            (key),
    .src_valid_i      (src_valid),
    .src_ready_o      (src_ready),
    .src_i            (src),
    .dst_valid_o      (dst_valid),
    .dst_ready_i      (dst_ready),
    .dst_o            (dst),
    .done_valid_o     (done_valid),
    .done_ready_i     (done_ready),
    .done_status_o    (done_status),
    .fault_corrected_o(unused_faults[0]),
    .fault_detected_o (unused_faults[1])
  );

endmodule
