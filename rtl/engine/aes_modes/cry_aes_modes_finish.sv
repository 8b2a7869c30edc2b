// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Finish side: processes the blocks that leave the core, as their metadata says; drives `dst`, tags
// and `done`.
//
// Entries are processed in order, one per cycle without stalls. This module holds GHASH and one
// more block, `aux`: GCM's tag mask, CCM's MAC, CMAC's L or XTS's stolen block. GCM's tag waits for
// GHASH outside the queue: meanwhile the next job's H may pass, and its tag mask in the cycle in
// which the tag leaves.
//
// With protection, a correction anywhere is reported in the status of the next job that ends.
module cry_aes_modes_finish
  import cry_aes_modes_pkg::*;
  import cry_engine_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter bit          EnGcm     = 1'b1,        // build GHASH
  parameter bit          OneCycle  = 1'b0,        // GHASH: one block per cycle
  parameter int unsigned NoteDepth = 1,           // most entries in flight
  parameter protect_e    Protect   = ProtectNone  // level of protection
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,      // drops all entries and wipes
  input  logic         resting_i,    // no job is under way: wipe
  input  logic         corrected_i,  // an upset was corrected, in any part

  // Queue of metadata, and the core's output
  input  logic         push_taker_i,  // an entry that takes `src` is pushed
  input  logic         empty_i,
  input  note_t        note_i,
  input  logic [127:0] payload_i,
  output logic         pop_o,         // the oldest entry is finished
  input  logic         out_valid_i,
  output logic         out_ready_o,
  input  logic [127:0] out_block_i,

  // `src`; bytes that are not kept are zero
  input  logic         src_valid_i,
  output logic         src_ready_o,
  input  logic [127:0] src_data_i,
  input  logic [15:0]  src_keep_i,
  input  logic         src_last_i,

  // `dst`
  output logic         dst_valid_o,
  input  logic         dst_ready_i,
  output beat_t        dst_o,

  // `done`
  output logic         done_valid_o,
  input  logic         done_ready_i,
  output status_e      done_status_o,

  // To and from the issue side
  output logic         quiet_o,      // no entry, no tag pending, GHASH idle
  output logic         src_free_o,   // no entry takes `src`
  output logic         feedback_o,   // a block to feed back leaves the core
  output logic         to_chain_o,   // ... or one to keep as chaining value
  output logic         due_o,        // ... or the `aux` that the issue side waits for
  output logic         stream_o,     // ... or CCM keystream, combined with its beat
  input  logic         mac_ready_i,  // the issue side takes the result for the MAC
  output logic [127:0] aux_o,        // `aux`
  output logic [127:0] y_o,          // GHASH's value
  input  logic         load_y_i,     // loads GHASH's value from `src`
  input  logic         load_aux_i,   // loads `aux` from `src`
  input  logic         take_y_i,     // the issue side takes y_o: GHASH restarts from zero
  // Context to `dst`: GHASH's value, `aux` or save_data_i
  input  logic         save_valid_i,
  output logic         save_ready_o,
  input  logic         save_y_i,
  input  logic         save_aux_i,
  input  logic [127:0] save_data_i,  // zero if one of the others is saved
  input  logic         save_last_i,  // last beat of the context

  output logic         corrected_o,  // an upset was corrected
  output logic         detected_o    // an upset cannot be corrected
);

  localparam protect_e    Control    = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;
  localparam int unsigned CountWidth = $clog2(NoteDepth + 1);

  typedef struct packed {
    logic       pending;
    logic       verify;
    logic       new_h;     // H is the next job's already
    logic [3:0] size_last;
  } tag_t;

  logic [4:0]            corrected, detected;
  payload_t              payload;
  tag_t                  tag_q, tag_d;
  logic [CountWidth-1:0] takers_q, takers_d;  // notes under way that take `src`
  logic [127:0]          aux_q, aux_d;
  logic                  unused_bits;

  assign payload        = payload_i;
  assign unused_bits    = ^{payload, note_i.to_key, note_i.to_tweak};

  // --- Conditions -------------------------------------------------------------------------------

  logic head_valid, wants_dst, wants_src, ends, prepared, able;
  logic hash_able, hash_ready, h_ready, hash_idle;
  logic tag_able, tag_wants_dst, tag_fire, save_fire, status_room, direct_tag;

  assign head_valid = !empty_i & (!note_i.core | out_valid_i) & !clear_i;
  assign direct_tag = note_i.tag & note_i.core;
  assign wants_dst  = note_i.emit | (direct_tag & !note_i.decrypt);
  assign wants_src  = note_i.stream | note_i.absorb | (direct_tag & note_i.decrypt);
  assign ends       = note_i.finish;
  assign hash_able  = hash_ready | !(note_i.hash | note_i.absorb | note_i.lengths);

  // Whether dst_ready_i is high does not matter here. Behind a pending tag only an entry may go
  // that needs neither `src`, `dst` nor the parts that the tag uses.
  assign prepared = head_valid & hash_able & (!wants_src | src_valid_i) & (!ends | status_room) &
                    (!note_i.mate | mac_ready_i) & (!note_i.to_hash | h_ready);
  always_comb begin
    able = prepared;
    if (tag_q.pending) begin
      if (note_i.to_aux) able &= OneCycle & tag_fire & !note_i.unmask;
      if (wants_dst | wants_src | ends | note_i.lengths) able = 1'b0;
    end
  end
  assign pop_o       = able & (!wants_dst | dst_ready_i) & (!note_i.absorb | src_last_i);
  assign out_ready_o = pop_o & note_i.core;

  assign tag_able      = tag_q.pending & hash_idle & status_room & !clear_i;
  assign tag_wants_dst = tag_able & !tag_q.verify;
  assign tag_fire      = tag_able & (tag_q.verify ? src_valid_i : dst_ready_i);

  assign save_ready_o  = dst_ready_i & status_room;
  assign save_fire     = save_valid_i & save_ready_o;

  assign quiet_o    = empty_i & !tag_q.pending & hash_idle;
  assign feedback_o = pop_o & note_i.feedback;
  assign to_chain_o = pop_o & note_i.to_chain;
  assign due_o      = pop_o & note_i.due;
  assign stream_o   = pop_o & note_i.mate;

  // `src` is for the issue side when no note will take it.
  always_comb begin
    takers_d = takers_q;
    if (push_taker_i)         takers_d = takers_d + 1'b1;
    if (pop_o & note_i.takes) takers_d = takers_d - 1'b1;
    if (clear_i)              takers_d = '0;
  end
  assign src_free_o  = (takers_q == '0) & !tag_q.pending;
  assign src_ready_o = (pop_o & wants_src) | (able & note_i.absorb) | (tag_fire & tag_q.verify);

  // --- Output -----------------------------------------------------------------------------------

  logic [127:0] value, y, sum_a, sum_b;  // value: sum of two, of each only one part at a time
  logic [15:0]  keep;
  logic         use_out, use_payload, use_src, use_aux, use_y, tagging, noting;

  assign tagging     = tag_q.pending;
  assign noting      = !tagging & !save_valid_i;
  assign use_out     = noting & note_i.core;
  assign use_payload = noting & note_i.unmask;
  assign use_src     = noting & note_i.stream;
  assign use_aux     = tagging | (noting & note_i.use_aux) | (save_valid_i & save_aux_i);
  assign use_y       = tagging | (save_valid_i & save_y_i);
  assign sum_a       = ({128{use_out}} & out_block_i) | ({128{use_y}} & y) | save_data_i;
  assign sum_b       = ({128{use_payload}} & payload_i) | ({128{use_src}} & src_data_i) |
                       ({128{use_aux}} & aux_q);
  assign value       = (sum_a ^ sum_b) & byte_mask(keep);

  always_comb begin
    keep = '1;
    if (note_i.stream)                            keep = src_keep_i;
    if (note_i.tag | (note_i.emit & !note_i.core)) keep = first_bytes(payload.size_last);
    if (tagging)                                  keep = first_bytes(tag_q.size_last);
    if (save_valid_i)                             keep = '1;
  end

  assign dst_valid_o = (prepared & !tag_q.pending & wants_dst) | tag_wants_dst |
                       (save_valid_i & status_room);
  always_comb begin
    dst_o.data = value;
    dst_o.keep = keep;
    dst_o.last = note_i.last | note_i.tag | tagging;
    dst_o.kind = KindMessage;
    if (note_i.tag | tagging) dst_o.kind = KindTag;
    if (save_valid_i) begin
      dst_o.last = save_last_i;
      dst_o.kind = KindContext;
    end
  end

  // --- GHASH ------------------------------------------------------------------------------------

  logic hash_valid, hash_corrected, hash_detected;

  assign hash_valid = (pop_o & (note_i.hash | note_i.lengths)) | (able & note_i.absorb);

  if (EnGcm) begin : gen_ghash
    logic [127:0] hash_block;
    assign hash_block = note_i.lengths                      ? lengths_block(payload) :
                        (note_i.absorb | note_i.decrypt)    ? src_data_i : value;
    cry_aes_ghash #(
      .OneCycle(OneCycle),
      .Protect (Protect)
    ) u_ghash (
      .clk_i,
      .rst_ni,
      .wipe_i       (clear_i | resting_i),
      .h_load_i     (pop_o & note_i.to_hash),
      .h_i          (out_block_i),
      .h_wipe_i     ((tag_fire & !tag_q.new_h) | (save_fire & save_last_i)),
      .y_load_i     (load_y_i),
      .y_i          (src_data_i),
      .y_wipe_i     (tag_fire | take_y_i | (save_fire & save_last_i)),
      .block_valid_i(hash_valid),
      .block_ready_o(hash_ready),
      .block_i      (hash_block),
      .h_ready_o    (h_ready),
      .idle_o       (hash_idle),
      .y_o          (y),
      .corrected_o  (hash_corrected),
      .detected_o   (hash_detected)
    );
  end else begin : gen_no_ghash
    logic unused_hash;
    assign unused_hash    = ^{hash_valid, load_y_i, take_y_i};
    assign hash_ready     = 1'b1;
    assign h_ready        = 1'b1;
    assign hash_idle      = 1'b1;
    assign y              = '0;
    assign hash_corrected = 1'b0;
    assign hash_detected  = 1'b0;
  end
  assign y_o = y;

  // --- Tag --------------------------------------------------------------------------------------

  logic wrong;
  assign wrong = ((value ^ src_data_i) & byte_mask(keep)) != '0;

  always_comb begin
    tag_d = tag_q;
    if (tag_fire) tag_d = '0;
    if (pop_o & note_i.to_hash) tag_d.new_h = tag_q.pending & !tag_fire;
    if (pop_o & note_i.tag & !note_i.core) begin
      tag_d.pending   = 1'b1;
      tag_d.verify    = note_i.decrypt;
      tag_d.new_h     = 1'b0;
      tag_d.size_last = payload.size_last;
    end
    if (clear_i) tag_d = '0;
  end

  // --- The kept block ---------------------------------------------------------------------------

  logic aux_spent;
  assign aux_spent = tag_fire | (pop_o & note_i.use_aux & !note_i.lengths) | (pop_o & direct_tag) |
                     (save_fire & save_last_i);
  logic aux_take, aux_wipe;
  assign aux_take = pop_o & note_i.to_aux;
  assign aux_wipe = aux_spent | clear_i | resting_i;
  // In the cycle of a tag, which the value then is, nothing has to be added to the block.
  assign aux_d    = ({128{aux_take & !tagging}} & value) |
                    ({128{aux_take & tagging & OneCycle}} & out_block_i) |
                    ({128{load_aux_i}} & src_data_i) |
                    ({128{!aux_take & !load_aux_i & !aux_wipe}} & aux_q);
  assign aux_o = aux_q;

  // --- Status -----------------------------------------------------------------------------------

  logic    status_push, noted;
  status_e status;

  assign status_push = tag_fire | (pop_o & ends) | (save_fire & save_last_i);
  always_comb begin
    status = StatusOk;
    if ((tag_fire & tag_q.verify) | (direct_tag & note_i.decrypt)) begin
      status = wrong ? StatusAuthFailed : StatusOk;
    end
    if (!tag_fire & !save_valid_i & note_i.bad) status = StatusBadParam;
  end

  cry_aes_modes_status #(
    .Protect(Control)
  ) u_status (
    .clk_i, .rst_ni, .clear_i,
    .push_i     (status_push),
    .status_i   (status),
    .mark_i     (noted | corrected_i),
    .room_o     (status_room),
    .valid_o    (done_valid_o),
    .ready_i    (done_ready_i),
    .status_o   (done_status_o),
    .corrected_o(corrected[0]),
    .detected_o (detected[0])
  );

  // Something was corrected since a job has ended last.
  if (Protect != ProtectNone) begin : gen_noted
    logic noted_d;
    assign noted_d = (noted | corrected_i) & !status_push & !resting_i & !clear_i;
    cry_reg_tmr #(.Width(1), .Protect(Control)) u_noted (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(noted_d), .inject_i(1'b0), .q_o(noted),
      .corrected_o(corrected[4]), .detected_o(detected[4])
    );
  end else begin : gen_not_noted
    assign noted        = 1'b0;
    assign corrected[4] = 1'b0;
    assign detected[4]  = 1'b0;
  end

  // --- Registers --------------------------------------------------------------------------------

  cry_reg_tmr #(.Width($bits(tag_t)), .Protect(Control)) u_tag (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(tag_d), .inject_i(1'b0), .q_o(tag_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );
  cry_reg_tmr #(.Width(CountWidth), .Protect(Control)) u_takers (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(takers_d), .inject_i(1'b0), .q_o(takers_q),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );
  cry_reg #(.T(logic [127:0]), .Protect(Protect)) u_aux (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(aux_d), .q_o(aux_q),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  assign corrected_o = (|corrected) | hash_corrected;
  assign detected_o  = (|detected) | hash_detected;

endmodule
