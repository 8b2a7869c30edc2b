// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The control side of the tile with its bus on AXI4 ports, without window check, and with lanes
// that the test plays.
module tile_queues_probe
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
#(
  parameter int unsigned NumQueues = 4,
  parameter int unsigned NumLanes  = 9,
  parameter logic [15:0] Opcodes   = 16'h02BF,
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 tamper_i,
  output logic [NumQueues-1:0] irq_o,
  output logic                 error_irq_o,

`include "tile_axil_ports.svh"

`include "tile_axi_ports.svh"

  output logic [NumQueues-1:0] abort_o,
  output logic [NumLanes-1:0]  lane_valid_o,
  input  logic [NumLanes-1:0]  lane_ready_i,
  input  logic [NumLanes-1:0][NumQueues-1:0] lane_full_i,
  output logic [$bits(lane_job_t)-1:0] lane_job_o,
  output job_tag_t             lane_tag_o,
  output slot_key_t            lane_key_o,
  output logic [127:0]         lane_iv_o,
  input  logic [NumLanes-1:0]  done_valid_i,
  output logic [NumLanes-1:0]  done_ready_o,
  input  logic [NumLanes-1:0][$bits(job_tag_t)-1:0] done_tag_i,
  input  logic [NumLanes-1:0][7:0] done_status_i,
  input  logic [31:0]          done_bytes_i,
  input  logic                 unwrap_valid_i,
  input  logic                 made_valid_i,
  input  logic                 unwrap_aad_i,
  input  logic [2:0]           unwrap_beat_i,
  input  logic [127:0]         unwrap_data_i,
  input  logic [$bits(violation_t)-1:0] read_violation_i,
  input  logic [$bits(violation_t)-1:0] write_violation_i
);

  unwrap_t                   beat;
  bus_req_t                  ar, aw;
  bus_w_t                    w;
  lane_job_t                 job;
  lane_done_t [NumLanes-1:0] done;

  function automatic bus_error_e error(logic [1:0] response);
    return (response == 2'b00) ? BusOkay : BusFailed;
  endfunction

  always_comb begin
    for (int unsigned l = 0; l < NumLanes; l++) begin
      done[l] = '{
        tag:    job_tag_t'(done_tag_i[l]),
        status: tile_status_e'(done_status_i[l]),
        bytes:  done_bytes_i
      };
    end
  end

  assign beat = '{aad: unwrap_aad_i, beat: unwrap_beat_i, data: unwrap_data_i};

  logic [31:0] window_rdata;
  logic        window_we;
  queue_t      window_queue;
  logic [4:0]  window_word;
  logic [31:0] window_wdata;
  logic [1:0]  unused_allowed, unused_faults;
  logic        unused_locked, unused_rst_n;
  logic [NumLanes-1:0] unused_wake;
  logic [31:0]         unused_now;
  route_t [1:0] unused_route;
  process_t [NumQueues-1:0] queue_process;
  logic     [NumQueues-1:0] queue_relative;
  logic [31:0] unused_watchdog;
  cry_tile_guard #(
    .NumQueues(NumQueues), .Protect(Protect)
  ) u_guard (
    .clk_i,
    .rst_ni,
    .cfg_we_i       (window_we),
    .cfg_queue_i    (window_queue),
    .cfg_word_i     (window_word),
    .cfg_wdata_i    (window_wdata),
    .cfg_rdata_o    (window_rdata),
    .process_i      (queue_process),
    .relative_i     (queue_relative),
    .read_i         ('0),
    .read_route_o   (unused_route[0]),
    .read_allowed_o (unused_allowed[0]),
    .write_i        ('0),
    .write_route_o   (unused_route[1]),
    .write_allowed_o(unused_allowed[1]),
    .corrected_o    (unused_faults[0]),
    .detected_o     (unused_faults[1])
  );

  cry_tile_queues #(
    .NumQueues(NumQueues), .NumLanes(NumLanes), .Opcodes(Opcodes), .Protect(Protect)
  ) u_queues (
    .rnd_alarm_i   (1'b0),
    .corrected_i   (1'b0),
    .detected_i    (1'b0),
    .broken_i      (1'b0),
    .dead_i        (1'b0),
    .watchdog_o    (unused_watchdog),
    .locked_o      (unused_locked),
    .bus_quiet_i   (1'b1),
    .soft_rst_no   (unused_rst_n),
    .process_o     (queue_process),
    .relative_o    (queue_relative),
    .read_violation_i (violation_t'(read_violation_i)),
    .write_violation_i(violation_t'(write_violation_i)),
    .window_we_o   (window_we),
    .window_queue_o(window_queue),
    .window_word_o (window_word),
    .window_wdata_o(window_wdata),
    .window_rdata_i(window_rdata),
    .now_o         (unused_now),
    .lane_wake_o   (unused_wake),
    .lane_full_i,
    .lane_job_o    (job),
    .done_i        (done),
    .unwrap_i      (beat),
    .made_i        (beat),
    .ar_valid_o    (m_axi_arvalid_o),
    .ar_ready_i    (m_axi_arready_i),
    .ar_o          (ar),
    .r_valid_i     (m_axi_rvalid_i),
    .r_i           ('{data: m_axi_rdata_i, last: m_axi_rlast_i, error: error(m_axi_rresp_i)}),
    .aw_valid_o    (m_axi_awvalid_o),
    .aw_ready_i    (m_axi_awready_i),
    .aw_o          (aw),
    .w_valid_o     (m_axi_wvalid_o),
    .w_ready_i     (m_axi_wready_i),
    .w_o           (w),
    .b_valid_i     (m_axi_bvalid_i),
    .b_error_i     (error(m_axi_bresp_i)),
    .*
  );

  assign {m_axi_awuser_o, m_axi_awcache_o, m_axi_awprot_o} = '0;
  assign {m_axi_aruser_o, m_axi_arcache_o, m_axi_arprot_o} = '0;

  assign m_axi_awaddr_o = aw.address;
  assign m_axi_awlen_o  = 8'(aw.len);
  assign m_axi_araddr_o = ar.address;
  assign m_axi_arlen_o  = 8'(ar.len);
  assign m_axi_wdata_o  = w.data;
  assign m_axi_wstrb_o  = w.strb;
  assign m_axi_wlast_o  = w.last;
  assign m_axi_bready_o = 1'b1;
  assign m_axi_rready_o = 1'b1;
  assign lane_job_o     = job;
  assign lane_tag_o     = job.tag;
  assign lane_iv_o  = job.job.iv;

  logic unused;
  assign unused = ^{
    unused_watchdog, unused_route, unused_allowed, unused_faults, unused_locked, unused_rst_n,
    unused_wake, unused_now, ar.owner, aw.owner
  };

endmodule
