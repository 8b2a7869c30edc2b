// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Triple modular redundancy (TMR): three equal engines in lockstep behind one engine port. What one
// of them does wrong is outvoted, be it an upset of a flip-flop (SEU) or a transient on a gate
// (SET).
//
//   - Job, key, data and random bits go to all lanes directly (but job_valid by lane_job_valid_o).
//     Behind each lane are registers for a beat and for a `done`.
//   - dst_o is lane 0's register itself, without a gate behind it; it is valid only while another
//     lane's register agrees, and loaded from lane 1 if only lane 0 differs. All other outputs are
//     majorities.
//   - No vote is fed back into a lane, so that no fault can disturb all lanes; except the
//     handshakes of the outputs, which must be those at the port.
//   - A lane that differs is not resynchronised until all jobs are done: no job is accepted
//     meanwhile, jobs end with StatusFaultCorrected in place of StatusOk, and then one cycle of
//     clear resynchronises all lanes. If all three beats differ, which takes two faults, none
//     leaves, and fault_detected is high until clear.
//   - Latency: one cycle from a lane's dst and done to the port's. Throughput: one beat per cycle.
//     While one lane differs dst_valid_o can fall without a handshake, until that lane's register
//     is corrected.
//   - fault_corrected is high while lanes differ. fault_inject makes lane 0 differ.
module cry_engine_lockstep
  import cry_engine_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  engine_req_t       req_i,  // from the shell
  output engine_rsp_t       rsp_o,  // to the shell
  // Engine ports of the three lanes
  output engine_req_t [2:0] lane_req_o,
  input  engine_rsp_t [2:0] lane_rsp_i
);

  // The port, by channel.
  logic    clear_i, job_valid_i, job_ready_o, key_ready_o, src_ready_o, rnd_ready_o, fault_inject_i;
  logic    dst_valid_o, dst_ready_i, done_valid_o, done_ready_i;
  logic    fault_corrected_o, fault_detected_o;
  beat_t   dst_o;
  status_e done_status_o;

  assign clear_i        = req_i.clear;
  assign job_valid_i    = req_i.job_valid;
  assign dst_ready_i    = req_i.dst_ready;
  assign done_ready_i   = req_i.done_ready;
  assign fault_inject_i = req_i.fault_inject;

  assign rsp_o = '{
    job_ready:       job_ready_o,
    key_ready:       key_ready_o,
    src_ready:       src_ready_o,
    dst_valid:       dst_valid_o,
    dst:             dst_o,
    done_valid:      done_valid_o,
    done_status:     done_status_o,
    rnd_ready:       rnd_ready_o,
    fault_corrected: fault_corrected_o,
    fault_detected:  fault_detected_o,
    fault_sites:     SitesWhole
  };

  // ... and those of the lanes, which get all payloads directly.
  logic    [2:0] lane_clear_o, lane_job_valid_o, lane_job_ready_i;
  logic    [2:0] lane_key_ready_i, lane_src_ready_i;
  logic    [2:0] lane_dst_valid_i, lane_dst_ready_o, lane_done_valid_i, lane_done_ready_o;
  logic    [2:0] lane_rnd_ready_i;
  beat_t   [2:0] lane_dst_i;
  status_e [2:0] lane_done_status_i;

  for (genvar l = 0; l < 3; l++) begin : gen_port
    always_comb begin
      lane_req_o[l]              = req_i;
      lane_req_o[l].clear        = lane_clear_o[l];
      lane_req_o[l].job_valid    = lane_job_valid_o[l];
      lane_req_o[l].dst_ready    = lane_dst_ready_o[l];
      lane_req_o[l].done_ready   = lane_done_ready_o[l];
      lane_req_o[l].fault_inject = 1'b0;
    end
    assign lane_job_ready_i[l]   = lane_rsp_i[l].job_ready;
    assign lane_key_ready_i[l]   = lane_rsp_i[l].key_ready;
    assign lane_src_ready_i[l]   = lane_rsp_i[l].src_ready;
    assign lane_dst_valid_i[l]   = lane_rsp_i[l].dst_valid;
    assign lane_dst_i[l]         = lane_rsp_i[l].dst;
    assign lane_done_valid_i[l]  = lane_rsp_i[l].done_valid;
    assign lane_done_status_i[l] = lane_rsp_i[l].done_status;
    assign lane_rnd_ready_i[l]   = lane_rsp_i[l].rnd_ready;

    // An unprotected engine reports no upsets.
    logic unused_rsp;
    assign unused_rsp = ^{lane_rsp_i[l].fault_corrected, lane_rsp_i[l].fault_detected,
                          lane_rsp_i[l].fault_sites};
  end

  localparam int unsigned CountWidth = 5;  // of jobs inside an engine

  // Of its four gates only the last can raise the output alone, and most outputs are low.
  function automatic logic majority(logic [2:0] votes);
    return (votes[0] | votes[1]) & (votes[2] | (votes[0] & votes[1]));
  endfunction

  function automatic logic unequal(logic [2:0] votes);
    return (votes[0] != votes[1]) | (votes[0] != votes[2]);
  endfunction

  logic            dst_fire, done_fire, differ, repair, all_quiet;
  logic [2:0]      full_q, done_q, hold_q, quiet;
  beat_t [2:0]     beat_q;
  logic [2:0][3:0] status_q;

  assign dst_fire  = dst_valid_o & dst_ready_i;
  assign done_fire = done_valid_o & done_ready_i;

  // --- What each lane has of its own ------------------------------------------------------------

  for (genvar l = 0; l < 3; l++) begin : gen_lane
    logic [CountWidth-1:0] count_q, count_d;  // jobs accepted and not done
    logic                  clear, full_d, done_take, done_d, hold_d, enter, leave;
    beat_t                 beat_d;
    logic [3:0]            status_d;

    assign clear               = clear_i | (hold_q[l] & all_quiet);
    assign lane_clear_o[l]     = clear;
    assign lane_job_valid_o[l] = job_valid_i & !hold_q[l];
    assign hold_d              = !clear & (hold_q[l] | differ);

    // A beat, zero when there is none.
    assign lane_dst_ready_o[l] = !full_q[l] | dst_fire;
    assign full_d = (!clear & (lane_dst_ready_o[l] ? lane_dst_valid_i[l] : full_q[l])) ^
                    ((l == 0) & fault_inject_i);
    always_comb begin
      beat_d = lane_dst_ready_o[l] ? lane_dst_i[l] & {$bits(beat_t){lane_dst_valid_i[l]}}
                                   : beat_q[l];
      if ((l == 0) && repair) beat_d = beat_q[1];
    end

    // A `done`, behind the last beat of its job.
    assign lane_done_ready_o[l] = (!done_q[l] | done_fire) & (!full_q[l] | dst_fire);
    assign done_take            = lane_done_valid_i[l] & lane_done_ready_o[l];
    assign done_d               = !clear & (done_take | (done_q[l] & !done_fire));
    always_comb begin
      status_d = done_take ? lane_done_status_i[l] : status_q[l];
      if (done_take & hold_q[l] & (lane_done_status_i[l] == StatusOk)) begin
        status_d = StatusFaultCorrected;
      end
    end

    assign enter    = lane_job_valid_o[l] & lane_job_ready_i[l];
    assign leave    = done_q[l] & done_fire;
    assign count_d  = {CountWidth{!clear}} & (count_q + CountWidth'(enter) - CountWidth'(leave));
    assign quiet[l] = count_q == '0;

    cry_flop_kept #(
      .Width(7 + CountWidth)
    ) u_control (
      .clk_i, .rst_ni,
      .en_i(1'b1),
      .d_i ({hold_d, full_d, done_d, status_d, count_d}),
      .q_o ({hold_q[l], full_q[l], done_q[l], status_q[l], count_q})
    );
    cry_flop_kept #(
      .Width($bits(beat_t)), .EnReset(1'b0)
    ) u_beat (
      .clk_i, .rst_ni,
      .en_i(1'b1),
      .d_i (beat_d),
      .q_o (beat_q[l])
    );
  end

  // --- Votes ------------------------------------------------------------------------------------

  logic [2:0] ready_jobs;
  logic       equal_01, equal_02, equal_12, any_full, trusted;

  assign ready_jobs  = lane_job_ready_i & ~hold_q;
  assign job_ready_o = majority(ready_jobs);
  assign key_ready_o = majority(lane_key_ready_i);
  assign src_ready_o = majority(lane_src_ready_i);
  assign rnd_ready_o = majority(lane_rnd_ready_i);

  assign equal_01    = beat_q[0] == beat_q[1];
  assign equal_02    = beat_q[0] == beat_q[2];
  assign equal_12    = beat_q[1] == beat_q[2];
  assign any_full    = majority(full_q);
  assign trusted     = (equal_01 & full_q[1]) | (equal_02 & full_q[2]);
  assign dst_valid_o = any_full & trusted;
  assign dst_o       = beat_q[0];
  assign repair      = any_full & equal_12 & !equal_01 & !equal_02;

  assign done_valid_o = majority(done_q);
  logic [3:0] status;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      status[i] = majority({status_q[2][i], status_q[1][i], status_q[0][i]});
    end
  end
  assign done_status_o = status_e'(status);

  assign all_quiet = majority(quiet);
  // A lane that holds alone is cleared as soon as there are no jobs inside. That must not make the
  // others hold: they would do so by turns, without end.
  assign differ    = unequal(lane_job_ready_i) | unequal(lane_key_ready_i) |
                     unequal(lane_src_ready_i) | unequal(lane_rnd_ready_i) |
                     unequal(full_q) | (any_full & !(equal_01 & equal_02)) |
                     unequal(done_q) | unequal(quiet) | (unequal(hold_q) & !all_quiet) |
                     (done_valid_o & ((status_q[0] != status_q[1]) | (status_q[0] != status_q[2])));

  assign fault_corrected_o = differ | unequal(hold_q);
  assign fault_detected_o  = any_full & !equal_01 & !equal_02 & !equal_12;

  `CRY_ASSERT_RUN
  for (genvar l = 0; l < 3; l++) begin : gen_count_check
    `CRY_ASSERT(JobsCounted_A, &gen_lane[l].count_q |-> !gen_lane[l].enter)
  end

endmodule
