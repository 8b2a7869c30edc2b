// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Control: the two job contexts and the life of the running job.
//
// A commit copies the job registers into the queue slot; the next cycle it moves to the run slot as
// soon as that is free, and starts from there (two cycles from trigger to start_o). Copies without
// multiplexers keep the slots cheap.
//
// A job ends when the engine is done and the last write is granted. When it ends early (soft clear,
// bus error, any status but ok) drain_o stops new accesses and holds the engine in clear until
// every access asked for was granted and answered; then flush_o (one cycle) empties fetch and write
// units. A job that is refused takes the same way out, without a start.
//
// Latency: evt_o comes one cycle after the job's end was seen.
module cry_hwpe_ctrl
  import cry_hwpe_pkg::*;
  import cry_engine_pkg::status_e;
  import cry_engine_pkg::StatusOk;
  import cry_engine_pkg::StatusBadParam;
  import cry_engine_pkg::StatusBusError;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // Commands, one cycle each
  input  logic        commit_i,
  input  logic        release_i,
  input  logic        acquire_i,
  input  logic        soft_clear_i,
  input  logic        sw_event_i,
  input  job_regs_t   job_i,
  output ctrl_state_t state_o,

  // The running job
  output job_regs_t   job_o,     // valid from start_o to the job's end
  input  logic        refuse_i,  // job_o is not to start
  output logic        start_o,   // one cycle
  output logic        drain_o,
  output logic        flush_o,       // one cycle
  input  logic        bus_idle_i,    // no access is asked for or unanswered
  input  logic        bus_error_i,   // one cycle for each refused access
  input  logic        write_idle_i,  // nothing is left to write

  // The engine's done channel
  input  logic        done_valid_i,
  output logic        done_ready_o,
  input  status_e     done_status_i,

  output logic        evt_o  // event, one cycle: a job has ended, or sw_event_i
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StDrain
  } state_e;

  state_e    state_d, state_q;
  logic      kill_d, kill_q;      // the job that drains is not to be reported
  status_e   status_d, status_q;
  logic      finish;              // the running job ends with status_d

  // Slots.
  job_regs_t queue_q, run_q;
  logic      queue_valid_q, queue_hold_q;
  logic      run_valid_q, run_hold_q;
  logic      move, accept;

  assign move   = queue_valid_q && (!run_valid_q || finish);
  assign accept = commit_i && (!queue_valid_q || move);

  always_ff @(posedge clk_i) begin
    if (accept) queue_q <= job_i;
    if (move)   run_q   <= queue_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_valid_q <= 1'b0;
      queue_hold_q  <= 1'b0;
      run_valid_q   <= 1'b0;
      run_hold_q    <= 1'b0;
    end else begin
      if (accept) begin
        queue_valid_q <= 1'b1;
        queue_hold_q  <= 1'b1;
      end else if (move) begin
        queue_valid_q <= 1'b0;
      end
      if (move) begin
        run_valid_q <= 1'b1;
        run_hold_q  <= queue_hold_q;
      end else if (finish) begin
        run_valid_q <= 1'b0;
      end
      if (release_i) begin
        queue_hold_q <= 1'b0;
        run_hold_q   <= 1'b0;
      end
      if (soft_clear_i) begin
        queue_valid_q <= 1'b0;
        run_valid_q   <= 1'b0;
      end
    end
  end

  // Life of the running job.
  always_comb begin
    state_d      = state_q;
    kill_d       = kill_q;
    status_d     = status_q;
    start_o      = 1'b0;
    flush_o      = 1'b0;
    finish       = 1'b0;
    done_ready_o = 1'b0;
    unique case (state_q)
      StIdle: begin
        kill_d = 1'b0;
        if (run_valid_q && !run_hold_q && !soft_clear_i) begin
          if (refuse_i) begin
            status_d = StatusBadParam;
            state_d  = StDrain;
          end else begin
            start_o = 1'b1;
            state_d = StRun;
          end
        end
      end
      StRun: begin
        // The answer to the last write comes in the cycle in which write_idle_i rises.
        done_ready_o = write_idle_i && !bus_error_i;
        if (soft_clear_i) begin
          kill_d  = 1'b1;
          state_d = StDrain;
        end else if (bus_error_i) begin
          status_d = StatusBusError;
          state_d  = StDrain;
        end else if (done_valid_i && done_ready_o) begin
          status_d = done_status_i;
          if (done_status_i == StatusOk) begin
            finish  = 1'b1;
            state_d = StIdle;
          end else begin
            state_d = StDrain;
          end
        end
      end
      StDrain: begin
        kill_d = kill_q || soft_clear_i;
        if (bus_idle_i) begin
          flush_o = 1'b1;
          finish  = !kill_d;
          state_d = StIdle;
        end
      end
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      kill_q   <= 1'b0;
      status_q <= StatusOk;
    end else begin
      state_q  <= state_d;
      kill_q   <= kill_d;
      status_q <= status_d;
    end
  end

  assign drain_o = state_q == StDrain;
  assign job_o   = run_q;

  // What software sees.
  logic [7:0]      finished_q;
  logic [1:0][3:0] result_q;
  logic            refused_q, locked_q, evt_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      finished_q <= '0;
      result_q   <= '0;
      refused_q  <= 1'b0;
      locked_q   <= 1'b0;
      evt_q      <= 1'b0;
    end else begin
      evt_q <= finish || sw_event_i;
      if (commit_i) refused_q <= !accept;
      if (commit_i) locked_q <= 1'b0;
      else if (acquire_i && !(&state_o.busy)) locked_q <= 1'b1;
      if (finish) begin
        finished_q              <= finished_q + 8'd1;
        result_q[finished_q[0]] <= status_d;
      end
      if (soft_clear_i) begin
        evt_q      <= 1'b0;
        finished_q <= '0;
        result_q   <= '0;
        refused_q  <= 1'b0;
        locked_q   <= 1'b0;
      end
    end
  end

  // Identifiers count up, and jobs end in order: the oldest job is in context finished_q[0].
  logic any_job, two_jobs;
  assign any_job  = run_valid_q || queue_valid_q;
  assign two_jobs = run_valid_q && queue_valid_q;

  assign state_o = '{
    finished: finished_q,
    busy:     finished_q[0] ? {any_job, two_jobs} : {two_jobs, any_job},
    status:   result_q,
    refused:  refused_q,
    locked:   locked_q,
    drain:    drain_o && kill_q
  };

  assign evt_o = evt_q;

endmodule
