// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Mode sequencer of the AES engine of all modes: the engine port on one side, the port of an AES
// core (cry_aes_core_iterative, cry_aes_core_pipelined) on the other.
//
//   - Blocks return in order, after any number of cycles; at most 16 (pipelined core) or one are in
//     flight. After clear the core must return no earlier block.
//   - With feedback (CBC, CMAC, CCM) the next block is offered in the cycle in which one returns:
//     core_in_valid_o depends on core_out_valid_i; it does not depend on core_in_ready_i, nor does
//     core_out_ready_o. CCM needs a block to be accepted in such a cycle, unless Shared.
//   - At ProtectDetect core_clear_o clears the core after an upset, too. core_corrected_i and
//     core_detected_i are low at ProtectNone.
module cry_aes_modes_sequencer
  import cry_protect_pkg::*;
#(
  parameter cry_aes_pkg::impl_e Impl      = cry_aes_pkg::ImplIterative,  // kind of core at the port
  // As of cry_aes_modes_engine
  parameter bit                 EnDecrypt = 1'b1,
  parameter bit                 EnKey192  = 1'b1,
  parameter bit                 EnKey256  = 1'b1,
  parameter bit                 EnGcm     = 1'b1,
  parameter bit                 EnCcm     = 1'b1,
  parameter bit                 EnCmac    = 1'b1,
  parameter bit                 EnXts     = 1'b1,
  // Others use the core too: it may refuse a block at any time
  parameter bit                 Shared    = 1'b0,
  // Pipelined core: blocks in flight, a power of two from 4; 16 keep it busy
  parameter int unsigned        NoteDepth = (Impl == cry_aes_pkg::ImplPipelined) ? 16 : 1,
  // Pipelined core: 2 or 4
  parameter int unsigned        Jobs      = (Impl == cry_aes_pkg::ImplPipelined) ? 4 : 1,
  // Level of protection; other than ProtectNone needs an iterative core, not Shared
  parameter protect_e           Protect   = ProtectNone
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  cry_engine_pkg::engine_req_t req_i,  // from the shell
  output cry_engine_pkg::engine_rsp_t rsp_o,  // to the shell

  // Block or key to the core
  output logic                        core_in_valid_o,
  input  logic                        core_in_ready_i,
  output cry_aes_pkg::op_e            core_in_op_o,
  output logic [1:0]                  core_in_key_len_o,  // key_len_e
  output logic [255:0]                core_in_key_o,      // key or expanded key
  output logic [127:0]                core_in_block_o,
  // Block or expanded key from the core
  input  logic                        core_out_valid_i,
  output logic                        core_out_ready_o,
  input  logic [127:0]                core_out_block_i,
  input  logic [255:0]                core_out_key_i,  // last window of the key schedule
  // Core
  output logic                        core_clear_o,      // drops all blocks and wipes
  input  logic                        core_corrected_i,  // an upset was corrected
  input  logic                        core_detected_i    // a block in work is wrong
);

  import cry_aes_modes_pkg::*;
  import cry_engine_pkg::*;
  import cry_aes_pkg::impl_e;
  import cry_aes_pkg::ImplIterative;
  import cry_aes_pkg::ImplPipelined;
  import cry_aes_pkg::op_e;

  localparam bit          Pipelined  = Impl == ImplPipelined;
  localparam int unsigned IndexWidth = (Jobs > 1) ? $clog2(Jobs) : 1;
  localparam logic [255:0] KeyBuilt =
      {{64{EnKey256}}, {64{EnKey256 | EnKey192}}, {128{1'b1}}};

  if (Impl != ImplIterative && Impl != ImplPipelined) begin : gen_no_core
    $error("the core must be iterative or pipelined");
  end
  if (Protect != ProtectNone && (Pipelined || Shared)) begin : gen_unprotected
    $error("only what stands before an iterative core of its own can be protected");
  end

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

  logic [4:0] detected;
  logic [5:0] corrected;
  logic       corrected_now, wipe;

  // --- Jobs -------------------------------------------------------------------------------------

  record_t               new_record, head_record, head_record_next;
  ctl_t                  prepare_ctl;
  logic                  new_valid, new_ready, new_needs_key, jobs_empty;
  logic [127:0]          new_chain, head_chain, head_chain_next, prepare_chain;
  logic [255:0]          head_key, prepare_key;
  logic                  head_valid, head_leave, prepare_valid;
  logic [IndexWidth-1:0] prepare_index;
  logic                  key_load, wait_key, wait_tweak, prepare_done, prepare_refused;

  // Notes
  logic                  notes_push, notes_pop, notes_full, notes_empty;
  note_t                 in_note, out_note;
  logic [127:0]          in_payload, out_payload;
  logic [IndexWidth-1:0] out_index;

  cry_aes_modes_check #(
    .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256),
    .EnGcm(EnGcm), .EnCcm(EnCcm), .EnCmac(EnCmac), .EnXts(EnXts)
  ) u_check (
    .job_i,
    .record_o   (new_record),
    .needs_key_o(new_needs_key),
    .chain_o    (new_chain)
  );

  cry_aes_modes_jobs #(
    .Jobs(Jobs), .IndexWidth(IndexWidth), .KeyBuilt(KeyBuilt), .Protect(Protect)
  ) u_jobs (
    .clk_i, .rst_ni, .clear_i(wipe),
    .new_valid_i         (new_valid),
    .new_ready_o         (new_ready),
    .new_record_i        (new_record),
    .new_needs_key_i     (new_needs_key),
    .new_chain_i         (new_chain),
    .prepare_valid_o     (prepare_valid),
    .prepare_index_o     (prepare_index),
    .prepare_ctl_o       (prepare_ctl),
    .prepare_key_o       (prepare_key),
    .prepare_chain_o     (prepare_chain),
    .prepare_key_load_i  (key_load),
    .prepare_key_i       (key_i),
    .prepare_wait_key_i  (wait_key),
    .prepare_wait_tweak_i(wait_tweak),
    .prepare_done_i      (prepare_done),
    .prepare_refused_i   (prepare_refused),
    .back_index_i        (out_index),
    .back_key_valid_i    (notes_pop & out_note.to_key),
    .back_key_i          (core_out_key_i),
    .back_tweak_valid_i  (notes_pop & out_note.to_tweak),
    .back_tweak_i        (core_out_block_i),
    .head_valid_o        (head_valid),
    .head_record_o       (head_record),
    .head_key_o          (head_key),
    .head_chain_o        (head_chain),
    .head_record_i       (head_record_next),
    .head_chain_i        (head_chain_next),
    .head_leave_i        (head_leave),
    .empty_o             (jobs_empty),
    .corrected_o         (corrected[0]),
    .detected_o          (detected[0])
  );

  // --- Preparation ------------------------------------------------------------------------------

  op_e          prepare_op;
  logic         prepare_new_key;
  logic [127:0] prepare_block;
  note_t        prepare_note;
  logic         prepare_want, prepare_go, prepare_key_ready;

  // XTS needs two different keys: FIPS 140-3 IG C.I. They are compared as a whole, in one cycle.
  logic [255:0] key_bits;
  logic         keys_differ;
  assign key_bits    = (prepare_ctl.key_len == cry_engine_pkg::KeyLen128) ? 256'({128{1'b1}}) : '1;
  assign keys_differ = |((prepare_key ^ key_i) & key_bits & KeyBuilt);

  cry_aes_modes_prepare #(
    .Protect(Protect)
  ) u_prepare (
    .clk_i, .rst_ni, .clear_i(wipe),
    .valid_i     (prepare_valid),
    .ctl_i       (prepare_ctl),
    .chain_i     (prepare_chain),
    .key_valid_i,
    .key_ready_o (prepare_key_ready),
    .equal_i     (!keys_differ),
    .key_load_o  (key_load),
    .wait_key_o  (wait_key),
    .wait_tweak_o(wait_tweak),
    .done_o      (prepare_done),
    .refused_o   (prepare_refused),
    .want_o      (prepare_want),
    .grant_i     (prepare_go & core_in_ready_i & !notes_full),
    .op_o        (prepare_op),
    .new_key_o   (prepare_new_key),
    .block_o     (prepare_block),
    .note_o      (prepare_note),
    .corrected_o (corrected[1]),
    .detected_o  (detected[1])
  );

  // --- Issue side -------------------------------------------------------------------------------

  logic         issue_want_core, issue_want_note, mac_ready;
  op_e          issue_op;
  logic [127:0] issue_block, issue_payload;
  note_t        issue_note;
  logic         issue_src_ready, finish_src_ready;
  logic         issue_may, new_block, kept, keep_ready;
  logic [127:0] kept_block;
  logic         quiet, src_free, feedback, to_chain, due, stream;
  logic [127:0] aux, y, src_data, save_data;
  logic         load_y, load_aux, take_y, save_valid, save_ready, save_last, save_y, save_aux;

  assign src_data = src_i.data & byte_mask(src_i.keep);

  // Sections of `src` have a fixed order: src_i.kind is not needed.
  logic unused_kind;
  assign unused_kind = ^src_i.kind;

  cry_aes_modes_issue #(
    .Protect(Protect)
  ) u_issue (
    .clk_i, .rst_ni, .clear_i(wipe),
    .valid_i     (head_valid),
    .record_i    (head_record),
    .chain_i     (head_chain),
    .record_o    (head_record_next),
    .chain_o     (head_chain_next),
    .leave_o     (head_leave),
    .src_valid_i,
    .src_ready_o (issue_src_ready),
    .src_data_i  (src_data),
    .src_keep_i  (src_i.keep),
    .src_last_i  (src_i.last),
    .quiet_i     (quiet),
    .src_free_i  (src_free),
    .feedback_i  (feedback),
    .to_chain_i  (to_chain),
    .due_i       (due),
    .stream_i    (stream),
    .out_block_i (core_out_block_i),
    .aux_i       (aux),
    .y_i         (y),
    .mac_ready_o (mac_ready),
    .load_y_o    (load_y),
    .load_aux_o  (load_aux),
    .take_y_o    (take_y),
    .save_valid_o(save_valid),
    .save_ready_i(save_ready),
    .save_y_o    (save_y),
    .save_aux_o  (save_aux),
    .save_data_o (save_data),
    .save_last_o (save_last),
    .want_core_o (issue_want_core),
    .core_grant_i(issue_may & (core_in_ready_i | keep_ready)),
    .want_note_o (issue_want_note),
    .note_grant_i(issue_may),
    .op_o        (issue_op),
    .block_o     (issue_block),
    .note_o      (issue_note),
    .payload_o   (issue_payload),
    .corrected_o (corrected[2]),
    .detected_o  (detected[2])
  );

  // --- The core's port and notes ----------------------------------------------------------------

  // Preparation goes first, except when a block must enter in the cycle in which another leaves.
  assign prepare_go        = prepare_want & !mac_ready & !kept;
  assign issue_may         = !prepare_go & !kept & !notes_full;
  assign new_block         = (prepare_go | issue_want_core) & !kept & !notes_full;
  assign core_in_valid_o   = new_block | kept;
  assign core_in_op_o      = prepare_go ? prepare_op : issue_op;
  assign core_in_key_len_o = prepare_go ? prepare_ctl.key_len : head_record.ctl.key_len;
  assign core_in_key_o     = (prepare_go & prepare_new_key) ? key_i :
                             prepare_go ? prepare_key : head_key;
  assign core_in_block_o   = prepare_go ? prepare_block : kept ? kept_block : issue_block;

  assign in_note    = prepare_go ? prepare_note : issue_note;
  assign in_payload = prepare_go ? '0 : issue_payload;
  assign notes_push = (new_block & (core_in_ready_i | keep_ready)) | (issue_want_note & issue_may);

  // CCM's keystream leaves in the cycle in which the MAC's block is computed from it: if a shared
  // core does not accept that block at once, it is stored here. Its job is still the oldest.
  if (Shared && EnCcm) begin : gen_keep
    logic         kept_q, kept_d, keep;
    logic [127:0] kept_block_q, kept_block_d;
    assign keep         = issue_want_core & issue_may & mac_ready & !core_in_ready_i & !wipe;
    assign kept_d       = keep | (kept_q & !core_in_ready_i & !wipe);
    assign kept_block_d = ({128{keep}} & issue_block) |
                          ({128{kept_q & !core_in_ready_i & !wipe}} & kept_block_q);
    assign kept         = kept_q;
    assign kept_block   = kept_block_q;
    assign keep_ready   = mac_ready;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) kept_q <= 1'b0;
      else         kept_q <= kept_d;
    end
    always_ff @(posedge clk_i) kept_block_q <= kept_block_d;
  end else begin : gen_no_keep
    assign kept       = 1'b0;
    assign kept_block = '0;
    assign keep_ready = 1'b0;
  end

  cry_aes_modes_notes #(
    .Depth(NoteDepth), .IndexWidth(IndexWidth), .Protect(Protect)
  ) u_notes (
    .clk_i, .rst_ni, .clear_i(wipe),
    .push_i     (notes_push),
    .note_i     (in_note),
    .index_i    (prepare_index),
    .payload_i  (in_payload),
    .pop_i      (notes_pop),
    .full_o     (notes_full),
    .empty_o    (notes_empty),
    .note_o     (out_note),
    .index_o    (out_index),
    .payload_o  (out_payload),
    .corrected_o(corrected[3]),
    .detected_o (detected[3])
  );

  // --- Finish side ------------------------------------------------------------------------------

  logic                finish_dst_valid, finish_done_valid;
  cry_engine_pkg::status_e finish_status;

  cry_aes_modes_finish #(
    .EnGcm(EnGcm), .OneCycle(Pipelined), .NoteDepth(NoteDepth), .Protect(Protect)
  ) u_finish (
    .clk_i, .rst_ni, .clear_i(wipe),
    .resting_i   (jobs_empty & notes_empty & quiet),
    .corrected_i (corrected_now),
    .push_taker_i(notes_push & in_note.takes),
    .empty_i     (notes_empty),
    .note_i      (out_note),
    .payload_i   (out_payload),
    .pop_o       (notes_pop),
    .out_valid_i (core_out_valid_i),
    .out_ready_o (core_out_ready_o),
    .out_block_i (core_out_block_i),
    .src_valid_i,
    .src_ready_o (finish_src_ready),
    .src_data_i  (src_data),
    .src_keep_i  (src_i.keep),
    .src_last_i  (src_i.last),
    .dst_valid_o (finish_dst_valid),
    .dst_ready_i,
    .dst_o,
    .done_valid_o(finish_done_valid),
    .done_ready_i,
    .done_status_o(finish_status),
    .quiet_o     (quiet),
    .src_free_o  (src_free),
    .feedback_o  (feedback),
    .to_chain_o  (to_chain),
    .due_o       (due),
    .stream_o    (stream),
    .mac_ready_i (mac_ready),
    .aux_o       (aux),
    .y_o         (y),
    .load_y_i    (load_y),
    .load_aux_i  (load_aux),
    .take_y_i    (take_y),
    .save_valid_i(save_valid),
    .save_ready_o(save_ready),
    .save_y_i    (save_y),
    .save_aux_i  (save_aux),
    .save_data_i (save_data),
    .save_last_i (save_last),
    .corrected_o (corrected[4]),
    .detected_o  (detected[4])
  );

  // --- Upsets -----------------------------------------------------------------------------------

  cry_aes_modes_faults #(
    .Protect(Protect)
  ) u_faults (
    .clk_i, .rst_ni, .clear_i,
    .detected_i     ((|detected) | core_detected_i),
    .wipe_o         (wipe),
    .fault_o        (fault_detected_o),
    .job_valid_i,
    .job_ready_o,
    .key_valid_i,
    .key_ready_o,
    .src_valid_i,
    .src_last_i     (src_i.last),
    .src_ready_o,
    .dst_valid_o,
    .done_valid_o,
    .done_ready_i,
    .done_status_o,
    .job_valid_o    (new_valid),
    .job_ready_i    (new_ready),
    .job_ctl_i      (new_record.ctl),
    .job_needs_key_i(new_needs_key),
    .key_ready_i    (prepare_key_ready),
    .src_ready_i    (issue_src_ready | finish_src_ready),
    .dst_valid_i    (finish_dst_valid),
    .done_valid_i   (finish_done_valid),
    .done_status_i  (finish_status),
    .corrected_o    (corrected[5])
  );

  assign core_clear_o      = wipe;
  assign corrected_now     = (Protect != ProtectNone) & ((|corrected) | core_corrected_i);
  assign fault_corrected_o = corrected_now;

endmodule
