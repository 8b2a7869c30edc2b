// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The HWPE shell: makes a hardware processing engine of any engine on the engine port. Software
// gives jobs through the peripheral port; the shell fetches IV, key and message through four 32-bit
// TCDM ports, writes the result back, and raises an event for each finished job.
//
// Protocols: TCDM and peripheral port as in PULP systems (README.md), the engine port of
// cry_engine_pkg.
//
// Latency, from the write of TRIGGER on an idle HWPE without stalls: first read request after 3
// cycles; aligned message data at the engine 2 cycles after its request; an engine beat is written
// one cycle after it was taken; the event comes 2 cycles after the engine's done.
//
// In a mode of TagModes an empty message needs the key, too, and decryption, for which there is no
// tag to send, is a bad parameter; so is a mode that Features lacks.
module cry_hwpe_shell
  import cry_hwpe_pkg::*;
  import cry_engine_pkg::*;
#(
  parameter int unsigned IdWidth    = 8,  // bits of the peripheral port's request identifier
  // Address bits that count, up to 32: a buffer must not cross a multiple of 2^AddrWidth. With
  // twice the memory's size or more, a buffer that leaves the memory is a bus error as ever
  parameter int unsigned AddrWidth  = 32,
  // Beats that can wait for the engine: 1, for an engine that takes one every three cycles or more
  // seldom, or a power of two from 4 on
  parameter int unsigned FifoDepth  = 4,

  parameter logic [15:0] NoIvModes  = '0,    // by mode: needs no IV, unless the context is saved
  parameter logic [15:0] NoKeyModes = '0,    // by mode: needs no key
  parameter logic [15:0] TagModes   = '0,    // by mode: there is a tag under a key
  parameter bit          EnLongKey  = 1'b1,  // the engine takes keys of more than 128 bits
  parameter logic [31:0] Features   = '0     // value of the FEATURES register
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Four 32-bit TCDM masters
  output logic [3:0]         tcdm_req_o,      // request, held until granted
  input  logic [3:0]         tcdm_gnt_i,      // request accepted in this cycle
  output logic [3:0][31:0]   tcdm_add_o,      // byte address, of a word
  output logic [3:0]         tcdm_wen_o,      // 1 reads, 0 writes
  output logic [3:0][3:0]    tcdm_be_o,       // bytes written
  output logic [3:0][31:0]   tcdm_data_o,     // word written
  input  logic [3:0][31:0]   tcdm_r_data_i,   // word read, with tcdm_r_valid_i
  input  logic [3:0]         tcdm_r_valid_i,  // one cycle after a granted read
  input  logic [3:0]         tcdm_err_i,      // one cycle after a grant: refused by the bus

  // Peripheral slave
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

  output logic               evt_o,  // event, one cycle: a job has ended

  // Random bits, for engines that take them
  input  logic               rnd_valid_i,  // there are some
  output logic               rnd_ready_o,  // they are taken
  input  logic [127:0]       rnd_i,        // 128 of them, never given twice

  output engine_req_t        req_o,  // engine port
  input  engine_rsp_t        rsp_i   // engine port
);

  // What the parts below have of the engine port.
  logic         src_valid, dst_ready, done_ready;

  // Control.
  logic        commit, release_held, acquire, soft_clear, sw_event;
  job_regs_t   job_regs, job;
  ctrl_state_t state;
  logic        start, drain, flush;
  logic        bus_idle, bus_error, write_idle;

  cry_hwpe_periph #(
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

  // What cannot be served ends without the engine.
  logic refuse;
  assign refuse = !Features[5'd16 + 5'(job.mode)] || (job.decrypt && TagModes[job.mode]);

  cry_hwpe_ctrl u_ctrl (
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
    .refuse_i     (refuse),
    .start_o      (start),
    .drain_o      (drain),
    .flush_o      (flush),
    .bus_idle_i   (bus_idle),
    .bus_error_i  (bus_error),
    .write_idle_i (write_idle),
    .done_valid_i (rsp_i.done_valid),
    .done_ready_o (done_ready),
    .done_status_i(rsp_i.done_status),
    .evt_o
  );

  // Reads: addresses, realigner, FIFO.
  logic         need_iv;
  logic         fetch_valid, read_valid, read_ready, fifo_free, read_src;
  word_addr_t   read_addr;
  logic [3:0]   read_lanes, answer;
  read_tag_t    fetch_tag;
  logic         wipe_q;   // in the first cycle after reset
  logic         beat_valid, beat_last, iv_beat, key_beat, src_beat, src_beat_ready;
  segment_e     beat_segment;
  logic [127:0] beat_data;

  cry_hwpe_fetch #(
    .AddrWidth(AddrWidth),
    .NoIvModes(NoIvModes),
    .NoKeyModes(NoKeyModes),
    .TagModes(TagModes)
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

  // Vector and key go to registers of their own at once; beats of the message need a place.
  assign read_src   = (fetch_tag.segment == SegSrc) && !fetch_tag.prefix;
  assign read_valid = fetch_valid && (fifo_free || !read_src);

  cry_hwpe_read_align u_read_align (
    .clk_i,
    .rst_ni,
    .flush_i   (flush || wipe_q),
    .take_i    (read_ready),
    .tag_i     (fetch_tag),
    .answer_i  (answer),
    .data_i    (tcdm_r_data_i),
    .valid_o   (beat_valid),
    .ready_i   (src_beat_ready || !src_beat),
    .segment_o (beat_segment),
    .data_o    (beat_data),
    .last_o    (beat_last)
  );

  assign iv_beat  = beat_valid && (beat_segment == SegIv);
  assign key_beat = beat_valid && (beat_segment == SegKey);
  assign src_beat = beat_valid && (beat_segment == SegSrc);

  logic [127:0] src_data;
  logic [15:0]  src_keep;
  logic         src_last;

  cry_hwpe_read_fifo #(
    .Depth(FifoDepth)
  ) u_read_fifo (
    .clk_i,
    .rst_ni,
    .flush_i  (flush),
    .free_o   (fifo_free),
    .take_i   (read_ready && read_src),
    .valid_i  (src_beat),
    .ready_o  (src_beat_ready),
    .data_i   (beat_data),
    .last_i   (beat_last),
    .valid_o  (src_valid),
    .ready_i  (rsp_i.src_ready),
    .data_o   (src_data),
    .last_o   (src_last)
  );

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      src_keep[i] = !src_last || (job.len[3:0] == '0) || (job.len[3:0] > 4'(i));
    end
  end

  // Engine port: job, as soon as its IV is there.
  logic [127:0] iv_q;
  logic         job_valid_q;

  always_ff @(posedge clk_i) begin
    if (iv_beat) iv_q <= beat_data;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      job_valid_q <= 1'b0;
    end else if (drain) begin
      job_valid_q <= 1'b0;
    end else if ((start && !need_iv) || iv_beat) begin
      job_valid_q <= 1'b1;
    end else if (rsp_i.job_ready) begin
      job_valid_q <= 1'b0;
    end
  end

  // Engine port: key. Its registers are wiped when the engine has it, on every early end, and after
  // reset. They have no asynchronous reset, so that wiping costs no logic.
  logic [127:0] key_low_q, key_high;
  logic         key_valid_q, key_second_q, wipe;
  assign wipe = wipe_q || drain || (key_valid_q && rsp_i.key_ready);

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

  job_t  engine_job;
  beat_t src;
  assign engine_job = '{
    mode:     job.mode,
    decrypt:  job.decrypt,
    key_len:  job.key_len,
    ctx_save: job.ctx_save,
    is_final: 1'b1,
    iv:       iv_q,
    msg_len:  job.len,
    default:  '0
  };
  assign src = '{data: src_data, keep: src_keep, last: src_last, kind: KindMessage};

  assign req_o = '{
    clear:        drain,
    job_valid:    job_valid_q,
    job:          engine_job,
    key_valid:    key_valid_q,
    key:          {key_high, key_low_q},
    src_valid:    src_valid,
    src:          src,
    dst_ready:    dst_ready,
    done_ready:   done_ready,
    rnd_valid:    rnd_valid_i,
    rnd:          rnd_i,
    fault_inject: 1'b0
  };

  // The status of a job tells of upsets.
  logic unused_rsp;
  assign unused_rsp = ^{rsp_i.fault_corrected, rsp_i.fault_detected, rsp_i.fault_sites};

  assign rnd_ready_o = rsp_i.rnd_ready;

  // Writes.
  logic         write_valid, write_ready;
  word_addr_t   write_addr;
  logic [127:0] write_data;
  logic [15:0]  write_be;

  cry_hwpe_write #(
    .AddrWidth(AddrWidth)
  ) u_write (
    .clk_i,
    .rst_ni,
    .start_i       (start),
    .flush_i       (flush),
    .dst_ptr_i     (job.dst),
    .iv_ptr_i      (job.iv),
    .idle_o        (write_idle),
    .dst_valid_i   (rsp_i.dst_valid),
    .dst_ready_o   (dst_ready),
    .dst_i         (rsp_i.dst),
    .write_valid_o (write_valid),
    .write_ready_i (write_ready),
    .write_addr_o  (write_addr),
    .write_data_o  (write_data),
    .write_be_o    (write_be)
  );

  cry_hwpe_tcdm #(
    .AddrWidth(AddrWidth)
  ) u_tcdm (
    .clk_i,
    .rst_ni,
    .stop_i        (drain),
    .idle_o        (bus_idle),
    .error_o       (bus_error),
    .read_valid_i  (read_valid),
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
  cry_engine_port_checker u_checker (
    .clk_i,
    .rst_ni,
    .req_i(req_o),
    .rsp_i
  );
`endif

endmodule
