// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A lane behind the bus, as in the tile, with one of three engines (engine_i: 0 copy_engine, 1 aes_engine,
// 2 chacha20poly1305_engine) and a window check with one page that nobody may touch.
module lane_bench
  import tile_pkg::*;
#(
  parameter prim_protect_pkg::protect_e Protect = prim_protect_pkg::ProtectNone
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [1:0]                   engine_i,
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
  logic [3:0]     upsets;

  logic                job_valid, job_ready, key_valid, key_ready, src_valid, src_ready;
  logic                dst_valid, dst_ready, done_valid, done_ready;
  engine_pkg::job_t    job;
  engine_pkg::key_t    key;
  engine_pkg::beat_t   src, dst;
  engine_pkg::status_e status;

  tile_bus #(
    .NumReaders(4),
    .NumWriters(1),
    .Protect   (Protect)
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
    .corrected_o          (upsets[0]),
    .detected_o           (upsets[1]),
    .*
  );

  tile_lane #(.Protect(Protect)) u_lane (
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
    .engine_done_status_i(status),
    .corrected_o         (upsets[2]),
    .detected_o          (upsets[3])
  );

  logic [2:0]                chosen, job_readies, key_readies, src_readies, dst_valids, done_valids;
  engine_pkg::beat_t [2:0]   dsts;
  engine_pkg::status_e [2:0] statuses;
  logic [3:0]                faults;
  logic [7:0]                sites;

  assign chosen     = 3'b001 << engine_i;
  assign job_ready  = job_readies[engine_i];
  assign key_ready  = key_readies[engine_i];
  assign src_ready  = src_readies[engine_i];
  assign dst_valid  = dst_valids[engine_i];
  assign dst        = dsts[engine_i];
  assign done_valid = done_valids[engine_i];
  assign status     = statuses[engine_i];

  copy_engine u_copy (
    .clk_i,
    .rst_ni,
    .clear_i      (engine_clear_o),
    .job_valid_i  (job_valid && chosen[0]),
    .job_ready_o  (job_readies[0]),
    .job_i        (job),
    .key_valid_i  (key_valid && chosen[0]),
    .key_ready_o  (key_readies[0]),
    .key_i        (key),
    .src_valid_i  (src_valid && chosen[0]),
    .src_ready_o  (src_readies[0]),
    .src_i        (src),
    .dst_valid_o  (dst_valids[0]),
    .dst_ready_i  (dst_ready && chosen[0]),
    .dst_o        (dsts[0]),
    .done_valid_o (done_valids[0]),
    .done_ready_i (done_ready && chosen[0]),
    .done_status_o(statuses[0])
  );

  aes_engine #(
    .Impl(aes_pkg::ImplIterative)
  ) u_aes (
    .clk_i,
    .rst_ni,
    .clear_i      (engine_clear_o),
    .job_valid_i  (job_valid && chosen[1]),
    .job_ready_o  (job_readies[1]),
    .job_i        (job),
    .key_valid_i  (key_valid && chosen[1]),
    .key_ready_o  (key_readies[1]),
    .key_i        (key),
    .src_valid_i  (src_valid && chosen[1]),
    .src_ready_o  (src_readies[1]),
    .src_i        (src),
    .dst_valid_o  (dst_valids[1]),
    .dst_ready_i  (dst_ready && chosen[1]),
    .dst_o        (dsts[1]),
    .done_valid_o (done_valids[1]),
    .done_ready_i (done_ready && chosen[1]),
    .done_status_o(statuses[1]),
    .fault_corrected_o(faults[0]),
    .fault_detected_o (faults[1])
  );

  chacha20poly1305_engine u_chacha (
    .clk_i,
    .rst_ni,
    .clear_i      (engine_clear_o),
    .job_valid_i  (job_valid && chosen[2]),
    .job_ready_o  (job_readies[2]),
    .job_i        (job),
    .key_valid_i  (key_valid && chosen[2]),
    .key_ready_o  (key_readies[2]),
    .key_i        (key),
    .src_valid_i  (src_valid && chosen[2]),
    .src_ready_o  (src_readies[2]),
    .src_i        (src),
    .dst_valid_o  (dst_valids[2]),
    .dst_ready_i  (dst_ready && chosen[2]),
    .dst_o        (dsts[2]),
    .done_valid_o (done_valids[2]),
    .done_ready_i (done_ready && chosen[2]),
    .done_status_o(statuses[2]),
    .fault_inject_i   (1'b0),
    .fault_corrected_o(faults[2]),
    .fault_detected_o (faults[3]),
    .fault_sites_o    (sites)
  );

  logic unused;
  assign unused = ^{faults, sites, upsets, guard_read.owner, guard_write.owner};

endmodule
