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
  logic       fault_inject, fault_corrected, fault_detected;
  logic [7:0] fault_sites;

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
    .done_status_i    (done_status),
    .fault_inject_o   (fault_inject),
    .fault_corrected_i(fault_corrected),
    .fault_detected_i (fault_detected),
    .fault_sites_i    (fault_sites)
  );

  chacha20poly1305_engine #(
    .Impl(Impl),
    .EnPoly1305(EnPoly1305),
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
    .fault_inject_i   (fault_inject),
    .fault_corrected_o(fault_corrected),
    .fault_detected_o (fault_detected),
    .fault_sites_o    (fault_sites)
  );

endmodule
