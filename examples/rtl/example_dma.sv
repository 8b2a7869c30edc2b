// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20-Poly1305 between the streams of an AXI DMA: memory to memory. A core programs both by
// its data port; the memory is outside, on AXI4.
module example_dma
  import cry_axi_dma_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic               dma_irq_o,        // the DMA's interrupt, a level
  output logic               engine_irq_o,     // the engine's interrupt, a level
  // The core's data port: an access is granted, and answered later
  input  logic               data_req_i,
  output logic               data_gnt_o,
  input  logic [12:0]        data_addr_i,      // bit 12: 0 the DMA, 1 the engine
  input  logic               data_we_i,
  input  logic [31:0]        data_wdata_i,
  output logic               data_rvalid_o,
  output logic [31:0]        data_rdata_o,
  output logic               data_err_o,       // with rvalid
  // Memory, AXI4
  output logic               m_axi_awvalid_o,
  input  logic               m_axi_awready_i,
  output logic [IdWidth-1:0] m_axi_awid_o,
  output logic [31:0]        m_axi_awaddr_o,
  output logic [7:0]         m_axi_awlen_o,
  output logic               m_axi_wvalid_o,
  input  logic               m_axi_wready_i,
  output logic [127:0]       m_axi_wdata_o,
  output logic [15:0]        m_axi_wstrb_o,
  output logic               m_axi_wlast_o,
  input  logic               m_axi_bvalid_i,
  output logic               m_axi_bready_o,
  input  logic [IdWidth-1:0] m_axi_bid_i,
  input  logic [1:0]         m_axi_bresp_i,
  output logic               m_axi_arvalid_o,
  input  logic               m_axi_arready_i,
  output logic [IdWidth-1:0] m_axi_arid_o,
  output logic [31:0]        m_axi_araddr_o,
  output logic [7:0]         m_axi_arlen_o,
  input  logic               m_axi_rvalid_i,
  output logic               m_axi_rready_o,
  input  logic [IdWidth-1:0] m_axi_rid_i,
  input  logic [127:0]       m_axi_rdata_i,
  input  logic [1:0]         m_axi_rresp_i,
  input  logic               m_axi_rlast_i
);

  // Registers: 0 the DMA's, 1 the engine's
  logic [1:0]       awvalid, awready, wvalid, wready, bvalid, arvalid, arready, rvalid;
  logic [1:0][1:0]  bresp, rresp;
  logic [1:0][31:0] rdata;

  example_axil #(
    .NumBlocks(2)
  ) u_axil (
    .clk_i,
    .rst_ni,
    .req_i    (data_req_i),
    .gnt_o    (data_gnt_o),
    .we_i     (data_we_i),
    .sel_i    (data_addr_i[12]),
    .rvalid_o (data_rvalid_o),
    .rdata_o  (data_rdata_o),
    .err_o    (data_err_o),
    .awvalid_o(awvalid),
    .awready_i(awready),
    .wvalid_o (wvalid),
    .wready_i (wready),
    .bvalid_i (bvalid),
    .bresp_i  (bresp),
    .arvalid_o(arvalid),
    .arready_i(arready),
    .rvalid_i (rvalid),
    .rdata_i  (rdata),
    .rresp_i  (rresp)
  );

  // Streams: to the engine, and from it
  logic         to_valid, to_ready, to_last, from_valid, from_ready, from_last;
  logic [127:0] to_data, from_data;
  logic [15:0]  to_keep, from_keep;

  cry_axi_dma #(
    .DataWidth(128)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .irq_o           (dma_irq_o),
    .s_axil_awvalid_i(awvalid[0]),
    .s_axil_awready_o(awready[0]),
    .s_axil_awaddr_i (data_addr_i[5:0]),
    .s_axil_wvalid_i (wvalid[0]),
    .s_axil_wready_o (wready[0]),
    .s_axil_wdata_i  (data_wdata_i),
    .s_axil_wstrb_i  (4'hF),
    .s_axil_bvalid_o (bvalid[0]),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (bresp[0]),
    .s_axil_arvalid_i(arvalid[0]),
    .s_axil_arready_o(arready[0]),
    .s_axil_araddr_i (data_addr_i[5:0]),
    .s_axil_rvalid_o (rvalid[0]),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (rdata[0]),
    .s_axil_rresp_o  (rresp[0]),
    .m_axi_awvalid_o,
    .m_axi_awready_i,
    .m_axi_awid_o,
    .m_axi_awaddr_o,
    .m_axi_awlen_o,
    .m_axi_wvalid_o,
    .m_axi_wready_i,
    .m_axi_wdata_o,
    .m_axi_wstrb_o,
    .m_axi_wlast_o,
    .m_axi_bvalid_i,
    .m_axi_bready_o,
    .m_axi_bid_i,
    .m_axi_bresp_i,
    .m_axi_arvalid_o,
    .m_axi_arready_i,
    .m_axi_arid_o,
    .m_axi_araddr_o,
    .m_axi_arlen_o,
    .m_axi_rvalid_i,
    .m_axi_rready_o,
    .m_axi_rid_i,
    .m_axi_rdata_i,
    .m_axi_rresp_i,
    .m_axi_rlast_i,
    .m_axis_tvalid_o (to_valid),
    .m_axis_tready_i (to_ready),
    .m_axis_tdata_o  (to_data),
    .m_axis_tkeep_o  (to_keep),
    .m_axis_tlast_o  (to_last),
    .s_axis_tvalid_i (from_valid),
    .s_axis_tready_o (from_ready),
    .s_axis_tdata_i  (from_data),
    .s_axis_tkeep_i  (from_keep),
    .s_axis_tlast_i  (from_last)
  );

  logic unused_rnd_ready;
  cry_axis_engine #(
    .Engine(cry_engine_select_pkg::ChaCha20Poly1305Opt)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .por_ni          (rst_ni),  // the one reset there is
    .lock_i          (1'b0),
    .irq_o           (engine_irq_o),
    .s_axil_awvalid_i(awvalid[1]),
    .s_axil_awready_o(awready[1]),
    .s_axil_awaddr_i (data_addr_i[7:0]),
    .s_axil_wvalid_i (wvalid[1]),
    .s_axil_wready_o (wready[1]),
    .s_axil_wdata_i  (data_wdata_i),
    .s_axil_wstrb_i  (4'hF),
    .s_axil_bvalid_o (bvalid[1]),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (bresp[1]),
    .s_axil_arvalid_i(arvalid[1]),
    .s_axil_arready_o(arready[1]),
    .s_axil_araddr_i (data_addr_i[7:0]),
    .s_axil_rvalid_o (rvalid[1]),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (rdata[1]),
    .s_axil_rresp_o  (rresp[1]),
    .s_axis_tvalid_i (to_valid),
    .s_axis_tready_o (to_ready),
    .s_axis_tdata_i  (to_data),
    .s_axis_tkeep_i  (to_keep),
    .s_axis_tlast_i  (to_last),
    .m_axis_tvalid_o (from_valid),
    .m_axis_tready_i (from_ready),
    .m_axis_tdata_o  (from_data),
    .m_axis_tkeep_o  (from_keep),
    .m_axis_tlast_o  (from_last),
    // This engine takes no random bits.
    .rnd_valid_i     (1'b0),
    .rnd_ready_o     (unused_rnd_ready),
    .rnd_i           ('0)
  );

  logic unused;
  assign unused = ^data_addr_i[11:8];

endmodule
