// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Scatter-gather DMA between an AXI4 memory and two AXI4-Streams: two channels, memory to stream
// (MM2S) and stream to memory (S2MM), each working through a chain of descriptors in memory
// (regs/dma.rdl).
//
//   AXI4         INCR bursts of whole bus words, of at most BurstLen words, not across 4 KiB;
//                unaligned ends of writes by strobes; reads may include bytes around the data. IDs:
//                0 data, 1 and 2 descriptors of the two channels; the subordinate must keep the
//                order within an ID. Constant signals (size, burst, cache, lock, prot) are not
//                ports
//   AXI4-Stream  128 bits, TKEEP contiguous from bit 0
//   AXI4-Lite    registers at 0x00 to 0x3C
//   errors       an error response ends the chain and is reported in the descriptor and the
//                registers
module cry_axi_dma
  import cry_axi_dma_pkg::*;
#(
  parameter  int unsigned DataWidth  = 128,  // bits of a bus word, 64 or 128
  // Most words in a burst: a power of two, DataWidth * BurstLen at most 32768
  parameter  int unsigned BurstLen   = 16,
  // Words in flight from memory: full throughput takes the latency and two bursts
  parameter  int unsigned ReadDepth  = 64,
  // Words in the write FIFO: two bursts or more
  parameter  int unsigned WriteDepth = 64,
  localparam int unsigned WordBytes  = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 irq_o,  // level

  // AXI4-Lite subordinate
  input  logic                 s_axil_awvalid_i,
  output logic                 s_axil_awready_o,
  input  logic [5:0]           s_axil_awaddr_i,
  input  logic                 s_axil_wvalid_i,
  output logic                 s_axil_wready_o,
  input  logic [31:0]          s_axil_wdata_i,
  input  logic [3:0]           s_axil_wstrb_i,
  output logic                 s_axil_bvalid_o,
  input  logic                 s_axil_bready_i,
  output logic [1:0]           s_axil_bresp_o,
  input  logic                 s_axil_arvalid_i,
  output logic                 s_axil_arready_o,
  input  logic [5:0]           s_axil_araddr_i,
  output logic                 s_axil_rvalid_o,
  input  logic                 s_axil_rready_i,
  output logic [31:0]          s_axil_rdata_o,
  output logic [1:0]           s_axil_rresp_o,

  // AXI4 manager
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [IdWidth-1:0]   m_axi_awid_o,
  output logic [31:0]          m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  output logic [DataWidth-1:0] m_axi_wdata_o,
  output logic [WordBytes-1:0] m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,
  input  logic [IdWidth-1:0]   m_axi_bid_i,
  input  logic [1:0]           m_axi_bresp_i,
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  output logic [IdWidth-1:0]   m_axi_arid_o,
  output logic [31:0]          m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o,
  input  logic [IdWidth-1:0]   m_axi_rid_i,
  input  logic [DataWidth-1:0] m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i,

  // AXI4-Stream, MM2S
  output logic                 m_axis_tvalid_o,
  input  logic                 m_axis_tready_i,
  output logic [127:0]         m_axis_tdata_o,
  output logic [15:0]          m_axis_tkeep_o,
  output logic                 m_axis_tlast_o,
  // AXI4-Stream, S2MM
  input  logic                 s_axis_tvalid_i,
  output logic                 s_axis_tready_o,
  input  logic [127:0]         s_axis_tdata_i,
  input  logic [15:0]          s_axis_tkeep_i,
  input  logic                 s_axis_tlast_i
);

  // Channels: 0 memory to stream, 1 stream to memory.
  logic   [1:0]       start, abort, stop, busy;
  logic   [1:0][31:0] head;
  logic   [1:0]       fetch_active, fetch_error, desc_valid, desc_ready;
  error_e [1:0]       fetch_code;
  logic   [1:0][31:0] fetch_at;
  desc_t  [1:0]       desc;
  logic   [1:0]       move_active, move_error;
  error_e [1:0]       move_code;
  logic   [1:0][31:0] move_at;
  logic    [1:0]      status_valid, status_ready;
  status_t [1:0]      status;
  logic   [1:0]       store_busy, store_done, store_error;
  error_e             store_code;
  logic   [1:0][31:0] store_at;
  logic   [1:0]       quiet;
  logic   [1:0]       report;
  error_e [1:0]       report_code;
  where_e [1:0]       report_where;
  logic   [1:0][31:0] report_at;

  cry_axi_dma_regs u_regs (
    .clk_i,
    .rst_ni,
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
    .start_o       (start),
    .head_o        (head),
    .abort_o       (abort),
    .busy_i        (busy),
    .quiet_i       (quiet),
    .done_i        (store_done),
    .error_i       (report),
    .error_code_i  (report_code),
    .error_where_i (report_where),
    .error_at_i    (report_at)
  );

  // An error stops its channel like an abort, until nothing of the chain is left.
  for (genvar c = 0; c < 2; c++) begin : gen_channel
    logic halt_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)        halt_q <= 1'b0;
      else if (report[c]) halt_q <= 1'b1;
      else if (!busy[c])  halt_q <= 1'b0;
    end

    assign stop[c]   = abort[c] || halt_q;
    assign busy[c]   = fetch_active[c] || move_active[c] || store_busy[c];
    assign report[c] = fetch_error[c] || move_error[c] || store_error[c];

    always_comb begin
      if (store_error[c]) begin
        report_code[c]  = store_code;
        report_where[c] = WhereStore;
        report_at[c]    = store_at[c];
      end else if (move_error[c]) begin
        report_code[c]  = move_code[c];
        report_where[c] = WhereData;
        report_at[c]    = move_at[c];
      end else begin
        report_code[c]  = fetch_code[c];
        report_where[c] = WhereFetch;
        report_at[c]    = fetch_at[c];
      end
    end
  end

  assign quiet[0] = !busy[0] && !m_axis_tvalid_o;
  assign quiet[1] = !busy[1] && !s_axis_tvalid_i;

  // Reads: the first of data, and the descriptors of the two channels, that asks.
  logic [2:0]       ar_valid, ar_ready, r_valid;
  logic [2:0][31:0] ar_addr;
  logic [7:0]       ar_len;
  logic             ar_free;

  assign ar_free     = !m_axi_arvalid_o || m_axi_arready_i;
  assign ar_ready[1] = ar_free;
  assign ar_ready[2] = ar_free && !ar_valid[1];
  assign ar_ready[0] = ar_free && !ar_valid[1] && !ar_valid[2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_axi_arvalid_o <= 1'b0;
      m_axi_arid_o    <= IdData;
      m_axi_araddr_o  <= '0;
      m_axi_arlen_o   <= '0;
    end else if (ar_free) begin
      m_axi_arvalid_o <= ar_valid != '0;
      if (ar_valid[1]) begin
        m_axi_arid_o   <= IdMm2s;
        m_axi_araddr_o <= ar_addr[1];
        m_axi_arlen_o  <= 8'(128 / DataWidth - 1);
      end else if (ar_valid[2]) begin
        m_axi_arid_o   <= IdS2mm;
        m_axi_araddr_o <= ar_addr[2];
        m_axi_arlen_o  <= 8'(128 / DataWidth - 1);
      end else begin
        m_axi_arid_o   <= IdData;
        m_axi_araddr_o <= ar_addr[0];
        m_axi_arlen_o  <= ar_len;
      end
    end
  end

  for (genvar i = 0; i < 3; i++) begin : gen_answer
    assign r_valid[i] = m_axi_rvalid_i && (m_axi_rid_i == IdWidth'(i));
  end
  assign m_axi_rready_o = 1'b1;
  assign m_axi_bready_o = 1'b1;

  for (genvar c = 0; c < 2; c++) begin : gen_fetch
    cry_axi_dma_fetch #(
      .DataWidth(DataWidth)
    ) u_fetch (
      .clk_i,
      .rst_ni,
      .start_i     (start[c]),
      .head_i      (head[c]),
      .stop_i      (stop[c]),
      .active_o    (fetch_active[c]),
      .error_o     (fetch_error[c]),
      .error_code_o(fetch_code[c]),
      .error_at_o  (fetch_at[c]),
      .desc_valid_o(desc_valid[c]),
      .desc_ready_i(desc_ready[c]),
      .desc_o      (desc[c]),
      .ar_valid_o  (ar_valid[1+c]),
      .ar_ready_i  (ar_ready[1+c]),
      .ar_addr_o   (ar_addr[1+c]),
      .r_valid_i   (r_valid[1+c]),
      .r_data_i    (m_axi_rdata_i),
      .r_resp_i    (m_axi_rresp_i),
      .r_last_i    (m_axi_rlast_i)
    );
  end

  cry_axi_dma_read #(
    .DataWidth(DataWidth),
    .BurstLen (BurstLen),
    .Depth    (ReadDepth)
  ) u_read (
    .clk_i,
    .rst_ni,
    .stop_i        (stop[0]),
    .active_o      (move_active[0]),
    .error_o       (move_error[0]),
    .error_code_o  (move_code[0]),
    .error_at_o    (move_at[0]),
    .desc_valid_i  (desc_valid[0]),
    .desc_ready_o  (desc_ready[0]),
    .desc_i        (desc[0]),
    .status_valid_o(status_valid[0]),
    .status_ready_i(status_ready[0]),
    .status_o      (status[0]),
    .ar_valid_o    (ar_valid[0]),
    .ar_ready_i    (ar_ready[0]),
    .ar_addr_o     (ar_addr[0]),
    .ar_len_o      (ar_len),
    .r_valid_i     (r_valid[0]),
    .r_data_i      (m_axi_rdata_i),
    .r_resp_i      (m_axi_rresp_i),
    .tvalid_o      (m_axis_tvalid_o),
    .tready_i      (m_axis_tready_i),
    .tdata_o       (m_axis_tdata_o),
    .tkeep_o       (m_axis_tkeep_o),
    .tlast_o       (m_axis_tlast_o)
  );

  logic                 burst_valid, burst_ready, word_valid, word_ready, data_answer;
  logic [31:0]          burst_addr;
  logic [7:0]           burst_len;
  logic [DataWidth-1:0] word_data;
  logic [WordBytes-1:0] word_strb;

  cry_axi_dma_write #(
    .DataWidth(DataWidth),
    .BurstLen (BurstLen),
    .Depth    (WriteDepth)
  ) u_write (
    .clk_i,
    .rst_ni,
    .stop_i        (stop[1]),
    .discard_i     (abort[1]),
    .active_o      (move_active[1]),
    .error_o       (move_error[1]),
    .error_code_o  (move_code[1]),
    .error_at_o    (move_at[1]),
    .desc_valid_i  (desc_valid[1]),
    .desc_ready_o  (desc_ready[1]),
    .desc_i        (desc[1]),
    .status_valid_o(status_valid[1]),
    .status_ready_i(status_ready[1]),
    .status_o      (status[1]),
    .tvalid_i      (s_axis_tvalid_i),
    .tready_o      (s_axis_tready_o),
    .tdata_i       (s_axis_tdata_i),
    .tkeep_i       (s_axis_tkeep_i),
    .tlast_i       (s_axis_tlast_i),
    .burst_valid_o (burst_valid),
    .burst_ready_i (burst_ready),
    .burst_addr_o  (burst_addr),
    .burst_len_o   (burst_len),
    .word_valid_o  (word_valid),
    .word_ready_i  (word_ready),
    .word_data_o   (word_data),
    .word_strb_o   (word_strb),
    .b_valid_i     (data_answer),
    .b_resp_i      (m_axi_bresp_i)
  );

  id_e aw_id;
  assign m_axi_awid_o = aw_id;

  cry_axi_dma_store #(
    .DataWidth(DataWidth)
  ) u_store (
    .clk_i,
    .rst_ni,
    .status_valid_i(status_valid),
    .status_ready_o(status_ready),
    .status_i      (status),
    .store_busy_o  (store_busy),
    .store_done_o  (store_done),
    .store_error_o (store_error),
    .store_code_o  (store_code),
    .store_at_o    (store_at),
    .burst_valid_i (burst_valid),
    .burst_ready_o (burst_ready),
    .burst_addr_i  (burst_addr),
    .burst_len_i   (burst_len),
    .word_valid_i  (word_valid),
    .word_ready_o  (word_ready),
    .word_data_i   (word_data),
    .word_strb_i   (word_strb),
    .data_answer_o (data_answer),
    .aw_valid_o    (m_axi_awvalid_o),
    .aw_ready_i    (m_axi_awready_i),
    .aw_id_o       (aw_id),
    .aw_addr_o     (m_axi_awaddr_o),
    .aw_len_o      (m_axi_awlen_o),
    .w_valid_o     (m_axi_wvalid_o),
    .w_ready_i     (m_axi_wready_i),
    .w_data_o      (m_axi_wdata_o),
    .w_strb_o      (m_axi_wstrb_o),
    .w_last_o      (m_axi_wlast_o),
    .b_valid_i     (m_axi_bvalid_i),
    .b_id_i        (id_e'(m_axi_bid_i)),
    .b_resp_i      (m_axi_bresp_i)
  );

  `CRY_ASSERT_RUN
  `CRY_ASSERT_KNOWN(IrqKnown_A, irq_o)
  `CRY_ASSERT_KNOWN(Mm2sValidKnown_A, m_axis_tvalid_o)
  `CRY_ASSERT_KNOWN_IF(Mm2sFramingKnown_A, {m_axis_tkeep_o, m_axis_tlast_o}, m_axis_tvalid_o)
  `CRY_ASSERT_KNOWN(S2mmReadyKnown_A, s_axis_tready_o)

`ifndef SYNTHESIS
  cry_axi_protocol_checker #(
    .IdWidth  (IdWidth),
    .DataWidth(DataWidth)
  ) u_checker (
    .clk_i,
    .rst_ni,
    .awvalid_i(m_axi_awvalid_o),
    .awready_i(m_axi_awready_i),
    .awid_i   (m_axi_awid_o),
    .awaddr_i (m_axi_awaddr_o),
    .awlen_i  (m_axi_awlen_o),
    .wvalid_i (m_axi_wvalid_o),
    .wready_i (m_axi_wready_i),
    .wdata_i  (m_axi_wdata_o),
    .wstrb_i  (m_axi_wstrb_o),
    .wlast_i  (m_axi_wlast_o),
    .bvalid_i (m_axi_bvalid_i),
    .bready_i (m_axi_bready_o),
    .arvalid_i(m_axi_arvalid_o),
    .arready_i(m_axi_arready_i),
    .arid_i   (m_axi_arid_o),
    .araddr_i (m_axi_araddr_o),
    .arlen_i  (m_axi_arlen_o),
    .rvalid_i (m_axi_rvalid_i),
    .rready_i (m_axi_rready_o),
    .rlast_i  (m_axi_rlast_i)
  );
`endif

endmodule
