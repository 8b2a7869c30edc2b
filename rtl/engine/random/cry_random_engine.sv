// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Gives random bits from `rnd` as output of a job: a client of a DRBG (cry_random) on the engine
// port.
//
// Mode 0 is the only one. A job gives `out_len` bytes as a tag, 0 being 32 bytes. It takes no key
// and no message. Bad parameters: another mode, a message, associated data, `decrypt`, a context,
// a part of a message.
//
// Each word of `rnd` goes into one beat of one job; what the last beat leaves unused is dropped. No
// word is held: none is left by an abort, and there is nothing to wipe. A job that has waited
// RandomCycles for a word ends with StatusNoRandom: what it has not given by then is zero.
//
// A word that is withdrawn before it was taken, as by a generator that stops, withdraws its beat.
// The shells keep what they have taken and count on no offer; the engine port's checker has a rule
// that offers stand, though (RndStable_A, DstStable_A).
//
// Latency: none, `rnd` is combinationally connected to `dst`. A job costs two cycles beside its
// beats.
module cry_random_engine
  import cry_engine_pkg::*;
#(
  parameter int unsigned RandomCycles = 1 << 16  // to wait for a word, at least 2
) (
  input  logic        clk_i,   // clock
  input  logic        rst_ni,  // reset, asynchronous, active low
  input  engine_req_t req_i,   // engine port
  output engine_rsp_t rsp_o    // engine port
);

  localparam logic [LenWidth-1:0] FullBytes = LenWidth'(32);
  localparam logic [LenWidth-1:0] BeatBytes = LenWidth'(KeepWidth);

  typedef enum logic [1:0] {
    StIdle = 2'd0,
    StGive = 2'd1,
    StDone = 2'd2
  } state_e;

  state_e              state_q, state_d;
  logic                bad, bad_q;
  logic [LenWidth-1:0] left_q, left_d;  // bytes to give

  localparam int unsigned WaitWidth = $clog2(RandomCycles);

  logic                 none_q, none_d;  // no word came in time: zeros take their place
  logic [WaitWidth-1:0] wait_q, wait_d;  // cycles without a word

  logic  give, last, job_fire, dst_fire;
  beat_t dst;

  assign give     = (state_q == StGive) & (req_i.rnd_valid | none_q);
  assign last     = left_q <= BeatBytes;
  assign job_fire = (state_q == StIdle) & req_i.job_valid & !req_i.clear;
  assign dst_fire = give & req_i.dst_ready;
  assign bad      = (req_i.job.mode != '0) | req_i.job.decrypt | (req_i.job.msg_len != '0) |
                    (req_i.job.aad_len != '0) | req_i.job.ctx_load | req_i.job.ctx_save |
                    !req_i.job.is_final;

  always_comb begin
    state_d = state_q;
    left_d  = left_q;
    wait_d  = '0;
    none_d  = none_q;
    unique case (state_q)
      StIdle: begin
        none_d = 1'b0;
        if (job_fire) begin
          state_d = bad ? StDone : StGive;
          left_d  = (req_i.job.out_len == '0) ? FullBytes : req_i.job.out_len;
        end
      end
      StGive: begin
        if (dst_fire) begin
          left_d = left_q - BeatBytes;
          if (last) state_d = StDone;
        end
        if (!req_i.rnd_valid) begin
          wait_d = wait_q + 1'b1;
          if (wait_q == WaitWidth'(RandomCycles - 1)) none_d = 1'b1;
        end
      end
      StDone:  if (req_i.done_ready) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (req_i.clear) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      bad_q   <= 1'b0;
      left_q  <= '0;
      wait_q  <= '0;
      none_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      left_q  <= left_d;
      wait_q  <= wait_d;
      none_q  <= none_d;
      if (job_fire) bad_q <= bad;
    end
  end

  always_comb begin
    dst      = '0;
    dst.last = last;
    dst.kind = KindTag;
    for (int unsigned i = 0; i < KeepWidth; i++) begin
      dst.keep[i]      = LenWidth'(i) < left_q;
      dst.data[8*i+:8] = req_i.rnd[8*i+:8] & {8{dst.keep[i] & !none_q}};
    end
    if (!give) dst = '0;
  end

  assign rsp_o = '{
    job_ready:       (state_q == StIdle) & !req_i.clear,
    key_ready:       1'b0,
    src_ready:       1'b0,
    dst_valid:       give,
    dst:             dst,
    done_valid:      state_q == StDone,
    done_status:     bad_q ? StatusBadParam : none_q ? StatusNoRandom : StatusOk,
    rnd_ready:       (state_q == StGive) & req_i.dst_ready & !none_q & !req_i.clear,
    fault_corrected: 1'b0,
    fault_detected:  1'b0,
    fault_sites:     SitesWhole
  };

  logic unused;
  assign unused = ^req_i;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(OncePerBeat_A, dst_fire && !none_q && !req_i.clear |-> rsp_o.rnd_ready)
  `CRY_ASSERT(TakenIsGiven_A, req_i.rnd_valid && rsp_o.rnd_ready |-> dst_fire)

endmodule
