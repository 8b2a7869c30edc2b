// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20, Poly1305 and ChaCha20-Poly1305 (RFC 8439) on the engine port.
//
//   mode                  iv                              key   src -> dst
//   ModeChaCha20          counter [31:0], nonce [127:32]  key   message -> message
//   ModePoly1305          -                               r, s  message -> tag
//   ModeChaCha20Poly1305  nonce [95:0]                    key   aad, message -> message, tag
//
//   - The tag has out_len bytes, 1 to 16; 0 is 16. With `decrypt` it follows the message on `src`
//     as one KindTag beat, of which out_len bytes are compared: StatusAuthFailed if they differ.
//     The message has left by then: the receiver must discard it.
//   - ctx_save (ModeChaCha20, whole blocks) ends the job with the iv of the next part.
//   - Bad parameters: a mode that is unknown or not built, key_len other than KeyLen256, is_final
//     low or out_len above 16 in a mode with a tag, ctx_save in another mode, aad_len without AEAD,
//     a block counter that would exceed 2^32 - 1.
//   - `dst` is registered. The next job is accepted when `done` of the one before is taken. No
//     latency depends on key or data.
//   - Secrets are wiped at the end of the job, by clear and after reset.
//
// Protection: every register is coded, triplicated, or parity-checked where its value can be
// recomputed.
//
//   ProtectDetect   an upset may end the job with StatusFaultDetected: nothing wrong leaves, all
//                   secrets are wiped, and the shell must drop the remaining `src` beats
//   ProtectCorrect  an upset of one flip-flop changes neither values nor order of beats; the job
//                   ends with StatusFaultCorrected in place of StatusOk. What cannot be corrected
//                   is handled as at ProtectDetect
//
// fault_sites: bits of site_e. fault_inject flips a copy of the state register, which is corrected
// and reported at both levels.
module cry_chacha20poly1305_engine #(
  // ChaCha20 core; Poly1305 keeps its pace
  parameter cry_chacha20poly1305_pkg::impl_e Impl       = cry_chacha20poly1305_pkg::ImplOpt,
  parameter bit                              EnPoly1305 = 1'b1,  // build the modes with a tag
  // Level of protection
  parameter cry_protect_pkg::protect_e       Protect    = cry_protect_pkg::ProtectNone
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  cry_engine_pkg::engine_req_t req_i,  // from the shell
  output cry_engine_pkg::engine_rsp_t rsp_o   // to the shell
);

  import cry_chacha20poly1305_pkg::*;
  import cry_engine_pkg::*;
  import cry_protect_pkg::*;

  localparam bit       Checked = Protect != ProtectNone;
  localparam protect_e Control = Checked ? ProtectCorrect : ProtectNone;

  // Cycles of Poly1305 per 16 bytes: four times that is below the cycles of a key stream block.
  localparam int unsigned PolySteps = (Impl == ImplStd) ? 18 : (Impl == ImplOpt) ? 2 : 1;

  typedef enum logic [3:0] {
    StIdle,
    StKey,      // waits for the key
    StOneTime,  // takes r and s from block 0
    StAad,
    StMessage,
    StLengths,  // authenticates the lengths
    StFinal,    // adds s
    StTag,      // issues or compares the tag
    StContext,  // issues the context
    StDone      // issues `done` when `dst` is empty
  } state_e;

  // Metadata of a job.
  typedef struct packed {
    logic stream;    // uses the key stream
    logic tag;       // has a tag
    logic decrypt;
    logic ctx_save;
  } flags_t;
  typedef struct packed {
    logic [LenWidth-1:0] aad_len;  // the lengths only to authenticate them
    logic [LenWidth-1:0] msg_len;
    logic [95:0]         nonce;
  } params_t;
  localparam int unsigned ParamsWidth = EnPoly1305 ? $bits(params_t) : 96;

  // The port, by channel.
  logic    clear_i, job_valid_i, job_ready_o, key_valid_i, key_ready_o, src_valid_i, src_ready_o;
  logic    dst_valid_o, dst_ready_i, done_valid_o, done_ready_i;
  job_t    job_i;
  key_t    key_i;
  beat_t   src_i, dst_o;
  status_e done_status_o;
  logic    fault_inject_i, fault_corrected_o, fault_detected_o;
  logic [7:0] fault_sites_o;

  assign clear_i        = req_i.clear;
  assign job_valid_i    = req_i.job_valid;
  assign job_i          = req_i.job;
  assign key_valid_i    = req_i.key_valid;
  assign key_i          = req_i.key;
  assign src_valid_i    = req_i.src_valid;
  assign src_i          = req_i.src;
  assign dst_ready_i    = req_i.dst_ready;
  assign done_ready_i   = req_i.done_ready;
  assign fault_inject_i = req_i.fault_inject;

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
    fault_sites:     fault_sites_o
  };

  logic unused_req;
  assign unused_req = ^{req_i.rnd_valid, req_i.rnd};

  // The order of sections is fixed: src_i.kind is not needed.
  logic unused_inputs;
  assign unused_inputs = ^{src_i.kind, job_i.ctx_load, job_i.iv_len, job_i.key_bytes};

  // Upsets by the part that reports them; some registers have no value before the first job.
  logic corrected, detected, active;
  logic stream_corrected, mac_corrected, key_corrected, params_corrected, dst_corrected;
  logic stream_detected, mac_detected, key_detected, params_detected, dst_wrong;
  logic state_corrected, flags_corrected, tag_last_corrected, status_corrected, state_detected;

  // --- Job --------------------------------------------------------------------------------------

  state_e      state_q, state_d;
  status_e     status_q, status_d;
  flags_t      job_q, job_d;
  params_t     params_q, params_d;
  logic        job_fire, key_fire, move, tag_fire, done_fire;
  logic        job_aead, job_bad, tag_bad;
  logic [26:0] job_blocks;
  logic [32:0] job_end_ctr;

  assign job_aead    = EnPoly1305 & (job_i.mode == ModeChaCha20Poly1305);
  assign job_blocks  = 27'(job_i.msg_len[31:6]) + 27'(|job_i.msg_len[5:0]);
  assign job_end_ctr = 33'(job_i.iv[31:0]) + 33'(job_blocks) + 33'(job_i.ctx_save);

  assign tag_bad = !EnPoly1305 | !job_i.is_final | job_i.ctx_save | (job_i.out_len > 32'd16);

  always_comb begin
    unique case (job_i.mode)
      ModeChaCha20: begin
        job_bad = (job_end_ctr[32] & (job_end_ctr[31:0] != '0)) | (job_i.aad_len != '0) |
                  (job_i.ctx_save & (job_i.msg_len[5:0] != '0));
      end
      ModePoly1305:         job_bad = tag_bad | (job_i.aad_len != '0);
      ModeChaCha20Poly1305: job_bad = tag_bad;
      default:              job_bad = 1'b1;
    endcase
    job_bad |= job_i.key_len != KeyLen256;
  end

  always_comb begin
    job_d.stream     = job_i.mode != ModePoly1305;
    job_d.tag        = job_i.mode != ModeChaCha20;
    job_d.decrypt    = job_i.decrypt;
    job_d.ctx_save   = job_i.ctx_save;
    params_d.nonce   = job_aead ? job_i.iv[95:0] : job_i.iv[127:32];
    params_d.aad_len = job_i.aad_len;
    params_d.msg_len = job_i.msg_len;
  end

  // --- Keystream --------------------------------------------------------------------------------

  logic         run, row_valid, row_ready;
  logic [1:0]   row_index;
  logic [31:0]  ctr;
  logic [127:0] row;
  logic [255:0] key_q;

  logic [7:0][3:0]                key_checks;
  logic [ParamsWidth/32-1:0][3:0] params_checks;

  assign run = !clear_i & ((state_q == StOneTime) | (state_q == StAad) |
                           ((state_q == StMessage) & job_q.stream));

  cry_chacha20_keystream #(
    .Impl   (Impl),
    .Buffer ((Impl != ImplStd) | EnPoly1305),
    .Protect(Protect)
  ) u_keystream (
    .clk_i,
    .rst_ni,
    .start_i       (job_fire),
    .start_ctr_i   (job_aead ? '0 : job_i.iv[31:0]),
    .run_i         (run),
    .key_i         (key_q),
    .nonce_i       (params_q.nonce),
    .key_checks_i  (key_checks),
    .nonce_checks_i(params_checks[2:0]),
    .row_valid_o   (row_valid),
    .row_ready_i   (row_ready),
    .row_o         (row),
    .row_index_o   (row_index),
    .ctr_o         (ctr),
    .corrected_o   (stream_corrected),
    .detected_o    (stream_detected)
  );

  // --- Data -------------------------------------------------------------------------------------

  logic         in_message, in_aad, dst_free, mac_ready;
  logic [127:0] src_data, keep_mask, out_data, tag, tag_mask;
  logic [15:0]  tag_keep;

  assign in_message = state_q == StMessage;
  assign in_aad     = EnPoly1305 & (state_q == StAad);

  always_comb begin
    for (int i = 0; i < 16; i++) keep_mask[8*i+:8] = {8{src_i.keep[i]}};
  end
  assign src_data = src_i.data & keep_mask;
  assign out_data = (src_i.data ^ row) & keep_mask;

  always_comb begin
    for (int i = 0; i < 16; i++) tag_mask[8*i+:8] = {8{tag_keep[i]}};
  end

  // A beat moves when everything that takes part in it is ready.
  assign move = src_valid_i & !clear_i &
                ((in_aad & mac_ready) |
                 (in_message & (!job_q.stream | (row_valid & dst_free)) &
                  (!job_q.tag | mac_ready)));

  assign row_ready   = (state_q == StOneTime) | (in_message & move);
  assign src_ready_o = move | (tag_fire & job_q.decrypt);

  // --- Authentication ---------------------------------------------------------------------------

  if (EnPoly1305) begin : gen_poly1305
    logic [123:0] r_q;
    logic [127:0] s_q;
    logic [128:0] block;
    logic [255:0] mac_load;
    logic         mac_clear, mac_wipe, mac_valid, r_load, s_load;
    logic [15:0]  keep_end;

    assign mac_wipe  = clear_i | (state_q == StIdle) | (state_q == StDone);
    assign mac_clear = mac_wipe | (state_q == StKey);

    // r and s: rows 0 and 1 of block 0, or the key of ModePoly1305.
    assign r_load   = (state_q == StOneTime) & row_valid & (row_index == 2'd0);
    assign s_load   = (state_q == StOneTime) & row_valid & (row_index == 2'd1);
    assign mac_load = (state_q == StKey) ? key_i : {row, row};

    // r without the bits that RFC 8439 clamps to zero.
    logic [21:0]  unused_clamped;
    assign unused_clamped = {mac_load[127:124], mac_load[97:92], mac_load[65:60], mac_load[33:28]};
    logic [105:0]    r_packed_d, r_packed_q;
    logic [3:0][3:0] unused_r_checks, unused_s_checks;
    logic [1:0][3:0] unused_lengths_checks;
    assign unused_lengths_checks = params_checks[4:3];
    logic         r_corrected, r_detected, s_corrected, s_detected, core_corrected, core_detected;
    always_comb begin
      r_packed_d = {mac_load[123:98], mac_load[91:66], mac_load[59:34], mac_load[27:0]};
      r_q        = '0;
      {r_q[123:98], r_q[91:66], r_q[59:34], r_q[27:0]} = r_packed_q;
    end

    cry_chacha20poly1305_reg #(
      .Width(106), .Protect(Protect)
    ) u_r (
      .clk_i, .rst_ni,
      .en_i       (mac_clear | r_load),
      .d_i        ({106{!mac_wipe}} & r_packed_d),
      .q_o        (r_packed_q),
      .checks_o   (unused_r_checks),
      .corrected_o(r_corrected),
      .detected_o (r_detected)
    );
    cry_chacha20poly1305_reg #(
      .Width(128), .Protect(Protect)
    ) u_s (
      .clk_i, .rst_ni,
      .en_i       (mac_clear | s_load),
      .d_i        ({128{!mac_wipe}} & mac_load[255:128]),
      .q_o        (s_q),
      .checks_o   (unused_s_checks),
      .corrected_o(s_corrected),
      .detected_o (s_detected)
    );
    // The tag's last byte, counted from 0.
    logic [3:0] tag_last_d, tag_last_q;
    logic       unused_tag_last;
    assign tag_last_d = job_i.out_len[3:0] - 4'd1;
    cry_reg_tmr #(
      .Width(4), .Protect(Control)
    ) u_tag_last (
      .clk_i, .rst_ni,
      .en_i       (job_fire),
      .d_i        (tag_last_d),
      .inject_i   (1'b0),
      .q_o        (tag_last_q),
      .corrected_o(tag_last_corrected),
      .detected_o (unused_tag_last)
    );
    always_comb begin
      for (int i = 0; i < 16; i++) tag_keep[i] = tag_last_q >= 4'(i);
    end

    assign mac_corrected = r_corrected | s_corrected | core_corrected;
    assign mac_detected  = r_detected | s_detected | core_detected;

    // The block's end is marked behind 16 bytes in the AEAD, which pads, else behind its last byte.
    assign keep_end = src_i.keep & ~(src_i.keep >> 1);
    always_comb begin
      block = 129'(src_data);
      if (job_q.stream) begin
        block[128] = 1'b1;
      end else begin
        for (int i = 0; i < 16; i++) block[8*i+8] = block[8*i+8] | keep_end[i];
      end
      if (in_message & job_q.stream & !job_q.decrypt) block[127:0] = out_data;
      if (state_q == StLengths) begin
        block = {1'b1, 32'd0, params_q.msg_len, 32'd0, params_q.aad_len};
      end
      if (state_q == StFinal) block = {1'b0, s_q};
    end

    assign mac_valid = (move & (in_aad | job_q.tag)) | (state_q == StLengths) |
                       (state_q == StFinal);

    cry_poly1305_core #(
      .Steps  (PolySteps),
      .Protect(Protect)
    ) u_poly1305 (
      .clk_i,
      .rst_ni,
      .clear_i    (mac_clear),
      .r_i        (r_q),
      .in_valid_i (mac_valid),
      .in_ready_o (mac_ready),
      .in_block_i (block),
      .in_final_i (state_q == StFinal),
      .tag_o      (tag),
      .corrected_o(core_corrected),
      .detected_o (core_detected)
    );
  end else begin : gen_no_poly1305
    logic unused_mac;
    assign unused_mac = ^{src_data, tag_mask, params_d[$bits(params_t)-1:96]};
    assign mac_ready          = 1'b1;
    assign tag                = '0;
    assign tag_keep           = '1;
    assign tag_last_corrected = 1'b0;
    assign mac_corrected      = 1'b0;
    assign mac_detected       = 1'b0;
  end

  // --- Output -----------------------------------------------------------------------------------

  logic  dst_valid_q, dst_valid_d, dst_load;
  logic  seen_q, seen_d;  // something was corrected in this job
  beat_t dst_q, dst_d;

  assign dst_free = !dst_valid_q | dst_ready_i;
  assign tag_fire = EnPoly1305 & !clear_i & (state_q == StTag) &
                    (job_q.decrypt ? src_valid_i : dst_free);
  assign dst_load = (in_message & move & job_q.stream) | (tag_fire & !job_q.decrypt) |
                    ((state_q == StContext) & dst_free);

  always_comb begin
    dst_d.data = out_data;
    dst_d.keep = src_i.keep;
    dst_d.last = src_i.last;
    dst_d.kind = KindMessage;
    if (!in_message) begin
      dst_d.data = (state_q == StTag) ? tag & tag_mask : {params_q.nonce, ctr};
      dst_d.keep = (state_q == StTag) ? tag_keep : '1;
      dst_d.last = 1'b1;
      dst_d.kind = (state_q == StTag) ? KindTag : KindContext;
    end
    if (!dst_load) dst_d = '0;
  end

  // A beat computed in the cycle of a fault is not issued; one that waits is, if itself right.
  assign dst_valid_d = !clear_i & ((dst_load & !detected) |
                                   (dst_valid_q & !dst_ready_i & !dst_wrong));

  logic [4:0][3:0] unused_dst_checks;
  cry_chacha20poly1305_reg #(
    .Width($bits(beat_t)), .Protect(Protect)
  ) u_dst (
    .clk_i, .rst_ni,
    .en_i       (dst_free),
    .d_i        (dst_d),
    .q_o        (dst_q),
    .checks_o   (unused_dst_checks),
    .corrected_o(dst_corrected),
    .detected_o (dst_wrong)
  );

  assign dst_valid_o   = dst_valid_q & !dst_wrong;
  assign dst_o         = dst_q;
  assign done_valid_o  = (state_q == StDone) & !dst_valid_q;
  assign done_status_o = (seen_q & (status_q == StatusOk)) ? StatusFaultCorrected : status_q;
  assign done_fire     = done_valid_o & done_ready_i;

  // --- Control ----------------------------------------------------------------------------------

  state_e after_aad, after_message, after_key;
  logic   last_move;

  assign job_ready_o = !clear_i & ((state_q == StIdle) | done_fire);
  assign job_fire    = job_valid_i & job_ready_o;
  assign key_ready_o = !clear_i & (state_q == StKey);
  assign key_fire    = key_valid_i & key_ready_o;
  assign last_move   = move & src_i.last;

  always_comb begin
    after_message = StDone;
    if (job_q.tag) after_message = job_q.stream ? StLengths : StFinal;
    else if (job_q.ctx_save) after_message = StContext;

    // Without a tag an empty message has been ended before.
    after_aad = (job_q.tag & (params_q.msg_len == '0)) ? after_message : StMessage;
    after_key = (job_q.stream & job_q.tag) ? StOneTime : after_aad;
  end

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    unique case (state_q)
      StIdle:    ;
      StKey:     if (key_fire) state_d = after_key;
      StOneTime: begin
        if (row_valid & (row_index == 2'd3)) state_d = (params_q.aad_len == '0) ? after_aad : StAad;
      end
      StAad:     if (last_move) state_d = after_aad;
      StMessage: if (last_move) state_d = after_message;
      StLengths: if (mac_ready) state_d = StFinal;
      StFinal:   if (mac_ready) state_d = StTag;
      StTag: begin
        if (tag_fire) begin
          state_d = StDone;
          if (job_q.decrypt & (((src_i.data ^ tag) & tag_mask) != '0)) status_d = StatusAuthFailed;
        end
      end
      StContext: if (dst_free) state_d = StDone;
      StDone:    if (done_fire) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    if (job_fire) begin
      status_d = job_bad ? StatusBadParam : StatusOk;
      state_d  = StKey;
      if (job_bad) state_d = StDone;
      else if ((job_i.msg_len == '0) & (job_i.mode == ModeChaCha20)) begin
        state_d = job_i.ctx_save ? StContext : StDone;
      end
    end
    if (detected) begin
      state_d  = StDone;
      status_d = StatusFaultDetected;
    end
    if (clear_i) state_d = StIdle;
  end

  logic [3:0] state_bits, status_bits;
  logic       unused_flags, unused_status;
  cry_fsm_protected #(
    .Width(4), .ResVal(StIdle), .Legal(16'h03ff), .Protect(Control)
  ) u_state (
    .clk_i, .rst_ni,
    .state_d_i  (state_d),
    .inject_i   (fault_inject_i),
    .state_o    (state_bits),
    .corrected_o(state_corrected),
    .detected_o (state_detected)
  );
  assign state_q = state_e'(state_bits);

  cry_reg_tmr #(
    .Width(6), .Protect(Control)
  ) u_status (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({status_d, seen_d, dst_valid_d}),
    .inject_i   (1'b0),
    .q_o        ({status_bits, seen_q, dst_valid_q}),
    .corrected_o(status_corrected),
    .detected_o (unused_status)
  );
  assign status_q = status_e'(status_bits);

  cry_reg_tmr #(
    .Width($bits(flags_t)), .Protect(Control)
  ) u_flags (
    .clk_i, .rst_ni,
    .en_i       (job_fire),
    .d_i        (job_d),
    .inject_i   (1'b0),
    .q_o        (job_q),
    .corrected_o(flags_corrected),
    .detected_o (unused_flags)
  );

  logic [ParamsWidth-1:0] params_bits;
  assign params_q = $bits(params_t)'(params_bits);
  cry_chacha20poly1305_reg #(
    .Width(ParamsWidth), .Protect(Protect)
  ) u_params (
    .clk_i, .rst_ni,
    .en_i       (job_fire),
    .d_i        (params_d[ParamsWidth-1:0]),
    .q_o        (params_bits),
    .checks_o   (params_checks),
    .corrected_o(params_corrected),
    .detected_o (params_detected)
  );

  logic         key_wipe;
  logic [1:0]   key_half_corrected, key_half_detected;
  assign key_wipe = clear_i | (state_q == StIdle) | (state_q == StDone);
  for (genvar h = 0; h < 2; h++) begin : gen_key
    cry_chacha20poly1305_reg #(
      .Width(128), .Protect(Protect)
    ) u_key (
      .clk_i, .rst_ni,
      .en_i       (key_wipe | key_fire),
      .d_i        ({128{!key_wipe}} & key_i[128*h+:128]),
      .q_o        (key_q[128*h+:128]),
      .checks_o   (key_checks[4*h+:4]),
      .corrected_o(key_half_corrected[h]),
      .detected_o (key_half_detected[h])
    );
  end
  assign key_corrected = |key_half_corrected;
  assign key_detected  = |key_half_detected;

  // --- Upsets -----------------------------------------------------------------------------------

  // Once `done` is valid only triplicated registers are used.
  assign active    = (state_q != StIdle) & !done_valid_o;
  assign corrected = state_corrected | status_corrected | flags_corrected | tag_last_corrected |
                     (active & (stream_corrected | mac_corrected | key_corrected |
                                params_corrected | dst_corrected));
  assign detected  = Checked & active & (stream_detected | mac_detected | key_detected |
                                         params_detected | dst_wrong | state_detected);
  assign seen_d    = !job_fire & (seen_q | (active & corrected));

  assign fault_corrected_o = corrected;
  assign fault_detected_o  = detected;

  always_comb begin
    fault_sites_o             = '0;
    fault_sites_o[SiteStream] = stream_corrected | stream_detected;
    fault_sites_o[SiteMac]    = mac_corrected | mac_detected;
    fault_sites_o[SiteKey]    = key_corrected | key_detected;
    fault_sites_o[SiteParams] = params_corrected | params_detected;
    fault_sites_o[SiteDst]    = dst_corrected | dst_wrong;
    if (!active) fault_sites_o = '0;
    fault_sites_o[SiteState]  = state_corrected | (active & state_detected);
    fault_sites_o[SiteFlags]  = flags_corrected | tag_last_corrected;
    fault_sites_o[SiteStatus] = status_corrected;
  end

endmodule
