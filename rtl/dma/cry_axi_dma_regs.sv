// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Registers of the DMA (regs/dma.rdl). Channel 0 is memory to stream, 1 stream to memory.
module cry_axi_dma_regs
  import cry_axi_dma_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic               irq_o,  // level

  // AXI4-Lite subordinate
  input  logic               s_axil_awvalid_i,
  output logic               s_axil_awready_o,
  input  logic [5:0]         s_axil_awaddr_i,
  input  logic               s_axil_wvalid_i,
  output logic               s_axil_wready_o,
  input  logic [31:0]        s_axil_wdata_i,
  input  logic [3:0]         s_axil_wstrb_i,
  output logic               s_axil_bvalid_o,
  input  logic               s_axil_bready_i,
  output logic [1:0]         s_axil_bresp_o,
  input  logic               s_axil_arvalid_i,
  output logic               s_axil_arready_o,
  input  logic [5:0]         s_axil_araddr_i,
  output logic               s_axil_rvalid_o,
  input  logic               s_axil_rready_i,
  output logic [31:0]        s_axil_rdata_o,
  output logic [1:0]         s_axil_rresp_o,

  // One cycle, after a write of HEAD, if neither busy nor aborted
  output logic   [1:0]       start_o,
  output logic   [1:0][31:0] head_o,   // with start_o: address of the first descriptor
  output logic   [1:0]       abort_o,  // level: stop the channel
  input  logic   [1:0]       busy_i,   // a chain is in work
  input  logic   [1:0]       quiet_i,  // not busy, and no beat on the stream
  input  logic   [1:0]       done_i,   // one cycle: a descriptor with interrupt is finished
  input  logic   [1:0]       error_i,  // one cycle
  // With error_i: error, access, and address of the descriptor
  input  error_e [1:0]       error_code_i,
  input  where_e [1:0]       error_where_i,
  input  logic   [1:0][31:0] error_at_i
);

  logic        req, we;
  logic [5:0]  addr;
  logic [31:0] wdata, biten, rdata;
  logic [1:0]  unused_faults;  // none: its registers are plain

  cry_axi_lite_slave #(
    .AddrWidth(6)
  ) u_axil (
    .clk_i,
    .rst_ni,
    .awvalid_i(s_axil_awvalid_i),
    .awready_o(s_axil_awready_o),
    .awaddr_i (s_axil_awaddr_i),
    .wvalid_i (s_axil_wvalid_i),
    .wready_o (s_axil_wready_o),
    .wdata_i  (s_axil_wdata_i),
    .wstrb_i  (s_axil_wstrb_i),
    .bvalid_o (s_axil_bvalid_o),
    .bready_i (s_axil_bready_i),
    .bresp_o  (s_axil_bresp_o),
    .arvalid_i(s_axil_arvalid_i),
    .arready_o(s_axil_arready_o),
    .araddr_i (s_axil_araddr_i),
    .rvalid_o (s_axil_rvalid_o),
    .rready_i (s_axil_rready_i),
    .rdata_o  (s_axil_rdata_o),
    .rresp_o  (s_axil_rresp_o),
    .req_o    (req),
    .we_o     (we),
    .addr_o   (addr),
    .wdata_o  (wdata),
    .biten_o  (biten),
    .rdata_i  (rdata),
    .corrected_o(unused_faults[1]),
    .detected_o (unused_faults[0])
  );

  cry_dma_regs_pkg::dma__in_t  hw_in;
  cry_dma_regs_pkg::dma__out_t hw_out;
  logic [5:0] unused_acks;  // constant: the block answers every access at once

  cry_dma_regs u_regs (
    .clk                  (clk_i),
    .arst_n               (rst_ni),
    .s_cpuif_req          (req),
    .s_cpuif_req_is_wr    (we),
    .s_cpuif_addr         (addr),
    .s_cpuif_wr_data      (wdata),
    .s_cpuif_wr_biten     (biten),
    .s_cpuif_req_stall_wr (unused_acks[0]),
    .s_cpuif_req_stall_rd (unused_acks[1]),
    .s_cpuif_rd_ack       (unused_acks[2]),
    .s_cpuif_rd_err       (unused_acks[3]),
    .s_cpuif_rd_data      (rdata),
    .s_cpuif_wr_ack       (unused_acks[4]),
    .s_cpuif_wr_err       (unused_acks[5]),
    .hwif_in              (hw_in),
    .hwif_out             (hw_out)
  );

  cry_dma_regs_pkg::dma_channel__out_t channel_out[2];
  cry_dma_regs_pkg::dma_channel__in_t  channel_in[2];
  assign channel_out[0] = hw_out.MM2S;
  assign channel_out[1] = hw_out.S2MM;
  assign hw_in.MM2S     = channel_in[0];
  assign hw_in.S2MM     = channel_in[1];

  logic [1:0] irq;
  assign irq_o = irq != '0;

  for (genvar c = 0; c < 2; c++) begin : gen_channel
    error_e      code_q;
    where_e      where_q;
    logic [31:0] at_q;
    logic        start_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        start_q <= 1'b0;
        code_q  <= ErrorNone;
        where_q <= WhereData;
        at_q    <= '0;
      end else begin
        start_q <= channel_out[c].HEAD.address.swmod && !busy_i[c] && !abort_o[c];
        if (error_i[c]) begin
          code_q  <= error_code_i[c];
          where_q <= error_where_i[c];
          at_q    <= error_at_i[c];
        end
      end
    end

    assign start_o[c] = start_q;
    assign head_o[c]  = channel_out[c].HEAD.address.value;
    assign abort_o[c] = channel_out[c].CONTROL.abort.value;

    assign irq[c] = (channel_out[c].CONTROL.irq_done.value && channel_out[c].STATUS.done.value) ||
                    (channel_out[c].CONTROL.irq_error.value && channel_out[c].STATUS.error.value);

    always_comb begin
      channel_in[c] = '{default: '0};
      channel_in[c].STATUS.busy.next      = busy_i[c] || start_q;
      channel_in[c].STATUS.done.hwset     = done_i[c];
      channel_in[c].STATUS.error.hwset    = error_i[c];
      channel_in[c].STATUS.quiet.next     = quiet_i[c];
      channel_in[c].STATUS.code.next      = code_q;
      channel_in[c].STATUS.where.next     = where_q;
      channel_in[c].ERROR_AT.address.next = at_q;
    end
  end

  logic unused;
  assign unused = ^unused_acks;

endmodule
