// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Checks the rules of the engine port, seen from outside. Simulation only.
`ifndef SYNTHESIS
module cry_engine_port_checker
  import cry_engine_pkg::*;
(
  input logic        clk_i,   // clock
  input logic        rst_ni,  // reset, asynchronous, active low
  input engine_req_t req_i,   // engine port
  input engine_rsp_t rsp_i    // engine port
);

  // High from the first cycle after reset on: a copy, because reset itself is asynchronous.
  logic run_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else         run_q <= 1'b1;
  end

  // Jobs accepted and not done.
  int unsigned jobs_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          jobs_q <= 0;
    else if (req_i.clear) jobs_q <= 0;
    else                  jobs_q <= jobs_q + 32'(req_i.job_valid && rsp_i.job_ready)
                                           - 32'(rsp_i.done_valid && req_i.done_ready);
  end

  // Kept bytes are contiguous from byte 0, and only a last beat may keep fewer than all.
  function automatic logic keep_ok(logic [KeepWidth-1:0] keep, logic last);
    return (keep != '0) && ((keep & (keep + 16'd1)) == '0) && (last || (keep == '1));
  endfunction

  default clocking cb @(posedge clk_i);
  endclocking
  default disable iff (!run_q || req_i.clear);

  JobStable_A:  assert property (req_i.job_valid && !rsp_i.job_ready
                                |=> req_i.job_valid && $stable(req_i.job));
  KeyStable_A:  assert property (req_i.key_valid && !rsp_i.key_ready
                                |=> req_i.key_valid && $stable(req_i.key));
  SrcStable_A:  assert property (req_i.src_valid && !rsp_i.src_ready
                                |=> req_i.src_valid && $stable(req_i.src));
  DstStable_A:  assert property (rsp_i.dst_valid && !req_i.dst_ready
                                |=> rsp_i.dst_valid && $stable(rsp_i.dst));
  DoneStable_A: assert property (rsp_i.done_valid && !req_i.done_ready
                                |=> rsp_i.done_valid && $stable(rsp_i.done_status));
  RndStable_A:  assert property (req_i.rnd_valid && !rsp_i.rnd_ready
                                |=> req_i.rnd_valid && $stable(req_i.rnd));

  SrcKeep_A:  assert property (req_i.src_valid |-> keep_ok(req_i.src.keep, req_i.src.last));
  DstKeep_A:  assert property (rsp_i.dst_valid |-> keep_ok(rsp_i.dst.keep, rsp_i.dst.last));
  DstJob_A:   assert property (rsp_i.dst_valid |-> jobs_q != 0);
  DoneJob_A:  assert property (rsp_i.done_valid |-> jobs_q != 0);
  SrcJob_A:   assert property (req_i.src_valid && rsp_i.src_ready |-> jobs_q != 0);
  KeyJob_A:   assert property (req_i.key_valid && rsp_i.key_ready |-> jobs_q != 0);

  HandshakesKnown_A: assert property (!$isunknown({
    rsp_i.job_ready, rsp_i.key_ready, rsp_i.src_ready, rsp_i.dst_valid, rsp_i.done_valid
  }));
  DstKnown_A:  assert property (rsp_i.dst_valid |-> !$isunknown(rsp_i.dst));
  DoneKnown_A: assert property (rsp_i.done_valid |-> !$isunknown(rsp_i.done_status));

  // Reports of upsets have no rule of order.
  logic unused_reports;
  assign unused_reports = ^{req_i.fault_inject, rsp_i.fault_corrected, rsp_i.fault_detected,
                            rsp_i.fault_sites};

endmodule
`endif
