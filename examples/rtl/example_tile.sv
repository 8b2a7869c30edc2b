// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile with one queue and hash functions alone on AXI: a core programs it by its data port, and
// it fetches descriptors and data, and writes digests and records, in the memory outside.
module example_tile
  import cry_tile_pkg::*;
#(
  parameter logic [15:0] Opcodes = 16'h000B  // engines: nop, copy, sha2
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 irq_o,            // of the queue, a level
  output logic                 error_irq_o,      // of the tile, a level
  // The core's data port: an access is granted, and answered later
  input  logic                 data_req_i,
  output logic                 data_gnt_o,
  input  logic [19:0]          data_addr_i,
  input  logic                 data_we_i,
  input  logic [31:0]          data_wdata_i,
  output logic                 data_rvalid_o,
  output logic [31:0]          data_rdata_o,
  output logic                 data_err_o,       // with rvalid
  // Memory, AXI4, one identifier
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [AddrWidth-1:0] m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  output logic [127:0]         m_axi_wdata_o,
  output logic [15:0]          m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,
  input  logic [1:0]           m_axi_bresp_i,
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  output logic [AddrWidth-1:0] m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o,
  input  logic [127:0]         m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i
);

  logic        awvalid, awready, wvalid, wready, bvalid, arvalid, arready, rvalid;
  logic [1:0]  bresp, rresp;
  logic [31:0] rdata;

  example_axil #(
    .NumBlocks(1)
  ) u_axil (
    .clk_i,
    .rst_ni,
    .req_i    (data_req_i),
    .gnt_o    (data_gnt_o),
    .we_i     (data_we_i),
    .sel_i    (1'b0),
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

  // Where there are several processes an IOMMU or a bus monitor takes AxUSER; here is one.
  logic                 unused_rnd_ready;
  logic [UserWidth-1:0] unused_awuser, unused_aruser;
  logic [3:0]           unused_awcache, unused_arcache;
  logic [2:0]           unused_awprot, unused_arprot;

  cry_tile #(
    .NumQueues (1),
    .NumSlots  (1),
    .NumWindows(1),
    .Opcodes   (Opcodes)
  ) u_tile (
    .clk_i,
    .rst_ni,
    .tamper_i        (1'b0),
    .irq_o,
    .error_irq_o,
    .s_axil_awvalid_i(awvalid),
    .s_axil_awready_o(awready),
    .s_axil_awaddr_i (data_addr_i),
    .s_axil_wvalid_i (wvalid),
    .s_axil_wready_o (wready),
    .s_axil_wdata_i  (data_wdata_i),
    .s_axil_wstrb_i  (4'hF),
    .s_axil_bvalid_o (bvalid),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (bresp),
    .s_axil_arvalid_i(arvalid),
    .s_axil_arready_o(arready),
    .s_axil_araddr_i (data_addr_i),
    .s_axil_rvalid_o (rvalid),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (rdata),
    .s_axil_rresp_o  (rresp),
    .m_axi_awvalid_o,
    .m_axi_awready_i,
    .m_axi_awaddr_o,
    .m_axi_awlen_o,
    .m_axi_awuser_o  (unused_awuser),
    .m_axi_awcache_o (unused_awcache),
    .m_axi_awprot_o  (unused_awprot),
    .m_axi_wvalid_o,
    .m_axi_wready_i,
    .m_axi_wdata_o,
    .m_axi_wstrb_o,
    .m_axi_wlast_o,
    .m_axi_bvalid_i,
    .m_axi_bready_o,
    .m_axi_bresp_i,
    .m_axi_arvalid_o,
    .m_axi_arready_i,
    .m_axi_araddr_o,
    .m_axi_arlen_o,
    .m_axi_aruser_o  (unused_aruser),
    .m_axi_arcache_o (unused_arcache),
    .m_axi_arprot_o  (unused_arprot),
    .m_axi_rvalid_i,
    .m_axi_rready_o,
    .m_axi_rdata_i,
    .m_axi_rresp_i,
    .m_axi_rlast_i,
    // None of these engines takes random bits.
    .rnd_valid_i     (1'b0),
    .rnd_ready_o     (unused_rnd_ready),
    .rnd_i           ('0),
    .rnd_forget_i    (1'b0),
    .rnd_alarm_i     (1'b0)
  );

endmodule
