// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Stream SoC: a RISC-V core with local memories, a scatter-gather DMA, an engine on AXI4-Stream,
// and a large memory behind AXI4. Wiring only; the address map is in README.md.
//
// console_*, exit_* and host_* (mcu_periph) are connected to the test bench; on a chip to UART,
// pads and a serial port.
module stream_soc #(
  // An engine_e of cry_engine_select_pkg
  parameter int unsigned Engine    = int'(cry_engine_select_pkg::ChaCha20Poly1305Opt),
  parameter int unsigned Protect   = 0,    // 0 none, 1 detect, 2 correct, 3 TMR
  parameter int unsigned DataWidth = 128,  // bits of an AXI4 bus word, 64 or 128
  // Bytes, powers of two
  parameter int unsigned ImemSize  = stream_map_pkg::ImemSize,
  parameter int unsigned LocalSize = stream_map_pkg::LocalSize,
  parameter int unsigned MemSize   = stream_map_pkg::MemSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [7:0]  latency_i,     // of the memory (stream_axi_memory)
  input  logic [1:0]  mem_stall_i,   // of the memory (stream_axi_memory)
  output logic        core_sleep_o,  // the core waits for an interrupt

  // Console
  output logic        console_valid_o,
  output logic [7:0]  console_data_o,

  // End of the program
  output logic        exit_valid_o,
  output logic [31:0] exit_code_o,

  // Host mailbox
  output logic        host_valid_o,
  output logic [7:0]  host_cmd_o,
  output logic [31:0] host_addr_o,
  output logic [31:0] host_len_o,
  input  logic [31:0] host_result_i
);

  localparam int unsigned WordBytes = DataWidth / 8;
  localparam int unsigned IdWidth   = cry_axi_dma_pkg::IdWidth;

  // Core
  logic        instr_req, instr_gnt, instr_rvalid, instr_err;
  logic [31:0] instr_addr, instr_rdata;
  logic        data_req, data_gnt, data_rvalid, data_we, data_err;
  logic [3:0]  data_be;
  logic [31:0] data_addr, data_wdata, data_rdata;
  logic        irq;

  mcu_core_cv32e40p u_core (
    .clk_i,
    .rst_ni,
    .instr_req_o   (instr_req),
    .instr_gnt_i   (instr_gnt),
    .instr_rvalid_i(instr_rvalid),
    .instr_addr_o  (instr_addr),
    .instr_rdata_i (instr_rdata),
    .data_req_o    (data_req),
    .data_gnt_i    (data_gnt),
    .data_rvalid_i (data_rvalid),
    .data_we_o     (data_we),
    .data_be_o     (data_be),
    .data_addr_o   (data_addr),
    .data_wdata_o  (data_wdata),
    .data_rdata_i  (data_rdata),
    .irq_i         (irq),
    .sleep_o       (core_sleep_o)
  );

  // The core's data accesses
  logic        imem_req, imem_gnt, local_req, periph_req, periph_err;
  logic        axil_req, axil_gnt, axil_rvalid;
  logic        axi_req, axi_gnt, axi_rvalid, axi_err, axi_idle, axi_write_err;
  logic [31:0] imem_rdata, local_rdata, periph_rdata, axil_rdata, axi_rdata, axi_write_err_addr;
  logic [31:0] data_addr_q;

  stream_data_demux #(
    .ImemSize (ImemSize),
    .LocalSize(LocalSize)
  ) u_data_demux (
    .clk_i,
    .rst_ni,
    .req_i         (data_req),
    .gnt_o         (data_gnt),
    .addr_i        (data_addr),
    .rvalid_o      (data_rvalid),
    .rdata_o       (data_rdata),
    .err_o         (data_err),
    .imem_req_o    (imem_req),
    .imem_gnt_i    (imem_gnt),
    .imem_rdata_i  (imem_rdata),
    .local_req_o   (local_req),
    .local_rdata_i (local_rdata),
    .periph_req_o  (periph_req),
    .periph_rdata_i(periph_rdata),
    .periph_err_i  (periph_err),
    .axil_req_o    (axil_req),
    .axil_gnt_i    (axil_gnt),
    .axil_rvalid_i (axil_rvalid),
    .axil_rdata_i  (axil_rdata),
    .axi_req_o     (axi_req),
    .axi_gnt_i     (axi_gnt),
    .axi_rvalid_i  (axi_rvalid),
    .axi_rdata_i   (axi_rdata),
    .axi_err_i     (axi_err),
    .axi_idle_i    (axi_idle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                   data_addr_q <= '0;
    else if (data_req && data_gnt) data_addr_q <= data_addr;
  end

  mcu_imem #(
    .Words(ImemSize / 4)
  ) u_imem (
    .clk_i,
    .rst_ni,
    .instr_req_i   (instr_req),
    .instr_gnt_o   (instr_gnt),
    .instr_addr_i  (instr_addr),
    .instr_rvalid_o(instr_rvalid),
    .instr_rdata_o (instr_rdata),
    .instr_err_o   (instr_err),
    .data_req_i    (imem_req),
    .data_gnt_o    (imem_gnt),
    .data_we_i     (data_we),
    .data_be_i     (data_be),
    .data_addr_i   (data_addr),
    .data_wdata_i  (data_wdata),
    .data_rdata_o  (imem_rdata)
  );

  mcu_sram #(
    .Words(LocalSize / 4)
  ) u_local (
    .clk_i,
    .req_i  (local_req),
    .we_i   (data_we),
    .be_i   (data_be),
    .addr_i (data_addr[2+:$clog2(LocalSize/4)]),
    .wdata_i(data_wdata),
    .rdata_o(local_rdata)
  );

  logic dma_irq, engine_irq;

  mcu_periph #(
    .Core    (0),
    .Rv32b   (0),
    .Impl    (32'(cry_engine_select_pkg::variant(cry_engine_select_pkg::engine_e'(Engine)))),
    .NumBanks(1)
  ) u_periph (
    .clk_i,
    .rst_ni,
    .req_i          (periph_req),
    .we_i           (data_we),
    .be_i           (data_be),
    .addr_i         (data_addr[16:0]),
    .wdata_i        (data_wdata),
    .rdata_o        (periph_rdata),
    .err_o          (periph_err),
    .hwpe_event_i   (dma_irq || engine_irq),
    .hwpe_err_i     (1'b0),
    .data_err_i     (data_err || axi_write_err),
    .data_err_addr_i(axi_write_err ? axi_write_err_addr : data_addr_q),
    .fetch_err_i    (instr_err),
    .irq_o          (irq),
    .console_valid_o,
    .console_data_o,
    .exit_valid_o,
    .exit_code_o,
    .host_valid_o,
    .host_cmd_o,
    .host_addr_o,
    .host_len_o,
    .host_result_i
  );

  // AXI4-Lite: 0 the DMA, 1 the engine's shell
  logic [1:0]       axil_awvalid, axil_awready, axil_wvalid, axil_wready, axil_bvalid;
  logic [1:0]       axil_arvalid, axil_arready, axil_block_rvalid;
  logic [1:0][31:0] axil_block_rdata;
  logic [1:0][1:0]  unused_bresp, unused_rresp;

  stream_core_axil u_core_axil (
    .clk_i,
    .rst_ni,
    .req_i    (axil_req),
    .gnt_o    (axil_gnt),
    .we_i     (data_we),
    .sel_i    (data_addr[12]),
    .rvalid_o (axil_rvalid),
    .rdata_o  (axil_rdata),
    .awvalid_o(axil_awvalid),
    .awready_i(axil_awready),
    .wvalid_o (axil_wvalid),
    .wready_i (axil_wready),
    .bvalid_i (axil_bvalid),
    .arvalid_o(axil_arvalid),
    .arready_i(axil_arready),
    .rvalid_i (axil_block_rvalid),
    .rdata_i  (axil_block_rdata)
  );

  // AXI4: manager 0 the core, 1 the DMA
  logic [1:0]                awvalid, awready, wvalid, wready, wlast, bvalid, bready;
  logic [1:0][IdWidth-1:0]   awid, arid;
  logic [1:0][31:0]          awaddr, araddr;
  logic [1:0][7:0]           awlen, arlen;
  logic [1:0][DataWidth-1:0] wdata;
  logic [1:0][WordBytes-1:0] wstrb;
  logic [1:0]                arvalid, arready, rvalid, rready;
  logic                      mem_awvalid, mem_awready, mem_wvalid, mem_wready, mem_wlast;
  logic                      mem_bvalid, mem_bready, mem_arvalid, mem_arready, mem_rvalid;
  logic                      mem_rready, mem_rlast;
  logic [IdWidth:0]          mem_awid, mem_bid, mem_arid, mem_rid;
  logic [31:0]               mem_awaddr, mem_araddr;
  logic [7:0]                mem_awlen, mem_arlen;
  logic [DataWidth-1:0]      mem_wdata, mem_rdata;
  logic [WordBytes-1:0]      mem_wstrb;
  logic [1:0]                mem_bresp, mem_rresp;

  stream_core_axi #(
    .DataWidth(DataWidth)
  ) u_core_axi (
    .clk_i,
    .rst_ni,
    .req_i           (axi_req),
    .gnt_o           (axi_gnt),
    .we_i            (data_we),
    .be_i            (data_be),
    .addr_i          (data_addr),
    .wdata_i         (data_wdata),
    .rvalid_o        (axi_rvalid),
    .rdata_o         (axi_rdata),
    .err_o           (axi_err),
    .idle_o          (axi_idle),
    .write_err_o     (axi_write_err),
    .write_err_addr_o(axi_write_err_addr),
    .awvalid_o       (awvalid[0]),
    .awready_i       (awready[0]),
    .awaddr_o        (awaddr[0]),
    .wvalid_o        (wvalid[0]),
    .wready_i        (wready[0]),
    .wdata_o         (wdata[0]),
    .wstrb_o         (wstrb[0]),
    .bvalid_i        (bvalid[0]),
    .bresp_i         (mem_bresp),
    .arvalid_o       (arvalid[0]),
    .arready_i       (arready[0]),
    .araddr_o        (araddr[0]),
    .rvalid_i        (rvalid[0]),
    .rdata_i         (mem_rdata),
    .rresp_i         (mem_rresp)
  );

  assign awid[0]   = '0;
  assign awlen[0]  = '0;
  assign wlast[0]  = 1'b1;
  assign bready[0] = 1'b1;
  assign arid[0]   = '0;
  assign arlen[0]  = '0;
  assign rready[0] = 1'b1;

  stream_axi_mux #(
    .IdWidth  (IdWidth),
    .DataWidth(DataWidth)
  ) u_axi_mux (
    .clk_i,
    .rst_ni,
    .s_awvalid_i (awvalid),
    .s_awready_o (awready),
    .s_awid_i    (awid),
    .s_awaddr_i  (awaddr),
    .s_awlen_i   (awlen),
    .s_wvalid_i  (wvalid),
    .s_wready_o  (wready),
    .s_wdata_i   (wdata),
    .s_wstrb_i   (wstrb),
    .s_wlast_i   (wlast),
    .s_bvalid_o  (bvalid),
    .s_bready_i  (bready),
    .s_arvalid_i (arvalid),
    .s_arready_o (arready),
    .s_arid_i    (arid),
    .s_araddr_i  (araddr),
    .s_arlen_i   (arlen),
    .s_rvalid_o  (rvalid),
    .s_rready_i  (rready),
    .m_awvalid_o (mem_awvalid),
    .m_awready_i (mem_awready),
    .m_awid_o    (mem_awid),
    .m_awaddr_o  (mem_awaddr),
    .m_awlen_o   (mem_awlen),
    .m_wvalid_o  (mem_wvalid),
    .m_wready_i  (mem_wready),
    .m_wdata_o   (mem_wdata),
    .m_wstrb_o   (mem_wstrb),
    .m_wlast_o   (mem_wlast),
    .m_bvalid_i  (mem_bvalid),
    .m_bready_o  (mem_bready),
    .m_bsel_i    (mem_bid[IdWidth]),
    .m_arvalid_o (mem_arvalid),
    .m_arready_i (mem_arready),
    .m_arid_o    (mem_arid),
    .m_araddr_o  (mem_araddr),
    .m_arlen_o   (mem_arlen),
    .m_rvalid_i  (mem_rvalid),
    .m_rready_o  (mem_rready),
    .m_rsel_i    (mem_rid[IdWidth])
  );

  stream_axi_memory #(
    .IdWidth  (IdWidth + 1),
    .DataWidth(DataWidth),
    .Base     (stream_map_pkg::MemBase),
    .Size     (MemSize)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .latency_i,
    .stall_i  (mem_stall_i),
    .awvalid_i(mem_awvalid),
    .awready_o(mem_awready),
    .awid_i   (mem_awid),
    .awaddr_i (mem_awaddr),
    .awlen_i  (mem_awlen),
    .wvalid_i (mem_wvalid),
    .wready_o (mem_wready),
    .wdata_i  (mem_wdata),
    .wstrb_i  (mem_wstrb),
    .wlast_i  (mem_wlast),
    .bvalid_o (mem_bvalid),
    .bready_i (mem_bready),
    .bid_o    (mem_bid),
    .bresp_o  (mem_bresp),
    .arvalid_i(mem_arvalid),
    .arready_o(mem_arready),
    .arid_i   (mem_arid),
    .araddr_i (mem_araddr),
    .arlen_i  (mem_arlen),
    .rvalid_o (mem_rvalid),
    .rready_i (mem_rready),
    .rid_o    (mem_rid),
    .rdata_o  (mem_rdata),
    .rresp_o  (mem_rresp),
    .rlast_o  (mem_rlast)
  );

  // Streams between the DMA and the engine
  logic         to_valid, to_ready, to_last, from_valid, from_ready, from_last;
  logic [127:0] to_data, from_data;
  logic [15:0]  to_keep, from_keep;

  cry_axi_dma #(
    .DataWidth(DataWidth)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .irq_o           (dma_irq),
    .s_axil_awvalid_i(axil_awvalid[0]),
    .s_axil_awready_o(axil_awready[0]),
    .s_axil_awaddr_i (data_addr[5:0]),
    .s_axil_wvalid_i (axil_wvalid[0]),
    .s_axil_wready_o (axil_wready[0]),
    .s_axil_wdata_i  (data_wdata),
    .s_axil_wstrb_i  (data_be),
    .s_axil_bvalid_o (axil_bvalid[0]),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (unused_bresp[0]),
    .s_axil_arvalid_i(axil_arvalid[0]),
    .s_axil_arready_o(axil_arready[0]),
    .s_axil_araddr_i (data_addr[5:0]),
    .s_axil_rvalid_o (axil_block_rvalid[0]),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (axil_block_rdata[0]),
    .s_axil_rresp_o  (unused_rresp[0]),
    .m_axi_awvalid_o (awvalid[1]),
    .m_axi_awready_i (awready[1]),
    .m_axi_awid_o    (awid[1]),
    .m_axi_awaddr_o  (awaddr[1]),
    .m_axi_awlen_o   (awlen[1]),
    .m_axi_wvalid_o  (wvalid[1]),
    .m_axi_wready_i  (wready[1]),
    .m_axi_wdata_o   (wdata[1]),
    .m_axi_wstrb_o   (wstrb[1]),
    .m_axi_wlast_o   (wlast[1]),
    .m_axi_bvalid_i  (bvalid[1]),
    .m_axi_bready_o  (bready[1]),
    .m_axi_bid_i     (mem_bid[IdWidth-1:0]),
    .m_axi_bresp_i   (mem_bresp),
    .m_axi_arvalid_o (arvalid[1]),
    .m_axi_arready_i (arready[1]),
    .m_axi_arid_o    (arid[1]),
    .m_axi_araddr_o  (araddr[1]),
    .m_axi_arlen_o   (arlen[1]),
    .m_axi_rvalid_i  (rvalid[1]),
    .m_axi_rready_o  (rready[1]),
    .m_axi_rid_i     (mem_rid[IdWidth-1:0]),
    .m_axi_rdata_i   (mem_rdata),
    .m_axi_rresp_i   (mem_rresp),
    .m_axi_rlast_i   (mem_rlast),
    .m_axis_tvalid_o (to_valid),
    .m_axis_tready_i (to_ready),
    .m_axis_tdata_o (to_data),
    .m_axis_tkeep_o (to_keep),
    .m_axis_tlast_o (to_last),
    .s_axis_tvalid_i (from_valid),
    .s_axis_tready_o (from_ready),
    .s_axis_tdata_i (from_data),
    .s_axis_tkeep_i (from_keep),
    .s_axis_tlast_i (from_last)
  );

  logic unused_rnd_ready;
  cry_axis_engine #(
    .Engine (cry_engine_select_pkg::engine_e'(Engine)),
    .Protect(cry_protect_pkg::protect_e'(Protect))
  ) u_engine (
    .clk_i,
    .rst_ni,
    .por_ni          (rst_ni),  // the one reset there is
    .lock_i          (1'b0),
    .irq_o           (engine_irq),
    .s_axil_awvalid_i(axil_awvalid[1]),
    .s_axil_awready_o(axil_awready[1]),
    .s_axil_awaddr_i (data_addr[7:0]),
    .s_axil_wvalid_i (axil_wvalid[1]),
    .s_axil_wready_o (axil_wready[1]),
    .s_axil_wdata_i  (data_wdata),
    .s_axil_wstrb_i  (data_be),
    .s_axil_bvalid_o (axil_bvalid[1]),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (unused_bresp[1]),
    .s_axil_arvalid_i(axil_arvalid[1]),
    .s_axil_arready_o(axil_arready[1]),
    .s_axil_araddr_i (data_addr[7:0]),
    .s_axil_rvalid_o (axil_block_rvalid[1]),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (axil_block_rdata[1]),
    .s_axil_rresp_o  (unused_rresp[1]),
    .m_axis_tvalid_o (from_valid),
    .m_axis_tready_i (from_ready),
    .m_axis_tdata_o (from_data),
    .m_axis_tkeep_o (from_keep),
    .m_axis_tlast_o (from_last),
    .s_axis_tvalid_i (to_valid),
    .s_axis_tready_o (to_ready),
    .s_axis_tdata_i (to_data),
    .s_axis_tkeep_i (to_keep),
    .s_axis_tlast_i (to_last),
    // No engine here takes random bits.
    .rnd_valid_i     (1'b0),
    .rnd_ready_o     (unused_rnd_ready),
    .rnd_i           ('0)
  );

  // The core takes its own answers.
  logic unused;
  assign unused = ^{unused_bresp, unused_rresp};

  `CRY_ASSERT_RUN
  `CRY_ASSERT_KNOWN(SleepKnown_A, core_sleep_o)
  `CRY_ASSERT_KNOWN(OutputsKnown_A, {console_valid_o, exit_valid_o, host_valid_o})

endmodule
