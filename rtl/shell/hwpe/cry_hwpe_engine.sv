// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Any engine as a hardware processing engine. Ports: see cry_hwpe_shell. The shell gives a key in
// one transfer, no associated data, and has one place for output: modes that take two transfers,
// need such data, or give a message and a tag, are not in FEATURES, and jobs in them end with
// StatusBadParam.
//
// Upsets that the engine corrected or found are told by the job's status in RESULT.
module cry_hwpe_engine
  import cry_engine_pkg::*;
  import cry_engine_select_pkg::*;
#(
  parameter engine_e                   Engine    = AesIterative,  // which engine
  // Level of protection of the engine
  parameter cry_protect_pkg::protect_e Protect   = cry_protect_pkg::ProtectNone,
  parameter int unsigned               IdWidth   = 8,  // bits of the peripheral port's identifiers
  parameter int unsigned               AddrWidth = 20  // address bits that count: cry_hwpe_shell
) (
  input  logic               clk_i,             // clock
  input  logic               rst_ni,            // reset, asynchronous, active low

  output logic [3:0]         tcdm_req_o,        // TCDM: request
  input  logic [3:0]         tcdm_gnt_i,        // TCDM: granted
  output logic [3:0][31:0]   tcdm_add_o,        // TCDM: address
  output logic [3:0]         tcdm_wen_o,        // TCDM: 1 reads
  output logic [3:0][3:0]    tcdm_be_o,         // TCDM: bytes written
  output logic [3:0][31:0]   tcdm_data_o,       // TCDM: written word
  input  logic [3:0][31:0]   tcdm_r_data_i,     // TCDM: read word
  input  logic [3:0]         tcdm_r_valid_i,    // TCDM: read data valid
  input  logic [3:0]         tcdm_err_i,        // TCDM: bad address

  input  logic               periph_req_i,      // registers: request
  output logic               periph_gnt_o,      // registers: granted
  input  logic [31:0]        periph_add_i,      // registers: address
  input  logic               periph_wen_i,      // registers: 1 reads
  input  logic [3:0]         periph_be_i,       // registers: ignored
  input  logic [31:0]        periph_data_i,     // registers: written word
  input  logic [IdWidth-1:0] periph_id_i,       // registers: request ID
  output logic [31:0]        periph_r_data_o,   // registers: read word
  output logic               periph_r_valid_o,  // registers: answer
  output logic [IdWidth-1:0] periph_r_id_o,     // registers: response ID

  output logic               evt_o,             // event, one cycle

  // Random bits, for engines that take them
  input  logic               rnd_valid_i,  // there are some
  output logic               rnd_ready_o,  // they are taken
  input  logic [127:0]       rnd_i         // 128 of them, never given twice
);

  localparam logic [15:0] NotServed = two_key_modes(Engine) | needs_aad_modes(Engine) |
                                      (output_modes(Engine) & tag_modes(Engine));

  engine_req_t req;
  engine_rsp_t rsp;

  cry_hwpe_shell #(
    .IdWidth   (IdWidth),
    .NoIvModes (~iv_modes(Engine)),
    .NoKeyModes(~key_modes(Engine)),
    .TagModes  (tag_modes(Engine)),
    .AddrWidth (AddrWidth),
    .FifoDepth (beats_ahead(Engine)),
    .EnLongKey (long_key(Engine)),
    .Features  (features(Engine) & ~{NotServed, 16'd0})
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
    .rnd_valid_i,
    .rnd_ready_o,
    .rnd_i,
    .req_o(req),
    .rsp_i(rsp)
  );

  cry_engine_select #(
    .Engine (Engine),
    .Protect(Protect)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp)
  );

endmodule
