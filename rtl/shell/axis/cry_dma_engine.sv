// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// cry_axi_dma with cry_axis_engine at its streams: any engine from memory to memory. Wiring only;
// protocol and latency are those of the two.
module cry_dma_engine
  import cry_axi_dma_pkg::*;
  import cry_engine_select_pkg::*;
#(
  parameter  engine_e                    Engine     = ChaCha20Poly1305Opt,  // which engine
  // Level of protection of the engine
  parameter  cry_protect_pkg::protect_e  Protect    = cry_protect_pkg::ProtectNone,
  parameter  int unsigned                DataWidth  = 128,  // bits of a bus word, 64 or 128
  parameter  int unsigned                BurstLen   = 16,   // see cry_axi_dma
  parameter  int unsigned                ReadDepth  = 64,   // see cry_axi_dma
  parameter  int unsigned                WriteDepth = 64,   // see cry_axi_dma
  localparam int unsigned                WordBytes  = DataWidth / 8
) (
  input  logic                       clk_i,         // clock
  input  logic                       rst_ni,        // reset, asynchronous, active low
  input  logic                       por_ni,        // power-on reset: clears the log of faults
  input  logic                       lock_i,        // closes the fault registers
  output logic                       dma_irq_o,     // interrupt of the DMA, a level
  output logic                       engine_irq_o,  // interrupt of the shell, a level

  // AXI4-Lite of the DMA
  input  logic                       s_axil_dma_awvalid_i,
  output logic                       s_axil_dma_awready_o,
  input  logic [5:0]                 s_axil_dma_awaddr_i,
  input  logic                       s_axil_dma_wvalid_i,
  output logic                       s_axil_dma_wready_o,
  input  logic [31:0]                s_axil_dma_wdata_i,
  input  logic [3:0]                 s_axil_dma_wstrb_i,
  output logic                       s_axil_dma_bvalid_o,
  input  logic                       s_axil_dma_bready_i,
  output logic [1:0]                 s_axil_dma_bresp_o,
  input  logic                       s_axil_dma_arvalid_i,
  output logic                       s_axil_dma_arready_o,
  input  logic [5:0]                 s_axil_dma_araddr_i,
  output logic                       s_axil_dma_rvalid_o,
  input  logic                       s_axil_dma_rready_i,
  output logic [31:0]                s_axil_dma_rdata_o,
  output logic [1:0]                 s_axil_dma_rresp_o,

  // AXI4-Lite of the engine's shell
  input  logic                       s_axil_engine_awvalid_i,
  output logic                       s_axil_engine_awready_o,
  input  logic [7:0]                 s_axil_engine_awaddr_i,
  input  logic                       s_axil_engine_wvalid_i,
  output logic                       s_axil_engine_wready_o,
  input  logic [31:0]                s_axil_engine_wdata_i,
  input  logic [3:0]                 s_axil_engine_wstrb_i,
  output logic                       s_axil_engine_bvalid_o,
  input  logic                       s_axil_engine_bready_i,
  output logic [1:0]                 s_axil_engine_bresp_o,
  input  logic                       s_axil_engine_arvalid_i,
  output logic                       s_axil_engine_arready_o,
  input  logic [7:0]                 s_axil_engine_araddr_i,
  output logic                       s_axil_engine_rvalid_o,
  input  logic                       s_axil_engine_rready_i,
  output logic [31:0]                s_axil_engine_rdata_o,
  output logic [1:0]                 s_axil_engine_rresp_o,

  // AXI4
  output logic                       m_axi_awvalid_o,
  input  logic                       m_axi_awready_i,
  output logic [IdWidth-1:0]         m_axi_awid_o,
  output logic [31:0]                m_axi_awaddr_o,
  output logic [7:0]                 m_axi_awlen_o,
  output logic                       m_axi_wvalid_o,
  input  logic                       m_axi_wready_i,
  output logic [DataWidth-1:0]       m_axi_wdata_o,
  output logic [WordBytes-1:0]       m_axi_wstrb_o,
  output logic                       m_axi_wlast_o,
  input  logic                       m_axi_bvalid_i,
  output logic                       m_axi_bready_o,
  input  logic [IdWidth-1:0]         m_axi_bid_i,
  input  logic [1:0]                 m_axi_bresp_i,
  output logic                       m_axi_arvalid_o,
  input  logic                       m_axi_arready_i,
  output logic [IdWidth-1:0]         m_axi_arid_o,
  output logic [31:0]                m_axi_araddr_o,
  output logic [7:0]                 m_axi_arlen_o,
  input  logic                       m_axi_rvalid_i,
  output logic                       m_axi_rready_o,
  input  logic [IdWidth-1:0]         m_axi_rid_i,
  input  logic [DataWidth-1:0]       m_axi_rdata_i,
  input  logic [1:0]                 m_axi_rresp_i,
  input  logic                       m_axi_rlast_i,

  // Random bits, for engines that take them
  input  logic                       rnd_valid_i,  // there are some
  output logic                       rnd_ready_o,  // they are taken
  input  logic [127:0]               rnd_i         // 128 of them, never given twice
);

  logic         to_valid, to_ready, to_last, from_valid, from_ready, from_last;
  logic [127:0] to_data, from_data;
  logic [15:0]  to_keep, from_keep;

  cry_axi_dma #(
    .DataWidth (DataWidth),
    .BurstLen  (BurstLen),
    .ReadDepth (ReadDepth),
    .WriteDepth(WriteDepth)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .irq_o           (dma_irq_o),
    .s_axil_awvalid_i(s_axil_dma_awvalid_i),
    .s_axil_awready_o(s_axil_dma_awready_o),
    .s_axil_awaddr_i (s_axil_dma_awaddr_i),
    .s_axil_wvalid_i (s_axil_dma_wvalid_i),
    .s_axil_wready_o (s_axil_dma_wready_o),
    .s_axil_wdata_i  (s_axil_dma_wdata_i),
    .s_axil_wstrb_i  (s_axil_dma_wstrb_i),
    .s_axil_bvalid_o (s_axil_dma_bvalid_o),
    .s_axil_bready_i (s_axil_dma_bready_i),
    .s_axil_bresp_o  (s_axil_dma_bresp_o),
    .s_axil_arvalid_i(s_axil_dma_arvalid_i),
    .s_axil_arready_o(s_axil_dma_arready_o),
    .s_axil_araddr_i (s_axil_dma_araddr_i),
    .s_axil_rvalid_o (s_axil_dma_rvalid_o),
    .s_axil_rready_i (s_axil_dma_rready_i),
    .s_axil_rdata_o  (s_axil_dma_rdata_o),
    .s_axil_rresp_o  (s_axil_dma_rresp_o),
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

  cry_axis_engine #(
    .Engine (Engine),
    .Protect(Protect)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .por_ni,
    .lock_i,
    .irq_o           (engine_irq_o),
    .s_axil_awvalid_i(s_axil_engine_awvalid_i),
    .s_axil_awready_o(s_axil_engine_awready_o),
    .s_axil_awaddr_i (s_axil_engine_awaddr_i),
    .s_axil_wvalid_i (s_axil_engine_wvalid_i),
    .s_axil_wready_o (s_axil_engine_wready_o),
    .s_axil_wdata_i  (s_axil_engine_wdata_i),
    .s_axil_wstrb_i  (s_axil_engine_wstrb_i),
    .s_axil_bvalid_o (s_axil_engine_bvalid_o),
    .s_axil_bready_i (s_axil_engine_bready_i),
    .s_axil_bresp_o  (s_axil_engine_bresp_o),
    .s_axil_arvalid_i(s_axil_engine_arvalid_i),
    .s_axil_arready_o(s_axil_engine_arready_o),
    .s_axil_araddr_i (s_axil_engine_araddr_i),
    .s_axil_rvalid_o (s_axil_engine_rvalid_o),
    .s_axil_rready_i (s_axil_engine_rready_i),
    .s_axil_rdata_o  (s_axil_engine_rdata_o),
    .s_axil_rresp_o  (s_axil_engine_rresp_o),
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
    .rnd_valid_i,
    .rnd_ready_o,
    .rnd_i
  );

endmodule
