// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The AXI4-Stream shell: puts any engine on the engine port between two 128-bit streams, under
// control of AXI4-Lite registers (regs/axis.rdl).
//
// Protocols: AXI4-Stream with TKEEP contiguous from bit 0 and full but for the last beat of
// associated data and message; byte 0 is tdata[7:0]. Each job takes one packet (cry_axis_input) and
// gives one packet (cry_axis_output). AXI4-Lite, 32 bits, addresses 0x00 to 0x9C. The engine port
// of cry_engine_pkg.
//
// lock_i closes the fault registers, and only por_ni, the power-on reset, clears the log of faults.
// irq_o is a level. Latency: input none, output one cycle; from START to the job at the engine
// three cycles.
module cry_axis_shell
  import cry_engine_pkg::*;
#(
  parameter logic [15:0] TagModes  = '0,  // by mode: decryption takes a tag behind the message
  parameter logic [15:0] PairModes = '0,  // by mode: there are two keys, in two transfers
  parameter logic [31:0] Features  = '0   // value of the FEATURES register
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         por_ni,  // power-on reset: alone clears the log of faults
  input  logic         lock_i,  // level: closes the fault registers
  output logic         irq_o,   // interrupt, a level

  // AXI4-Lite
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

  // AXI4-Stream
  input  logic         s_axis_tvalid_i,
  output logic         s_axis_tready_o,
  input  logic [127:0] s_axis_tdata_i,
  input  logic [15:0]  s_axis_tkeep_i,
  input  logic         s_axis_tlast_i,
  output logic         m_axis_tvalid_o,
  input  logic         m_axis_tready_i,
  output logic [127:0] m_axis_tdata_o,
  output logic [15:0]  m_axis_tkeep_o,
  output logic         m_axis_tlast_o,

  // Random bits, for engines that take them
  input  logic         rnd_valid_i,  // there are some
  output logic         rnd_ready_o,  // they are taken
  input  logic [127:0] rnd_i,        // 128 of them, never given twice

  output engine_req_t  req_o,  // engine port
  input  engine_rsp_t  rsp_i   // engine port
);

  logic        req, we;
  logic [7:0]  addr;
  logic [31:0] wdata, biten, rdata;
  logic [1:0]  unused_faults;  // none: its registers are plain

  cry_axi_lite_slave #(
    .AddrWidth(8)
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

  logic  engine_clear, job_valid, key_valid, src_valid, dst_ready, done_ready, fault_inject;
  job_t  job;
  key_t  key;
  beat_t src;

  assign req_o = '{
    clear:        engine_clear,
    job_valid:    job_valid,
    job:          job,
    key_valid:    key_valid,
    key:          key,
    src_valid:    src_valid,
    src:          src,
    dst_ready:    dst_ready,
    done_ready:   done_ready,
    rnd_valid:    rnd_valid_i,
    rnd:          rnd_i,
    fault_inject: fault_inject
  };

  assign rnd_ready_o = rsp_i.rnd_ready;

  logic clear, start, stop, input_idle, input_bad, drop, close, closed;

  cry_axis_control #(
    .PairModes(PairModes),
    .Features (Features)
  ) u_control (
    .clk_i,
    .rst_ni,
    .por_ni,
    .lock_i,
    .irq_o,
    .req_i          (req),
    .we_i           (we),
    .addr_i         (addr),
    .wdata_i        (wdata),
    .biten_i        (biten),
    .rdata_o        (rdata),
    .clear_o        (clear),
    .start_o        (start),
    .stop_o         (stop),
    .input_idle_i   (input_idle),
    .input_bad_i    (input_bad),
    .drop_o         (drop),
    .close_o        (close),
    .closed_i       (closed),
    .quiet_i        (!s_axis_tvalid_i && !m_axis_tvalid_o),
    .engine_clear_o (engine_clear),
    .job_valid_o    (job_valid),
    .job_ready_i    (rsp_i.job_ready),
    .job_o          (job),
    .key_valid_o    (key_valid),
    .key_ready_i    (rsp_i.key_ready),
    .key_o          (key),
    .done_valid_i   (rsp_i.done_valid),
    .done_ready_o   (done_ready),
    .done_status_i  (rsp_i.done_status),
    .fault_inject_o (fault_inject),
    .fault_corrected_i(rsp_i.fault_corrected),
    .fault_detected_i (rsp_i.fault_detected),
    .fault_sites_i    (rsp_i.fault_sites)
  );

  cry_axis_input #(
    .TagModes(TagModes)
  ) u_input (
    .clk_i,
    .rst_ni,
    .clear_i    (clear),
    .start_i    (start),
    .job_i      (job),
    .stop_i     (stop),
    .idle_o     (input_idle),
    .bad_o      (input_bad),
    .tvalid_i   (s_axis_tvalid_i),
    .tready_o   (s_axis_tready_o),
    .tdata_i    (s_axis_tdata_i),
    .tkeep_i    (s_axis_tkeep_i),
    .tlast_i    (s_axis_tlast_i),
    .src_valid_o(src_valid),
    .src_ready_i(rsp_i.src_ready),
    .src_o      (src)
  );

  cry_axis_output u_output (
    .clk_i,
    .rst_ni,
    .drop_i     (drop),
    .close_i    (close),
    .closed_o   (closed),
    .dst_valid_i(rsp_i.dst_valid),
    .dst_ready_o(dst_ready),
    .dst_i      (rsp_i.dst),
    .tvalid_o   (m_axis_tvalid_o),
    .tready_i   (m_axis_tready_i),
    .tdata_o    (m_axis_tdata_o),
    .tkeep_o    (m_axis_tkeep_o),
    .tlast_o    (m_axis_tlast_o)
  );

`ifndef SYNTHESIS
  cry_engine_port_checker u_checker (
    .clk_i,
    .rst_ni,
    .req_i(req_o),
    .rsp_i
  );
`endif

endmodule
