// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// An engine with each signal of the engine port (cry_engine_pkg) as a port of its own, and the
// port's assertions: for test benches, netlists and designs in Verilog.
//
// Macros:
//   CRYPTILE_ENGINE  the engine with its parameters, such as `cry_copy_engine` or
//                    `cry_engine_select #(.Engine(cry_engine_select_pkg::Copy))`
`ifdef CRYPTILE_ENGINE
module cry_engine_flat
  import cry_engine_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,  // aborts all jobs, in one cycle

  // Starts a job
  input  logic                job_valid_i,
  output logic                job_ready_o,
  input  job_t                job_i,

  // Key material, if the job needs it
  input  logic                key_valid_i,
  output logic                key_ready_o,
  input  key_t                key_i,

  // Beats to the engine
  input  logic                src_valid_i,
  output logic                src_ready_o,
  input  beat_t               src_i,

  // Beats from the engine
  output logic                dst_valid_o,
  input  logic                dst_ready_i,
  output beat_t               dst_o,

  // Ends a job
  output logic                done_valid_o,
  input  logic                done_ready_i,
  output status_e             done_status_o,  // with done_valid_o

  // Fresh random bits
  input  logic                rnd_valid_i,
  output logic                rnd_ready_o,
  input  logic [RndWidth-1:0] rnd_i,

  input  logic                fault_inject_i,     // level: makes an upset that must be reported
  output logic                fault_corrected_o,  // one cycle: an upset was corrected
  output logic                fault_detected_o,   // one cycle: an upset ends the job
  output logic [7:0]          fault_sites_o       // with either: parts of the engine, one bit each
);

  engine_req_t req;
  engine_rsp_t rsp;

  assign req = '{
    clear:        clear_i,
    job_valid:    job_valid_i,
    job:          job_i,
    key_valid:    key_valid_i,
    key:          key_i,
    src_valid:    src_valid_i,
    src:          src_i,
    dst_ready:    dst_ready_i,
    done_ready:   done_ready_i,
    rnd_valid:    rnd_valid_i,
    rnd:          rnd_i,
    fault_inject: fault_inject_i
  };

  assign job_ready_o       = rsp.job_ready;
  assign key_ready_o       = rsp.key_ready;
  assign src_ready_o       = rsp.src_ready;
  assign dst_valid_o       = rsp.dst_valid;
  assign dst_o             = rsp.dst;
  assign done_valid_o      = rsp.done_valid;
  assign done_status_o     = rsp.done_status;
  assign rnd_ready_o       = rsp.rnd_ready;
  assign fault_corrected_o = rsp.fault_corrected;
  assign fault_detected_o  = rsp.fault_detected;
  assign fault_sites_o     = rsp.fault_sites;

  `CRYPTILE_ENGINE u_engine (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_o(rsp)
  );

`ifndef SYNTHESIS
  cry_engine_port_checker u_checker (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .rsp_i(rsp)
  );
`endif

endmodule
`endif
