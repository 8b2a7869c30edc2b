// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// aes_modes_lanes with its ports as unpacked arrays, one element a lane, and every lane watched.
module aes_modes_lanes_bench
  import engine_pkg::*;
#(
  parameter int unsigned Lanes = 4
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    clear_i      [Lanes],
  input  logic    job_valid_i  [Lanes],
  output logic    job_ready_o  [Lanes],
  input  job_t    job_i        [Lanes],
  input  logic    key_valid_i  [Lanes],
  output logic    key_ready_o  [Lanes],
  input  key_t    key_i        [Lanes],
  input  logic    src_valid_i  [Lanes],
  output logic    src_ready_o  [Lanes],
  input  beat_t   src_i        [Lanes],
  output logic    dst_valid_o  [Lanes],
  input  logic    dst_ready_i  [Lanes],
  output beat_t   dst_o        [Lanes],
  output logic    done_valid_o [Lanes],
  input  logic    done_ready_i [Lanes],
  output status_e done_status_o[Lanes],
  output logic    block_o               // a block enters the core
);

  logic    [Lanes-1:0] clear, job_valid, job_ready, key_valid, key_ready, src_valid, src_ready;
  logic    [Lanes-1:0] dst_valid, dst_ready, done_valid, done_ready, corrected, detected;
  job_t    [Lanes-1:0] job;
  key_t    [Lanes-1:0] key;
  beat_t   [Lanes-1:0] src, dst;
  status_e [Lanes-1:0] status;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign clear[l]         = clear_i[l];
    assign job_valid[l]     = job_valid_i[l];
    assign job_ready_o[l]   = job_ready[l];
    assign job[l]           = job_i[l];
    assign key_valid[l]     = key_valid_i[l];
    assign key_ready_o[l]   = key_ready[l];
    assign key[l]           = key_i[l];
    assign src_valid[l]     = src_valid_i[l];
    assign src_ready_o[l]   = src_ready[l];
    assign src[l]           = src_i[l];
    assign dst_valid_o[l]   = dst_valid[l];
    assign dst_ready[l]     = dst_ready_i[l];
    assign dst_o[l]         = dst[l];
    assign done_valid_o[l]  = done_valid[l];
    assign done_ready[l]    = done_ready_i[l];
    assign done_status_o[l] = status[l];

    engine_port_checker u_port_checker (
      .clk_i,
      .rst_ni,
      .clear_i      (clear[l]),
      .job_valid_i  (job_valid[l]),
      .job_ready_i  (job_ready[l]),
      .job_i        (job[l]),
      .key_valid_i  (key_valid[l]),
      .key_ready_i  (key_ready[l]),
      .key_i        (key[l]),
      .src_valid_i  (src_valid[l]),
      .src_ready_i  (src_ready[l]),
      .src_i        (src[l]),
      .dst_valid_i  (dst_valid[l]),
      .dst_ready_i  (dst_ready[l]),
      .dst_i        (dst[l]),
      .done_valid_i (done_valid[l]),
      .done_ready_i (done_ready[l]),
      .done_status_i(status[l])
    );
  end

  aes_modes_lanes #(
    .Lanes(Lanes)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .clear_i          (clear),
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

  assign block_o = u_lanes.u_share.core_valid;

  logic unused_faults;
  assign unused_faults = ^{corrected, detected};

endmodule
