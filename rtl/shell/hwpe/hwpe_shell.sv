// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The HWPE shell: makes a hardware processing engine of any engine on the engine port. Software gives
// jobs through the peripheral port; the shell fetches IV, key and message through four 32-bit TCDM
// ports, writes the result back, and raises an event for each finished job.
//
// Protocols: TCDM and peripheral port as in PULP systems (README.md), the engine port of engine_pkg.
//
// Latency, from the write of TRIGGER on an idle HWPE without stalls: first read request after 3 cycles;
// aligned message data at the engine 2 cycles after its request; an engine beat is written one cycle
// after it was taken; the event comes 2 cycles after the engine's done.
//
// Parameters:
//   IdWidth     bits of the peripheral port's request identifier
//   FifoDepth   wide reads that can wait for the engine (a power of two, at least 4)
//   NoIvModes   one bit per mode that needs no IV unless its context is saved
//   NoKeyModes  one bit per mode that needs no key
//   EnLongKey   the engine takes keys of more than 128 bits
//   Features    value of the FEATURES register
module hwpe_shell
  import hwpe_pkg::*;
  import engine_pkg::*;
#(
  parameter int unsigned IdWidth    = 8,
  parameter int unsigned FifoDepth  = 4,
  parameter logic [15:0] NoIvModes  = '0,
  parameter logic [15:0] NoKeyModes = '0,
  parameter bit          EnLongKey  = 1'b1,
  parameter logic [31:0] Features   = '0
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // four 32-bit TCDM masters
  output logic [3:0]         tcdm_req_o,
  input  logic [3:0]         tcdm_gnt_i,
  output logic [3:0][31:0]   tcdm_add_o,
  output logic [3:0]         tcdm_wen_o,
  output logic [3:0][3:0]    tcdm_be_o,
  output logic [3:0][31:0]   tcdm_data_o,
  input  logic [3:0][31:0]   tcdm_r_data_i,
  input  logic [3:0]         tcdm_r_valid_i,
  input  logic [3:0]         tcdm_err_i,

  // peripheral slave
  input  logic               periph_req_i,
  output logic               periph_gnt_o,
  input  logic [31:0]        periph_add_i,
  input  logic               periph_wen_i,
  input  logic [3:0]         periph_be_i,
  input  logic [31:0]        periph_data_i,
  input  logic [IdWidth-1:0] periph_id_i,
  output logic [31:0]        periph_r_data_o,
  output logic               periph_r_valid_o,
  output logic [IdWidth-1:0] periph_r_id_o,

  output logic               evt_o,

  // engine port, master side
  output logic               clear_o,
  output logic               job_valid_o,
  input  logic               job_ready_i,
  output job_t               job_o,
  output logic               key_valid_o,
  input  logic               key_ready_i,
  output key_t               key_o,
  output logic               src_valid_o,
  input  logic               src_ready_i,
  output beat_t              src_o,
  input  logic               dst_valid_i,
  output logic               dst_ready_o,
  input  beat_t              dst_i,
  input  logic               done_valid_i,
  output logic               done_ready_o,
  input  status_e            done_status_i
);

  // Control.
  logic        commit, release_held, acquire, soft_clear, sw_event;
  job_regs_t   job_regs, job;
  ctrl_state_t state;
  logic        start, drain, flush;
  logic        bus_idle, bus_error, write_idle;

  hwpe_periph #(
    .IdWidth(IdWidth),
    .Features(Features)
  ) u_periph (
    .clk_i,
    .rst_ni,
    .periph_req_i,
    .periph_gnt_o,
    .periph_add_i,
    .periph_wen_i,
    .periph_be_i,
    .periph_data_i,
    .periph_id_i,
    .periph_r_data_o,
    .periph_r_valid_o,
    .periph_r_id_o,
    .commit_o     (commit),
    .release_o    (release_held),
    .acquire_o    (acquire),
    .soft_clear_o (soft_clear),
    .sw_event_o   (sw_event),
    .job_o        (job_regs),
    .state_i      (state)
  );

  hwpe_ctrl u_ctrl (
    .clk_i,
    .rst_ni,
    .commit_i     (commit),
    .release_i    (release_held),
    .acquire_i    (acquire),
    .soft_clear_i (soft_clear),
    .sw_event_i   (sw_event),
    .job_i        (job_regs),
    .state_o      (state),
    .job_o        (job),
    .start_o      (start),
    .drain_o      (drain),
    .flush_o      (flush),
    .bus_idle_i   (bus_idle),
    .bus_error_i  (bus_error),
    .write_idle_i (write_idle),
    .done_valid_i,
    .done_ready_o,
    .done_status_i,
    .evt_o
  );

  // Reads: addresses, FIFO, realigner.
  logic             need_iv;
  logic             fetch_valid, read_ready, fifo_free;
  word_addr_t       read_addr;
  logic [3:0]       read_lanes, answer;
  read_tag_t        fetch_tag, head_tag;
  logic             head_valid, head_pop;
  logic [3:0][31:0] head_data;

  hwpe_fetch #(
    .NoIvModes(NoIvModes),
    .NoKeyModes(NoKeyModes)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .start_i      (start),
    .flush_i      (flush),
    .job_i        (job),
    .need_iv_o    (need_iv),
    .read_valid_o (fetch_valid),
    .read_ready_i (read_ready),
    .read_addr_o  (read_addr),
    .read_lanes_o (read_lanes),
    .read_tag_o   (fetch_tag)
  );

  hwpe_read_fifo #(
    .Depth(FifoDepth)
  ) u_read_fifo (
    .clk_i,
    .rst_ni,
    .flush_i  (flush),
    .free_o   (fifo_free),
    .take_i   (read_ready),
    .tag_i    (fetch_tag),
    .answer_i (answer),
    .data_i   (tcdm_r_data_i),
    .valid_o  (head_valid),
    .pop_i    (head_pop),
    .tag_o    (head_tag),
    .data_o   (head_data)
  );

  logic         beat_valid, beat_ready, beat_last;
  segment_e     beat_segment;
  logic [127:0] beat_data;
  logic [15:0]  beat_keep;

  hwpe_read_align u_read_align (
    .clk_i,
    .rst_ni,
    .valid_i   (head_valid),
    .pop_o     (head_pop),
    .tag_i     (head_tag),
    .data_i    (head_data),
    .valid_o   (beat_valid),
    .ready_i   (beat_ready),
    .segment_o (beat_segment),
    .data_o    (beat_data),
    .keep_o    (beat_keep),
    .last_o    (beat_last)
  );

  logic iv_beat, key_beat;
  assign iv_beat    = beat_valid && (beat_segment == SegIv);
  assign key_beat   = beat_valid && (beat_segment == SegKey);
  assign beat_ready = (beat_segment != SegSrc) || src_ready_i;

  // Engine port: job, as soon as its IV is there.
  logic [127:0] iv_q;
  logic         job_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      iv_q <= '0;
    end else if (iv_beat) begin
      iv_q <= beat_data;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      job_valid_q <= 1'b0;
    end else if (drain) begin
      job_valid_q <= 1'b0;
    end else if ((start && !need_iv) || iv_beat) begin
      job_valid_q <= 1'b1;
    end else if (job_ready_i) begin
      job_valid_q <= 1'b0;
    end
  end

  // Engine port: key. Its registers are wiped when the engine has it, on every early end, and after
  // reset. They have no asynchronous reset, so that wiping costs no logic.
  logic [127:0] key_low_q, key_high;
  logic         key_valid_q, key_second_q, wipe_q, wipe;
  assign wipe = wipe_q || drain || (key_valid_q && key_ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_valid_q  <= 1'b0;
      key_second_q <= 1'b0;
      wipe_q       <= 1'b1;
    end else begin
      wipe_q <= 1'b0;
      if (wipe) begin
        key_valid_q  <= 1'b0;
        key_second_q <= 1'b0;
      end else if (key_beat) begin
        key_valid_q  <= beat_last;
        key_second_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      key_low_q <= '0;
    end else if (key_beat && !key_second_q) begin
      key_low_q <= beat_data;
    end
  end

  if (EnLongKey) begin : gen_long_key
    logic [127:0] key_high_q;
    always_ff @(posedge clk_i) begin
      if (wipe) begin
        key_high_q <= '0;
      end else if (key_beat && key_second_q) begin
        key_high_q <= beat_data;
      end
    end
    assign key_high = key_high_q;
  end else begin : gen_short_key
    assign key_high = '0;
  end

  assign clear_o     = drain;
  assign job_valid_o = job_valid_q;
  assign job_o = '{
    mode:     job.mode,
    decrypt:  job.decrypt,
    key_len:  job.key_len,
    ctx_save: job.ctx_save,
    is_final: 1'b1,
    iv:       iv_q,
    aad_len:  '0,
    msg_len:  job.len
  };
  assign key_valid_o = key_valid_q;
  assign key_o       = {key_high, key_low_q};
  assign src_valid_o = beat_valid && (beat_segment == SegSrc);
  assign src_o = '{data: beat_data, keep: beat_keep, last: beat_last, kind: KindMessage};

  // Writes.
  logic         write_valid, write_ready;
  word_addr_t   write_addr;
  logic [127:0] write_data;
  logic [15:0]  write_be;

  hwpe_write u_write (
    .clk_i,
    .rst_ni,
    .start_i       (start),
    .flush_i       (flush),
    .dst_ptr_i     (job.dst),
    .iv_ptr_i      (job.iv),
    .idle_o        (write_idle),
    .dst_valid_i,
    .dst_ready_o,
    .dst_i,
    .write_valid_o (write_valid),
    .write_ready_i (write_ready),
    .write_addr_o  (write_addr),
    .write_data_o  (write_data),
    .write_be_o    (write_be)
  );

  hwpe_tcdm u_tcdm (
    .clk_i,
    .rst_ni,
    .stop_i        (drain),
    .idle_o        (bus_idle),
    .error_o       (bus_error),
    .read_valid_i  (fetch_valid && fifo_free),
    .read_ready_o  (read_ready),
    .read_addr_i   (read_addr),
    .read_lanes_i  (read_lanes),
    .read_prefix_i (fetch_tag.prefix),
    .answer_o      (answer),
    .write_valid_i (write_valid),
    .write_ready_o (write_ready),
    .write_addr_i  (write_addr),
    .write_data_i  (write_data),
    .write_be_i    (write_be),
    .tcdm_req_o,
    .tcdm_gnt_i,
    .tcdm_add_o,
    .tcdm_wen_o,
    .tcdm_be_o,
    .tcdm_data_o,
    .tcdm_r_valid_i,
    .tcdm_err_i
  );

`ifndef SYNTHESIS
  engine_port_checker u_checker (
    .clk_i,
    .rst_ni,
    .clear_i       (clear_o),
    .job_valid_i   (job_valid_o),
    .job_ready_i,
    .job_i         (job_o),
    .key_valid_i   (key_valid_o),
    .key_ready_i,
    .key_i         (key_o),
    .src_valid_i   (src_valid_o),
    .src_ready_i,
    .src_i         (src_o),
    .dst_valid_i,
    .dst_ready_i   (dst_ready_o),
    .dst_i,
    .done_valid_i,
    .done_ready_i  (done_ready_o),
    .done_status_i
  );
`endif

endmodule
