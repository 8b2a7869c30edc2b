// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The peripheral port: turns accesses into register reads and writes and into commands.
//
// Protocol: one access per cycle, granted at once; every access, reads and writes, is answered in
// the next cycle with the identifier of its request. Registers take whole words: byte enables are
// ignored. Job registers have no reset: a write of 0 to SOFT_CLEAR and the first cycle after reset
// clear them.
module cry_hwpe_periph
  import cry_hwpe_pkg::*;
#(
  parameter int unsigned IdWidth  = 8,  // bits of the request identifier
  parameter logic [31:0] Features = '0  // value of the FEATURES register
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               periph_req_i,      // request
  output logic               periph_gnt_o,      // request accepted: constant 1
  input  logic [31:0]        periph_add_i,      // byte address
  input  logic               periph_wen_i,      // 1 reads, 0 writes
  input  logic [3:0]         periph_be_i,       // ignored: registers take whole words
  input  logic [31:0]        periph_data_i,     // word written
  input  logic [IdWidth-1:0] periph_id_i,       // identifier of the request
  output logic [31:0]        periph_r_data_o,   // word read, with periph_r_valid_o
  output logic               periph_r_valid_o,  // one cycle after each request
  output logic [IdWidth-1:0] periph_r_id_o,     // identifier of the request that is answered

  output logic               commit_o,      // take the job registers as a job
  output logic               release_o,     // with commit_o: start all held jobs
  output logic               acquire_o,     // ACQUIRE is read
  output logic               soft_clear_o,  // one cycle: aborts all jobs
  output logic               sw_event_o,    // one cycle: software raises an event
  output job_regs_t          job_o,         // the job registers
  input  ctrl_state_t        state_i        // state of the contexts, to be read
);

  assign periph_gnt_o = periph_req_i;

  cry_hwpe_regs_pkg::hwpe__in_t  hw_in;
  cry_hwpe_regs_pkg::hwpe__out_t hw_out;
  logic [31:0] read_data;
  logic [5:0]  acks;  // constant: the block answers every access at once

  // A full context cannot be acquired: the identifier is that of the first free one.
  logic [7:0] next_job;
  assign next_job = state_i.finished + 8'(|state_i.busy);

  logic clear_job, reset_q;  // reset_q: in the first cycle after reset
  assign clear_job = reset_q || (soft_clear_o && (periph_data_i == '0));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_q <= 1'b1;
    else         reset_q <= 1'b0;
  end

  always_comb begin
    hw_in = '{default: '0};
    if (state_i.locked)     hw_in.ACQUIRE.job.next = -32'd2;
    else if (&state_i.busy) hw_in.ACQUIRE.job.next = -32'd1;
    else                    hw_in.ACQUIRE.job.next = 32'(next_job);
    hw_in.FINISHED.count.next    = state_i.finished;
    hw_in.STATUS.context0.next   = 8'(state_i.busy[0]);
    hw_in.STATUS.context1.next   = 8'(state_i.busy[1]);
    hw_in.STATUS.drain.next      = state_i.drain;
    hw_in.RUNNING_JOB.job.next   = state_i.finished;
    hw_in.RESULT.context0.next   = state_i.status[0];
    hw_in.RESULT.context1.next   = state_i.status[1];
    hw_in.RESULT.refused.next    = state_i.refused;
    hw_in.FEATURES.engine.next   = Features[7:0];
    hw_in.FEATURES.impl.next     = Features[11:8];
    hw_in.FEATURES.key_lens.next = Features[14:12];
    hw_in.FEATURES.decrypt.next  = Features[15];
    hw_in.FEATURES.modes.next    = Features[31:16];
    hw_in.SRC_PTR.value.hwclr    = clear_job;
    hw_in.DST_PTR.value.hwclr    = clear_job;
    hw_in.LEN.value.hwclr        = clear_job;
    hw_in.KEY_PTR.value.hwclr    = clear_job;
    hw_in.IV_PTR.value.hwclr     = clear_job;
    hw_in.CTRL.mode.hwclr        = clear_job;
    hw_in.CTRL.decrypt.hwclr     = clear_job;
    hw_in.CTRL.key_len.hwclr     = clear_job;
    hw_in.CTRL.ctx_save.hwclr    = clear_job;
  end

  // Write enables of single bits are tied: with them every register bit would need a multiplexer.
  cry_hwpe_regs u_regs (
    .clk                  (clk_i),
    .arst_n               (rst_ni),
    .s_cpuif_req          (periph_req_i),
    .s_cpuif_req_is_wr    (!periph_wen_i),
    .s_cpuif_addr         ({periph_add_i[6:2], 2'b00}),
    .s_cpuif_wr_data      (periph_data_i),
    .s_cpuif_wr_biten     ('1),
    .s_cpuif_req_stall_wr (acks[0]),
    .s_cpuif_req_stall_rd (acks[1]),
    .s_cpuif_rd_ack       (acks[2]),
    .s_cpuif_rd_err       (acks[3]),
    .s_cpuif_rd_data      (read_data),
    .s_cpuif_wr_ack       (acks[4]),
    .s_cpuif_wr_err       (acks[5]),
    .hwif_in              (hw_in),
    .hwif_out             (hw_out)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) periph_r_valid_o <= 1'b0;
    else         periph_r_valid_o <= periph_req_i;
  end
  always_ff @(posedge clk_i) begin
    periph_r_data_o <= read_data;
    periph_r_id_o   <= periph_id_i;
  end

  assign commit_o     = hw_out.TRIGGER.command.swmod;
  assign release_o    = hw_out.TRIGGER.command.swmod && (periph_data_i == '0);
  assign acquire_o    = hw_out.ACQUIRE.job.swacc;
  assign soft_clear_o = hw_out.SOFT_CLEAR.command.swmod;
  assign sw_event_o   = hw_out.SW_EVENT.command.swmod;

  assign job_o = '{
    src:      hw_out.SRC_PTR.value.value,
    dst:      hw_out.DST_PTR.value.value,
    len:      hw_out.LEN.value.value,
    key:      hw_out.KEY_PTR.value.value,
    iv:       hw_out.IV_PTR.value.value,
    mode:     hw_out.CTRL.mode.value,
    decrypt:  hw_out.CTRL.decrypt.value,
    key_len:  hw_out.CTRL.key_len.value,
    ctx_save: hw_out.CTRL.ctx_save.value
  };

  logic unused;
  assign unused = ^{acks, periph_be_i, periph_add_i[31:7], periph_add_i[1:0],
                    hw_out.TRIGGER.command.value, hw_out.SOFT_CLEAR.command.value,
                    hw_out.SW_EVENT.command.value};

endmodule
