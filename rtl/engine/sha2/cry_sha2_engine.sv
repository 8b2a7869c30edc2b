// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/256, SHA-512/224 (FIPS 180-4) and HMAC over them
// (FIPS 198-1) on the engine port.
//
//   mode               key                     src -> dst
//   ModeSha...         -                       [context,] message -> digest
//   ModeHmac + hash    two transfers, 0..63    [context,] message [, tag] -> tag
//
//   - is_final = 0 with ctx_save = 1: a part of a message, of whole blocks, that ends in five
//     KindContext beats; the next part takes these before its message, with ctx_load = 1.
//   - decrypt with HMAC: the tag is taken from `src` and compared: StatusAuthFailed if it differs.
//   - out_len shortens digest and tag. key_bytes (0 to 64) are the valid bytes of HMAC's key, which
//     is taken in every part.
//   - Bad parameters: a mode that is unknown or not built, key_len 3, ctx_save equal to is_final, a
//     part that is not of whole blocks, out_len above the digest, key_bytes above 64 with HMAC,
//     decrypt without HMAC, aad_len.
//   - Latency: 64 or 80 cycles per block (RoundsPerCycle = 2: 32 or 40), between jobs too; the
//     digest is valid in the next cycle. The next job is accepted when the last word of a job has
//     been taken and its digest has a free slot, except after jobs that save a context or compare a
//     tag. No latency depends on key or data.
//   - Secrets are wiped after the last job, by clear and after reset: chaining value and state at
//     once, key and schedule within 16 cycles.
//
// Protection: control is triplicated, words of data and key are codewords, and `dst` is registered:
// one cycle more.
//
//   ProtectDetect   an upset may end the job, and the one behind it, with StatusFaultDetected:
//                   nothing wrong leaves, all secrets are wiped, and the shell must drop the
//                   remaining `key` and `src` beats
//   ProtectCorrect  an upset of one flip-flop changes neither values nor order of beats; it may
//                   stall the engine for 33 cycles, and the job ends with StatusFaultCorrected in
//                   place of StatusOk. What cannot be corrected is handled as at ProtectDetect
module cry_sha2_engine #(
  parameter int unsigned               RoundsPerCycle = 1,     // 1 or 2
  parameter bit                        EnSha512       = 1'b1,  // build the hashes with 64-bit words
  parameter bit                        EnHmac         = 1'b1,  // build HMAC
  // Level of protection; needs RoundsPerCycle = 1
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  cry_engine_pkg::engine_req_t req_i,  // from the shell
  output cry_engine_pkg::engine_rsp_t rsp_o   // to the shell
);

  import cry_engine_pkg::*;
  import cry_protect_pkg::*;
  import cry_sha2_pkg::*;

  localparam logic [127:0] InnerPad = {16{8'h36}};
  localparam logic [127:0] OuterPad = {16{8'h5c}};

  localparam bit       Checked = Protect != ProtectNone;
  localparam protect_e Control = Checked ? ProtectCorrect : ProtectNone;

  // The front takes a job's key, context and message; the back issues or compares the result while
  // the front is at the next job.
  typedef enum logic [3:0] {
    FrIdle,
    FrKey,       // takes the key, 16 bytes a cycle
    FrInitial,   // sets the initial value of an empty part
    FrContext,   // takes the saved context when the chaining value is free
    FrInner,     // passes the inner key block to the core
    FrMessage,   // ... the message
    FrOuterKey,  // ... the outer key block
    FrOuter,     // ... the inner digest, which first replaces the key
    FrHand,      // passes the job to the back
    FrDrain,     // waits until the back is done
    FrBad,       // passes a job with bad parameters to the back
    FrFault      // ... one that a fault has ended
  } front_e;

  typedef enum logic [2:0] {
    BkIdle,
    BkWait,    // the last block is in the core
    BkOut,     // issues digest or context
    BkVerify,  // takes the tag
    BkDone
  } back_e;

  typedef struct packed {
    logic       hmac;
    logic [2:0] hash;
    logic       verify;
    logic       load;
    logic       is_final;
    logic       empty;
    logic [6:0] key_bytes;
    logic [6:0] out_len;
  } job_info_t;

  typedef struct packed {  // something was corrected while the job was there
    logic front;
    logic back;
  } seen_t;

  typedef struct packed {
    logic [2:0] hash;
    logic       verify;
    logic       is_final;
    logic [6:0] out_len;
  } result_info_t;

  // Which bytes of 16-byte beat `index` are below `size`.
  function automatic logic [15:0] keep_of(logic [6:0] size, logic [2:0] index);
    logic [15:0] part;
    for (int unsigned i = 0; i < 16; i++) part[i] = 32'(size[3:0]) > i;
    return (size[6:4] == index) ? part : {16{size[6:4] > index}};
  endfunction

  function automatic logic is_last(logic [6:0] size, logic [2:0] index);
    return size <= {index + 3'd1, 4'd0};
  endfunction

  // The port, by channel.
  logic    clear_i, job_valid_i, job_ready_o, key_valid_i, key_ready_o, src_valid_i, src_ready_o;
  logic    dst_valid_o, dst_ready_i, done_valid_o, done_ready_i;
  job_t    job_i;
  key_t    key_i;
  beat_t   src_i, dst_o;
  status_e done_status_o;
  logic    fault_corrected_o, fault_detected_o;

  assign clear_i      = req_i.clear;
  assign job_valid_i  = req_i.job_valid;
  assign job_i        = req_i.job;
  assign key_valid_i  = req_i.key_valid;
  assign key_i        = req_i.key;
  assign src_valid_i  = req_i.src_valid;
  assign src_i        = req_i.src;
  assign dst_ready_i  = req_i.dst_ready;
  assign done_ready_i = req_i.done_ready;

  assign rsp_o = '{
    job_ready:       job_ready_o,
    key_ready:       key_ready_o,
    src_ready:       src_ready_o,
    dst_valid:       dst_valid_o,
    dst:             dst_o,
    done_valid:      done_valid_o,
    done_status:     done_status_o,
    rnd_ready:       1'b0,
    fault_corrected: fault_corrected_o,
    fault_detected:  fault_detected_o,
    fault_sites:     SitesWhole
  };

  logic unused_req;
  assign unused_req = ^{req_i.rnd_valid, req_i.rnd, req_i.fault_inject};

  // Sections have a fixed order: src_i.kind is not needed.
  logic unused_inputs;
  assign unused_inputs = ^{src_i.kind, job_i.iv_len, job_i.iv};

  front_e       front_q, front_d;
  back_e        back_q, back_d;
  job_info_t    job_q, job_d;
  result_info_t result_q, result_d;
  seen_t        seen_q, seen_d;
  logic [2:0]   count_q, count_d;  // beats of key, context or inner digest
  logic [2:0]   beat_q, beat_d;    // beats of the result
  status_e      status_q, status_d;

  logic         fresh_q, fresh_d;  // the core's next block begins a message

  // Upsets: `kill` ends all jobs in that cycle.
  logic stall, active, corrected, detected, kill;
  logic core_corrected, core_detected, pad_corrected, key_corrected, key_detected;
  logic dst_corrected, dst_wrong;
  logic control_corrected, control_detected;

  logic job_fire, job_bad, hand, front_wide;

  // --- Job --------------------------------------------------------------------------------------

  logic [2:0] job_hash;
  logic [6:0] job_digest;
  logic       job_hmac;
  assign job_hash   = job_i.mode[2:0];
  assign job_hmac   = |(job_i.mode & ModeHmac);
  assign job_digest = digest_bytes(job_hash);

  always_comb begin
    job_bad = (job_hash > ModeSha512224[2:0]) | (!EnSha512 & is_sha512(job_hash)) |
              (job_i.key_len == 2'd3) | (job_i.ctx_save == job_i.is_final) |
              (job_i.out_len > LenWidth'(job_digest)) | (job_i.aad_len != '0);
    if (job_hmac) job_bad |= !EnHmac | (job_i.key_bytes > KeyBytesWidth'(64));
    else          job_bad |= job_i.decrypt;
    if (!job_i.is_final) begin
      job_bad |= (job_i.msg_len[5:0] != '0) | (is_sha512(job_hash) & job_i.msg_len[6]);
    end
  end

  always_comb begin
    job_d.hmac      = EnHmac & job_hmac;
    job_d.hash      = job_hash;
    job_d.verify    = job_i.decrypt & job_i.is_final;
    job_d.load      = job_i.ctx_load;
    job_d.is_final  = job_i.is_final;
    job_d.empty     = job_i.msg_len == '0;
    job_d.key_bytes = 7'(job_i.key_bytes);
    job_d.out_len   = (job_i.out_len == '0) ? job_digest : job_i.out_len[6:0];
  end

  assign job_ready_o = (front_q == FrIdle) & !kill;
  assign job_fire    = job_valid_i & job_ready_o;
  assign front_wide  = EnSha512 & is_sha512(job_q.hash);

  // --- Core and padding -------------------------------------------------------------------------

  logic         word_valid, pad_valid, word_ready, word_fire, feeding;
  logic [3:0]   word_index;
  word_t [RoundsPerCycle-1:0] words;
  logic         beat_valid, beat_ready, beat_end, block_end, close, last_rounds, beat_last;
  logic [127:0] beat_data, digest_data;
  logic [15:0]  beat_keep;
  logic [63:0]  total;
  logic         context_fire, hash_shift, hash_held, core_busy;
  logic         pad_begin, pad_empty, total_load, hash_init;
  logic [2:0]   slot_index;
  logic [127:0] key_beat;
  state_t       hash;

  assign feeding    = (front_q == FrInner) | (front_q == FrMessage) |
                      (front_q == FrOuterKey) | (front_q == FrOuter);
  assign word_valid = pad_valid & feeding;
  assign word_fire  = word_valid & word_ready;
  assign context_fire = (front_q == FrContext) & (back_q == BkIdle) & src_valid_i & !kill & !stall;
  assign slot_index = front_wide ? word_index[3:1] : {1'b0, word_index[3:2]};

  always_comb begin
    beat_valid = 1'b1;
    beat_data  = key_beat;
    beat_keep  = '1;
    beat_last  = 1'b0;
    unique case (front_q)
      FrInner:    beat_data = (key_beat & {128{!slot_index[2]}}) ^ InnerPad;
      FrOuterKey: beat_data = (key_beat & {128{!slot_index[2]}}) ^ OuterPad;
      FrOuter: begin
        beat_keep = keep_of(digest_bytes(job_q.hash), slot_index);
        beat_last = is_last(digest_bytes(job_q.hash), slot_index);
      end
      default: begin
        beat_valid = src_valid_i;
        beat_data  = src_i.data;
        beat_keep  = src_i.keep;
        beat_last  = src_i.last;
      end
    endcase
  end

  cry_sha2_pad #(
    .RoundsPerCycle(RoundsPerCycle), .EnSha512(EnSha512), .Protect(Protect)
  ) u_pad (
    .clk_i, .rst_ni,
    .begin_i     (pad_begin),
    .empty_i     (pad_empty),
    .total_load_i(total_load),
    .total_i     ({64{front_q == FrContext}} & src_i.data[63:0]),
    .total_o     (total),
    .sha512_i    (front_wide),
    .beat_valid_i(beat_valid),
    .beat_ready_o(beat_ready),
    .beat_data_i (beat_data),
    .beat_keep_i (beat_keep),
    .beat_last_i (beat_last),
    .word_valid_o(pad_valid),
    .word_ready_i(word_ready & feeding),
    .word_index_i(word_index),
    .word_o      (words),
    .beat_end_o  (beat_end),
    .block_end_o (block_end),
    .close_o     (close),
    .corrected_o (pad_corrected)
  );

  cry_sha2_core #(
    .RoundsPerCycle(RoundsPerCycle), .EnSha512(EnSha512), .Protect(Protect)
  ) u_core (
    .clk_i, .rst_ni,
    .clear_i     (kill),
    .word_valid_i(word_valid),
    .word_ready_o(word_ready),
    .word_index_o(word_index),
    .word_i      (words),
    .first_i     ((front_q == FrInner) | (front_q == FrOuterKey) | fresh_q),
    .hash_i      (job_q.hash),
    .hold_i      (hash_held),
    .busy_o      (core_busy),
    .last_o      (last_rounds),
    .idle_i      (!active),
    .init_i      (hash_init),
    .shift_i     (hash_shift),
    .shift_a_i   ({64{context_fire}} & src_i.data[63:0]),
    .shift_e_i   ({64{context_fire}} & src_i.data[127:64]),
    .hash_o      (hash),
    .stall_o     (stall),
    .corrected_o (core_corrected),
    .detected_o  (core_detected)
  );
  assign hash_init   = (front_q == FrInitial) & (back_q == BkIdle) & !stall;
  assign src_ready_o = !kill & (context_fire | ((front_q == FrMessage) & beat_ready) |
                                ((back_q == BkVerify) & !stall));

  // --- Key and inner digest ---------------------------------------------------------------------

  logic digest_shift;
  assign digest_shift = (front_q == FrOuter) & !count_q[2] & !stall;
  assign key_ready_o  = !kill & (front_q == FrKey) & count_q[0];

  if (EnHmac) begin : gen_key
    localparam int unsigned CodeWidth = 128 + cry_code_pkg::check_width(128, Protect);
    logic [3:0][CodeWidth-1:0] key_q;
    logic [CodeWidth-1:0]      key_in_code, key_right;
    logic [127:0]              key_in;
    logic [15:0]               key_keep;
    logic                      key_shift, key_used, key_fixed, key_wrong;

    // In these states key or digest are at the head of the queue, and corrected as they pass it.
    assign key_used      = (front_q == FrInner) | (front_q == FrOuterKey) | (front_q == FrOuter);
    assign key_corrected = key_used & key_fixed & key_shift;
    assign key_detected  = key_used & key_wrong;

    assign key_keep = keep_of(job_q.key_bytes, count_q);
    always_comb begin
      key_in    = '0;
      key_shift = 1'b1;  // wipes, if there is nothing to keep
      unique case (front_q)
        FrKey: begin
          for (int i = 0; i < 16; i++) begin
            key_in[8*i+:8] = key_i[32'(count_q[0])*128+8*i+:8] & {8{key_keep[i]}};
          end
          key_shift = key_valid_i;
        end
        FrInner, FrOuterKey: begin
          key_in    = key_beat;
          key_shift = word_fire & beat_end & !slot_index[2];
        end
        FrOuter: begin
          key_in    = digest_shift ? digest_data : '0;
          key_shift = digest_shift | (word_fire & beat_end);
        end
        FrContext, FrMessage: key_shift = !job_q.hmac;
        default: ;
      endcase
      if (clear_i) begin
        key_in    = '0;
        key_shift = 1'b1;
      end
    end

    cry_code_enc #(
      .Width(128), .Protect(Protect)
    ) u_enc (
      .data_i(key_in), .codeword_o(key_in_code)
    );
    cry_code_dec #(
      .Width(128), .Protect(Protect)
    ) u_dec (
      .codeword_i(key_q[0]), .codeword_o(key_right), .correctable_o(key_fixed), .wrong_o(key_wrong)
    );
    always_ff @(posedge clk_i) begin
      if (key_shift) key_q <= {key_in_code, key_q[3:1]};
    end
    assign key_beat = key_right[127:0];
    if (Checked) begin : gen_rest
      logic unused_checks;
      assign unused_checks = ^key_right[CodeWidth-1:128];
    end
  end else begin : gen_no_key
    logic unused_key;
    assign unused_key = ^{key_i, key_valid_i, job_q.key_bytes, beat_end, slot_index};
    assign key_beat      = '0;
    assign key_corrected = 1'b0;
    assign key_detected  = 1'b0;
  end

  // --- Front ------------------------------------------------------------------------------------

  front_e after_context, after_key;

  always_comb begin
    after_context = (!job_q.is_final & job_q.empty) ? FrHand : FrMessage;
    after_key     = job_q.load ? FrContext : FrInner;
  end

  always_comb begin
    front_d    = front_q;
    count_d    = '0;
    fresh_d    = fresh_q & !word_fire;
    pad_begin  = 1'b0;
    pad_empty  = job_q.empty;
    total_load = 1'b0;
    unique case (front_q)
      FrIdle: ;
      FrKey: begin
        count_d = count_q + 3'(key_valid_i);
        if (key_valid_i & (count_q == 3'd3)) begin
          front_d = after_key;
          count_d = '0;
        end
      end
      FrInitial: if (hash_init) front_d = FrHand;
      FrContext: begin
        count_d = count_q + 3'(context_fire);
        if (context_fire & count_q[2]) begin
          front_d    = after_context;
          pad_begin  = 1'b1;
          total_load = 1'b1;
        end
      end
      FrInner: begin
        if (word_fire & block_end) begin
          front_d   = after_context;
          pad_begin = 1'b1;
        end
      end
      FrMessage: begin
        if (word_fire & block_end & !job_q.is_final & src_i.last) front_d = FrHand;
        if (word_fire & block_end & close) begin
          front_d    = job_q.hmac ? FrOuterKey : FrHand;
          pad_begin  = 1'b1;
          pad_empty  = 1'b0;
          total_load = 1'b1;
        end
      end
      FrOuterKey: if (word_fire & block_end) front_d = FrOuter;
      FrOuter: begin
        count_d = count_q + 3'(digest_shift);
        if (word_fire & block_end) front_d = FrHand;
      end
      FrHand: if (hand) front_d = (job_q.is_final & !job_q.verify) ? FrIdle : FrDrain;
      FrDrain: if (back_q == BkIdle) front_d = FrIdle;
      FrBad, FrFault: if (hand) front_d = FrIdle;
      default: front_d = FrIdle;
    endcase
    if (job_fire) begin
      fresh_d    = !job_d.hmac & !job_d.load;
      pad_begin  = 1'b1;
      pad_empty  = job_d.empty & !job_d.hmac;
      total_load = 1'b1;
      front_d    = FrMessage;
      if (job_bad) front_d = FrBad;
      else if (job_d.hmac) front_d = FrKey;
      else if (job_d.load) front_d = FrContext;
      else if (!job_d.is_final & job_d.empty) front_d = FrInitial;
    end
    if (detected & (front_q != FrIdle) & (front_q != FrDrain)) front_d = FrFault;
    if (clear_i) front_d = FrIdle;
  end

  // --- Back -------------------------------------------------------------------------------------

  logic         result_fire, result_last, digest_wide, dst_free, dst_full;
  beat_t        dst_beat;
  logic [2:0]   digest_beat;
  logic [15:0]  result_keep;
  logic [127:0] result_data, keep_mask;

  assign hand      = ((front_q == FrHand) | (front_q == FrBad) | (front_q == FrFault)) &
                     (back_q == BkIdle);
  assign hash_held = (back_q != BkIdle) & (back_q != BkWait);
  assign active    = (front_q != FrIdle) | (back_q != BkIdle);

  // Digest as beats; of inner digest and result, only one is wanted at a time.
  assign digest_beat = (front_q == FrOuter) ? count_q : beat_q;
  assign digest_wide = EnSha512 & is_sha512((front_q == FrOuter) ? job_q.hash : result_q.hash);
  always_comb begin
    word_t [7:0] by_word;  // a is element 0
    logic [127:0] reversed;
    by_word = {hash.efgh, hash.abcd};
    reversed = '0;
    if (digest_wide) begin
      reversed = {by_word[{digest_beat[1:0], 1'b0}], by_word[{digest_beat[1:0], 1'b1}]};
    end else if (digest_beat[2:1] == '0) begin
      for (int i = 0; i < 4; i++) begin
        reversed[127-32*i-:32] = by_word[{digest_beat[0], 2'(i)}][63:32];
      end
    end
    for (int i = 0; i < 16; i++) digest_data[8*i+:8] = reversed[127-8*i-:8];
  end

  always_comb begin
    result_keep = keep_of(result_q.out_len, beat_q);
    result_last = is_last(result_q.out_len, beat_q);
    result_data = digest_data;
    if (!result_q.is_final) begin
      result_keep = '1;
      result_last = beat_q[2];
      result_data = beat_q[2] ? {64'd0, total} : {hash.efgh[3], hash.abcd[3]};
    end
    for (int i = 0; i < 16; i++) keep_mask[8*i+:8] = {8{result_keep[i]}};
  end

  assign result_fire = !kill & !stall & (((back_q == BkOut) & dst_free) |
                                         ((back_q == BkVerify) & src_valid_i));
  assign hash_shift  = (context_fire & !count_q[2]) |
                       (result_fire & !result_q.is_final & !beat_q[2]);

  always_comb begin
    back_d   = back_q;
    result_d = result_q;
    beat_d   = '0;
    status_d = status_q;
    unique case (back_q)
      BkIdle: begin
        result_d = '{hash: job_q.hash, verify: job_q.verify, is_final: job_q.is_final,
                     out_len: job_q.out_len};
        status_d = StatusOk;
        if (front_q == FrBad) status_d = StatusBadParam;
        if (front_q == FrFault) status_d = StatusFaultDetected;
        if (hand) begin
          back_d = core_busy ? BkWait : BkOut;
          if ((front_q == FrBad) | (front_q == FrFault)) back_d = BkDone;
        end
      end
      BkWait: if (last_rounds) back_d = result_q.verify ? BkVerify : BkOut;
      BkOut, BkVerify: begin
        beat_d = beat_q + 3'(result_fire);
        if (result_fire & result_last) back_d = BkDone;
        if (result_fire & result_q.verify & (((src_i.data ^ result_data) & keep_mask) != '0)) begin
          status_d = StatusAuthFailed;
        end
      end
      BkDone:  if (done_valid_o & done_ready_i) back_d = BkIdle;
      default: back_d = BkIdle;
    endcase
    if (detected & !done_valid_o) begin
      back_d   = (back_q == BkIdle) ? BkIdle : BkDone;
      status_d = StatusFaultDetected;
    end
    if (clear_i) back_d = BkIdle;
  end

  assign dst_beat.data = result_data & keep_mask & {128{back_q == BkOut}};
  assign dst_beat.keep = result_keep;
  assign dst_beat.last = result_last;
  assign dst_beat.kind = result_q.is_final ? KindTag : KindContext;

  if (Checked) begin : gen_dst
    // A chaining value under correction is not valid.
    logic dst_valid_q, dst_valid_d, valid_corrected, beat_corrected, beat_wrong, unused_valid;
    assign dst_free    = !dst_valid_q | dst_ready_i;
    assign dst_valid_d = !clear_i & (((back_q == BkOut) & result_fire) |
                                     (dst_valid_q & !dst_ready_i & !dst_wrong));
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
      .Width($bits(beat_t)), .Protect(Protect)
    ) u_beat (
      .clk_i, .rst_ni,
      .en_i       (dst_free | clear_i),
      .d_i        ({$bits(beat_t){(back_q == BkOut) & result_fire}} & dst_beat),
      .inject_i   (1'b0),
      .q_o        (dst_o),
      .corrected_o(beat_corrected),
      .detected_o (beat_wrong)
    );
    assign dst_wrong     = dst_valid_q & beat_wrong;
    assign dst_valid_o   = dst_valid_q & !dst_wrong;
    assign dst_full      = dst_valid_q;
    assign dst_corrected = valid_corrected | beat_corrected;
  end else begin : gen_no_dst
    assign dst_free      = dst_ready_i;
    assign dst_valid_o   = back_q == BkOut;
    assign dst_o         = dst_beat;
    assign dst_full      = 1'b0;
    assign dst_wrong     = 1'b0;
    assign dst_corrected = 1'b0;
  end

  assign done_valid_o  = (back_q == BkDone) & !dst_full;
  assign done_status_o = (seen_q.back & (status_q == StatusOk)) ? StatusFaultCorrected : status_q;

  // --- Upsets -----------------------------------------------------------------------------------

  assign kill      = clear_i | detected;
  assign corrected = core_corrected | pad_corrected | key_corrected | dst_corrected |
                     control_corrected;
  assign detected  = Checked & active & (core_detected | key_detected | dst_wrong |
                                         control_detected);

  always_comb begin
    seen_d = seen_q;
    if (active & corrected) seen_d.front = 1'b1;
    if (job_fire) seen_d.front = 1'b0;
    if (back_q == BkIdle) seen_d.back = seen_q.front | corrected;
    else if (!done_valid_o & corrected) seen_d.back = 1'b1;
  end

  assign fault_corrected_o = Checked & corrected;
  assign fault_detected_o  = detected;

  // --- Registers --------------------------------------------------------------------------------

  logic [3:0] front_bits;
  logic [2:0] back_bits;
  logic       front_corrected, front_detected, back_corrected, back_detected;
  logic       jobs_corrected, counts_corrected, seen_corrected;
  logic       unused_jobs, unused_counts, unused_seen;

  cry_fsm_protected #(
    .Width(4), .ResVal(FrIdle), .Legal(16'h0fff), .Protect(Control)
  ) u_front (
    .clk_i, .rst_ni,
    .state_d_i  (front_d),
    .inject_i   (1'b0),
    .state_o    (front_bits),
    .corrected_o(front_corrected),
    .detected_o (front_detected)
  );
  cry_fsm_protected #(
    .Width(3), .ResVal(BkIdle), .Legal(8'h1f), .Protect(Control)
  ) u_back (
    .clk_i, .rst_ni,
    .state_d_i  (back_d),
    .inject_i   (1'b0),
    .state_o    (back_bits),
    .corrected_o(back_corrected),
    .detected_o (back_detected)
  );
  assign front_q = front_e'(front_bits);
  assign back_q  = back_e'(back_bits);

  // These are written before they are read.
  cry_reg_tmr #(
    .Width($bits(job_info_t) + $bits(result_info_t)), .EnReset(Checked), .Protect(Control)
  ) u_jobs (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({job_fire ? job_d : job_q, result_d}),
    .inject_i   (1'b0),
    .q_o        ({job_q, result_q}),
    .corrected_o(jobs_corrected),
    .detected_o (unused_jobs)
  );
  logic [3:0] status_bits;
  cry_reg_tmr #(
    .Width(11), .EnReset(Checked), .Protect(Control)
  ) u_counts (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({count_d, beat_d, fresh_d, status_d}),
    .inject_i   (1'b0),
    .q_o        ({count_q, beat_q, fresh_q, status_bits}),
    .corrected_o(counts_corrected),
    .detected_o (unused_counts)
  );
  assign status_q = status_e'(status_bits);

  if (Checked) begin : gen_seen
    cry_reg_tmr #(
      .Width(2), .Protect(Control)
    ) u_seen (
      .clk_i, .rst_ni,
      .en_i       (1'b1),
      .d_i        (seen_d),
      .inject_i   (1'b0),
      .q_o        (seen_q),
      .corrected_o(seen_corrected),
      .detected_o (unused_seen)
    );
  end else begin : gen_not_seen
    assign unused_seen    = ^seen_d;
    assign seen_q         = '0;
    assign seen_corrected = 1'b0;
  end

  assign control_corrected = front_corrected | back_corrected | jobs_corrected | counts_corrected |
                             seen_corrected;
  assign control_detected  = front_detected | back_detected;

endmodule
