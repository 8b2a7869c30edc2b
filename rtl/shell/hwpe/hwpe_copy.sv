// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The data mover as a hardware processing engine: copies LEN bytes from SRC_PTR to DST_PTR at any
// alignment. Also the pattern for wrapping any other engine. Ports: see hwpe_shell.
//
// Parameters: IdWidth, bits of the peripheral port's request identifier.
module hwpe_copy
  import engine_pkg::*;
#(
  parameter int unsigned IdWidth = 8
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

  engine_req_t req;
  engine_rsp_t rsp;

  hwpe_shell #(
    .IdWidth(IdWidth),
    .NoIvModes  (16'hFFFF),
    .NoKeyModes (16'hFFFF),
    .EnLongKey  (1'b0),
    .Features   ({16'h0001, 16'h0000})
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

  copy_engine u_engine (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp)
  );

endmodule
