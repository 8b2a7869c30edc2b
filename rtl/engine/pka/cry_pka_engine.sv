// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// The public-key engine (cry_pka) on the engine port.
//
// A mode is a program (cry_pka_jobs_pkg). A job takes the private key as one transfer of key, if
// its mode has one, and points, hashes and signatures as its message; it gives the shared secret,
// the signature or keys as a tag of 32 to 96 bytes. Which of them, and their byte order: README. It
// takes up to 1536 random bits from `rnd`.
//
// Bad parameters: another mode, a message of another length, associated data, `decrypt`, a saved
// context, a part of a message, a tag of another length than the mode's.
//
// A job whose program refuses key, point or signature ends with StatusRefused, one that gets no
// random bits within RandomCycles with StatusNoRandom, and one that met a fault with
// StatusFaultDetected; their tag is zero. A refusal takes as long as a result, to its first beat.
//
// Wiping: behind each job and each clear all is wiped in 256 cycles, in which no job is accepted.
//
// Latency: from the last beat of the message to the first of the tag the program's cycles, and 6
// more, with random bits at hand; from one row of the tag to the next two.
module cry_pka_engine
  import cry_engine_pkg::*;
  import cry_pka_jobs_pkg::*;
#(
  parameter int unsigned RandomCycles = 1 << 16,  // to wait for 256 random bits, at least 2
  parameter int unsigned MaxCycles    = 1 << 17   // that a program may take, without these waits
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

  // What steers a job. It is held three times, so that no upset makes a result of what is none.
  typedef struct packed {
    state_e     state;
    status_e    status;
    logic [3:0] mode;
    logic       half;   // the second beat of a row
    count_t     row;    // row of the message or of the result
    logic       drawn;  // the first half of random bits is there
  } steps_t;

  steps_t       now, next;
  program_job_t job, job_now;      // of the mode that comes, and of the one that runs
  logic [127:0] first_q, first_d;  // first beat of a row, or first half of random bits
  logic         parity_q;          // of its bits
  logic         drawn_d, corrected, unused_detected;

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
  cry_pka_isa_pkg::row_addr_t row_addr;
  cry_pka_isa_pkg::row_t      row_data, result;
  cry_pka_pkg::status_e       done_status;

  cry_pka #(
    .RandomCycles(RandomCycles), .MaxCycles(MaxCycles)
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
    .rnd_data_i   ({req_i.rnd, first_q}),
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
  logic [127:0] part, sent;

  assign job     = job_of(req_i.job.mode);
  assign job_now = job_of(now.mode);
  assign said = req_i.job;
  assign src  = req_i.src;
  assign bad  = !job.known | (said.msg_len != LenWidth'({job.rows, 5'd0})) | (said.aad_len != '0) |
                said.decrypt | said.ctx_load | said.ctx_save | !said.is_final |
                ((said.out_len != '0) & (said.out_len != LenWidth'({job.results, 5'd0})));

  assign job_fire = req_i.job_valid & job_ready;
  assign src_fire = req_i.src_valid & src_ready;
  assign dst_fire = dst_valid & req_i.dst_ready;

  // A row of a big-endian string has its first bytes in its upper half.
  assign part = job_now.big ? reversed(src.data) : src.data;
  assign sent = (now.half ^ job_now.big) ? result[255:128] : result[127:0];

  always_comb begin
    row_valid = 1'b0;
    row_addr  = cry_pka_program_pkg::RowK;
    row_data  = req_i.key;
    if (job_now.big) row_data = {reversed(req_i.key[127:0]), reversed(req_i.key[255:128])};
    if (now.state == StKey) row_valid = req_i.key_valid;
    if (now.state == StMessage) begin
      row_valid = req_i.src_valid & now.half;
      // A row that cannot be written ends the job with a fault.
      row_addr  = (^first_q == parity_q) ? job_now.row[now.row] : '1;
      row_data  = job_now.big ? {first_q, part} : {part, first_q};
    end
  end

  always_comb begin
    next.state  = now.state;
    next.status = now.status;
    next.mode   = job_fire ? req_i.job.mode : now.mode;
    next.half   = now.half;
    next.row    = now.row;
    next.drawn  = drawn_d;
    unique case (now.state)
      StIdle: begin
        next.half = 1'b0;
        next.row  = '0;
        if (job_fire) begin
          next.state  = bad ? StDone : job.keyed ? StKey : (job.rows != '0) ? StMessage : StStart;
          next.status = bad ? StatusBadParam : StatusOk;
        end
      end
      StKey: if (req_i.key_valid) next.state = (job_now.rows != '0) ? StMessage : StStart;
      StMessage: begin
        if (src_fire) begin
          next.half = !now.half;
          if (now.half) begin
            next.row = now.row + 1'b1;
            if (next.row == job_now.rows) next.state = StStart;
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
          next.half = !now.half;
          if (now.half) begin
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

  // The halves of random bits, and the first one of a row, are never there at once.
  assign rnd_valid = req_i.rnd_valid & now.drawn;
  always_comb begin
    first_d = first_q;
    drawn_d = now.drawn;
    if ((now.state == StMessage) & src_fire) first_d = now.half ? '0 : part;
    if (req_i.rnd_valid & rnd_ready) begin
      first_d = now.drawn ? '0 : req_i.rnd;
      drawn_d = !now.drawn;
    end
    if (req_i.clear | (now.state == StTag)) begin
      first_d = '0;
      drawn_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= '0;
      parity_q <= 1'b0;
    end else begin
      first_q  <= first_d;
      parity_q <= ^first_d;
    end
  end

  // After an end without StatusOk all rows are zero, and the program gives but one of them.
  assign failed   = now.status != StatusOk;
  assign last_row = now.row == job_now.results - 1'b1;

  // The program gives no such row, or an upset of it was seen.
  assign wrong_row = (done_status != cry_pka_pkg::StatusOk) | (done_index != now.row) |
                     (done_last != last_row);

  // What an upset has left is taken, too.
  assign done_ready = (now.state == StTag) ? dst_fire & now.half : (now.state != StRun);

  // --- Port --------------------------------------------------------------------------------------

  assign job_ready = (now.state == StIdle) & row_ready & !req_i.clear;
  assign src_ready = now.state == StMessage;
  assign dst_valid = (now.state == StTag) & (failed | done_valid);

  beat_t dst;
  assign dst = '{
    data: job_now.big ? reversed(sent) : sent,
    keep: '1,
    last: now.half & last_row,
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
  assign unused = ^{req_i.fault_inject, said, src, job, job_now.known, job_now.keyed};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Last_A, dst_valid & !failed |-> done_last == last_row)
  `CRY_ASSERT(RowsTaken_A, row_valid |-> row_ready, req_i.clear)
  `CRY_ASSERT(SecretHidden_A, dst_valid && now.status != StatusOk |-> dst.data == '0)
  `CRY_ASSERT(Idle_A, now.state == StIdle |-> first_q == '0)

endmodule
