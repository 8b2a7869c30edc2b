// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20, Poly1305 and ChaCha20-Poly1305 (RFC 8439) on the engine port.
//
//   mode                    iv                              key            src -> dst
//   ModeChaCha20          counter [31:0], nonce [127:32]    key            message -> message
//   ModePoly1305          -                                 r, s           message -> tag
//   ModeChaCha20Poly1305  nonce [95:0]                      key            aad, message -> message, tag
//
// With `decrypt` the modes with a tag take it as one KindTag beat of `src` behind the message and
// compare it: StatusAuthFailed if it is wrong. The message then has left already; whoever takes it
// drops it. ctx_save (ModeChaCha20, whole blocks) ends the job with the iv that goes on.
//
// Bad parameters: a mode that is not built in or not known, key_len other than KeyLen256, is_final
// low in a mode with tag, ctx_save elsewhere, aad_len without AEAD, and a block counter that would
// pass 2^32 - 1.
//
// Each beat passes a register towards `dst`. The next job is accepted when `done` of the one before
// is taken. No latency depends on key or data. Secrets are wiped at the end of the job, by clear_i
// and after reset.
//
// Parameters:
//   Impl        the ChaCha20 core, with a Poly1305 that keeps pace
//   EnPoly1305  build the modes with a tag
module chacha20poly1305_engine #(
  parameter chacha20poly1305_pkg::impl_e Impl       = chacha20poly1305_pkg::ImplOpt,
  parameter bit                          EnPoly1305 = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,

  input  logic                 job_valid_i,
  output logic                 job_ready_o,
  input  engine_pkg::job_t     job_i,

  input  logic                 key_valid_i,
  output logic                 key_ready_o,
  input  engine_pkg::key_t     key_i,

  input  logic                 src_valid_i,
  output logic                 src_ready_o,
  input  engine_pkg::beat_t    src_i,

  output logic                 dst_valid_o,
  input  logic                 dst_ready_i,
  output engine_pkg::beat_t    dst_o,

  output logic                 done_valid_o,
  input  logic                 done_ready_i,
  output engine_pkg::status_e  done_status_o
);

  import chacha20poly1305_pkg::*;
  import engine_pkg::*;

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
    StTag,      // gives or compares the tag
    StContext,  // gives the context
    StDone      // gives `done` when `dst` is empty
  } state_e;

  // What is kept of a job.
  typedef struct packed {
    logic                stream;    // uses the key stream
    logic                tag;       // has a tag
    logic                decrypt;
    logic                ctx_save;
    logic [95:0]         nonce;
    logic [LenWidth-1:0] aad_len;
    logic [LenWidth-1:0] msg_len;
  } held_t;

  // The order of kinds is fixed, so that their names need no look.
  logic unused_kind;
  assign unused_kind = ^src_i.kind;

  // --- Job --------------------------------------------------------------------------------------

  state_e      state_q, state_d;
  status_e     status_q, status_d;
  held_t       job_q, job_d;
  logic        job_fire, key_fire, move, tag_fire, done_fire;
  logic        job_aead, job_bad, job_empty, job_aad_empty;
  logic [26:0] job_blocks;
  logic [32:0] job_end_ctr;

  assign job_aead    = EnPoly1305 & (job_i.mode == ModeChaCha20Poly1305);
  assign job_blocks  = 27'(job_i.msg_len[31:6]) + 27'(|job_i.msg_len[5:0]);
  assign job_end_ctr = 33'(job_i.iv[31:0]) + 33'(job_blocks) + 33'(job_i.ctx_save);

  always_comb begin
    unique case (job_i.mode)
      ModeChaCha20: begin
        job_bad = (job_end_ctr[32] & (job_end_ctr[31:0] != '0)) | (job_i.aad_len != '0) |
                  (job_i.ctx_save & (job_i.msg_len[5:0] != '0));
      end
      ModePoly1305: begin
        job_bad = !EnPoly1305 | !job_i.is_final | job_i.ctx_save | (job_i.aad_len != '0);
      end
      ModeChaCha20Poly1305: job_bad = !EnPoly1305 | !job_i.is_final | job_i.ctx_save;
      default:              job_bad = 1'b1;
    endcase
    job_bad |= job_i.key_len != KeyLen256;
  end

  always_comb begin
    job_d.stream   = job_i.mode != ModePoly1305;
    job_d.tag      = job_i.mode != ModeChaCha20;
    job_d.decrypt  = job_i.decrypt;
    job_d.ctx_save = job_i.ctx_save;
    job_d.nonce    = job_aead ? job_i.iv[95:0] : job_i.iv[127:32];
    job_d.aad_len  = job_i.aad_len;
    job_d.msg_len  = job_i.msg_len;
  end

  assign job_empty     = job_fire ? job_i.msg_len == '0 : job_q.msg_len == '0;
  assign job_aad_empty = job_q.aad_len == '0;

  // --- Key stream -------------------------------------------------------------------------------

  logic         run, row_valid, row_ready;
  logic [1:0]   row_index;
  logic [31:0]  ctr;
  logic [127:0] row;
  logic [255:0] key_q;

  assign run = !clear_i & ((state_q == StOneTime) | (state_q == StAad) |
                           ((state_q == StMessage) & job_q.stream));

  chacha20_keystream #(
    .Impl  (Impl),
    .Buffer((Impl != ImplStd) | EnPoly1305)
  ) u_keystream (
    .clk_i,
    .rst_ni,
    .start_i    (job_fire),
    .start_ctr_i(job_aead ? '0 : job_i.iv[31:0]),
    .run_i      (run),
    .key_i      (key_q),
    .nonce_i    (job_q.nonce),
    .row_valid_o(row_valid),
    .row_ready_i(row_ready),
    .row_o      (row),
    .row_index_o(row_index),
    .ctr_o      (ctr)
  );

  // --- Data -------------------------------------------------------------------------------------

  logic         in_message, in_aad, dst_free, mac_ready;
  logic [127:0] src_data, keep_mask, out_data, tag;

  assign in_message = state_q == StMessage;
  assign in_aad     = EnPoly1305 & (state_q == StAad);

  always_comb begin
    for (int i = 0; i < 16; i++) keep_mask[8*i+:8] = {8{src_i.keep[i]}};
  end
  assign src_data = src_i.data & keep_mask;
  assign out_data = (src_i.data ^ row) & keep_mask;

  // A beat moves when everything that takes part in it is ready.
  assign move = src_valid_i & !clear_i &
                ((in_aad & mac_ready) |
                 (in_message & (!job_q.stream | (row_valid & dst_free)) &
                  (!job_q.tag | mac_ready)));

  assign row_ready   = (state_q == StOneTime) | (in_message & move);
  assign src_ready_o = move | (tag_fire & job_q.decrypt);

  // --- Authentication ---------------------------------------------------------------------------

  if (EnPoly1305) begin : gen_poly1305
    logic [127:0] r_q, s_q, one_time;
    logic [128:0] block;
    logic         mac_clear, mac_valid, r_load, s_load;
    logic [15:0]  keep_end;

    assign mac_clear = clear_i | (state_q == StIdle) | (state_q == StDone) | (state_q == StKey);

    // r and s: rows 0 and 1 of block 0, or the key of ModePoly1305.
    assign r_load   = (state_q == StOneTime) & row_valid & (row_index == 2'd0);
    assign s_load   = (state_q == StOneTime) & row_valid & (row_index == 2'd1);
    assign one_time = row;
    always_ff @(posedge clk_i) begin
      if (state_q == StKey) begin
        r_q <= key_i[127:0] & ClampMask;
        s_q <= key_i[255:128];
      end else if (mac_clear) begin
        r_q <= '0;
        s_q <= '0;
      end else begin
        if (r_load) r_q <= one_time & ClampMask;
        if (s_load) s_q <= one_time;
      end
    end

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
        block = {1'b1, 32'd0, job_q.msg_len, 32'd0, job_q.aad_len};
      end
      if (state_q == StFinal) block = {1'b0, s_q};
    end

    assign mac_valid = (move & (in_aad | job_q.tag)) | (state_q == StLengths) | (state_q == StFinal);

    poly1305_core #(
      .Steps(PolySteps)
    ) u_poly1305 (
      .clk_i,
      .rst_ni,
      .clear_i   (mac_clear),
      .r_i       (r_q),
      .in_valid_i(mac_valid),
      .in_ready_o(mac_ready),
      .in_block_i(block),
      .in_final_i(state_q == StFinal),
      .tag_o     (tag)
    );
  end else begin : gen_no_poly1305
    logic unused_mac;
    assign unused_mac = ^src_data;
    assign mac_ready = 1'b1;
    assign tag       = '0;
  end

  // --- Output -----------------------------------------------------------------------------------

  logic  dst_valid_q, dst_load;
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
      dst_d.data = (state_q == StTag) ? tag : {job_q.nonce, ctr};
      dst_d.keep = '1;
      dst_d.last = 1'b1;
      dst_d.kind = (state_q == StTag) ? KindTag : KindContext;
    end
    if (!dst_load) dst_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      dst_valid_q <= 1'b0;
    else if (clear_i) dst_valid_q <= 1'b0;
    else              dst_valid_q <= dst_load | (dst_valid_q & !dst_ready_i);
  end
  always_ff @(posedge clk_i) begin
    if (dst_free) dst_q <= dst_d;
  end

  assign dst_valid_o   = dst_valid_q;
  assign dst_o         = dst_q;
  assign done_valid_o  = (state_q == StDone) & !dst_valid_q;
  assign done_status_o = status_q;
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

    after_aad = (job_q.msg_len == '0) ? after_message : StMessage;
    after_key = (job_q.stream & job_q.tag) ? StOneTime : after_aad;
  end

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    unique case (state_q)
      StIdle:    ;
      StKey:     if (key_fire) state_d = after_key;
      StOneTime: begin
        if (row_valid & (row_index == 2'd3)) state_d = job_aad_empty ? after_aad : StAad;
      end
      StAad:     if (last_move) state_d = after_aad;
      StMessage: if (last_move) state_d = after_message;
      StLengths: if (mac_ready) state_d = StFinal;
      StFinal:   if (mac_ready) state_d = StTag;
      StTag: begin
        if (tag_fire) begin
          state_d = StDone;
          if (job_q.decrypt & (src_i.data != tag)) status_d = StatusAuthFailed;
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
      else if (job_empty & (job_i.mode == ModeChaCha20)) begin
        state_d = job_i.ctx_save ? StContext : StDone;
      end
    end
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      status_q <= StatusOk;
    end else begin
      state_q  <= state_d;
      status_q <= status_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       job_q <= '0;
    else if (job_fire) job_q <= job_d;
  end

  logic key_wipe;
  assign key_wipe = clear_i | (state_q == StIdle) | (state_q == StDone);
  always_ff @(posedge clk_i) begin
    if (key_wipe)      key_q <= '0;
    else if (key_fire) key_q <= key_i;
  end

endmodule
