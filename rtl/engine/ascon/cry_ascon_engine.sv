// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128 (NIST SP 800-232) on the engine port.
//
//   mode         iv     key  src -> dst
//   ModeAead128  nonce  key  aad, message -> message, tag
//   ModeHash256  -      -    message -> digest
//   ModeXof128   -      -    message -> output
//   ModeCxof128  -      -    aad, message -> output
//
// aad of CXOF128 is the customization string. All padding is made inside. Digest, output and tag
// leave as KindTag beats, out_len bytes; 0 is 16 with AEAD128 and 32 elsewhere. With `decrypt`
// AEAD128 takes the tag as one KindTag beat of `src` behind the message and compares its first
// out_len bytes: StatusAuthFailed if one is wrong or, by `keep`, not there. The message then has
// left already; whoever takes it drops it.
//
// A message in parts: is_final = 0 with ctx_save = 1 ends in a context of three KindContext beats,
// the state and eight zero bytes, which comes first on `src` of the next part, with ctx_load. Such
// a part is a multiple of 16 bytes with AEAD128, else of 8. The key comes in every part, aad in the
// first one.
//
// Bad parameters: an unknown mode, a key_len other than KeyLen128 with AEAD128, key_len 3, is_final
// equal to ctx_save, decrypt without AEAD128, out_len above 16 with AEAD128 and above 32 with
// Hash256, aad_len other than 0 with Hash256, XOF128 and ctx_load and above 256 with CXOF128, and a
// part but the last that is not of whole blocks.
//
// A beat of AEAD128 takes 8 / RoundsPerCycle cycles, a block of 8 bytes of the others 12 /
// RoundsPerCycle. The next job is accepted when `done` of the one before is taken. No latency
// depends on key or data. All secrets are wiped at the end of the job, by clear and after reset.
//
// Protected, state, key and output beat have parities (ProtectDetect) or three copies
// (ProtectCorrect), all else three copies. ProtectCorrect: an upset of one flip-flop changes
// neither values nor order nor cycles of beats, and the job ends with StatusFaultCorrected if it
// would have ended with StatusOk. ProtectDetect: it may end the job with StatusFaultDetected;
// nothing wrong leaves, all secrets are wiped, beats of `src` that the job had still to come must
// be dropped by who sends them. fault_inject flips a copy of the state of control: it proves that
// the reports arrive.
//
// Parameters:
//   RoundsPerCycle  1, 2 or 4
//   Protect         the level of protection against upsets of flip-flops
module cry_ascon_engine #(
  // Rounds of the permutation in a cycle: 1, 2 or 4
  parameter int unsigned               RoundsPerCycle = 1,
  // Level of protection against SEUs
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone
) (
  input  logic                        clk_i,   // clock
  input  logic                        rst_ni,  // reset, asynchronous, active low
  input  cry_engine_pkg::engine_req_t req_i,   // engine port
  output cry_engine_pkg::engine_rsp_t rsp_o    // engine port
);

  import cry_ascon_pkg::*;
  import cry_engine_pkg::*;
  import cry_protect_pkg::*;

  if (!(RoundsPerCycle inside {1, 2, 4})) begin : gen_bad_rounds
    $error("RoundsPerCycle is 1, 2 or 4");
  end

  localparam bit       Checked = Protect != ProtectNone;
  localparam protect_e Control = Checked ? ProtectCorrect : ProtectNone;

  typedef enum logic [3:0] {
    StIdle,
    StKey,
    StContextIn,
    StInit,        // permutes the initial value
    StLength,      // absorbs the length of the customization string
    StAad,
    StAadPad,      // a block of padding alone
    StMessage,
    StMessagePad,
    StOutput,      // gives digest or tag, or compares the tag
    StContextOut,
    StDone         // gives `done` when `dst` is empty
  } state_e;

  // What is kept of a job, and where it is.
  typedef struct packed {
    logic [3:0]          mode;
    logic                is_final;
    logic                ctx_load;
    logic                decrypt;
    logic                has_aad;
    logic                empty;     // no message
    logic [8:0]          custom;    // bytes of the customization string
    logic [LenWidth-1:0] out_left;  // bytes of output to come
    logic [3:0]          round;     // of the permutation that runs; 0: none does
    logic                half;      // the lower half of a beat is absorbed or made
    logic [1:0]          part;      // of a context
    logic                add_key;   // the key is still to be added behind the permutation
    logic                separate;  // the bit between associated data and message is to be added
    status_e             status;
  } control_t;

  state_e       state_q, state_d;
  control_t     c_q, c_d;
  state_t       s_q, s_d, added;     // the state of the permutation; with what is to be added
  logic [127:0] key_q, key_d;
  beat_t        src, dst_q, dst_d;
  job_t         job;
  logic         dst_valid_q, dst_valid_d;
  logic         seen_q, seen_d;      // something was corrected in this job

  logic clear, wipe, aead, idle, dst_free, corrected, detected, active, dst_wrong;
  logic job_fire, key_fire, context_fire, done_fire, done_valid, job_ready;
  logic go;    // a permutation begins
  logic give;  // a beat of output, or half of one, is made or compared

  assign clear = req_i.clear;
  assign job   = req_i.job;
  assign src   = req_i.src;
  assign aead  = c_q.mode == ModeAead128;
  assign idle  = c_q.round == '0;
  logic unused_req;
  assign unused_req = ^{req_i.rnd_valid, req_i.rnd, req_i.key[KeyWidth-1:128], job.iv_len,
                        job.key_bytes, src.kind};

  assign wipe  = clear | (state_q == StIdle) | (state_q == StDone);

  // --- Job ---------------------------------------------------------------------------------------

  logic job_aead, job_bad;
  assign job_aead = job.mode == ModeAead128;

  always_comb begin
    unique case (job.mode)
      ModeAead128: job_bad = (job.key_len != KeyLen128) | (job.out_len > 32'd16) |
                             (!job.is_final & job.msg_len[3]);
      ModeHash256: job_bad = (job.aad_len != '0) | (job.out_len > 32'd32);
      ModeXof128:  job_bad = job.aad_len != '0;
      ModeCxof128: job_bad = job.aad_len > CustomBytes;
      default:     job_bad = 1'b1;
    endcase
    job_bad |= (job.key_len == 2'd3) | (job.is_final == job.ctx_save) | (job.decrypt & !job_aead) |
               (job.ctx_load & (job.aad_len != '0)) | (!job.is_final & (job.msg_len[2:0] != '0));
  end

  // --- Rate --------------------------------------------------------------------------------------

  logic         in_aad, in_message, alone, pad, more_half, last;
  logic [127:0] text, add_rate;
  logic [15:0]  keep;

  assign in_aad     = (state_q == StAad) | (state_q == StAadPad);
  assign in_message = (state_q == StMessage) | (state_q == StMessagePad);
  assign alone      = (state_q == StAadPad) | (state_q == StMessagePad);
  assign keep       = alone ? '0 : src.keep;
  assign pad        = in_aad | c_q.is_final;
  assign more_half  = !aead & !c_q.half & (pad ? keep[7] : keep[8]);
  assign last       = go & src.last & !more_half;

  cry_ascon_absorb u_absorb (
    .rate_i   (s_q[1:0]),
    .data_i   (src.data),
    .keep_i   (keep),
    .decrypt_i(c_q.decrypt & in_message),
    .pad_i    (pad),
    .narrow_i (!aead),
    .half_i   (c_q.half),
    .text_o   (text),
    .add_o    (add_rate)
  );

  // --- Permutation -------------------------------------------------------------------------------

  logic       finish;  // the last permutation of AEAD128 begins
  logic       all_rounds;
  logic [3:0] round;

  assign finish     = aead & ((state_q == StMessagePad) |
                              ((state_q == StMessage) & src.last & c_q.is_final & !keep[15]));
  assign all_rounds = !aead | finish | (state_q == StInit);
  assign round      = !idle ? c_q.round : all_rounds ? '0 : 4'(FirstOf8);

  always_comb begin
    added = s_q;
    if (idle) begin
      if (in_aad | in_message) added[1:0] = s_q[1:0] ^ add_rate;
      if (state_q == StLength) added[0] = s_q[0] ^ 64'({c_q.custom, 3'b000});
      if (finish) added[3:2] = added[3:2] ^ key_q;
      if (c_q.add_key) added[4:3] = added[4:3] ^ key_q;
      if (c_q.separate & (in_message | (state_q == StContextOut))) added[4][63] = !added[4][63];
    end
  end

  for (genvar r = 0; r < RoundsPerCycle; r++) begin : gen_round
    state_t in, out;
    if (r == 0) begin : gen_first
      assign in = added;
    end else begin : gen_next
      assign in = gen_round[r-1].out;
    end
    cry_ascon_round u_round (.state_i(in), .index_i(round + 4'(r)), .state_o(out));
  end

  always_comb begin
    s_d = s_q;
    if (go | !idle) s_d = gen_round[RoundsPerCycle-1].out;
    if (context_fire) begin
      unique case (c_q.part)
        2'd0:    s_d[1:0] = src.data;
        2'd1:    s_d[3:2] = src.data;
        default: s_d[4]   = src.data[63:0];
      endcase
    end
    if (key_fire) s_d[2:1] = req_i.key[127:0];
    if (wipe)     s_d = '0;
    if (job_fire) begin
      s_d[0] = initial_value(job.mode);
      if (job_aead) s_d[4:3] = job.iv;
    end
  end

  assign key_d = key_fire ? req_i.key[127:0] : '0;

  // --- Output ------------------------------------------------------------------------------------

  logic         verify, ends, mismatch, load;
  logic [4:0]   bytes;
  logic [15:0]  out_keep;
  logic [127:0] out, out_mask;

  assign verify   = aead & c_q.decrypt;
  // Of 16 bytes, or of the 8 that a narrow rate makes of them.
  assign ends     = c_q.out_left <= (aead ? 32'd16 : 32'd8);
  assign bytes    = ends ? 5'(c_q.out_left) + {1'b0, c_q.half, 3'b000} : 5'd16;
  assign out_keep = 16'((17'd1 << bytes) - 17'd1);
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) out_mask[8*i+:8] = {8{out_keep[i]}};
  end

  assign out      = aead ? added[4:3] : c_q.half ? {added[0], dst_q.data[63:0]} : 128'(added[0]);
  assign mismatch = (((src.data ^ out) & out_mask) != '0) | ((out_keep & ~src.keep) != '0);
  assign dst_free = !dst_valid_q | req_i.dst_ready;
  assign load     = ((state_q == StOutput) & give & !verify) |
                    ((state_q == StContextOut) & give) | ((state_q == StMessage) & go & aead);

  always_comb begin
    dst_d = '{data: out & out_mask, keep: out_keep, last: ends, kind: KindTag};
    unique case (state_q)
      StMessage: dst_d = '{data: text, keep: src.keep, last: src.last, kind: KindMessage};
      StContextOut: begin
        dst_d = '{data: 128'(added[4]), keep: '1, last: c_q.part == 2'd2, kind: KindContext};
        if (c_q.part == 2'd0) dst_d.data = added[1:0];
        if (c_q.part == 2'd1) dst_d.data = added[3:2];
      end
      default: ;
    endcase
    if (!load) dst_d = ((state_q == StOutput) & c_q.half) ? dst_q : '0;
    if (clear) dst_d = '0;
  end

  // What a fault was found beside does not leave; what waited already does, if it is right itself.
  assign dst_valid_d = !clear & ((load & !detected & (aead | (state_q == StContextOut) | ends |
                                                      c_q.half)) |
                                 (dst_valid_q & !req_i.dst_ready & !dst_wrong));

  // --- Control -----------------------------------------------------------------------------------

  state_e after_aad, after_init;

  assign job_ready    = !clear & ((state_q == StIdle) | done_fire);
  assign job_fire     = req_i.job_valid & job_ready;
  assign key_fire     = req_i.key_valid & (state_q == StKey) & !clear;
  assign context_fire = req_i.src_valid & (state_q == StContextIn) & !clear;
  assign done_valid   = (state_q == StDone) & !dst_valid_q;
  assign done_fire    = done_valid & req_i.done_ready;

  always_comb begin
    go   = 1'b0;
    give = 1'b0;
    if (idle & !clear) begin
      unique case (state_q)
        StInit, StLength, StAadPad, StMessagePad: go = 1'b1;
        StAad:        go   = req_i.src_valid;
        StMessage:    go   = req_i.src_valid & (dst_free | !aead);
        StOutput: begin
          give = verify ? req_i.src_valid : dst_free;
          go   = give & !ends;
        end
        StContextOut: give = dst_free;
        default: ;
      endcase
    end
  end

  always_comb begin
    after_aad = StMessage;
    if (c_q.empty) after_aad = c_q.is_final ? StMessagePad : StContextOut;
    after_init = after_aad;
    if (c_q.mode == ModeCxof128) after_init = StLength;
    else if (c_q.has_aad)        after_init = StAad;
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: ;
      StKey:        if (key_fire) state_d = c_q.ctx_load ? StContextIn : StInit;
      StContextIn:  if (context_fire & (c_q.part == 2'd2)) state_d = after_aad;
      StInit:       if (go) state_d = after_init;
      StLength:     if (go) state_d = c_q.has_aad ? StAad : StAadPad;
      StAad:        if (last) state_d = keep[15] ? StAadPad : after_aad;
      StAadPad:     if (go) state_d = after_aad;
      StMessage: begin
        if (last) state_d = !c_q.is_final ? StContextOut : keep[15] ? StMessagePad : StOutput;
      end
      StMessagePad: if (go) state_d = StOutput;
      StOutput:     if (give & ends) state_d = StDone;
      StContextOut: if (give & (c_q.part == 2'd2)) state_d = StDone;
      StDone:       if (done_fire) state_d = StIdle;
      default:      state_d = StIdle;
    endcase
    if (job_fire) begin
      state_d = job.ctx_load ? StContextIn : StInit;
      if (job_aead) state_d = StKey;
      if (job_bad)  state_d = StDone;
    end
    if (detected) state_d = StDone;
    if (clear)    state_d = StIdle;
  end

  always_comb begin
    c_d = c_q;
    if (go | !idle) c_d.round = (round == 4'(Rounds - RoundsPerCycle)) ? '0
                                                                       : round + 4'(RoundsPerCycle);
    if (go) begin
      // Behind twelve rounds of AEAD128 the key is added.
      c_d.add_key = aead & all_rounds;
      if (in_message) c_d.separate = 1'b0;
      c_d.half = (state_q == StAad | state_q == StMessage) & more_half;
    end
    if (give) begin
      c_d.out_left = ends ? '0 : c_q.out_left - 32'd8;
      c_d.half     = (state_q == StOutput) & !ends & !c_q.half;
    end
    if (context_fire | ((state_q == StContextOut) & give)) begin
      c_d.part = (c_q.part == 2'd2) ? '0 : c_q.part + 2'd1;
    end
    if ((state_q == StOutput) & give & verify & mismatch) c_d.status = StatusAuthFailed;
    if (wipe | detected) c_d.round = '0;
    if (job_fire) begin
      c_d = '{
        mode:     job.mode,
        is_final: job.is_final,
        ctx_load: job.ctx_load,
        decrypt:  job.decrypt,
        has_aad:  job.aad_len != '0,
        empty:    job.msg_len == '0,
        custom:   job.aad_len[8:0],
        out_left: (job.out_len != '0) ? job.out_len : job_aead ? 32'd16 : 32'd32,
        separate: job_aead & !job.ctx_load,
        status:   job_bad ? StatusBadParam : StatusOk,
        default:  '0
      };
    end
    if (detected) c_d.status = StatusFaultDetected;
  end

  // --- Registers ---------------------------------------------------------------------------------

  logic [3:0] state_bits;
  logic       state_corrected, state_detected, valid_corrected, unused_valid;
  logic       seen_corrected, unused_seen, control_corrected, unused_control;

  cry_fsm_protected #(
    .Width(4), .ResVal(StIdle), .Legal(16'h0fff), .Protect(Control)
  ) u_state (
    .clk_i, .rst_ni,
    .state_d_i  (state_d),
    .inject_i   (req_i.fault_inject),
    .state_o    (state_bits),
    .corrected_o(state_corrected),
    .detected_o (state_detected)
  );
  assign state_q = state_e'(state_bits);

  cry_reg_tmr #(
    .Width(1), .Protect(Control)
  ) u_valid (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (dst_valid_d),
    .inject_i   (1'b0),
    .q_o        (dst_valid_q),
    .corrected_o(valid_corrected),
    .detected_o (unused_valid)
  );

  cry_reg_tmr #(
    .Width(1), .EnReset(1'b0), .Protect(Control)
  ) u_seen (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (seen_d),
    .inject_i   (1'b0),
    .q_o        (seen_q),
    .corrected_o(seen_corrected),
    .detected_o (unused_seen)
  );

  cry_reg_tmr #(
    .Width($bits(control_t)), .EnReset(1'b0), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (c_d),
    .inject_i   (1'b0),
    .q_o        (c_q),
    .corrected_o(control_corrected),
    .detected_o (unused_control)
  );

  logic [6:0] data_corrected, data_detected;
  for (genvar w = 0; w < 5; w++) begin : gen_word
    cry_reg #(
      .T(logic [63:0]), .Protect(Protect)
    ) u_word (
      .clk_i, .rst_ni,
      .en_i       (1'b1),
      .d_i        (s_d[w]),
      .q_o        (s_q[w]),
      .corrected_o(data_corrected[w]),
      .detected_o (data_detected[w])
    );
  end

  cry_reg #(
    .T(logic [127:0]), .Protect(Protect)
  ) u_key (
    .clk_i, .rst_ni,
    .en_i       (wipe | key_fire),
    .d_i        (key_d),
    .q_o        (key_q),
    .corrected_o(data_corrected[5]),
    .detected_o (data_detected[5])
  );

  cry_reg #(
    .T(beat_t), .Protect(Protect)
  ) u_dst (
    .clk_i, .rst_ni,
    .en_i       (dst_free | clear),
    .d_i        (dst_d),
    .q_o        (dst_q),
    .corrected_o(data_corrected[6]),
    .detected_o (data_detected[6])
  );

  // --- Upsets ------------------------------------------------------------------------------------

  // Behind the end of a job nothing matters any more, but what is triplicated anyway.
  assign active    = (state_q != StIdle) & !done_valid;
  assign dst_wrong = Checked & data_detected[6];
  assign detected  = Checked & active & ((data_detected != '0) | state_detected);
  assign corrected = Checked & (state_corrected | valid_corrected |
                                (active & (seen_corrected | control_corrected |
                                           (data_corrected != '0))));
  assign seen_d    = Checked & !job_fire & (seen_q | (active & corrected));

  assign rsp_o = '{
    job_ready:       job_ready,
    key_ready:       (state_q == StKey) & !clear,
    src_ready:       context_fire | ((state_q == StAad) & go & !more_half) |
                     ((state_q == StMessage) & go & !more_half) |
                     ((state_q == StOutput) & give & verify),
    dst_valid:       dst_valid_q & !dst_wrong,
    dst:             dst_q,
    done_valid:      done_valid,
    done_status:     (seen_q & (c_q.status == StatusOk)) ? StatusFaultCorrected : c_q.status,
    rnd_ready:       1'b0,
    fault_corrected: corrected,
    fault_detected:  detected,
    fault_sites:     SitesWhole
  };

endmodule
