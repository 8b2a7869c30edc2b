// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// What stands between the engine port and cry_pka_engine with rows of 512 bits, so that private
// keys of RSA may lie in memory sealed by Ascon-AEAD128 (NIST SP 800-232): cry_pka_rsa_engine says
// how, how jobs end, and what is wiped.
//
// Jobs of cry_pka_engine pass in the same cycles. One with a sealed key is a private one for it: it
// gets n as it comes, the rest of the key as Ascon opens it, and when the tag was right the number;
// else it is cleared.
module cry_pka_seal
  import cry_engine_pkg::*;
  import cry_pka_jobs_pkg::*;
  import cry_pka_pkg::ModeRsa2048Private;
  import cry_pka_pkg::ModeRsa2048Sealed;
  import cry_pka_pkg::ModeSealingKey;
#(
  parameter int unsigned RandomCycles = 1 << 16  // to wait for a nonce or key, at least 2
) (
  input  logic        clk_i,      // clock
  input  logic        rst_ni,     // reset, asynchronous, active low
  input  engine_req_t req_i,      // engine port
  output engine_rsp_t rsp_o,      // engine port
  output engine_req_t pka_req_o,  // to cry_pka_engine
  input  engine_rsp_t pka_rsp_i   // from it
);

  typedef enum logic [3:0] {
    StIdle,
    StPass,     // the port is that of cry_pka_engine, up to the job's end
    StDraw,     // random words come
    StBegin,    // Ascon gets the nonce
    StKey,      // and the key
    StGive,     // what was drawn leaves
    StPurpose,  // the associated data begins
    StModulus,
    StParts,    // p and what follows: encrypted, in or out
    StTag,      // and the tag
    StClear,    // something was wrong: the engines are wiped
    StDrop,     // what is to come of key and message is dropped
    StZeros,    // and of the result zeros leave
    StDone
  } state_e;

  localparam int unsigned BeatWidth   = 8;  // of a count of beats
  localparam int unsigned RandomWidth = $clog2(RandomCycles + 1);

  typedef logic [BeatWidth-1:0] beats_t;

  // What steers a job. It is held three times, so that no upset makes a result of what is none.
  typedef struct packed {
    state_e                 state;
    status_e                status;
    logic [3:0]             mode;
    logic                   keyed;   // the key was taken, or there is none
    logic                   drawn;   // the first random word
    logic                   shown;   // the beat of n at `src` has left
    beats_t                 taken;   // beats of the message
    beats_t                 given;   // of the result
    logic [RandomWidth-1:0] waited;  // cycles for random words
  } steps_t;

  // Beats of a prime.
  function automatic beats_t prime_beats(logic [3:0] mode);
    return {rsa_half(mode), 2'b00};
  endfunction

  // Of a message and a result of the modes that are this engine's own.
  function automatic beats_t message_beats(logic [3:0] mode);
    if (mode == ModeSealingKey) return '0;
    return rsa_sealed(mode) ? (prime_beats(mode) << 3) + prime_beats(mode) + beats_t'(2) :
                              (prime_beats(mode) << 3) - prime_beats(mode);
  endfunction

  function automatic beats_t result_beats(logic [3:0] mode);
    if (mode == ModeSealingKey) return beats_t'(1);
    return rsa_sealed(mode) ? prime_beats(mode) << 1 :
                              (prime_beats(mode) << 3) - prime_beats(mode) + beats_t'(2);
  endfunction

  function automatic logic [LenWidth-1:0] bytes_of(beats_t beats);
    return LenWidth'({beats, 4'd0});
  endfunction

  steps_t now, next;
  logic   own_corrected, unused_detected;

  cry_reg_tmr #(
    .Width($bits(steps_t)), .Protect(cry_protect_pkg::ProtectCorrect)
  ) u_steps (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (next),
    .inject_i   (1'b0),
    .q_o        (now),
    .corrected_o(own_corrected),
    .detected_o (unused_detected)
  );

  engine_req_t ascon_req;
  engine_rsp_t ascon_rsp;

  cry_ascon_engine #(
    .RoundsPerCycle(1), .Protect(cry_protect_pkg::ProtectDetect)
  ) u_aead (
    .clk_i, .rst_ni,
    .req_i(ascon_req),
    .rsp_o(ascon_rsp)
  );

  // --- Jobs --------------------------------------------------------------------------------------

  job_t said;
  logic own, bad;             // of the job that comes: not of cry_pka_engine; a bad parameter
  logic sealed, keygen;       // of the one that runs: ModeRsa*Sealed; ModeSealingKey
  logic ascon_runs;           // Ascon has a job, or is about to
  logic beat_waits;           // a beat may wait to leave that is not Ascon's
  logic job_ready, key_ready, src_ready, dst_valid;
  logic job_fire, key_fire, src_fire, dst_fire, begin_fire;

  assign said = req_i.job;
  assign own  = said.mode >= ModeRsa2048Sealed;
  assign bad  = (said.msg_len != bytes_of(message_beats(said.mode))) | (said.aad_len != '0) |
                said.decrypt | said.ctx_load | said.ctx_save | !said.is_final |
                ((said.mode != ModeSealingKey) & (said.key_len != KeyLen128)) |
                ((said.out_len != '0) & (said.out_len != bytes_of(result_beats(said.mode))));

  assign sealed     = rsa_sealed(now.mode);
  assign keygen     = now.mode == ModeSealingKey;
  assign ascon_runs = now.state inside {StBegin, StKey, StGive, StPurpose, StModulus, StParts,
                                        StTag} & !keygen;
  assign beat_waits = (now.state == StGive) | ((now.state == StModulus) & !sealed & !now.shown);

  assign job_fire   = req_i.job_valid & job_ready;
  assign key_fire   = req_i.key_valid & key_ready;
  assign src_fire   = req_i.src_valid & src_ready;
  assign dst_fire   = dst_valid & req_i.dst_ready;
  assign begin_fire = ascon_req.job_valid & ascon_rsp.job_ready;

  // --- Where in the message, and in the result ---------------------------------------------------

  beats_t prime, message, result;
  logic   modulus_last, parts_last, result_last;

  assign prime        = prime_beats(now.mode);
  assign message      = message_beats(now.mode);
  assign result       = result_beats(now.mode);
  assign modulus_last = now.taken == (prime << 1) - beats_t'(!sealed);
  assign parts_last   = now.taken == (prime << 3) - prime - beats_t'(!sealed);
  assign result_last  = now.given == result - 1'b1;

  // --- What is drawn -----------------------------------------------------------------------------

  logic [RndWidth-1:0] drawn_q, drawn_d;
  logic                parity_q, parity_d, drawn_wrong, drawn_twice, draw_fire, too_late;

  assign draw_fire   = (now.state == StDraw) & req_i.rnd_valid;
  assign drawn_twice = req_i.rnd == drawn_q;
  assign drawn_wrong = ^drawn_q != parity_q;
  assign too_late    = now.waited == RandomWidth'(RandomCycles);

  // The parity is that of what came: an upset of what is held does not change it.
  always_comb begin
    {drawn_d, parity_d} = '0;
    if (now.state inside {StDraw, StBegin, StKey, StGive} & !req_i.clear) begin
      {drawn_d, parity_d} = {drawn_q, parity_q};
      if (draw_fire & !now.drawn) {drawn_d, parity_d} = {req_i.rnd, ^req_i.rnd};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      drawn_q  <= '0;
      parity_q <= 1'b0;
    end else begin
      drawn_q  <= drawn_d;
      parity_q <= parity_d;
    end
  end

  // --- Steps -------------------------------------------------------------------------------------

  always_comb begin
    next = now;
    if (src_fire) next.taken = now.taken + 1'b1;
    if (dst_fire) next.given = now.given + 1'b1;
    unique case (now.state)
      StIdle: begin
        next = '{state: StIdle, status: StatusOk, mode: now.mode, default: '0};
        if (job_fire) begin
          next.mode   = said.mode;
          next.keyed  = said.mode == ModeSealingKey;
          next.status = (own & bad) ? StatusBadParam : StatusOk;
          next.state  = !own ? StPass : bad ? StDone : rsa_sealed(said.mode) ? StBegin : StDraw;
        end
      end
      StPass: if (pka_rsp_i.done_valid & req_i.done_ready) next.state = StIdle;
      StDraw: begin
        next.waited = now.waited + 1'b1;
        if (draw_fire) begin
          next.drawn = 1'b1;
          if (now.drawn) next.state = keygen ? StGive : StBegin;
        end
        if (draw_fire & now.drawn & drawn_twice) begin
          {next.state, next.status} = {StClear, StatusFaultDetected};
        end else if (too_late) begin
          {next.state, next.status} = {StClear, StatusNoRandom};
        end
      end
      StBegin: if (begin_fire) next.state = StKey;
      StKey: begin
        if (key_fire) begin
          next.keyed = 1'b1;
          next.state = sealed ? StPurpose : StGive;
        end
      end
      StGive: begin
        if (dst_fire) next.state = keygen ? StDone : StPurpose;
        if (dst_fire & drawn_wrong) begin
          {next.state, next.status} = {StClear, StatusFaultDetected};
        end
      end
      StPurpose: if (ascon_rsp.src_ready) next.state = StModulus;
      StModulus: begin
        next.shown = (now.shown | dst_fire) & !src_fire;
        if (src_fire & modulus_last) next.state = StParts;
      end
      StParts: if (src_fire & parts_last) next.state = StTag;
      StTag: ;
      StClear: next.state = StDrop;
      StDrop: begin
        next.keyed = now.keyed | key_fire;
        if (now.keyed & (now.taken == message)) next.state = StZeros;
      end
      StZeros: if (now.given == result) next.state = StDone;
      StDone:  if (req_i.done_ready) next.state = StIdle;
      default: next.state = StIdle;
    endcase
    // What is opened is used, and what is sealed is right, when Ascon says so behind the tag alone.
    if (ascon_req.done_ready & ascon_rsp.done_valid) begin
      next.state = StClear;
      if (now.state != StTag) begin
        next.status = StatusFaultDetected;
      end else if (ascon_rsp.done_status inside {StatusOk, StatusFaultCorrected}) begin
        next.state = sealed ? StPass : StDone;
      end else begin
        next.status = (ascon_rsp.done_status == StatusAuthFailed) ? StatusAuthFailed :
                                                                    StatusFaultDetected;
      end
    end
    if (req_i.clear) next.state = StIdle;
  end

  // --- Ascon -------------------------------------------------------------------------------------

  always_comb begin
    ascon_req = '0;
    ascon_req.clear     = req_i.clear | (now.state == StClear);
    ascon_req.job_valid = (now.state == StBegin) & (req_i.src_valid | !sealed);
    ascon_req.job       = '{
      mode:     cry_ascon_pkg::ModeAead128,
      decrypt:  sealed,
      is_final: 1'b1,
      iv:       sealed ? req_i.src.data : drawn_q,
      aad_len:  bytes_of((prime << 1) + 1'b1),
      msg_len:  bytes_of((prime << 2) + prime),
      default:  '0
    };
    ascon_req.key_valid = (now.state == StKey) & req_i.key_valid;
    ascon_req.key       = req_i.key;
    unique case (now.state)
      StPurpose: ascon_req.src_valid = 1'b1;
      StModulus: ascon_req.src_valid = req_i.src_valid & (sealed | now.shown);
      StParts:   ascon_req.src_valid = req_i.src_valid;
      StTag:     ascon_req.src_valid = req_i.src_valid & sealed;
      default: ;
    endcase
    unique case (now.state)
      StPurpose: ascon_req.src = '{data: rsa_purpose(now.mode), last: 1'b0, kind: KindAad,
                                   default: '1};
      StModulus: ascon_req.src = '{data: req_i.src.data, last: modulus_last, kind: KindAad,
                                   default: '1};
      StParts:   ascon_req.src = '{data: req_i.src.data, last: parts_last, kind: KindMessage,
                                   default: '1};
      default:   ascon_req.src = '{data: req_i.src.data, last: 1'b1, kind: KindTag, default: '1};
    endcase
    ascon_req.dst_ready  = sealed | req_i.dst_ready;
    ascon_req.done_ready = ascon_runs & !beat_waits;
  end

  // --- The public-key engine ---------------------------------------------------------------------

  logic opened;  // Ascon gives what was sealed
  assign opened = (now.state inside {StParts, StTag}) & sealed & ascon_rsp.dst_valid;

  always_comb begin
    pka_req_o = req_i;
    pka_req_o.clear     = req_i.clear | (now.state == StClear);
    pka_req_o.job_valid = req_i.job_valid & (now.state == StIdle) &
                        (!own | (rsa_sealed(said.mode) & !bad));
    if (own) begin
      pka_req_o.job.mode    = said.mode - ModeRsa2048Sealed + ModeRsa2048Private;
      pka_req_o.job.msg_len = bytes_of(message_beats(said.mode) - beats_t'(2));
    end
    pka_req_o.key_valid    = 1'b0;
    pka_req_o.dst_ready    = (now.state == StPass) & req_i.dst_ready;
    pka_req_o.done_ready   = (now.state == StPass) & req_i.done_ready;
    pka_req_o.rnd_valid    = (now.state == StPass) & req_i.rnd_valid;
    pka_req_o.fault_inject = 1'b0;
    unique case (now.state)
      StPass:    pka_req_o.src_valid = req_i.src_valid;
      StModulus: pka_req_o.src_valid = req_i.src_valid & ascon_rsp.src_ready & sealed;
      default:   pka_req_o.src_valid = opened;
    endcase
    if (opened) pka_req_o.src.data = ascon_rsp.dst.data;
  end

  // --- Port --------------------------------------------------------------------------------------

  beat_t dst;

  assign job_ready = (now.state == StIdle) & pka_rsp_i.job_ready & !req_i.clear;

  always_comb begin
    key_ready = 1'b0;
    src_ready = 1'b0;
    unique case (now.state)
      StPass:    src_ready = pka_rsp_i.src_ready;
      StBegin:   src_ready = sealed & ascon_rsp.job_ready;
      StKey:     key_ready = ascon_rsp.key_ready;
      StModulus: src_ready = ascon_rsp.src_ready;
      StParts:   src_ready = ascon_rsp.src_ready;
      StTag:     src_ready = ascon_rsp.src_ready;
      StDrop: begin
        key_ready = !now.keyed;
        src_ready = now.taken != message;
      end
      default: ;
    endcase
  end

  always_comb begin
    dst_valid = 1'b0;
    dst       = '{data: '0, keep: '1, last: result_last, kind: KindTag};
    unique case (now.state)
      StPass: {dst_valid, dst} = {pka_rsp_i.dst_valid, pka_rsp_i.dst};
      StGive: {dst_valid, dst.data} = {1'b1, drawn_q};
      StModulus: begin
        dst_valid = req_i.src_valid & !sealed & !now.shown;
        dst.data  = req_i.src.data;
      end
      StParts, StTag: begin
        dst_valid = ascon_rsp.dst_valid & !sealed;
        dst.data  = ascon_rsp.dst.data;
      end
      StZeros: dst_valid = now.given != result;
      default: ;
    endcase
  end

  assign rsp_o = '{
    job_ready:       job_ready,
    key_ready:       key_ready,
    src_ready:       src_ready,
    dst_valid:       dst_valid,
    dst:             dst & {$bits(beat_t){dst_valid}},
    done_valid:      (now.state == StPass) ? pka_rsp_i.done_valid : (now.state == StDone),
    done_status:     (now.state == StPass) ? pka_rsp_i.done_status : now.status,
    rnd_ready:       (now.state == StPass) ? pka_rsp_i.rnd_ready : (now.state == StDraw),
    fault_corrected: own_corrected | pka_rsp_i.fault_corrected | ascon_rsp.fault_corrected,
    fault_detected:  ascon_rsp.fault_detected,
    fault_sites:     SitesWhole
  };

  logic unused;
  assign unused = ^{req_i.fault_inject, said, pka_rsp_i, ascon_rsp};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Opened_A, opened |-> !dst_valid & pka_rsp_i.src_ready)
  `CRY_ASSERT(ModulusTaken_A, (now.state == StModulus) & sealed & src_fire |-> pka_rsp_i.src_ready)
  `CRY_ASSERT(Zeros_A, dst_valid & sealed & (now.state != StPass) |-> dst.data == '0)
  `CRY_ASSERT(Idle_A, now.state == StIdle |-> drawn_q == '0)

endmodule
