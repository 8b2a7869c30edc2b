// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Checks the rules of the engine port, seen from outside; for instances and for `bind`. Simulation only.
//
//   bind aes_engine engine_port_checker u_checker (.job_ready_i(job_ready_o), ..., .*);
`ifndef SYNTHESIS
module engine_port_checker
  import engine_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input logic    clear_i,

  input logic    job_valid_i,
  input logic    job_ready_i,
  input job_t    job_i,
  input logic    key_valid_i,
  input logic    key_ready_i,
  input key_t    key_i,
  input logic    src_valid_i,
  input logic    src_ready_i,
  input beat_t   src_i,
  input logic    dst_valid_i,
  input logic    dst_ready_i,
  input beat_t   dst_i,
  input logic    done_valid_i,
  input logic    done_ready_i,
  input status_e done_status_i
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
    if (!rst_ni)      jobs_q <= 0;
    else if (clear_i) jobs_q <= 0;
    else              jobs_q <= jobs_q + 32'(job_valid_i && job_ready_i)
                                       - 32'(done_valid_i && done_ready_i);
  end

  // Kept bytes are contiguous from byte 0, and only a last beat may keep fewer than all.
  function automatic logic keep_ok(logic [KeepWidth-1:0] keep, logic last);
    return (keep != '0) && ((keep & (keep + 16'd1)) == '0) && (last || (keep == '1));
  endfunction

  default clocking cb @(posedge clk_i);
  endclocking
  default disable iff (!run_q || clear_i);

  JobStableA:  assert property (job_valid_i && !job_ready_i |=> job_valid_i && $stable(job_i));
  KeyStableA:  assert property (key_valid_i && !key_ready_i |=> key_valid_i && $stable(key_i));
  SrcStableA:  assert property (src_valid_i && !src_ready_i |=> src_valid_i && $stable(src_i));
  DstStableA:  assert property (dst_valid_i && !dst_ready_i |=> dst_valid_i && $stable(dst_i));
  DoneStableA: assert property (done_valid_i && !done_ready_i
                                |=> done_valid_i && $stable(done_status_i));

  SrcKeepA:  assert property (src_valid_i |-> keep_ok(src_i.keep, src_i.last));
  DstKeepA:  assert property (dst_valid_i |-> keep_ok(dst_i.keep, dst_i.last));
  DstJobA:   assert property (dst_valid_i |-> jobs_q != 0);
  DoneJobA:  assert property (done_valid_i |-> jobs_q != 0);
  SrcJobA:   assert property (src_valid_i && src_ready_i |-> jobs_q != 0);
  KeyJobA:   assert property (key_valid_i && key_ready_i |-> jobs_q != 0);

  HandshakesKnownA: assert property (!$isunknown({
    job_ready_i, key_ready_i, src_ready_i, dst_valid_i, done_valid_i
  }));
  DstKnownA:  assert property (dst_valid_i |-> !$isunknown(dst_i));
  DoneKnownA: assert property (done_valid_i |-> !$isunknown(done_status_i));

endmodule
`endif
