// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Any engine that a processor feeds by stores and loads alone: the AXI4-Stream shell, and a window
// onto its streams. Wiring only. Ports: those of cry_axis_shell's registers (regs/axis.rdl), and of
// cry_axis_window's (regs/window.rdl). There is no interrupt, and no engine that takes random bits.
module cry_window_engine
  import cry_engine_select_pkg::*;
#(
  parameter engine_e     Engine = AesModesPipelined,  // which engine
  parameter int unsigned Depth  = 16                  // beats of the window's FIFOs
) (
  input  logic        clk_i,   // clock
  input  logic        rst_ni,  // reset, asynchronous, active low

  // AXI4-Lite: the shell
  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic [7:0]  s_axil_awaddr_i,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  input  logic [31:0] s_axil_wdata_i,
  input  logic [3:0]  s_axil_wstrb_i,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  output logic [1:0]  s_axil_bresp_o,
  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  input  logic [7:0]  s_axil_araddr_i,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,
  output logic [31:0] s_axil_rdata_o,
  output logic [1:0]  s_axil_rresp_o,

  // Window
  input  logic        window_req_i,    // one cycle: an access; writes two cycles apart
  input  logic        window_we_i,     // with window_req_i: a write
  input  logic [5:0]  window_addr_i,   // with window_req_i: address, a multiple of 8
  input  logic [63:0] window_wdata_i,  // with a write: data
  output logic [63:0] window_rdata_o   // in the cycle of a read: data
);

  logic         in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic [127:0] in_data, out_data;
  logic [15:0]  in_keep, out_keep;
  logic         unused_irq, unused_rnd_ready;

  // The fault registers stay closed.
  cry_axis_engine #(
    .Engine(Engine)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .por_ni          (rst_ni),
    .lock_i          (1'b1),
    .irq_o           (unused_irq),
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
    .s_axis_tvalid_i (in_valid),
    .s_axis_tready_o (in_ready),
    .s_axis_tdata_i  (in_data),
    .s_axis_tkeep_i  (in_keep),
    .s_axis_tlast_i  (in_last),
    .m_axis_tvalid_o (out_valid),
    .m_axis_tready_i (out_ready),
    .m_axis_tdata_o  (out_data),
    .m_axis_tkeep_o  (out_keep),
    .m_axis_tlast_o  (out_last),
    .rnd_valid_i     (1'b0),
    .rnd_ready_o     (unused_rnd_ready),
    .rnd_i           ('0)
  );

  cry_axis_window #(
    .Depth(Depth)
  ) u_window (
    .clk_i,
    .rst_ni,
    .req_i          (window_req_i),
    .we_i           (window_we_i),
    .addr_i         (window_addr_i),
    .wdata_i        (window_wdata_i),
    .rdata_o        (window_rdata_o),
    .s_axis_tvalid_i(out_valid),
    .s_axis_tready_o(out_ready),
    .s_axis_tdata_i (out_data),
    .s_axis_tkeep_i (out_keep),
    .s_axis_tlast_i (out_last),
    .m_axis_tvalid_o(in_valid),
    .m_axis_tready_i(in_ready),
    .m_axis_tdata_o (in_data),
    .m_axis_tkeep_o (in_keep),
    .m_axis_tlast_o (in_last)
  );

endmodule
