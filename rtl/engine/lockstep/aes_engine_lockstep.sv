// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Three AES engines in step (engine_lockstep): aes_engine whose output no single upset and hardly any
// transient changes. Cycles are those of aes_engine, with one more to `dst` and to `done`.
//
// Parameters: as of aes_engine.
module aes_engine_lockstep #(
  parameter aes_pkg::impl_e Impl      = aes_pkg::ImplIterative,
  parameter bit             EnDecrypt = 1'b1,
  parameter bit             EnKey192  = 1'b1,
  parameter bit             EnKey256  = 1'b1,
  parameter bit             EnEcb     = 1'b1,
  parameter bit             EnCbc     = 1'b1,
  parameter bit             EnCtr     = 1'b1
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
    logic unused_corrected, unused_detected;  // an unprotected engine has no alarms
    aes_engine #(
      .Impl(Impl), .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256),
      .EnEcb(EnEcb), .EnCbc(EnCbc), .EnCtr(EnCtr)
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
      .fault_corrected_o(unused_corrected),
      .fault_detected_o (unused_detected)
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
