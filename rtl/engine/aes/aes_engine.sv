// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES on the engine port: ECB, CBC and CTR over one of three cores.
//
// The issue side takes jobs and keys, and offers blocks to the core; the finish side takes
// blocks from the core and gives them to `dst`. A queue of notes, one per block inside the
// core, links them. The next job and its key are accepted in the cycle in which the last block
// of a job enters the core (with ctx_save: after the context beat), so that the core sees no
// gap between jobs. An idle engine takes the key one cycle after the job at the earliest.
//
// ECB and CBC take the `src` beat when the block enters the core. CTR makes its keystream ahead of
// the data and takes the `src` beat when the keystream block leaves the core, in the same cycle as
// the `dst` beat. A decryption job in ECB or CBC first runs the key schedule to its end.
//
// Bad parameters: a mode, direction or key length not built in, and lengths that are no multiple of
// 16 bytes in ECB and CBC. job_i.aad_len and job_i.is_final have no meaning here. No latency
// depends on data or keys. Keys and chaining values are wiped after the job, by clear_i and after
// reset.
//
// Parameters:
//   Impl                 the core: aes_core_serial, aes_core_iterative or aes_core_pipelined
//   EnDecrypt            build ECB and CBC decryption (CTR decryption needs no inverse cipher)
//   EnKey192, EnKey256   build these key lengths beside 128 bits
//   EnEcb, EnCbc, EnCtr  build these modes
module aes_engine #(
  parameter aes_pkg::impl_e Impl      = aes_pkg::ImplIterative,
  parameter bit             EnDecrypt = 1'b1,
  parameter bit             EnKey192  = 1'b1,
  parameter bit             EnKey256  = 1'b1,
  parameter bit             EnEcb     = 1'b1,
  parameter bit             EnCbc     = 1'b1,
  parameter bit             EnCtr     = 1'b1
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

  import aes_pkg::*;
  import engine_pkg::*;

  localparam int unsigned NoteDepth = (Impl == ImplPipelined) ? 16 : 1;
  localparam logic [255:0] KeyBuilt =
      {{64{EnKey256}}, {64{EnKey256 | EnKey192}}, {128{1'b1}}};

  typedef enum logic [2:0] {
    StIdle,
    StKey,      // waits for the key
    StExpand,   // offers the key to the core for expansion
    StWindow,   // waits for the expanded key
    StRun,      // offers blocks to the core
    StContext,  // waits for the last block, then gives the context beat
    StEnd       // waits for the last block, then gives a `done` that came without data
  } state_e;

  // What the finish side must know of a block inside the core.
  typedef struct packed {
    logic expand;    // not a block, but an expanded key
    logic ctr;
    logic unchain;   // CBC decryption: add the chaining value in `mask`
    logic feedback;  // the output is the issue side's next chaining value
    logic last;      // last block of its job's message
    logic finish;    // ... and the job ends with it
  } note_t;

  // Associated data, finality and the framing of `src` carry nothing that the length does not say.
  logic unused_inputs;
  assign unused_inputs = ^{job_i.is_final, job_i.aad_len, src_i.last, src_i.kind};

  // --- Job ------------------------------------------------------------------------------------

  state_e        state_q, state_d;
  logic          ctr_q, cbc_q, decrypt_q, ctx_save_q, bad_q;
  logic [1:0]    key_len_q;
  logic [27:0]   left_q;  // blocks left to issue after the present one
  logic [255:0]  key_q;
  logic [127:0]  chain_q, chain_d;

  logic          job_ctr, job_cbc, job_decrypt, job_bad, job_empty;
  logic          job_fire, key_fire, issue_fire, issue_last;
  logic          context_fire, end_fire;

  assign job_ctr     = EnCtr & (job_i.mode == ModeCtr);
  assign job_cbc     = EnCbc & (job_i.mode == ModeCbc);
  assign job_decrypt = EnDecrypt & job_i.decrypt & !job_ctr;
  assign job_empty   = job_i.msg_len == '0;

  always_comb begin
    unique case (job_i.mode)
      ModeEcb: job_bad = !EnEcb;
      ModeCbc: job_bad = !EnCbc;
      ModeCtr: job_bad = !EnCtr;
      default: job_bad = 1'b1;
    endcase
    unique case (job_i.key_len)
      KeyLen128: ;
      KeyLen192: job_bad |= !EnKey192;
      KeyLen256: job_bad |= !EnKey256;
      default:   job_bad = 1'b1;
    endcase
    if (!job_ctr) job_bad |= (job_i.msg_len[3:0] != '0) | (job_i.decrypt & !EnDecrypt);
  end

  // --- Core and notes ---------------------------------------------------------------------------

  logic          in_valid, in_ready, out_valid, out_ready, out_fire;
  op_e           in_op;
  logic [127:0]  in_block, out_block;
  logic [255:0]  out_key;
  note_t         in_note, out_note;
  logic [127:0]  out_mask;
  logic          notes_empty, newest_ctr_q, ctr_inside, feedback_inside_q;

  assign out_fire   = out_valid & out_ready;
  assign issue_last = left_q == '0;
  assign ctr_inside = EnCtr & newest_ctr_q & !notes_empty;

  always_comb begin
    in_note          = '0;
    in_note.expand   = EnDecrypt & (state_q == StExpand);
    in_note.ctr      = ctr_q;
    in_note.unchain  = cbc_q & decrypt_q;
    in_note.last     = issue_last;
    in_note.finish   = issue_last & !ctx_save_q;
    in_note.feedback = cbc_q & !decrypt_q & !in_note.finish;
  end

  // `src` belongs to the oldest block that needs it: data blocks wait for all keystream blocks.
  always_comb begin
    in_valid = 1'b0;
    if (state_q == StExpand) begin
      in_valid = 1'b1;
    end else if (state_q == StRun) begin
      in_valid = ctr_q | (src_valid_i & !ctr_inside &
                          (!feedback_inside_q | (out_fire & out_note.feedback)));
    end
  end

  always_comb begin
    in_op = OpEncrypt;
    if (in_note.expand) in_op = OpExpand;
    else if (decrypt_q) in_op = OpDecrypt;
  end

  logic [127:0] chain_now;
  assign chain_now = (out_fire & out_note.feedback) ? out_block : chain_q;

  always_comb begin
    in_block = src_i.data;
    if (ctr_q) in_block = chain_q;
    else if (cbc_q & !decrypt_q) in_block = src_i.data ^ chain_now;
  end

  assign issue_fire = in_valid & in_ready;

  if (Impl == ImplSerial) begin : gen_serial
    aes_core_serial #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op), .in_key_len_i(key_len_q),
      .in_key_i(key_q), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key)
    );
  end else if (Impl == ImplIterative) begin : gen_iterative
    aes_core_iterative #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op), .in_key_len_i(key_len_q),
      .in_key_i(key_q), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key)
    );
  end else begin : gen_pipelined
    aes_core_pipelined #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op), .in_key_len_i(key_len_q),
      .in_key_i(key_q), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key)
    );
  end

  aes_notes #(
    .Depth    (NoteDepth),
    .NoteWidth($bits(note_t)),
    .EnMask   (EnCbc & EnDecrypt)
  ) u_notes (
    .clk_i,
    .rst_ni,
    .clear_i,
    .push_i (issue_fire),
    .note_i (in_note),
    .mask_i (chain_q),
    .pop_i  (out_fire),
    .empty_o(notes_empty),
    .note_o (out_note),
    .mask_o (out_mask)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      newest_ctr_q      <= 1'b0;
      feedback_inside_q <= 1'b0;
    end else if (clear_i) begin
      newest_ctr_q      <= 1'b0;
      feedback_inside_q <= 1'b0;
    end else begin
      if (issue_fire) newest_ctr_q <= in_note.ctr;
      if (issue_fire) feedback_inside_q <= in_note.feedback;
      else if (out_fire & out_note.feedback) feedback_inside_q <= 1'b0;
    end
  end

  // --- Finish side ------------------------------------------------------------------------------

  logic [1:0] finished_q;  // jobs that ended well and whose `done` is not taken yet
  logic       finish_fire, done_fire, data_valid, context_valid;

  assign data_valid    = out_valid & !out_note.expand & (!out_note.ctr | src_valid_i) &
                         !(out_note.finish & (finished_q == 2'd3));
  assign context_valid = (state_q == StContext) & notes_empty & (finished_q != 2'd3);
  assign dst_valid_o   = data_valid | context_valid;
  assign out_ready     = out_note.expand | (data_valid & dst_ready_i);

  assign src_ready_o = (out_note.ctr & !notes_empty) ? data_valid & dst_ready_i
                                                     : issue_fire & (state_q == StRun) & !ctr_q;

  always_comb begin
    dst_o.kind = KindMessage;
    dst_o.keep = '1;
    dst_o.last = out_note.last;
    dst_o.data = out_block;
    if (out_note.ctr) begin
      dst_o.keep = src_i.keep;
      for (int i = 0; i < 16; i++) begin
        dst_o.data[8*i+:8] = (out_block[8*i+:8] ^ src_i.data[8*i+:8]) & {8{src_i.keep[i]}};
      end
    end else if (out_note.unchain) begin
      dst_o.data = out_block ^ out_mask;
    end
    if (context_valid) begin
      dst_o.kind = KindContext;
      dst_o.keep = '1;
      dst_o.last = 1'b1;
      dst_o.data = chain_q;
    end
  end

  assign context_fire = context_valid & dst_ready_i;
  assign finish_fire  = (out_fire & !out_note.expand & out_note.finish) | context_fire;

  // A job without data gives its `done` when all earlier ones have been taken.
  assign end_fire      = (state_q == StEnd) & notes_empty & (finished_q == '0) & done_ready_i;
  assign done_valid_o  = (finished_q != '0) | ((state_q == StEnd) & notes_empty);
  assign done_status_o = (finished_q == '0 && bad_q) ? StatusBadParam : StatusOk;
  assign done_fire     = (finished_q != '0) & done_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      finished_q <= '0;
    else if (clear_i) finished_q <= '0;
    else              finished_q <= finished_q + 2'(finish_fire) - 2'(done_fire);
  end

  // --- Issue side -------------------------------------------------------------------------------

  logic data_issue_fire, job_leaves, window_fire;

  assign data_issue_fire = issue_fire & (state_q == StRun);
  assign job_leaves      = data_issue_fire & issue_last & !ctx_save_q;
  assign window_fire     = EnDecrypt & out_fire & out_note.expand;

  assign job_ready_o = !clear_i & ((state_q == StIdle) | job_leaves);
  assign job_fire    = job_valid_i & job_ready_o;
  assign key_ready_o = !clear_i & ((state_q == StKey) |
                                   (job_leaves & job_fire & !job_bad & !job_empty));
  assign key_fire    = key_valid_i & key_ready_o;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    ;
      StKey:     if (key_valid_i) state_d = decrypt_q ? StExpand : StRun;
      StExpand:  if (issue_fire) state_d = StWindow;
      StWindow:  if (window_fire) state_d = StRun;
      StRun:     if (issue_fire & issue_last) state_d = ctx_save_q ? StContext : StIdle;
      StContext: if (context_fire) state_d = StIdle;
      StEnd:     if (end_fire) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    if (job_fire) begin
      if (job_bad)          state_d = StEnd;
      else if (job_empty)   state_d = job_i.ctx_save ? StContext : StEnd;
      else if (key_fire)    state_d = job_decrypt ? StExpand : StRun;
      else                  state_d = StKey;
    end
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StIdle;
      ctr_q      <= 1'b0;
      cbc_q      <= 1'b0;
      decrypt_q  <= 1'b0;
      ctx_save_q <= 1'b0;
      bad_q      <= 1'b0;
      key_len_q  <= '0;
      left_q     <= '0;
    end else begin
      state_q <= state_d;
      if (job_fire) begin
        ctr_q      <= job_ctr;
        cbc_q      <= job_cbc;
        decrypt_q  <= job_decrypt;
        ctx_save_q <= job_i.ctx_save;
        bad_q      <= job_bad;
        key_len_q  <= job_i.key_len;
        left_q     <= job_i.msg_len[31:4] - 28'(job_i.msg_len[3:0] == '0);
      end else if (data_issue_fire) begin
        left_q     <= left_q - 28'd1;
      end
    end
  end

  // The counter block is big-endian: byte 15, the last, counts fastest.
  function automatic logic [127:0] count_up(logic [127:0] block);
    logic [127:0] n;
    for (int i = 0; i < 16; i++) n[8*(15-i)+:8] = block[8*i+:8];
    n++;
    for (int i = 0; i < 16; i++) count_up[8*(15-i)+:8] = n[8*i+:8];
  endfunction

  always_comb begin
    chain_d = chain_now;
    if (data_issue_fire & ctr_q)             chain_d = count_up(chain_q);
    if (data_issue_fire & cbc_q & decrypt_q) chain_d = src_i.data;
    if (job_fire)                            chain_d = job_i.iv;
    else if (state_d == StIdle)              chain_d = '0;
  end

  // No reset: both are zero one cycle after the engine has become idle.
  always_ff @(posedge clk_i) begin
    chain_q <= chain_d;
    if (key_fire)                             key_q <= key_i & KeyBuilt;
    else if (job_leaves || state_d == StIdle) key_q <= '0;
    else if (window_fire)                     key_q <= out_key;
  end

endmodule
