// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// An engine with each signal of the engine port as a port of its own: for test benches, netlists and
// surroundings in Verilog. See cry_engine_pkg for what the signals mean.
//
// Macros: CRYPTILE_ENGINE, the engine with its parameters, such as `cry_keccak_engine #(.RoundsPerCycle(2))`
// or `cry_engine_select #(.Engine(cry_engine_select_pkg::KeccakR2))`.
`ifdef CRYPTILE_ENGINE
module cry_engine_flat
  import cry_engine_pkg::*;
(
  input  logic                clk_i,              // clock
  input  logic                rst_ni,             // reset, asynchronous, active low
  input  logic                clear_i,            // abort

  input  logic                job_valid_i,        // a job is offered
  output logic                job_ready_o,        // ... and taken
  input  job_t                job_i,              // the job

  input  logic                key_valid_i,        // key material is offered
  output logic                key_ready_o,        // ... and taken
  input  key_t                key_i,              // key material

  input  logic                src_valid_i,        // a beat comes
  output logic                src_ready_o,        // ... and is taken
  input  beat_t               src_i,              // the beat

  output logic                dst_valid_o,        // a beat leaves
  input  logic                dst_ready_i,        // ... and is taken
  output beat_t               dst_o,              // the beat

  output logic                done_valid_o,       // a job has ended
  input  logic                done_ready_i,       // ... and that is taken
  output status_e             done_status_o,      // how it ended

  input  logic                rnd_valid_i,        // random bits are offered
  output logic                rnd_ready_o,        // ... and taken
  input  logic [RndWidth-1:0] rnd_i,              // random bits

  input  logic                fault_inject_i,     // make an upset that must be reported
  output logic                fault_corrected_o,  // an upset did no harm
  output logic                fault_detected_o,   // an upset ends the job
  output logic [7:0]          fault_sites_o       // which parts found it
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
