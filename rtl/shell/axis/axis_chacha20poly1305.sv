// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20, Poly1305 and their AEAD (RFC 8439) on AXI4-Stream. Ports: see axis_shell.
//
// Parameters: those of chacha20poly1305_engine.
module axis_chacha20poly1305
  import engine_pkg::*;
#(
  parameter chacha20poly1305_pkg::impl_e Impl       = chacha20poly1305_pkg::ImplOpt,
  parameter bit                          EnPoly1305 = 1'b1,
  parameter prim_protect_pkg::protect_e  Protect    = prim_protect_pkg::ProtectNone
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         por_ni,
  input  logic         lock_i,
  output logic         irq_o,

  input  logic         s_axil_awvalid_i,
  output logic         s_axil_awready_o,
  input  logic [6:0]   s_axil_awaddr_i,
  input  logic         s_axil_wvalid_i,
  output logic         s_axil_wready_o,
  input  logic [31:0]  s_axil_wdata_i,
  input  logic [3:0]   s_axil_wstrb_i,
  output logic         s_axil_bvalid_o,
  input  logic         s_axil_bready_i,
  output logic [1:0]   s_axil_bresp_o,
  input  logic         s_axil_arvalid_i,
  output logic         s_axil_arready_o,
  input  logic [6:0]   s_axil_araddr_i,
  output logic         s_axil_rvalid_o,
  input  logic         s_axil_rready_i,
  output logic [31:0]  s_axil_rdata_o,
  output logic [1:0]   s_axil_rresp_o,

  input  logic         s_axis_tvalid_i,
  output logic         s_axis_tready_o,
  input  logic [127:0] s_axis_tdata_i,
  input  logic [15:0]  s_axis_tkeep_i,
  input  logic         s_axis_tlast_i,
  output logic         m_axis_tvalid_o,
  input  logic         m_axis_tready_i,
  output logic [127:0] m_axis_tdata_o,
  output logic [15:0]  m_axis_tkeep_o,
  output logic         m_axis_tlast_o
);

  // FEATURES: engine 2 has keys of 256 bits only.
  localparam logic [31:0] Features = {
    13'd0, EnPoly1305, EnPoly1305, 1'b1, 1'b1, 3'b100, 4'(Impl), 8'd2
  };
  // Decryption in the modes with a tag takes one.
  localparam logic [15:0] TagModes = EnPoly1305 ? 16'b110 : 16'b000;

  engine_req_t req;
  engine_rsp_t rsp;

  axis_shell #(
    .TagModes(TagModes),
    .Features(Features)
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
    .req_o(req),
    .rsp_i(rsp)
  );

  chacha20poly1305_engine #(
    .Impl(Impl),
    .EnPoly1305(EnPoly1305),
    .Protect(Protect)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp)
  );

endmodule
