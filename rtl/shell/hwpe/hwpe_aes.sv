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

  engine_req_t req;
  engine_rsp_t rsp;

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
    .req_o(req),
    .rsp_i(rsp)
  );

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
    .req_i(req),
    .rsp_o(rsp)
  );

endmodule
