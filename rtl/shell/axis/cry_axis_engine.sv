// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Any engine on AXI4-Stream. Ports: see cry_axis_shell. The shell gives keys of 16, 24 or 32 bytes:
// modes with a key of any other length are not in FEATURES, and jobs in them end with
// StatusBadParam.
module cry_axis_engine
  import cry_engine_pkg::*;
  import cry_engine_select_pkg::*;
#(
  parameter engine_e                   Engine  = ChaCha20Poly1305Opt,          // which engine
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone  // against upsets
) (
  input  logic         clk_i,   // clock
  input  logic         rst_ni,  // reset, asynchronous, active low
  input  logic         por_ni,  // power-on reset: alone clears the log of faults
  input  logic         lock_i,  // closes the fault registers
  output logic         irq_o,   // interrupt, a level

  // AXI4-Lite
  input  logic         s_axil_awvalid_i,
  output logic         s_axil_awready_o,
  input  logic [7:0]   s_axil_awaddr_i,
  input  logic         s_axil_wvalid_i,
  output logic         s_axil_wready_o,
  input  logic [31:0]  s_axil_wdata_i,
  input  logic [3:0]   s_axil_wstrb_i,
  output logic         s_axil_bvalid_o,
  input  logic         s_axil_bready_i,
  output logic [1:0]   s_axil_bresp_o,
  input  logic         s_axil_arvalid_i,
  output logic         s_axil_arready_o,
  input  logic [7:0]   s_axil_araddr_i,
  output logic         s_axil_rvalid_o,
  input  logic         s_axil_rready_i,
  output logic [31:0]  s_axil_rdata_o,
  output logic [1:0]   s_axil_rresp_o,

  // AXI4-Stream
  input  logic         s_axis_tvalid_i,
  output logic         s_axis_tready_o,
  input  logic [127:0] s_axis_tdata_i,
  input  logic [15:0]  s_axis_tkeep_i,
  input  logic         s_axis_tlast_i,
  output logic         m_axis_tvalid_o,
  input  logic         m_axis_tready_i,
  output logic [127:0] m_axis_tdata_o,
  output logic [15:0]  m_axis_tkeep_o,
  output logic         m_axis_tlast_o,

  // Random bits, for engines that take them
  input  logic         rnd_valid_i,  // there are some
  output logic         rnd_ready_o,  // they are taken
  input  logic [127:0] rnd_i         // 128 of them, never given twice
);

  // Of the keys in two transfers those with a tag have a length of their own.
  localparam logic [15:0] PairModes = two_key_modes(Engine) & ~tag_modes(Engine);
  localparam logic [15:0] NotServed = two_key_modes(Engine) & tag_modes(Engine);

  engine_req_t req;
  engine_rsp_t rsp;

  cry_axis_shell #(
    .TagModes (tag_modes(Engine)),
    .PairModes(PairModes),
    .Features (features(Engine) & ~{NotServed, 16'd0})
  ) u_shell (
    .clk_i,
    .rst_ni,
    .por_ni,
    .lock_i,
    .irq_o,
    .s_axil_awvalid_i,
    .s_axil_awready_o,
    .s_axil_awaddr_i,
    .s_axil_wvalid_i,
    .s_axil_wready_o,
    .s_axil_wdata_i,
    .s_axil_wstrb_i,
    .s_axil_bvalid_o,
    .s_axil_bready_i,
    .s_axil_bresp_o,
    .s_axil_arvalid_i,
    .s_axil_arready_o,
    .s_axil_araddr_i,
    .s_axil_rvalid_o,
    .s_axil_rready_i,
    .s_axil_rdata_o,
    .s_axil_rresp_o,
    .s_axis_tvalid_i,
    .s_axis_tready_o,
    .s_axis_tdata_i,
    .s_axis_tkeep_i,
    .s_axis_tlast_i,
    .m_axis_tvalid_o,
    .m_axis_tready_i,
    .m_axis_tdata_o,
    .m_axis_tkeep_o,
    .m_axis_tlast_o,
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
