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

  state_e             state_q, state_d;
  status_e            status_q, status_d;
  program_job_t       job, job_q;
  logic               half_q, half_d;    // the second beat of a row
  count_t             row_q, row_d;      // row of the message or of the result
  logic [127:0]       first_q, first_d;  // first beat of a row, or first half of random bits
  logic               drawn_q, drawn_d;  // of random bits: it is there

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
    .start_valid_i(state_q == StStart),
    .start_ready_o(start_ready),
    .program_i    (job_q.prog),
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

  logic    bad, failed, last_row, job_ready, src_ready, dst_valid, job_fire, src_fire, dst_fire;
  beat_t   src;
  job_t    said;
  logic [127:0] part, sent;

  assign job  = job_of(req_i.job.mode);
  assign said = req_i.job;
  assign src  = req_i.src;
  assign bad  = !job.known | (said.msg_len != LenWidth'({job.rows, 5'd0})) | (said.aad_len != '0) |
                said.decrypt | said.ctx_load | said.ctx_save | !said.is_final |
                ((said.out_len != '0) & (said.out_len != LenWidth'({job.results, 5'd0})));

  assign job_fire = req_i.job_valid & job_ready;
  assign src_fire = req_i.src_valid & src_ready;
  assign dst_fire = dst_valid & req_i.dst_ready;

  // A row of a big-endian string has its first bytes in its upper half.
  assign part = job_q.big ? reversed(src.data) : src.data;
  assign sent = (half_q ^ job_q.big) ? result[255:128] : result[127:0];

  always_comb begin
    row_valid = 1'b0;
    row_addr  = cry_pka_program_pkg::RowK;
    row_data  = req_i.key;
    if (job_q.big) row_data = {reversed(req_i.key[127:0]), reversed(req_i.key[255:128])};
    if (state_q == StKey) row_valid = req_i.key_valid;
    if (state_q == StMessage) begin
      row_valid = req_i.src_valid & half_q;
      row_addr  = job_q.row[row_q];
      row_data  = job_q.big ? {first_q, part} : {part, first_q};
    end
  end

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    half_d   = half_q;
    row_d    = row_q;
    unique case (state_q)
      StIdle: begin
        half_d = 1'b0;
        row_d  = '0;
        if (job_fire) begin
          state_d  = bad ? StDone : job.keyed ? StKey : (job.rows != '0) ? StMessage : StStart;
          status_d = bad ? StatusBadParam : StatusOk;
        end
      end
      StKey: if (req_i.key_valid) state_d = (job_q.rows != '0) ? StMessage : StStart;
      StMessage: begin
        if (src_fire) begin
          half_d = !half_q;
          if (half_q) begin
            row_d = row_q + 1'b1;
            if (row_d == job_q.rows) state_d = StStart;
          end
        end
      end
      StStart: if (start_ready) state_d = StRun;
      StRun: begin
        row_d = '0;
        if (done_valid) begin
          state_d = StTag;
          unique case (done_status)
            cry_pka_pkg::StatusOk:      status_d = StatusOk;
            cry_pka_pkg::StatusRefused: status_d = StatusRefused;
            cry_pka_pkg::StatusRandom:  status_d = StatusNoRandom;
            default:                    status_d = StatusFaultDetected;
          endcase
        end
      end
      StTag: begin
        if (dst_fire) begin
          half_d = !half_q;
          if (half_q) begin
            row_d = row_q + 1'b1;
            if (last_row)       state_d  = StDone;
            else if (done_last) status_d = failed ? status_q : StatusFaultDetected;
          end
        end
      end
      StDone:  if (req_i.done_ready) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (req_i.clear) state_d = StIdle;
  end

  // The halves of random bits, and the first one of a row, are never there at once.
  assign rnd_valid = req_i.rnd_valid & drawn_q;
  always_comb begin
    first_d = first_q;
    drawn_d = drawn_q;
    if ((state_q == StMessage) & src_fire) first_d = half_q ? '0 : part;
    if (req_i.rnd_valid & rnd_ready) begin
      first_d = drawn_q ? '0 : req_i.rnd;
      drawn_d = !drawn_q;
    end
    if (req_i.clear | (state_q == StTag)) begin
      first_d = '0;
      drawn_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      status_q <= StatusOk;
      job_q    <= '0;
      half_q   <= 1'b0;
      row_q    <= '0;
      first_q  <= '0;
      drawn_q  <= 1'b0;
    end else begin
      state_q  <= state_d;
      status_q <= status_d;
      half_q   <= half_d;
      row_q    <= row_d;
      first_q  <= first_d;
      drawn_q  <= drawn_d;
      if (job_fire) job_q <= job;
    end
  end

  // After an end without StatusOk all rows are zero, and the program gives but one of them.
  assign failed   = status_q != StatusOk;
  assign last_row = row_q == job_q.results - 1'b1;

  // What an upset has left is taken, too.
  assign done_ready = (state_q == StTag) ? dst_fire & half_q : (state_q != StRun);

  // --- Port --------------------------------------------------------------------------------------

  assign job_ready = (state_q == StIdle) & row_ready & !req_i.clear;
  assign src_ready = state_q == StMessage;
  assign dst_valid = (state_q == StTag) & (failed | done_valid);

  beat_t dst;
  assign dst = '{
    data: job_q.big ? reversed(sent) : sent,
    keep: '1,
    last: half_q & last_row,
    kind: KindTag
  };

  assign rsp_o = '{
    job_ready:       job_ready,
    key_ready:       state_q == StKey,
    src_ready:       src_ready,
    dst_valid:       dst_valid,
    dst:             dst & {$bits(beat_t){dst_valid}},
    done_valid:      state_q == StDone,
    done_status:     status_q,
    rnd_ready:       rnd_ready,
    fault_corrected: 1'b0,
    fault_detected:  1'b0,
    fault_sites:     SitesWhole
  };

  logic unused;
  assign unused = ^{req_i.fault_inject, said, src, job_q.known, job_q.keyed, done_index};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Last_A, dst_valid & !failed |-> done_last == last_row)
  `CRY_ASSERT(RowsTaken_A, row_valid |-> row_ready, req_i.clear)
  `CRY_ASSERT(SecretHidden_A, dst_valid && status_q != StatusOk |-> dst.data == '0)
  `CRY_ASSERT(Idle_A, state_q == StIdle |-> first_q == '0)

endmodule
