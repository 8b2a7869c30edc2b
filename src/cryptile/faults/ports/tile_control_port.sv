// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The registers of the tile on the engine port: every job is one access. It gives two beats, what
// leaves the registers in the cycle of the access, and the answer; with that the job ends.
//
// mode 0 reads iv[19:0], 1 writes iv[51:20] with the strobes iv[55:52] to it. In the cycle of the
// access the events iv[59:56] come, and the registers of queues, pages and slots are read as
// iv[127:96].
// From detected_o on every job ends with StatusFaultDetected, without beats: the tile locks.
//
// Parameters: as cry_tile_control.
module tile_control_port
  import cry_engine_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues = 4,
  parameter int unsigned NumSlots  = 8,
  parameter protect_e    Protect   = ProtectNone
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    clear_i,
  input  logic    job_valid_i,
  output logic    job_ready_o,
  input  job_t    job_i,
  input  logic    key_valid_i,
  output logic    key_ready_o,
  input  key_t    key_i,
  input  logic    src_valid_i,
  output logic    src_ready_o,
  input  beat_t   src_i,
  output logic    dst_valid_o,
  input  logic    dst_ready_i,
  output beat_t   dst_o,
  output logic    done_valid_o,
  input  logic    done_ready_i,
  output status_e done_status_o,
  output logic    fault_corrected_o,
  output logic    fault_detected_o
);

  localparam logic [3:0] ModeWrite = 4'd1;

  logic                 access, writes, answered, bvalid, rvalid, taken, locked, ready;
  logic [31:0]          rdata, wdata;
  logic [10:2]          addr;
  cry_tile_pkg::queue_t queue;
  logic [NumQueues-1:0] queue_we, page_we;
  logic                 slot_we, seal, stop, reset, error_irq, corrected, lock_corrected;
  logic [3:0]           events;
  logic [6:0]           unused_axi;
  logic [31:0]          unused_watchdog;

  assign writes   = job_i.mode == ModeWrite;
  assign answered = bvalid || rvalid;
  assign ready    = dst_ready_i || locked;
  assign access   = job_valid_i && !answered && ready;
  assign taken    = done_ready_i && ready;
  assign events   = access ? job_i.iv[59:56] : '0;

  cry_tile_control #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .Protect(Protect)
  ) u_control (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid_i(access && writes),
    .s_axil_awready_o(unused_axi[0]),
    .s_axil_awaddr_i (job_i.iv[19:0]),
    .s_axil_wvalid_i (access && writes),
    .s_axil_wready_o (unused_axi[1]),
    .s_axil_wdata_i  (job_i.iv[51:20]),
    .s_axil_wstrb_i  (job_i.iv[55:52]),
    .s_axil_bvalid_o (bvalid),
    .s_axil_bready_i (taken),
    .s_axil_bresp_o  (unused_axi[3:2]),
    .s_axil_arvalid_i(access && !writes),
    .s_axil_arready_o(unused_axi[4]),
    .s_axil_araddr_i (job_i.iv[19:0]),
    .s_axil_rvalid_o (rvalid),
    .s_axil_rready_i (taken),
    .s_axil_rdata_o  (rdata),
    .s_axil_rresp_o  (unused_axi[6:5]),
    .addr_o          (addr),
    .queue_o         (queue),
    .wdata_o         (wdata),
    .queue_we_o      (queue_we),
    .queue_rdata_i   ({NumQueues{job_i.iv[127:96]}}),
    .page_we_o       (page_we),
    .page_rdata_i    ({NumQueues{~job_i.iv[127:96]}}),
    .slot_we_o       (slot_we),
    .slot_rdata_i    (job_i.iv[127:96]),
    .seal_o          (seal),
    .watchdog_o      (unused_watchdog),
    .dead_i          (1'b0),
    .stop_o          (stop),
    .reset_o         (reset),
    .reset_done_i    (events[3]),
    .corrected_i     (events[0]),
    .detected_i      (events[1]),
    .tamper_i        (events[2]),
    .random_i        (1'b0),
    .error_irq_o     (error_irq),
    .corrected_o     (corrected),
    .detected_o      (fault_detected_o)
  );

  logic locked_q, unused_detected;
  cry_reg_tmr #(
    .Protect((Protect == ProtectNone) ? ProtectNone : ProtectCorrect)
  ) u_locked (
    .clk_i, .rst_ni, .en_i(fault_detected_o), .d_i(1'b1), .inject_i(1'b0),
    .q_o(locked_q), .corrected_o(lock_corrected), .detected_o(unused_detected)
  );
  assign fault_corrected_o = corrected || lock_corrected;

  assign locked = fault_detected_o || locked_q;

  assign job_ready_o   = !answered && ready;
  assign done_valid_o  = answered && ready;
  assign done_status_o = locked ? StatusFaultDetected : StatusOk;
  assign dst_valid_o   = !locked && (answered ? done_ready_i : job_valid_i);
  always_comb begin
    dst_o = '{data: '0, keep: '1, last: answered, kind: KindMessage};
    if (answered) dst_o.data = 128'({bvalid, rvalid, rvalid ? rdata : 32'd0});
    else          dst_o.data = 128'({
      queue_we, page_we, slot_we, seal, stop, reset, error_irq, queue, addr, wdata
    });
  end

  assign key_ready_o = 1'b0;
  assign src_ready_o = 1'b0;

  logic unused;
  assign unused = ^{
    clear_i, job_i, key_valid_i, key_i, src_valid_i, src_i, unused_axi, unused_detected,
    unused_watchdog
  };

endmodule
