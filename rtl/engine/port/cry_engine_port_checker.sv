// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Assertions on the engine port (cry_engine_pkg): the rules of shell and engine. Simulation only.
`ifndef SYNTHESIS
module cry_engine_port_checker
  import cry_engine_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input engine_req_t req_i,  // from the shell
  input engine_rsp_t rsp_i   // from the engine
);

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

  // Rules from one cycle to the next and of accepted jobs do not hold across a clear.
  `CRY_ASSERT_RUN
  `CRY_ASSERT(JobStable_A, req_i.job_valid && !rsp_i.job_ready |=>
    req_i.job_valid && $stable(req_i.job), req_i.clear)
  `CRY_ASSERT(KeyStable_A, req_i.key_valid && !rsp_i.key_ready |=>
    req_i.key_valid && $stable(req_i.key), req_i.clear)
  `CRY_ASSERT(SrcStable_A, req_i.src_valid && !rsp_i.src_ready |=>
    req_i.src_valid && $stable(req_i.src), req_i.clear)
  `CRY_ASSERT(DstStable_A, rsp_i.dst_valid && !req_i.dst_ready |=>
    rsp_i.dst_valid && $stable(rsp_i.dst), req_i.clear)
  `CRY_ASSERT(DoneStable_A, rsp_i.done_valid && !req_i.done_ready |=>
    rsp_i.done_valid && $stable(rsp_i.done_status), req_i.clear)
  `CRY_ASSERT(RndStable_A, req_i.rnd_valid && !rsp_i.rnd_ready |=>
    req_i.rnd_valid && $stable(req_i.rnd), req_i.clear)

  `CRY_ASSERT(SrcKeep_A, req_i.src_valid |-> keep_ok(req_i.src.keep, req_i.src.last), req_i.clear)
  `CRY_ASSERT(DstKeep_A, rsp_i.dst_valid |-> keep_ok(rsp_i.dst.keep, rsp_i.dst.last), req_i.clear)
  `CRY_ASSERT(DstJob_A, rsp_i.dst_valid |-> jobs_q != 0, req_i.clear)
  `CRY_ASSERT(DoneJob_A, rsp_i.done_valid |-> jobs_q != 0, req_i.clear)
  `CRY_ASSERT(SrcJob_A, req_i.src_valid && rsp_i.src_ready |-> jobs_q != 0, req_i.clear)
  `CRY_ASSERT(KeyJob_A, req_i.key_valid && rsp_i.key_ready |-> jobs_q != 0, req_i.clear)

  `CRY_ASSERT_KNOWN(JobReadyKnown_A, rsp_i.job_ready)
  `CRY_ASSERT_KNOWN(KeyReadyKnown_A, rsp_i.key_ready)
  `CRY_ASSERT_KNOWN(SrcReadyKnown_A, rsp_i.src_ready)
  `CRY_ASSERT_KNOWN(DstValidKnown_A, rsp_i.dst_valid)
  `CRY_ASSERT_KNOWN(DoneValidKnown_A, rsp_i.done_valid)
  `CRY_ASSERT_KNOWN(RndReadyKnown_A, rsp_i.rnd_ready)
  `CRY_ASSERT_KNOWN(FaultsKnown_A, {rsp_i.fault_corrected, rsp_i.fault_detected})
  `CRY_ASSERT_KNOWN_IF(DstKnown_A, rsp_i.dst, rsp_i.dst_valid)
  `CRY_ASSERT_KNOWN_IF(DoneKnown_A, rsp_i.done_status, rsp_i.done_valid)
  `CRY_ASSERT_KNOWN_IF(SitesKnown_A, rsp_i.fault_sites,
    rsp_i.fault_corrected || rsp_i.fault_detected)

  logic unused_inject;
  assign unused_inject = req_i.fault_inject;

endmodule
`endif
