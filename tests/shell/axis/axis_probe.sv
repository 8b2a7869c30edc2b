// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// For tests: the shell around the data mover, with an engine's fault pulses in the hands of the
// test.
module axis_probe
  import cry_engine_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         por_ni,
  input  logic         lock_i,
  output logic         irq_o,
  output logic         fault_inject_o,
  input  logic         fault_corrected_i,
  input  logic         fault_detected_i,
  input  logic [7:0]   fault_sites_i,

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

  engine_req_t req;
  engine_rsp_t rsp, engine_rsp;

  assign fault_inject_o = req.fault_inject;
  always_comb begin
    rsp                 = engine_rsp;
    rsp.fault_corrected = fault_corrected_i;
    rsp.fault_detected  = fault_detected_i;
    rsp.fault_sites     = fault_sites_i;
  end

  logic unused_rnd_ready;
  cry_axis_shell #(
    .TagModes(16'h8000),
    .Features(32'h0001_0000)
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
    .rnd_valid_i(1'b0),
    .rnd_ready_o(unused_rnd_ready),
    .rnd_i('0),
    .req_o(req),
    .rsp_i(rsp)
  );

  cry_engine_select u_engine (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(engine_rsp)
  );

  logic unused_rsp;
  assign unused_rsp = ^{engine_rsp.fault_corrected, engine_rsp.fault_detected,
                        engine_rsp.fault_sites};

endmodule
