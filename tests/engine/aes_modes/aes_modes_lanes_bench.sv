// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// cry_aes_modes_lanes with its ports as unpacked arrays, one element a lane, and every lane
// watched.
module aes_modes_lanes_bench
  import cry_engine_pkg::*;
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

  engine_req_t [Lanes-1:0] req;
  engine_rsp_t [Lanes-1:0] rsp;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign req[l] = '{
      clear:      clear_i[l],
      job_valid:  job_valid_i[l],
      job:        job_i[l],
      key_valid:  key_valid_i[l],
      key:        key_i[l],
      src_valid:  src_valid_i[l],
      src:        src_i[l],
      dst_ready:  dst_ready_i[l],
      done_ready: done_ready_i[l],
      default:    '0
    };
    assign job_ready_o[l]   = rsp[l].job_ready;
    assign key_ready_o[l]   = rsp[l].key_ready;
    assign src_ready_o[l]   = rsp[l].src_ready;
    assign dst_valid_o[l]   = rsp[l].dst_valid;
    assign dst_o[l]         = rsp[l].dst;
    assign done_valid_o[l]  = rsp[l].done_valid;
    assign done_status_o[l] = rsp[l].done_status;

    cry_engine_port_checker u_port_checker (
      .clk_i,
      .rst_ni,
      .req_i(req[l]),
      .rsp_i(rsp[l])
    );

    logic unused_rsp;
    assign unused_rsp = ^{rsp[l].rnd_ready, rsp[l].fault_corrected, rsp[l].fault_detected,
                          rsp[l].fault_sites};
  end

  cry_aes_modes_lanes #(
    .Lanes(Lanes)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp)
  );

  assign block_o = u_lanes.u_share.core_valid;

endmodule
