// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES on the engine port: ECB, CBC and CTR over one of three cores.
//
// The issue side takes jobs and keys and offers blocks to the core; the finish side takes blocks
// from the core and drives `dst`. A FIFO with metadata of each block in the core links them.
//
//   - ECB and CBC take the `src` beat when the block enters the core. CTR computes its keystream
//     ahead of the data and takes the `src` beat when the keystream block leaves the core, in the
//     cycle of the `dst` beat. An ECB or CBC decryption job first expands the key.
//   - The next job and its key are accepted in the cycle in which the last block of a job enters
//     the core (with ctx_save: after the context beat), so that the core has no idle cycle between
//     jobs. An idle engine takes the key one cycle after the job at the earliest.
//   - Bad parameters: a mode, direction or key length that is not built; in ECB and CBC a length
//     that is no multiple of 16 bytes. aad_len and is_final are ignored.
//   - No latency depends on data or keys. Keys and chaining values are wiped after the job, by
//     clear and after reset.
//
// Protection (ImplIterative only):
//
//   ProtectCorrect  all registers are triplicated: an upset changes nothing but the status
//   ProtectDetect   control is triplicated, data held twice. An upset of data ends the job: no more
//                   `dst` beats, all data is wiped, key and remaining `src` beats are taken and
//                   dropped, and `done` has StatusFaultDetected. dst_valid may fall without a
//                   handshake. A job is accepted only after `done` of the one before
module cry_aes_engine
  import cry_protect_pkg::*;
#(
  parameter cry_aes_pkg::impl_e Impl      = cry_aes_pkg::ImplIterative,  // AES core
  parameter bit                 EnDecrypt = 1'b1,  // build ECB and CBC decryption
  parameter bit                 EnKey192  = 1'b1,  // build 192-bit keys beside 128 bits
  parameter bit                 EnKey256  = 1'b1,  // build 256-bit keys beside 128 bits
  parameter bit                 EnEcb     = 1'b1,  // build ECB
  parameter bit                 EnCbc     = 1'b1,  // build CBC
  parameter bit                 EnCtr     = 1'b1,  // build CTR; it needs no inverse cipher
  parameter protect_e           Protect   = ProtectNone  // level of protection
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  cry_engine_pkg::engine_req_t req_i,  // from the shell
  output cry_engine_pkg::engine_rsp_t rsp_o   // to the shell
);

  import cry_aes_pkg::*;
  import cry_engine_pkg::*;

  localparam int unsigned NoteDepth = (Impl == ImplPipelined) ? 16 : 1;
  localparam logic [255:0] KeyBuilt =
      {{64{EnKey256}}, {64{EnKey256 | EnKey192}}, {128{1'b1}}};

  localparam bit       Detect  = Protect == ProtectDetect;
  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  if (Protect != ProtectNone && Impl != ImplIterative) begin : gen_unprotected
    $error("only the iterative core can be protected");
  end

  typedef enum logic [2:0] {
    StIdle,
    StKey,      // waits for the key
    StExpand,   // offers the key to the core for expansion
    StWindow,   // waits for the expanded key
    StRun,      // offers blocks to the core
    StContext,  // waits for the last block, then issues the context beat
    StEnd,      // waits for the last block, then issues `done` of a job without data
    StFault     // takes and drops the rest of the failed job's inputs, then issues its `done`
  } state_e;

  // Metadata of a block inside the core, for the finish side.
  typedef struct packed {
    logic expand;    // not a block, but an expanded key
    logic ctr;
    logic unchain;   // CBC decryption: add the chaining value in `mask`
    logic feedback;  // the output is the issue side's next chaining value
    logic last;      // last block of its job's message
    logic finish;    // ... and the job ends with it
    logic saved;     // not a block, but the context beat, which is in the mask
  } note_t;

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

  // Inputs without a meaning here; the length determines the framing.
  logic unused_inputs;
  assign unused_inputs = ^{job_i.is_final, job_i.aad_len, job_i.ctx_load, job_i.iv_len,
                           job_i.key_bytes, job_i.out_len, src_i.last, src_i.kind};

  // --- Job ------------------------------------------------------------------------------------

  state_e        state_q, state_d;
  logic          ctr_q, cbc_q, decrypt_q, ctx_save_q, bad_q;
  logic [1:0]    key_len_q;
  logic [255:0]  key_q;
  logic [127:0]  chain_q, chain_d;

  logic          job_ctr, job_cbc, job_decrypt, job_bad, job_empty;
  logic          job_fire, key_fire, issue_fire, issue_last;
  logic          context_push, context_fire, end_fire;

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

  // --- Core and metadata ------------------------------------------------------------------------

  logic          in_valid, in_ready, out_valid, out_ready, out_fire, feedback_fire;
  op_e           in_op;
  logic [127:0]  in_block, out_block;
  logic [255:0]  out_key;
  note_t         in_note, out_note;
  logic [127:0]  out_mask;
  logic          notes_empty, newest_ctr_q, ctr_inside, feedback_inside_q;

  // Protection. A fault wipes as clear_i does, but leaves the job to be ended.
  logic          core_corrected, core_detected, notes_corrected, notes_detected;
  logic [7:0]    corrected, detected;
  logic          owed_corrected, corrected_now, fault_now, fault_end, wipe;
  logic          key_due, src_due;  // inputs that a job ended by a fault has not taken yet

  assign wipe = clear_i | fault_now;

  assign out_fire      = out_valid & out_ready;
  assign feedback_fire = out_fire & out_note.feedback;
  assign ctr_inside    = EnCtr & newest_ctr_q & !notes_empty;

  always_comb begin
    in_note          = '0;
    in_note.expand   = EnDecrypt & (state_q == StExpand);
    in_note.ctr      = ctr_q & (state_q != StContext);
    in_note.unchain  = cbc_q & decrypt_q;
    in_note.last     = issue_last;
    in_note.finish   = issue_last & !ctx_save_q;
    in_note.feedback = cbc_q & !decrypt_q & !in_note.finish;
    in_note.saved    = state_q == StContext;
  end

  // `src` belongs to the oldest block that needs it: data blocks wait for all keystream blocks.
  always_comb begin
    in_valid = 1'b0;
    if (state_q == StExpand) begin
      in_valid = 1'b1;
    end else if (state_q == StRun) begin
      in_valid = ctr_q | (src_valid_i & !ctr_inside &
                          (!feedback_inside_q | feedback_fire));
    end
  end

  always_comb begin
    in_op = OpEncrypt;
    if (in_note.expand) in_op = OpExpand;
    else if (decrypt_q) in_op = OpDecrypt;
  end

  // CBC encryption adds the block before: from the core if it leaves right now, else from chain_q.
  logic use_src, use_chain, use_out;
  assign use_src       = !ctr_q;
  assign use_out       = cbc_q & !decrypt_q & feedback_fire;
  assign use_chain     = ctr_q | (cbc_q & !decrypt_q & !feedback_fire);
  assign in_block      = ({128{use_src}} & src_i.data) ^ ({128{use_chain}} & chain_q) ^
                         ({128{use_out}} & out_block);

  assign issue_fire = in_valid & in_ready;

  if (Impl == ImplSerial) begin : gen_serial
    cry_aes_core_serial #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op), .in_key_len_i(key_len_q),
      .in_key_i(key_q), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key)
    );
    assign core_corrected = 1'b0;
    assign core_detected  = 1'b0;
  end else if (Impl == ImplIterative) begin : gen_iterative
    cry_aes_core_iterative #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256), .Protect(Protect)
    ) u_core (
      .clk_i, .rst_ni, .clear_i(wipe),
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op), .in_key_len_i(key_len_q),
      .in_key_i(key_q), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key),
      .corrected_o(core_corrected), .detected_o(core_detected)
    );
  end else begin : gen_pipelined
    cry_aes_core_pipelined #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op), .in_key_len_i(key_len_q),
      .in_key_i(key_q), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key)
    );
    assign core_corrected = 1'b0;
    assign core_detected  = 1'b0;
  end

  cry_aes_notes #(
    .Depth    (NoteDepth),
    .NoteWidth($bits(note_t)),
    .EnMask   (EnCbc & EnDecrypt),
    .Protect  (Protect)
  ) u_notes (
    .clk_i,
    .rst_ni,
    .clear_i(wipe),
    .push_i (issue_fire | context_push),
    .note_i (in_note),
    .mask_i (chain_q),
    .pop_i  (out_fire | context_fire),
    .empty_o(notes_empty),
    .note_o (out_note),
    .mask_o (out_mask),
    .corrected_o(notes_corrected),
    .detected_o (notes_detected)
  );

  cry_reg_tmr #(.Width(1), .Protect(Control)) u_newest_ctr (
    .clk_i, .rst_ni, .en_i(wipe | issue_fire), .d_i(!wipe & in_note.ctr), .inject_i(1'b0),
    .q_o(newest_ctr_q), .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_tmr #(.Width(1), .Protect(Control)) u_feedback_inside (
    .clk_i, .rst_ni, .en_i(wipe | issue_fire | feedback_fire),
    .d_i(!wipe & issue_fire & in_note.feedback), .inject_i(1'b0),
    .q_o(feedback_inside_q), .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  // --- Finish side ------------------------------------------------------------------------------

  logic [1:0] finished_q;  // jobs that ended well and whose `done` is not taken yet
  logic       finish_fire, done_fire, data_valid, context_valid, finished_corrected;

  assign data_valid    = out_valid & !fault_now & !(Detect & notes_empty) & !out_note.expand &
                         (!out_note.ctr | src_valid_i) &
                         !(out_note.finish & (finished_q == 2'd3));
  assign context_push  = (state_q == StContext) & notes_empty;
  assign context_valid = out_note.saved & !fault_now & !notes_empty & (finished_q != 2'd3);
  assign dst_valid_o   = data_valid | context_valid;
  assign out_ready     = out_note.expand | (data_valid & dst_ready_i);

  logic data_ready;
  assign data_ready  = (out_note.ctr & !notes_empty) ? data_valid & dst_ready_i
                                                     : issue_fire & (state_q == StRun) & !ctr_q;
  assign src_ready_o = data_ready | src_due;

  // Bytes of CTR that are not kept are zero: no keystream leaves the engine.
  logic        is_saved, use_mask;
  logic [15:0] take_out, take_src;
  assign is_saved = out_note.saved;
  assign use_mask   = is_saved | out_note.unchain;
  // An entry never has both flags; without a fault nothing depends on it.
  assign take_src   = {16{EnCtr & out_note.ctr & !(Detect & is_saved)}} & src_i.keep;
  assign take_out   = {16{!is_saved & !out_note.ctr}} | take_src;

  always_comb begin
    dst_o.kind = is_saved ? KindContext : KindMessage;
    dst_o.keep = out_note.ctr ? src_i.keep : '1;
    dst_o.last = is_saved | out_note.last;
    for (int i = 0; i < 16; i++) begin
      dst_o.data[8*i+:8] = ({8{take_out[i]}} & out_block[8*i+:8]) ^
                           ({8{take_src[i]}} & src_i.data[8*i+:8]) ^
                           ({8{use_mask}} & out_mask[8*i+:8]);
    end
  end

  assign context_fire = context_valid & dst_ready_i;
  assign finish_fire  = (out_fire & !out_note.expand & out_note.finish) | context_fire;

  // A job without data issues its `done` when all earlier ones have been taken.
  assign end_fire      = (state_q == StEnd) & notes_empty & (finished_q == '0) & done_ready_i;
  assign fault_end     = Detect & (state_q == StFault) & !key_due & !src_due;
  assign done_valid_o  = (finished_q != '0) | ((state_q == StEnd) & notes_empty) | fault_end;
  assign done_fire     = (finished_q != '0) & done_ready_i;

  always_comb begin
    done_status_o = StatusOk;
    if (finished_corrected)              done_status_o = StatusFaultCorrected;
    else if (finished_q == '0 && bad_q)  done_status_o = StatusBadParam;
    if (fault_end)                       done_status_o = StatusFaultDetected;
  end

  logic [1:0] finished_d;
  assign finished_d = clear_i ? '0 : finished_q + 2'(finish_fire) - 2'(done_fire);
  cry_reg_tmr #(.Width(2), .Protect(Control)) u_finished (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(finished_d), .inject_i(1'b0),
    .q_o(finished_q), .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  // --- Issue side -------------------------------------------------------------------------------

  logic data_issue_fire, job_leaves, window_fire;

  assign data_issue_fire = issue_fire & (state_q == StRun);
  assign job_leaves      = data_issue_fire & issue_last & !ctx_save_q;
  assign window_fire     = EnDecrypt & out_fire & out_note.expand;

  logic quiet;  // no job is under way
  assign quiet       = (state_q == StIdle) & notes_empty & (finished_q == '0);

  assign job_ready_o = !clear_i & (Detect ? quiet : (state_q == StIdle) | job_leaves);
  assign job_fire    = job_valid_i & job_ready_o;
  assign key_ready_o = !clear_i & ((state_q == StKey) | key_due |
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
      default:   if (!Detect | (fault_end & done_ready_i)) state_d = StIdle;
    endcase
    if (job_fire) begin
      if (job_bad)          state_d = StEnd;
      else if (job_empty)   state_d = job_i.ctx_save ? StContext : StEnd;
      else if (key_fire)    state_d = job_decrypt ? StExpand : StRun;
      else                  state_d = StKey;
    end
    if (Detect & fault_now) state_d = StFault;
    if (clear_i) state_d = StIdle;
  end

  logic [2:0] state_bits;
  assign state_q = state_e'(state_bits);
  cry_fsm_protected #(.Width(3), .ResVal(StIdle), .Protect(Control)) u_state (
    .clk_i, .rst_ni, .state_d_i(state_d), .inject_i(1'b0),
    .state_o(state_bits), .corrected_o(corrected[3]), .detected_o(detected[3])
  );
  cry_reg_tmr #(.Width(7), .Protect(Control)) u_job (
    .clk_i, .rst_ni, .en_i(job_fire),
    .d_i({job_ctr, job_cbc, job_decrypt, job_i.ctx_save, job_bad, job_i.key_len}), .inject_i(1'b0),
    .q_o({ctr_q, cbc_q, decrypt_q, ctx_save_q, bad_q, key_len_q}),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  // The last block. The keystream of CTR runs ahead of the data, so blocks are counted: up, from
  // the complement of the full blocks, because that is cheaper than down. Without CTR: src_i.last.
  if (EnCtr) begin : gen_count
    logic [27:0] count_q, count_d;
    logic        partial_q, partial_d;  // a partial block follows the full ones
    assign count_d   = job_fire ? ~job_i.msg_len[31:4] : count_q + 28'd1;
    assign partial_d = job_fire ? job_i.msg_len[3:0] != '0 : partial_q;
    cry_reg_tmr #(.Width(29), .Protect(Control)) u_count (
      .clk_i, .rst_ni, .en_i(job_fire | data_issue_fire), .d_i({partial_d, count_d}),
      .inject_i(1'b0), .q_o({partial_q, count_q}),
      .corrected_o(corrected[5]), .detected_o(detected[5])
    );
    assign issue_last = (&count_q[27:1]) & (count_q[0] | !partial_q);
  end else begin : gen_framing
    assign issue_last = src_i.last;
    assign corrected[5] = 1'b0;
    assign detected[5]  = 1'b0;
  end

  // The counter block is big-endian: byte 15, the last, counts fastest. It counts in words of 16
  // bits, each of which is loaded when all lower ones are full: short carries.
  logic [7:0][15:0] counter, counted;
  logic [7:0]       word_full, word_steps;
  always_comb begin
    for (int i = 0; i < 16; i++) counter[(15-i)/2][8*((15-i)%2)+:8] = chain_q[8*i+:8];
    for (int w = 0; w < 8; w++) begin
      counted[w]   = counter[w] + 16'd1;
      word_full[w] = &counter[w];
    end
    word_steps[0] = 1'b1;
    for (int w = 1; w < 8; w++) word_steps[w] = &(word_full | (8'hFF << w));
  end

  // Chaining value: the IV, then the next counter, the last ciphertext taken (CBC decryption) or
  // issued (CBC encryption).
  logic         chain_given, chain_last;  // two select bits of one multiplexer
  logic         chain_load, chain_wipe;
  logic [15:0]  chain_steps;              // bytes that count
  logic [127:0] counted_block;
  assign chain_given = !job_fire & !(EnCtr & ctr_q);
  assign chain_last  = !job_fire & !(EnDecrypt & decrypt_q);
  always_comb begin
    for (int i = 0; i < 16; i++) begin
      counted_block[8*i+:8] = counted[(15-i)/2][8*((15-i)%2)+:8];
      chain_steps[i]        = word_steps[(15-i)/2] | job_fire | !ctr_q;
    end
    chain_d = chain_given ? (chain_last ? out_block : src_i.data)
                          : (chain_last ? counted_block : job_i.iv);
    if (job_fire)   chain_load = 1'b1;
    else if (ctr_q) chain_load = data_issue_fire;
    else            chain_load = decrypt_q ? data_issue_fire & cbc_q : feedback_fire;
  end
  // No data is held between jobs, after a fault or in a job without data: no fault check there.
  logic resting;
  assign resting    = (state_d == StIdle) |
                      (Detect & ((state_d == StFault) | (state_q == StEnd)));
  assign chain_wipe = !job_fire & resting;

  // No reset: both are zero one cycle after the engine has become idle.
  logic [127:0] chain_next;
  always_comb begin
    for (int i = 0; i < 16; i++) begin
      if (chain_wipe)                        chain_next[8*i+:8] = '0;
      else if (chain_load & chain_steps[i])  chain_next[8*i+:8] = chain_d[8*i+:8];
      else                                   chain_next[8*i+:8] = chain_q[8*i+:8];
    end
  end
  cry_reg_tmr #(.Width(128), .EnReset(1'b0), .Protect(Protect)) u_chain (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(chain_next), .inject_i(1'b0), .q_o(chain_q),
    .corrected_o(corrected[7]), .detected_o(detected[7])
  );

  logic key_wipe, key_take;
  assign key_take = key_fire & !key_due;
  assign key_wipe = !key_take & (job_leaves | resting);
  cry_reg_tmr #(.Width(256), .EnReset(1'b0), .Protect(Protect)) u_key (
    .clk_i, .rst_ni, .en_i(key_wipe | key_take | window_fire),
    .d_i(key_wipe ? '0 : (key_take ? key_i : out_key) & KeyBuilt), .inject_i(1'b0),
    .q_o(key_q), .corrected_o(corrected[6]), .detected_o(detected[6])
  );

  // --- Faults -----------------------------------------------------------------------------------

  // Data has no reset, so its copies may differ until the first clock has wiped it.
  if (Protect != ProtectNone) begin : gen_faults
    logic       settled_q, noted_q, noted_d;  // noted: something was corrected in this job
    logic [2:0] marks_q, marks_d;             // corrected: of each finished job, oldest first
    logic [2:0] differ, unused_detected;      // here, as all of control, it is always corrected

    cry_reg_tmr #(.Width(1), .Protect(Control)) u_settled (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(1'b1), .inject_i(1'b0), .q_o(settled_q),
      .corrected_o(differ[0]), .detected_o(unused_detected[0])
    );
    assign corrected_now = settled_q & (core_corrected | notes_corrected | (|corrected) |
                                        owed_corrected | (|differ));

    assign noted_d = (noted_q | corrected_now) & !finish_fire & !clear_i &
                     ((state_q != StIdle) | !notes_empty);
    cry_reg_tmr #(.Width(1), .Protect(Control)) u_noted (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(noted_d), .inject_i(1'b0), .q_o(noted_q),
      .corrected_o(differ[1]), .detected_o(unused_detected[1])
    );

    always_comb begin
      marks_d = done_fire ? marks_q >> 1 : marks_q;
      if (finish_fire) marks_d[finished_q-2'(done_fire)] = noted_q | corrected_now;
    end
    cry_reg_tmr #(.Width(3), .Protect(Control)) u_marks (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(marks_d), .inject_i(1'b0), .q_o(marks_q),
      .corrected_o(differ[2]), .detected_o(unused_detected[2])
    );
    assign finished_corrected = (finished_q != '0) & marks_q[0];
  end else begin : gen_no_faults
    logic unused_corrected;
    assign unused_corrected   = ^{corrected, core_corrected, notes_corrected, owed_corrected};
    assign corrected_now      = 1'b0;
    assign finished_corrected = 1'b0;
  end

  if (Detect) begin : gen_detect
    logic       held_wrong, key_owed_q, key_owed_d, src_owed_q, src_owed_d;
    logic       unused_detected;

    // Nothing uses the key and the chaining value between jobs, where both are wiped all the time,
    // nor in a job without data, whose `done` may be taken in this very cycle.
    assign held_wrong = |detected;
    assign fault_now  = core_detected | (notes_detected & !notes_empty) |
                        (held_wrong & (state_q != StIdle) & (state_q != StEnd) &
                         (state_q != StFault));

    assign key_owed_d = job_fire ? !job_bad & !job_empty : key_owed_q & !key_fire;
    assign src_owed_d = job_fire ? !job_bad & !job_empty
                                 : src_owed_q & !(src_valid_i & src_ready_o & src_i.last);
    cry_reg_tmr #(.Width(2), .Protect(Control)) u_owed (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i({key_owed_d & !clear_i, src_owed_d & !clear_i}),
      .inject_i(1'b0), .q_o({key_owed_q, src_owed_q}),
      .corrected_o(owed_corrected), .detected_o(unused_detected)
    );
    assign key_due = (state_q == StFault) & key_owed_q;
    assign src_due = (state_q == StFault) & src_owed_q;
  end else begin : gen_no_detect
    logic unused_detected;
    assign unused_detected = ^{detected, core_detected, notes_detected, quiet};
    assign fault_now      = 1'b0;
    assign owed_corrected = 1'b0;
    assign key_due        = 1'b0;
    assign src_due        = 1'b0;
  end

  assign fault_corrected_o = corrected_now;
  assign fault_detected_o  = fault_now;

endmodule
