// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// The public-key engine (cry_pka) on the engine port.
//
// A mode is a program (cry_pka_jobs_pkg). A job takes the private key, if its mode has one, as one
// transfer of key, as two if a row has 384 bits, or if it brings a nonce or makes one (modes 11 and
// 12), as three if a row has 576, and points, hashes and signatures as its message; it gives the
// shared secret, the signature or keys as a tag of one to three rows. Keys of RSA, with rows of 512
// bits, are part of the message, and its results are tags of four to eight rows. Which of them, and
// their byte order: README. It takes up to six rows of random bits from `rnd`.
//
// A number has the beats that hold a row, of RSA those that hold several: with rows of 576 bits 80
// bytes, of which the first 14 are zeros. One with bits above its row is taken as the largest of a
// row, which all programs refuse.
//
// Bad parameters: another mode, or one of rows of another width, a message of another length,
// associated data, `decrypt`, a saved context, a part of a message, a tag of another length than
// the mode's; for a key of 48 or 80 bytes, and in modes 11 and 12, another key_bytes.
//
// A job whose program refuses key, point or signature ends with StatusRefused, one that gets no
// random bits within RandomCycles with StatusNoRandom, and one that met a fault with
// StatusFaultDetected; their tag is zero. A refusal takes as long as a result, to its first beat.
//
// Wiping: behind each job and each clear all is wiped in 256 cycles, in which no job is accepted.
//
// Latency: from the last beat of the message to the first of the tag the program's cycles, 4 more,
// and for each row of random bits as many as it has words but one; from one row of the tag to the
// next two.
module cry_pka_engine
  import cry_engine_pkg::*;
  import cry_pka_jobs_pkg::*;
#(
  parameter int unsigned RowBits      = 256,      // bits of a row: 256, 384, 512 or 576
  // Products of the multiplier in a cycle: CompactLanes, or FastLanes with rows of 256 bits.
  parameter int unsigned Lanes        = cry_pka_isa_pkg::CompactLanes,
  parameter int unsigned RandomCycles = 1 << 16,  // to wait for a row of random bits, at least 2
  // That a program may take, without these waits.
  parameter int unsigned MaxCycles    = cry_pka_pkg::max_cycles(RowBits)
) (
  input  logic        clk_i,   // clock
  input  logic        rst_ni,  // reset, asynchronous, active low
  input  engine_req_t req_i,   // engine port
  output engine_rsp_t rsp_o    // engine port
);

  typedef enum logic [2:0] {
    StIdle    = 3'd0,
    StKey     = 3'd1,
    StMessage = 3'd2,
    StStart   = 3'd3,
    StRun     = 3'd4,
    StTag     = 3'd5,  // the result leaves
    StDone    = 3'd6
  } state_e;

  localparam int unsigned Beats     = (RowBits + 127) / 128;  // of a row, and its random words
  localparam int unsigned PortBits  = 128 * Beats;            // of them all
  localparam int unsigned RowBytes  = PortBits / 8;
  localparam int unsigned BeatWidth = $clog2(Beats);
  localparam int unsigned HeldBits  = PortBits - 128;

  typedef logic [BeatWidth-1:0] part_t;

  typedef logic [count_bits(RowBits)-1:0] rows_t;  // rows in front of one

  localparam part_t Last = part_t'(Beats - 1);
  localparam cry_pka_isa_pkg::row_addr_t RowKey =
      (RowBits == 256) ? cry_pka_program256_pkg::RowK :
      (RowBits == 384) ? cry_pka_program384_pkg::RowK : cry_pka_program576_pkg::RowK;

  // A row comes as one transfer of key; a second one is another row.
  localparam bit OneTransfer = RowBits <= KeyWidth;
  localparam cry_pka_isa_pkg::row_addr_t RowKey2 = cry_pka_program256_pkg::RowNonce0;

  // What steers a job. It is held three times, so that no upset makes a result of what is none.
  typedef struct packed {
    state_e     state;
    status_e    status;
    logic [3:0] mode;
    part_t      beat;   // of a row
    rows_t      row;    // row of the message or of the result
    part_t      drawn;  // words of random bits that are there
  } steps_t;

  // Bytes of so many rows.
  function automatic logic [LenWidth-1:0] bytes_of(count_t rows);
    return LenWidth'(rows) * LenWidth'(RowBytes);
  endfunction

  // What is held, with a beat more: behind it in a big-endian string, else above it.
  function automatic logic [HeldBits-1:0] held(logic [HeldBits-1:0] first, logic [127:0] more,
                                               logic big);
    return big ? HeldBits'({first, more}) : HeldBits'({more, first} >> 128);
  endfunction

  steps_t       now, next;
  program_job_t job, job_now;      // of the mode that comes, and of the one that runs
  logic [HeldBits-1:0] first_q, first_d;  // beats of a row but the last, or random bits
  logic                parity_q, parity_d;  // of what came of them, whatever became of it
  part_t               drawn_d;
  logic                corrected, unused_detected;

  cry_reg_tmr #(
    .Width($bits(steps_t)), .Protect(cry_protect_pkg::ProtectCorrect)
  ) u_steps (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (next),
    .inject_i   (1'b0),
    .q_o        (now),
    .corrected_o(corrected),
    .detected_o (unused_detected)
  );

  logic                       row_valid, row_ready, start_ready, rnd_valid, rnd_ready;
  logic                       done_valid, done_ready, done_last;
  cry_pka_pkg::result_t       done_index;
  cry_pka_isa_pkg::row_addr_t row_addr, message_row;
  logic [RowBits-1:0]         row_data, result;
  cry_pka_pkg::status_e       done_status;

  cry_pka #(
    .RowBits(RowBits), .Lanes(Lanes), .RandomCycles(RandomCycles), .MaxCycles(MaxCycles)
  ) u_pka (
    .clk_i, .rst_ni,
    .clear_i      (req_i.clear),
    .row_valid_i  (row_valid),
    .row_ready_o  (row_ready),
    .row_addr_i   (row_addr),
    .row_data_i   (row_data),
    .start_valid_i(now.state == StStart),
    .start_ready_o(start_ready),
    .program_i    (job_now.prog),
    .rnd_valid_i  (rnd_valid),
    .rnd_ready_o  (rnd_ready),
    .rnd_data_i   (RowBits'({req_i.rnd, first_q})),
    .done_valid_o (done_valid),
    .done_ready_i (done_ready),
    .done_status_o(done_status),
    .done_last_o  (done_last),
    .done_index_o (done_index),
    .result_o     (result)
  );

  // --- Jobs --------------------------------------------------------------------------------------

  logic    bad, failed, last_row, wrong_row;
  logic    job_ready, src_ready, dst_valid, job_fire, src_fire, dst_fire;
  beat_t   src;
  job_t    said;
  logic [127:0] given, part, sent;
  part_t        place;
  logic         last_beat, key_last, key_fire;
  logic [PortBits-1:0] joined;  // what is held, and the last beat
  logic [KeyWidth-1:0] key;     // a transfer of it

  if (RowBits == 512) begin : gen_rsa_jobs
    assign job         = rsa_job_of(req_i.job.mode);
    assign job_now     = rsa_job_of(now.mode);
    assign message_row = rsa_row_of(now.mode, now.row);
  end else begin : gen_curve_jobs
    if (RowBits == 256) begin : gen_jobs
      assign job     = job_of(req_i.job.mode);
      assign job_now = job_of(now.mode);
    end else begin : gen_wide_jobs
      assign job     = wide_job_of(req_i.job.mode, KeyBytesWidth'(RowBytes));
      assign job_now = wide_job_of(now.mode, KeyBytesWidth'(RowBytes));
    end
    assign message_row = job_now.row[now.row];
  end
  assign said = req_i.job;
  assign src  = req_i.src;
  assign bad  = !job.known | (said.msg_len != bytes_of(job.rows)) | (said.aad_len != '0) |
                said.decrypt | said.ctx_load | said.ctx_save | !said.is_final |
                (job.keyed & (job.bytes != '0) & (said.key_bytes != job.bytes)) |
                ((said.out_len != '0) & (said.out_len != bytes_of(job.results)));

  assign job_fire = req_i.job_valid & job_ready;
  assign src_fire = req_i.src_valid & src_ready;
  assign dst_fire = dst_valid & req_i.dst_ready;

  // A row of a big-endian string has its first bytes in its uppermost beat.
  assign given     = (now.state == StKey) ? req_i.key[127:0] : src.data;
  assign last_beat = now.beat == Last;
  assign place     = job_now.big ? Last - now.beat : now.beat;
  assign part      = job_now.big ? reversed(given) : given;
  if (RowBits == PortBits) begin : gen_whole
    assign sent = result[128*place+:128];
  end else begin : gen_padded
    logic [PortBits-1:0] padded;
    assign padded = PortBits'(result);
    assign sent   = padded[128*place+:128];
  end

  // A key of more than a transfer is held as the beats of a row are, two in each, and its rest is a
  // beat.
  if (RowBits <= 2 * KeyWidth) begin : gen_two
    assign key_last = ((RowBits <= KeyWidth) & !job_now.pair) | (now.beat != '0);
  end else begin : gen_three
    assign key_last = now.beat == Last;
  end
  assign key_fire = (now.state == StKey) & req_i.key_valid;

  assign joined = job_now.big ? {first_q, part} : {part, first_q};
  assign key    = job_now.big ? {reversed(req_i.key[127:0]), reversed(req_i.key[255:128])}
                              : req_i.key;

  // A row that cannot be written ends the job with a fault.
  always_comb begin
    row_valid = (now.state == StMessage) & req_i.src_valid & last_beat;
    row_addr  = message_row;
    if (now.state == StKey) begin
      row_valid = req_i.key_valid & (key_last | OneTransfer);
      row_addr  = (OneTransfer & (now.beat != '0)) ? RowKey2 : RowKey;
    end
    if (^first_q != parity_q) row_addr = '1;
  end

  if (RowBits <= KeyWidth) begin : gen_key
    assign row_data = (now.state == StKey) ? key : joined;
  end else if (RowBits == PortBits) begin : gen_long_key
    assign row_data = joined;
  end else begin : gen_short_row
    assign row_data = joined[RowBits-1:0] | {RowBits{joined[PortBits-1:RowBits] != '0}};
  end

  always_comb begin
    next.state  = now.state;
    next.status = now.status;
    next.mode   = job_fire ? req_i.job.mode : now.mode;
    next.beat   = now.beat;
    next.row    = now.row;
    next.drawn  = drawn_d;
    unique case (now.state)
      StIdle: begin
        next.beat = '0;
        next.row  = '0;
        if (job_fire) begin
          next.state  = bad ? StDone : job.keyed ? StKey : (job.rows != '0) ? StMessage : StStart;
          next.status = bad ? StatusBadParam : StatusOk;
        end
      end
      StKey: begin
        if (key_fire) begin
          next.beat = key_last ? '0 : (Beats <= 3) ? Last : now.beat + part_t'(2);
          if (key_last) next.state = (job_now.rows != '0) ? StMessage : StStart;
        end
      end
      StMessage: begin
        if (src_fire) begin
          next.beat = last_beat ? '0 : now.beat + 1'b1;
          if (last_beat) begin
            next.row = now.row + 1'b1;
            if (count_t'(next.row) == job_now.rows) next.state = StStart;
          end
        end
      end
      StStart: if (start_ready) next.state = StRun;
      StRun: begin
        next.row = '0;
        if (done_valid) begin
          next.state = StTag;
          unique case (done_status)
            cry_pka_pkg::StatusOk:      next.status = StatusOk;
            cry_pka_pkg::StatusRefused: next.status = StatusRefused;
            cry_pka_pkg::StatusRandom:  next.status = StatusNoRandom;
            default:                    next.status = StatusFaultDetected;
          endcase
        end
      end
      StTag: begin
        if (dst_fire) begin
          next.beat = last_beat ? '0 : now.beat + 1'b1;
          if (last_beat) begin
            next.row = now.row + 1'b1;
            if (last_row) next.state = StDone;
          end
          if (!failed & wrong_row) next.status = StatusFaultDetected;
        end
      end
      StDone:  if (req_i.done_ready) next.state = StIdle;
      default: next.state = StIdle;
    endcase
    if (req_i.clear) next.state = StIdle;
  end

  // Random bits and beats of a row are never there at once.
  assign rnd_valid = req_i.rnd_valid & (now.drawn == Last);
  always_comb begin
    {first_d, parity_d} = {first_q, parity_q};
    drawn_d = now.drawn;
    if ((now.state == StMessage) & src_fire) begin
      {first_d, parity_d} = {held(first_q, part, job_now.big), parity_q ^ ^part};
      if (last_beat) {first_d, parity_d} = '0;
    end
    if (key_fire) begin
      {first_d, parity_d} = {HeldBits'({first_q, key}), parity_q ^ ^key};
      if (key_last | OneTransfer) {first_d, parity_d} = '0;
    end
    if (req_i.rnd_valid & rnd_ready) begin
      {first_d, parity_d} = {held(first_q, req_i.rnd, 1'b0), parity_q ^ ^req_i.rnd};
      drawn_d = now.drawn + 1'b1;
      if (now.drawn == Last) {first_d, parity_d, drawn_d} = '0;
    end
    if (req_i.clear | (now.state == StTag)) {first_d, parity_d, drawn_d} = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= '0;
      parity_q <= 1'b0;
    end else begin
      first_q  <= first_d;
      parity_q <= parity_d;
    end
  end

  // After an end without StatusOk all rows are zero, and the program gives but one of them.
  assign failed   = now.status != StatusOk;
  assign last_row = count_t'(now.row) == job_now.results - 1'b1;

  // The program gives no such row, or an upset of it was seen.
  assign wrong_row = (done_status != cry_pka_pkg::StatusOk) | (done_last != last_row) |
                     (count_t'(done_index) != count_t'(now.row));

  // What an upset has left is taken, too.
  assign done_ready = (now.state == StTag) ? dst_fire & last_beat : (now.state != StRun);

  // --- Port --------------------------------------------------------------------------------------

  assign job_ready = (now.state == StIdle) & row_ready & !req_i.clear;
  assign src_ready = now.state == StMessage;
  assign dst_valid = (now.state == StTag) & (failed | done_valid);

  beat_t dst;
  assign dst = '{
    data: job_now.big ? reversed(sent) : sent,
    keep: '1,
    last: last_beat & last_row,
    kind: KindTag
  };

  assign rsp_o = '{
    job_ready:       job_ready,
    key_ready:       now.state == StKey,
    src_ready:       src_ready,
    dst_valid:       dst_valid,
    dst:             dst & {$bits(beat_t){dst_valid}},
    done_valid:      now.state == StDone,
    done_status:     now.status,
    rnd_ready:       rnd_ready,
    fault_corrected: corrected,
    fault_detected:  1'b0,
    fault_sites:     SitesWhole
  };

  logic unused;
  assign unused = ^{req_i.fault_inject, said, src, job, job_now};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Last_A, dst_valid & !failed |-> done_last == last_row)
  `CRY_ASSERT(RowsTaken_A, row_valid |-> row_ready, req_i.clear)
  `CRY_ASSERT(SecretHidden_A, dst_valid && now.status != StatusOk |-> dst.data == '0)
  `CRY_ASSERT(Idle_A, now.state == StIdle |-> first_q == '0)

endmodule
