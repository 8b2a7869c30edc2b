// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A lane with its engine behind the bus, as in the tile, and a window check with one page that nobody may
// touch.
//
// Parameter Engine: 0 copy_engine, 1 aes_engine with the pipelined core, 2 with the iterative core,
//   3 chacha20poly1305_engine.
module lane_bench
  import tile_pkg::*;
#(
  parameter int unsigned Engine = 0
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [3:0]                   abort_i,
  input  logic                         tamper_i,
  input  logic [PageWidth-1:0]         denied_page_i,

  input  logic                         valid_i,
  output logic                         ready_o,
  input  logic [$bits(lane_job_t)-1:0] job_i,
  input  logic [511:0]                 key_i,
  output logic                         done_valid_o,
  input  logic                         done_ready_i,
  output logic [$bits(lane_done_t)-1:0] done_o,
  output logic                         unwrap_valid_o,
  output logic [$bits(unwrap_t)-1:0]   unwrap_o,
  output logic                         engine_clear_o,

  output logic                         m_axi_awvalid_o,
  input  logic                         m_axi_awready_i,
  output logic [AddrWidth-1:0]         m_axi_awaddr_o,
  output logic [7:0]                   m_axi_awlen_o,
  output logic                         m_axi_wvalid_o,
  input  logic                         m_axi_wready_i,
  output logic [127:0]                 m_axi_wdata_o,
  output logic [15:0]                  m_axi_wstrb_o,
  output logic                         m_axi_wlast_o,
  input  logic                         m_axi_bvalid_i,
  output logic                         m_axi_bready_o,
  input  logic [1:0]                   m_axi_bresp_i,
  output logic                         m_axi_arvalid_o,
  input  logic                         m_axi_arready_i,
  output logic [AddrWidth-1:0]         m_axi_araddr_o,
  output logic [7:0]                   m_axi_arlen_o,
  input  logic                         m_axi_rvalid_i,
  output logic                         m_axi_rready_o,
  input  logic [127:0]                 m_axi_rdata_i,
  input  logic [1:0]                   m_axi_rresp_i,
  input  logic                         m_axi_rlast_i
);

  logic [3:0]     ar_valid, ar_ready, r_valid;
  bus_req_t [3:0] ar;
  bus_r_t         r;
  logic           aw_valid, aw_ready, w_valid, w_ready, b_valid;
  bus_req_t       aw;
  bus_w_t         w;
  bus_error_e     b_error;
  guard_req_t     guard_read, guard_write;

  logic                job_valid, job_ready, key_valid, key_ready, src_valid, src_ready;
  logic                dst_valid, dst_ready, done_valid, done_ready;
  engine_pkg::job_t    job;
  engine_pkg::key_t    key;
  engine_pkg::beat_t   src, dst;
  engine_pkg::status_e status;

  tile_bus #(
    .NumReaders(4),
    .NumWriters(1)
  ) u_bus (
    .clk_i,
    .rst_ni,
    .ar_valid_i           (ar_valid),
    .ar_ready_o           (ar_ready),
    .ar_i                 (ar),
    .r_valid_o            (r_valid),
    .r_o                  (r),
    .aw_valid_i           (aw_valid),
    .aw_ready_o           (aw_ready),
    .aw_i                 (aw),
    .w_valid_i            (w_valid),
    .w_ready_o            (w_ready),
    .w_i                  (w),
    .b_valid_o            (b_valid),
    .b_error_o            (b_error),
    .guard_read_o         (guard_read),
    .guard_read_allowed_i (guard_read.page != denied_page_i),
    .guard_write_o        (guard_write),
    .guard_write_allowed_i(guard_write.page != denied_page_i),
    .*
  );

  tile_lane u_lane (
    .clk_i,
    .rst_ni,
    .abort_i,
    .tamper_i,
    .valid_i,
    .ready_o,
    .job_i               (lane_job_t'(job_i)),
    .key_i,
    .done_valid_o,
    .done_ready_i,
    .done_o,
    .unwrap_valid_o,
    .unwrap_o,
    .ar_valid_o          (ar_valid),
    .ar_ready_i          (ar_ready),
    .ar_o                (ar),
    .r_valid_i           (r_valid),
    .r_i                 (r),
    .aw_valid_o          (aw_valid),
    .aw_ready_i          (aw_ready),
    .aw_o                (aw),
    .w_valid_o           (w_valid),
    .w_ready_i           (w_ready),
    .w_o                 (w),
    .b_valid_i           (b_valid),
    .b_error_i           (b_error),
    .engine_clear_o      (engine_clear_o),
    .engine_job_valid_o  (job_valid),
    .engine_job_ready_i  (job_ready),
    .engine_job_o        (job),
    .engine_key_valid_o  (key_valid),
    .engine_key_ready_i  (key_ready),
    .engine_key_o        (key),
    .engine_src_valid_o  (src_valid),
    .engine_src_ready_i  (src_ready),
    .engine_src_o        (src),
    .engine_dst_valid_i  (dst_valid),
    .engine_dst_ready_o  (dst_ready),
    .engine_dst_i        (dst),
    .engine_done_valid_i (done_valid),
    .engine_done_ready_o (done_ready),
    .engine_done_status_i(status)
  );

  if (Engine == 0) begin : gen_copy
    copy_engine u_engine (
      .clk_i,
      .rst_ni,
      .clear_i      (engine_clear_o),
      .job_valid_i  (job_valid),
      .job_ready_o  (job_ready),
      .job_i        (job),
      .key_valid_i  (key_valid),
      .key_ready_o  (key_ready),
      .key_i        (key),
      .src_valid_i  (src_valid),
      .src_ready_o  (src_ready),
      .src_i        (src),
      .dst_valid_o  (dst_valid),
      .dst_ready_i  (dst_ready),
      .dst_o        (dst),
      .done_valid_o (done_valid),
      .done_ready_i (done_ready),
      .done_status_o(status)
    );
  end else if (Engine == 3) begin : gen_chacha
    logic       corrected, detected;
    logic [7:0] sites;
    chacha20poly1305_engine u_engine (
      .clk_i,
      .rst_ni,
      .clear_i          (engine_clear_o),
      .job_valid_i      (job_valid),
      .job_ready_o      (job_ready),
      .job_i            (job),
      .key_valid_i      (key_valid),
      .key_ready_o      (key_ready),
      .key_i            (key),
      .src_valid_i      (src_valid),
      .src_ready_o      (src_ready),
      .src_i            (src),
      .dst_valid_o      (dst_valid),
      .dst_ready_i      (dst_ready),
      .dst_o            (dst),
      .done_valid_o     (done_valid),
      .done_ready_i     (done_ready),
      .done_status_o    (status),
      .fault_inject_i   (1'b0),
      .fault_corrected_o(corrected),
      .fault_detected_o (detected),
      .fault_sites_o    (sites)
    );
    logic unused;
    assign unused = ^{corrected, detected, sites};
  end else begin : gen_aes
    logic corrected, detected;
    aes_engine #(
      .Impl((Engine == 1) ? aes_pkg::ImplPipelined : aes_pkg::ImplIterative)
    ) u_engine (
      .clk_i,
      .rst_ni,
      .clear_i          (engine_clear_o),
      .job_valid_i      (job_valid),
      .job_ready_o      (job_ready),
      .job_i            (job),
      .key_valid_i      (key_valid),
      .key_ready_o      (key_ready),
      .key_i            (key),
      .src_valid_i      (src_valid),
      .src_ready_o      (src_ready),
      .src_i            (src),
      .dst_valid_o      (dst_valid),
      .dst_ready_i      (dst_ready),
      .dst_o            (dst),
      .done_valid_o     (done_valid),
      .done_ready_i     (done_ready),
      .done_status_o    (status),
      .fault_corrected_o(corrected),
      .fault_detected_o (detected)
    );
    logic unused;
    assign unused = ^{corrected, detected};
  end

  logic unused_owner;
  assign unused_owner = ^{guard_read.owner, guard_write.owner};

endmodule
