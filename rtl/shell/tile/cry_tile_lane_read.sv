// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Forms the engine's input from read responses: words into beats, keys apart.
//
// Words are buffered until used (Depth words; cry_tile_lane_fetch requests no more); the metadata
// of their bursts says what they are. A word with an error response is not used: bad_o (one cycle).
// Words of stopped jobs are dropped. A beat is offered while its job may feed the engine
// (may_feed_i) and dropped when the job has ended (stop_i). No word stays here after its use.
//
// Latency: two cycles from response to beat.
module cry_tile_lane_read
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  parameter int unsigned Depth    = 64,  // words, a power of two
  parameter int unsigned KeyBeats = 4,   // 16 bytes each of a key, 4 or 5
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                burst_valid_i,  // metadata of a requested burst
  output logic                burst_ready_o,  // it is taken
  input  burst_t              burst_i,        // what its words are
  output logic                room_o,         // a word was used

  input  logic                r_valid_i,  // a word of a response
  input  bus_r_t              r_i,        // data, last, error

  input  places_t             stop_i,       // by slot: its job has ended; its words are dropped
  input  places_t             may_feed_i,   // by slot: its beats may go to the engine
  output logic                bad_o,        // one cycle: a word has an error
  output tile_status_e        bad_why_o,    // which, with bad_o
  output place_t              bad_place_o,  // slot of its job
  // has words on their way, or that wait, or its beat: right for the oldest job
  output places_t             busy_o,
  output places_t             unanswered_o,  // by slot: words may be on their way

  output logic                src_valid_o,  // engine port
  input  logic                src_ready_i,  // engine port
  output cry_engine_pkg::beat_t   src_o,    // engine port
  output place_t              src_place_o,  // slot of its job

  output logic                key_valid_o,  // always taken
  output logic [127:0]        key_data_o,   // word of a key
  output logic [2:0]          key_beat_o,   // its number
  output logic                key_last_o,   // last of its key
  output place_t              key_place_o,  // slot of its job

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [6:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned BurstDepth = 32;

  typedef struct packed {
    place_t   place;
    section_e section;
  } note_t;

  logic   burst_valid, burst_pop, word_valid, word_pop, word_in_ready;
  burst_t burst;
  logic [$clog2(BurstDepth):0] burst_count;
  logic [127:0]                word;
  logic [1:0]                  word_code;
  bus_error_e                  word_error;

  cry_fifo #(.T(burst_t), .Depth(BurstDepth), .Protect(Protect)) u_bursts (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(burst_valid_i), .in_ready_o(burst_ready_o), .in_data_i(burst_i),
    .out_valid_o(burst_valid), .out_ready_i(burst_pop), .out_data_o(burst), .count_o(burst_count),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  cry_tile_lane_words #(.Width(130), .Depth(Depth), .Protect(Protect)) u_words (
    .clk_i, .rst_ni,
    .in_valid_i(r_valid_i), .in_ready_o(word_in_ready), .in_data_i({r_i.error, r_i.data}),
    .out_valid_o(word_valid), .out_ready_i(word_pop), .out_data_o({word_code, word}),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );
  assign word_error = bus_error_e'(word_code);

  // Words of the burst.
  logic [8:0] done_d, done_q, left;   // bytes
  logic [3:0] skip;
  logic [4:0] count;
  logic       begun_q, word_last, drop, pack_valid, pack_ready;

  assign skip      = begun_q ? 4'd0 : burst.skip;
  assign left      = burst.bytes - done_q;
  assign count     = (left < 9'd16 - 9'(skip)) ? left[4:0] : 5'd16 - 5'(skip);
  assign word_last = left == 9'(count);
  assign done_d    = word_last ? '0 : done_q + 9'(count);

  assign drop       = stop_i[burst.place] || (word_error != BusOkay);
  assign pack_valid = burst_valid && word_valid && !drop;
  assign word_pop   = burst_valid && word_valid && (drop || pack_ready);
  assign burst_pop  = word_pop && word_last;
  assign room_o     = word_pop;

  assign bad_o       = burst_valid && word_valid && !stop_i[burst.place] && (word_error != BusOkay);
  assign bad_why_o   = status_of(word_error);
  assign bad_place_o = burst.place;

  logic [8:0] done_next;
  logic begun_d;
  always_comb begin
    done_next = done_q;
    begun_d   = begun_q;
    if (word_pop) begin
      done_next  = done_d;
      begun_d = !word_last;
    end
  end

  cry_reg_tmr #(
    .Width($bits({done_q, begun_q})), .Protect(Protect)
  ) u_done_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({done_next, begun_d}),
    .q_o({done_q, begun_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // Beats
  logic         beat_valid, beat_ready, beat_first, beat_last, is_key;
  logic [127:0] beat_data;
  logic [4:0]   beat_count;
  note_t        beat, held;

  cry_tile_pack #(.NoteWidth($bits(note_t)), .Protect(Protect)) u_pack (
    .clk_i,
    .rst_ni,
    .valid_i(pack_valid),
    .ready_o(pack_ready),
    .data_i (word),
    .skip_i (skip),
    .count_i(count),
    .first_i(burst.first && !begun_q),
    .last_i (burst.last && word_last),
    .note_i ({burst.place, burst.section}),
    .held_o (held),
    .drop_i (stop_i[held.place]),
    .valid_o(beat_valid),
    .ready_i(beat_ready),
    .data_o (beat_data),
    .count_o(beat_count),
    .first_o(beat_first),
    .last_o (beat_last),
    .note_o (beat),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  logic stopped;
  assign stopped     = stop_i[beat.place];
  assign is_key      = beat.section == SecKey;
  assign beat_ready  = stopped || is_key || (src_valid_o && src_ready_i);
  assign src_valid_o = beat_valid && !is_key && !stopped && may_feed_i[beat.place];
  assign src_place_o = beat.place;

  always_comb begin
    src_o.data = beat_data;
    src_o.keep = keep_of(beat_count);
    src_o.last = beat_last;
    unique case (beat.section)
      SecContext: src_o.kind = cry_engine_pkg::KindContext;
      SecAad:     src_o.kind = cry_engine_pkg::KindAad;
      SecTag:     src_o.kind = cry_engine_pkg::KindTag;
      default:    src_o.kind = cry_engine_pkg::KindMessage;
    endcase
  end

  localparam int unsigned KeyBeatWidth = (KeyBeats > 4) ? 3 : 2;

  logic [KeyBeatWidth-1:0] key_beat_q;
  assign key_valid_o = beat_valid && is_key && !stopped;
  assign key_data_o  = beat_data;
  assign key_beat_o  = beat_first ? 3'd0 : 3'(key_beat_q);
  assign key_last_o  = beat_last;
  assign key_place_o = beat.place;

  logic [KeyBeatWidth-1:0] key_beat_d;
  always_comb begin
    key_beat_d = key_beat_q;
    if (key_valid_o) key_beat_d = key_beat_o[KeyBeatWidth-1:0] + 1'b1;
  end

  cry_reg_tmr #(
    .Width($bits(key_beat_q)), .Protect(Protect)
  ) u_key_beat_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(key_beat_d),
    .q_o(key_beat_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  // Bursts are in the order of jobs: those of the oldest are in front.
  always_comb begin
    busy_o = '0;
    if (burst_valid) busy_o[burst.place] = 1'b1;
    if (beat_valid)  busy_o[beat.place]  = 1'b1;
  end

  // Words that arrived may wait long behind those of another job. Of whom are those on their way?
  // From the job of the next one to that of the last one.
  logic   way_valid, way_in_ready;
  place_t way_first, way_last_d, way_last_q;
  logic [$clog2(BurstDepth):0] way_count;

  cry_fifo #(.T(place_t), .Depth(BurstDepth), .Protect(Protect)) u_way (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(burst_valid_i), .in_ready_o(way_in_ready), .in_data_i(burst_i.place),
    .out_valid_o(way_valid), .out_ready_i(r_valid_i && r_i.last), .out_data_o(way_first),
    .count_o(way_count),
    .corrected_o(corrected[5]), .detected_o(detected[5])
  );

  assign way_last_d = burst_valid_i ? burst_i.place : way_last_q;

  cry_reg_tmr #(
    .Width($bits(way_last_q)), .Protect(Protect)
  ) u_way_last_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(way_last_d),
    .q_o(way_last_q),
    .corrected_o(corrected[6]), .detected_o(detected[6])
  );

  always_comb begin
    for (int unsigned p = 0; p < NumJobs; p++) begin
      unanswered_o[p] = way_valid &&
                        (age_of(place_t'(p), way_first) <= age_of(way_last_q, way_first));
    end
  end

  logic unused;
  assign unused = ^{burst_count, way_count, way_in_ready, word_in_ready, held.section};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(HasRoom_A, (r_valid_i |-> word_in_ready) and (burst_valid_i |-> way_in_ready))

endmodule
