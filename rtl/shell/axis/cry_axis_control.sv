// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Registers and the life of jobs: one runs in the engine, one waits with its key, results wait
// until they are read.
//
// A START copies the job registers. The waiting job is handed to the engine when the job before has
// ended and its packet has been taken or discarded. A job ends with the engine's status, or, by a
// packet that does not fit, with StatusBusError after the engine was cleared. Its result can be
// read when the last beat of its output packet is on the stream. A job in a mode that FEATURES
// lacks is not handed to the engine and ends as one that the engine refused: with StatusBadParam.
module cry_axis_control
  import cry_engine_pkg::*;
#(
  parameter logic [15:0] PairModes = '0,  // by mode: there are two keys, in two transfers
  parameter logic [31:0] Features  = '0   // value of the FEATURES register
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        por_ni,  // power-on reset: alone clears the log of faults
  input  logic        lock_i,  // level: closes the fault registers
  output logic        irq_o,   // interrupt, a level

  // Register accesses, answered in the same cycle
  input  logic        req_i,
  input  logic        we_i,
  input  logic [7:0]  addr_i,
  input  logic [31:0] wdata_i,
  input  logic [31:0] biten_i,
  output logic [31:0] rdata_o,

  // Streams
  output logic        clear_o,       // all is being cleared
  output logic        start_o,       // one cycle: a job begins, job_o is its job
  output logic        stop_o,        // one cycle: the job ended, maybe before its packet
  input  logic        input_idle_i,  // the input waits for a job
  input  logic        input_bad_i,   // one cycle: a beat does not fit the job
  output logic        drop_o,        // the output discards the beat that it holds
  output logic        close_o,       // level until closed_i: the output ends the packet
  input  logic        closed_i,      // the last beat of the packet was taken
  input  logic        quiet_i,       // STATUS.quiet: nothing is on the output

  // Engine port, by channel
  output logic        engine_clear_o,
  output logic        job_valid_o,
  input  logic        job_ready_i,
  output job_t        job_o,
  output logic        key_valid_o,
  input  logic        key_ready_i,
  output key_t        key_o,
  input  logic        done_valid_i,
  output logic        done_ready_o,
  input  status_e     done_status_i,
  output logic        fault_inject_o,
  input  logic        fault_corrected_i,
  input  logic        fault_detected_i,
  input  logic [7:0]  fault_sites_i
);

  localparam int unsigned MaxResults = 4;
  localparam int unsigned Keys       = (PairModes != '0) ? 2 : 1;

  cry_axis_regs_pkg::axis__in_t  hw_in;
  cry_axis_regs_pkg::axis__out_t hw_out;
  logic [5:0] unused_acks;  // constant: the block answers every access at once

  cry_axis_regs u_regs (
    .clk                  (clk_i),
    .arst_n               (rst_ni),
    .s_cpuif_req          (req_i),
    .s_cpuif_req_is_wr    (we_i),
    .s_cpuif_addr         (addr_i),
    .s_cpuif_wr_data      (wdata_i),
    .s_cpuif_wr_biten     (biten_i),
    .s_cpuif_req_stall_wr (unused_acks[0]),
    .s_cpuif_req_stall_rd (unused_acks[1]),
    .s_cpuif_rd_ack       (unused_acks[2]),
    .s_cpuif_rd_err       (unused_acks[3]),
    .s_cpuif_rd_data      (rdata_o),
    .s_cpuif_wr_ack       (unused_acks[4]),
    .s_cpuif_wr_err       (unused_acks[5]),
    .hwif_in              (hw_in),
    .hwif_out             (hw_out)
  );

  // Job registers have no reset: they are cleared in the first cycle after it.
  logic clear, wipe, reset_q;
  assign clear = hw_out.CONTROL.clear.value;
  assign wipe  = clear || reset_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_q <= 1'b1;
    else         reset_q <= 1'b0;
  end

  // The waiting job, and the key of the job that runs until the engine has taken it.
  logic        start, accept, issue, waiting_q, refused_q;
  logic [7:0]  next_job_q, oldest_q, running_q;
  logic [2:0]  in_flight_q;  // jobs accepted whose result was not read
  logic        result_valid, result_read;
  job_t        staged, waiting_job_q, job_q;

  key_t [1:0]      staged_keys;
  key_t [Keys-1:0] waiting_keys_q, keys_q;  // the next transfer first
  logic            job_valid_q, key_valid_q, key_second_q, key_fire, key_more, key_wipe;

  always_comb begin
    staged = '{
      mode:     hw_out.JOB.mode.value,
      decrypt:  hw_out.JOB.decrypt.value,
      key_len:  hw_out.JOB.key_len.value,
      ctx_save: hw_out.JOB.ctx_save.value,
      is_final: 1'b1,
      iv:       '0,
      aad_len:  hw_out.AAD_LEN.value.value,
      msg_len:  hw_out.MSG_LEN.value.value,
      default:  '0
    };
    for (int unsigned i = 0; i < 4; i++) staged.iv[32*i+:32] = hw_out.IV[i].value.value;
    for (int unsigned i = 0; i < 16; i++) begin
      staged_keys[i/8][32*(i%8)+:32] = hw_out.KEY[i].value.value;
    end
  end

  assign start       = hw_out.START.command.swmod;
  assign accept      = start && !clear && !waiting_q && (in_flight_q != 3'(MaxResults));
  assign result_read = hw_out.RESULT.status.swacc && result_valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q   <= 1'b0;
      refused_q   <= 1'b0;
      next_job_q  <= '0;
      in_flight_q <= '0;
    end else if (clear) begin
      waiting_q   <= 1'b0;
      refused_q   <= 1'b0;
      next_job_q  <= '0;
      in_flight_q <= '0;
    end else begin
      if (accept)     waiting_q <= 1'b1;
      else if (issue) waiting_q <= 1'b0;
      if (start) refused_q <= !accept;
      if (accept) next_job_q <= next_job_q + 8'd1;
      in_flight_q <= in_flight_q + 3'(accept) - 3'(result_read);
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) waiting_job_q <= staged;
    if (issue)  job_q         <= waiting_job_q;
    if (issue)  running_q     <= next_job_q - 8'd1;
    if (wipe || (issue && !accept)) waiting_keys_q <= '0;
    else if (accept)                waiting_keys_q <= staged_keys[Keys-1:0];
    if (key_wipe)                  keys_q <= '0;
    else if (issue)                keys_q <= waiting_keys_q;
    else if (key_fire && key_more) keys_q <= $bits(keys_q)'({key_t'('0), keys_q} >> KeyWidth);
  end

  // Life of the running job.
  typedef enum logic [1:0] {
    StIdle,
    StBegin,
    StRun,
    StClose
  } state_e;

  state_e  state_d, state_q;
  status_e status_d, status_q;
  logic    refuse, done, bad, finish, finish_q;

  assign refuse = !Features[5'd16 + 5'(job_q.mode)];
  assign done   = done_valid_i || refuse;
  assign bad    = input_bad_i && (state_q == StRun) && !done;
  assign finish = (state_q == StRun) && (bad || done);
  assign issue  = (state_q == StIdle) && waiting_q && input_idle_i && !clear;

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    unique case (state_q)
      StIdle:  if (issue) state_d = StBegin;
      StBegin: state_d = StRun;
      StRun: begin
        if (finish) begin
          state_d  = StClose;
          status_d = refuse ? StatusBadParam : bad ? StatusBusError : done_status_i;
        end
      end
      StClose: if (closed_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (clear) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      status_q     <= StatusOk;
      job_valid_q  <= 1'b0;
      key_valid_q  <= 1'b0;
      key_second_q <= 1'b0;
      finish_q     <= 1'b0;
    end else begin
      state_q  <= state_d;
      status_q <= status_d;
      finish_q <= finish;
      if (clear || finish) begin
        job_valid_q <= 1'b0;
        key_valid_q <= 1'b0;
      end else if (state_q == StBegin) begin
        job_valid_q  <= !refuse;
        key_valid_q  <= !refuse;
        key_second_q <= 1'b0;
      end else begin
        if (job_ready_i) job_valid_q <= 1'b0;
        if (key_fire) begin
          key_valid_q  <= key_more;
          key_second_q <= 1'b1;
        end
      end
    end
  end

  assign key_fire = key_valid_q && key_ready_i;
  assign key_more = (Keys == 2) && PairModes[job_q.mode] && !key_second_q;
  assign key_wipe = wipe || finish || (key_fire && !key_more);

  assign clear_o        = clear;
  assign start_o        = state_q == StBegin;
  assign stop_o         = finish;
  assign drop_o         = clear || bad;
  assign close_o        = (state_q == StClose) && !clear;
  // After every job: what the engine did not take, such as the key of an empty message, is taken
  // back.
  assign engine_clear_o = clear || finish_q;
  assign job_valid_o    = job_valid_q;
  assign job_o          = job_q;
  assign key_valid_o    = key_valid_q;
  assign key_o          = keys_q[0];
  assign done_ready_o   = (state_q == StRun) && !clear;

  // Results
  logic       results_in_ready;
  logic [2:0] results;
  logic [3:0] result_status;

  logic [1:0] unused_results_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [3:0]),
    .Depth(MaxResults)
  ) u_results (
    .clk_i,
    .rst_ni,
    .flush_i    (clear),
    .in_valid_i (closed_i && (state_q == StClose)),
    .in_ready_o (results_in_ready),
    .in_data_i  (status_q),
    .out_valid_o(result_valid),
    .out_ready_i(result_read),
    .out_data_o (result_status),
    .count_o    (results),
    .corrected_o(unused_results_faults[1]),
    .detected_o (unused_results_faults[0])
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          oldest_q <= '0;
    else if (clear)       oldest_q <= '0;
    else if (result_read) oldest_q <= oldest_q + 8'd1;
  end

  // Faults
  logic        locked, locked_by_software, corrected_hit;
  logic [15:0] corrected, detected, threshold;
  logic        first_valid, first_detected;
  logic [7:0]  first_sites, first_job;
  assign locked        = lock_i || locked_by_software;
  assign threshold     = hw_out.FAULT_THRESHOLD.count.value;
  assign corrected_hit = fault_corrected_i && (threshold != '0) && (corrected >= threshold - 16'd1);

  cry_axis_fault_log u_fault_log (
    .clk_i,
    .por_ni,
    .corrected_i      (fault_corrected_i),
    .detected_i       (fault_detected_i),
    .sites_i          (fault_sites_i),
    .job_i            (running_q),
    .clear_corrected_i(hw_out.FAULT_CLEAR.corrected.value && !locked),
    .clear_detected_i (hw_out.FAULT_CLEAR.detected.value && !locked),
    .clear_first_i    (hw_out.FAULT_CLEAR.first.value && !locked),
    .lock_i           (hw_out.FAULT_LOCK.lock.value),
    .corrected_o      (corrected),
    .detected_o       (detected),
    .first_valid_o    (first_valid),
    .first_detected_o (first_detected),
    .first_sites_o    (first_sites),
    .first_job_o      (first_job),
    .locked_o         (locked_by_software)
  );

  // One error per write of the right guard word.
  localparam logic [15:0] InjectGuard = 16'h5afe;
  assign fault_inject_o = hw_out.FAULT_INJECT.state.value && !locked &&
                          (hw_out.FAULT_INJECT.guard.value == InjectGuard);

  assign irq_o = (hw_out.IRQ_ENABLE.result.value && result_valid) ||
                 (hw_out.IRQ_ENABLE.corrected.value && hw_out.IRQ_STATUS.corrected.value) ||
                 (hw_out.IRQ_ENABLE.detected.value && hw_out.IRQ_STATUS.detected.value);

  always_comb begin
    hw_in = '{default: '0};
    hw_in.STATUS.busy.next             = state_q != StIdle;
    hw_in.STATUS.waiting.next          = waiting_q;
    hw_in.STATUS.refused.next          = refused_q;
    hw_in.STATUS.quiet.next            = quiet_i;
    hw_in.STATUS.results.next          = results;
    hw_in.STATUS.next_job.next         = next_job_q;
    hw_in.RESULT.status.next           = result_valid ? result_status : '0;
    hw_in.RESULT.job.next              = result_valid ? oldest_q : '0;
    hw_in.RESULT.valid.next            = result_valid;
    hw_in.IRQ_STATUS.result.next       = result_valid;
    hw_in.IRQ_STATUS.corrected.hwset   = corrected_hit && !locked;
    hw_in.IRQ_STATUS.detected.hwset    = fault_detected_i && !locked;
    hw_in.FEATURES.engine.next         = Features[7:0];
    hw_in.FEATURES.impl.next           = Features[11:8];
    hw_in.FEATURES.key_lens.next       = Features[14:12];
    hw_in.FEATURES.decrypt.next        = Features[15];
    hw_in.FEATURES.modes.next          = Features[31:16];
    hw_in.FAULTS_CORRECTED.count.next  = locked ? '0 : corrected;
    hw_in.FAULTS_DETECTED.count.next   = locked ? '0 : detected;
    if (!locked) begin
      hw_in.FAULT_FIRST.sites.next    = first_sites;
      hw_in.FAULT_FIRST.job.next      = first_job;
      hw_in.FAULT_FIRST.detected.next = first_detected;
      hw_in.FAULT_FIRST.valid.next    = first_valid;
    end
    hw_in.FAULT_LOCK.locked.next       = locked;
    hw_in.FAULT_THRESHOLD.count.swwel  = locked;
    hw_in.FAULT_INJECT.state.hwclr     = 1'b1;
    hw_in.FAULT_INJECT.guard.hwclr     = 1'b1;
    hw_in.JOB.mode.hwclr               = wipe;
    hw_in.JOB.decrypt.hwclr            = wipe;
    hw_in.JOB.key_len.hwclr            = wipe;
    hw_in.JOB.ctx_save.hwclr           = wipe;
    hw_in.AAD_LEN.value.hwclr          = wipe;
    hw_in.MSG_LEN.value.hwclr          = wipe;
    for (int unsigned i = 0; i < 4; i++) hw_in.IV[i].value.hwclr = wipe;
    for (int unsigned i = 0; i < 16; i++) hw_in.KEY[i].value.hwclr = wipe;
  end

  logic unused;
  assign unused = ^{unused_acks, staged_keys, hw_out.START.command.value, results_in_ready};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(ResultsHaveRoom_A, (closed_i && (state_q == StClose)) |-> results_in_ready)

endmodule
