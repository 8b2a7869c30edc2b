// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Three ChaCha20-Poly1305 engines in step (engine_lockstep): chacha20poly1305_engine whose output no
// single upset and hardly any transient changes. Cycles are those of that engine, with one more to
// `dst` and to `done`.
//
// Parameters: as of chacha20poly1305_engine.
module chacha20poly1305_engine_lockstep #(
  parameter chacha20poly1305_pkg::impl_e Impl       = chacha20poly1305_pkg::ImplOpt,
  parameter bit                          EnPoly1305 = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,

  input  logic                 job_valid_i,
  output logic                 job_ready_o,
  input  engine_pkg::job_t     job_i,

  input  logic                 key_valid_i,
  output logic                 key_ready_o,
  input  engine_pkg::key_t     key_i,

  input  logic                 src_valid_i,
  output logic                 src_ready_o,
  input  engine_pkg::beat_t    src_i,

  output logic                 dst_valid_o,
  input  logic                 dst_ready_i,
  output engine_pkg::beat_t    dst_o,

  output logic                 done_valid_o,
  input  logic                 done_ready_i,
  output engine_pkg::status_e  done_status_o,

  input  logic                 fault_inject_i,
  output logic                 fault_corrected_o,
  output logic                 fault_detected_o
);

  logic                [2:0] clear, job_valid, job_ready, key_ready, src_ready;
  logic                [2:0] dst_valid, dst_ready, done_valid, done_ready;
  engine_pkg::beat_t   [2:0] dst;
  engine_pkg::status_e [2:0] done_status;

  for (genvar l = 0; l < 3; l++) begin : gen_lane
    logic unused_corrected, unused_detected;
    logic [7:0] unused_sites;  // an unprotected engine has no alarms
    chacha20poly1305_engine #(
      .Impl(Impl), .EnPoly1305(EnPoly1305)
    ) u_engine (
      .clk_i, .rst_ni,
      .clear_i          (clear[l]),
      .job_valid_i      (job_valid[l]),
      .job_ready_o      (job_ready[l]),
      .job_i,
      .key_valid_i,
      .key_ready_o      (key_ready[l]),
      .key_i,
      .src_valid_i,
      .src_ready_o      (src_ready[l]),
      .src_i,
      .dst_valid_o      (dst_valid[l]),
      .dst_ready_i      (dst_ready[l]),
      .dst_o            (dst[l]),
      .done_valid_o     (done_valid[l]),
      .done_ready_i     (done_ready[l]),
      .done_status_o    (done_status[l]),
      .fault_inject_i   (1'b0),
      .fault_corrected_o(unused_corrected),
      .fault_detected_o (unused_detected),
      .fault_sites_o    (unused_sites)
    );
  end

  engine_lockstep u_lockstep (
    .clk_i, .rst_ni, .clear_i,
    .job_valid_i, .job_ready_o, .key_ready_o, .src_ready_o,
    .dst_valid_o, .dst_ready_i, .dst_o,
    .done_valid_o, .done_ready_i, .done_status_o,
    .lane_clear_o      (clear),
    .lane_job_valid_o  (job_valid),
    .lane_job_ready_i  (job_ready),
    .lane_key_ready_i  (key_ready),
    .lane_src_ready_i  (src_ready),
    .lane_dst_valid_i  (dst_valid),
    .lane_dst_ready_o  (dst_ready),
    .lane_dst_i        (dst),
    .lane_done_valid_i (done_valid),
    .lane_done_ready_o (done_ready),
    .lane_done_status_i(done_status),
    .fault_inject_i, .fault_corrected_o, .fault_detected_o
  );

endmodule
