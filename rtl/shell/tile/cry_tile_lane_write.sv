// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Writes the engine's output: message, then tag or context, each to its own address in memory,
// byte-aligned; in a row the tag follows the message, in the same segments of a list.
//
// The job determines its output sections; if it ends early (over_i) the missing ones are not
// awaited. Beats of a killed job (kill_i) are taken and dropped. The message of an unwrapped key
// goes to unwrap_o only; so do the first beats of a tag that become a key. cry_byte_align turns the
// bytes of beats to their places in words, and cry_tile_lane_burst collects the words into bursts.
// A job leaves this stage (left_o, in order of slots) when all its bursts are formed; left_bytes_o
// is the number of message and tag bytes in them; busy_o marks jobs with unanswered bursts.
//
// Between jobs a written message can be zeroized (cry_tile_lane_erase): erase_valid_i is high until
// erase_done_o (one cycle), with the segments of its list if it has one. It ends early, and says
// why, with a segment that cannot be had or with erase_stop_i. erase_busy_o: some of these writes
// are not answered.
//
// Latency: one cycle per job beside its beats; a section or segment costs one more if its bytes lie
// in more words than beats, and each segment one more.
module cry_tile_lane_write
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  parameter int unsigned Depth     = 64,  // words of the FIFO, a power of two, two bursts or more
  parameter int unsigned SlotBeats = 4,   // 16 bytes each of a key that goes to a slot, 4 or 5
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Jobs
  input  logic               push_i,       // never more than NumJobs are inside
  input  write_job_t         job_i,         // the job, with push_i
  input  places_t            kill_i,        // by slot: beats of its job are dropped
  input  places_t            over_i,        // by slot: the engine gives no more of its job
  input  places_t            may_write_i,   // by slot: its output may be written
  output place_t             place_o,       // slot of the current job
  output logic               left_o,  // one cycle: all bursts of the job in place_o are formed
  output logic [31:0]        left_bytes_o,  // with left_o: bytes of message and tag in them
  output logic               bad_o,        // one cycle: the list of the job at this station is bad
  output tile_status_e       bad_why_o,  // why, with bad_o
  output logic               lost_o,       // one cycle: a write was answered with an error
  output tile_status_e       lost_why_o,    // why, with lost_o
  output place_t             lost_place_o,  // slot of its job
  output places_t            busy_o,       // by slot: bursts of its job are not answered
  output logic               rest_o,       // a word of the job of place_o leaves yet, killed or not

  input  logic               piece_valid_i,  // segment of the message
  output logic               piece_ready_o,  // it is taken
  input  piece_t             piece_i,        // address and length, or an error
  input  places_t            list_busy_i,    // by slot: its list is still being read

  // level until erase_done_o: a message is to be zeroized
  input  logic               erase_valid_i,
  input  erase_t             erase_i,              // which
  input  place_t             erase_place_i,        // slot of its job
  input  logic               erase_stop_i,         // level: it is given up
  output logic               erase_active_o,       // it is being zeroized
  output logic               erase_done_o,         // one cycle: all bursts for it are formed
  output tile_status_e       erase_why_o,          // other than TileOk: but for its end
  output logic               erase_busy_o,         // some of them are not answered
  input  logic               erase_piece_valid_i,  // segment of that message
  output logic               erase_piece_ready_o,  // it is taken
  input  piece_t             erase_piece_i,        // address and length, or an error

  input  logic               dst_valid_i,     // engine port
  output logic               dst_ready_o,     // engine port
  input  cry_engine_pkg::beat_t  dst_i,       // engine port
  output logic               unwrap_valid_o,  // a beat of an unwrapped key
  output logic [127:0]       unwrap_data_o,   // the beat
  output logic [2:0]         unwrap_beat_o,   // its number

  output logic               aw_valid_o,  // a burst is requested
  input  logic               aw_ready_i,  // the request is accepted
  output bus_req_t           aw_o,        // address, length, owner
  output logic               w_valid_o,   // a word of a requested burst
  input  logic               w_ready_i,   // the word is accepted
  output bus_w_t             w_o,         // data, strobes
  input  logic               b_valid_i,   // a burst is answered
  input  bus_error_e         b_error_i,   // how, with b_valid_i

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [2:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  typedef enum logic [1:0] {
    OutMessage,
    OutTag,
    OutContext
  } out_e;

  typedef enum logic [2:0] {
    StIdle,
    StPiece,       // waits for a piece of memory
    StMove,
    StFlush,       // writes the bytes of the last word
    StErasePiece,  // waits for a piece to erase
    StErase
  } state_e;

  logic              job_valid, job_pop, job_in_ready;
  write_job_t        job;
  logic [JobWidth:0] job_count;

  cry_fifo #(.T(write_job_t), .Depth(NumJobs), .Protect(Protect)) u_jobs (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(push_i), .in_ready_o(job_in_ready), .in_data_i(job_i),
    .out_valid_o(job_valid), .out_ready_i(job_pop), .out_data_o(job), .count_o(job_count),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  // --- State -------------------------------------------------------------------------------------

  localparam int unsigned BeatWidth = (SlotBeats > 4) ? 3 : 2;

  state_e       state_d, state_q;
  place_t       place_d, place_q;  // slot of the job
  logic [2:0]   todo_d, todo_q;    // sections that are still to come, by out_e
  position_t    pos_d, pos_q;      // of the next byte
  logic         after_d, after_q;  // the section ends with the flush
  logic [3:0]   skip_d, skip_q;    // bytes of the beat that are written
  logic [127:0] part_d, part_q;    // word that is being filled
  logic [15:0]  strb_d, strb_q;    // its valid bytes
  logic [31:0]  bytes_d, bytes_q;  // of message and tag
  logic [BeatWidth-1:0] unwrap_beat_d, unwrap_beat_q;

  cry_reg_tmr #(
    .Width($bits({
      state_q, place_q, todo_q, pos_q, after_q, skip_q, part_q, strb_q, bytes_q, unwrap_beat_q
    })), .Protect(Protect)
  ) u_state_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      state_d, place_d, todo_d, pos_d, after_d, skip_d, part_d, strb_d, bytes_d, unwrap_beat_d
    }),
    .q_o({
      state_q, place_q, todo_q, pos_q, after_q, skip_q, part_q, strb_q, bytes_q, unwrap_beat_q
    }),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // --- Beats -------------------------------------------------------------------------------------

  localparam logic [4:0] WordBytes = 5'd16;

  logic         killed, over, to_memory, can_push;
  out_e         section;        // that is being written
  logic [4:0]   count, sum, unused_present;
  logic         consumed, filled, spills;
  logic [127:0] turned, merged;
  logic [15:0]  now_strb;

  assign killed    = kill_i[place_q];
  assign over      = over_i[place_q];
  assign to_memory = !(job.unwrap && todo_q[OutMessage]);

  always_comb begin
    section = OutContext;
    if (todo_q[OutMessage])  section = OutMessage;
    else if (todo_q[OutTag]) section = OutTag;
  end

  cry_byte_align u_align (
    .data_i(dst_i.data), .keep_i(dst_i.keep), .skip_i(skip_q), .at_i(pos_q.at),
    .bound_i(pos_q.bound), .left_i(pos_q.left), .part_i(part_q), .strb_i(strb_q),
    .present_o(unused_present), .count_o(count), .sum_o(sum), .consumed_o(consumed),
    .filled_o(filled), .turned_o(turned), .merged_o(merged), .strb_o(now_strb)
  );
  assign spills = sum > WordBytes;  // into the next word

  logic made;         // the tag becomes a key, or begins with one
  logic last;         // beat of the section
  logic section_end;  // with the bytes of this cycle
  logic joined;       // the tag goes on where the message ends
  logic run_end;      // as section_end, but nothing goes on
  logic ends;         // the section or its segment

  // What of the tag becomes a key is a section of its own.
  assign made        = job.made_beats != '0;
  assign last        = dst_i.last || (made && todo_q[OutMessage] &&
                                      (3'(unwrap_beat_q) == job.made_beats - 3'd1));
  assign section_end = consumed && last;
  assign joined      = job.row && todo_q[OutMessage] && todo_q[OutTag];
  assign run_end     = section_end && !joined;
  assign ends        = run_end || filled;

  // --- What happens in this cycle ----------------------------------------------------------------

  logic erase_begin, erase_wait, erasing, erase_step;
  logic job_begin;
  logic piece_here, piece_taken;  // the segment that the job waits for; it can be written
  logic drop;                     // beats go nowhere, or to unwrap_o
  logic take, take_drop, take_write;
  logic early;                    // the engine gave less than the job wants
  logic flushed;

  assign erase_begin = (state_q == StIdle) && erase_valid_i && !erase_stop_i;
  assign erase_wait  = state_q == StErasePiece;
  assign erasing     = state_q == StErase;
  assign job_begin   = (state_q == StIdle) && job_valid && !erase_begin;
  assign piece_here  = piece_valid_i && (piece_i.place == place_q);
  assign piece_taken = (state_q == StPiece) && !over && !killed && piece_here &&
                       (piece_i.why == TileOk);
  assign drop        = killed || !to_memory;
  assign take        = (state_q == StMove) && dst_valid_i && !over && may_write_i[place_q] &&
                       (drop || can_push);
  assign take_drop   = take && drop;
  assign take_write  = take && !drop;
  assign early       = (state_q == StMove) && over;
  // StFlush, or a code that is no state, which is left in this way.
  assign flushed     = !(state_q inside {StIdle, StPiece, StMove, StErasePiece, StErase}) &&
                       can_push;

  // Segments that are left over go with the job.
  assign piece_ready_o = (state_q == StPiece) && piece_here && (over || !killed);
  assign bad_o         = piece_ready_o && !over && (piece_i.why != TileOk);
  assign bad_why_o     = piece_i.why;

  assign dst_ready_o = (take && (drop || consumed)) ||
                       ((state_q == StPiece) && killed && !over && may_write_i[place_q]);

  assign unwrap_valid_o = take && !to_memory && !killed;
  assign unwrap_data_o  = dst_i.data;
  assign unwrap_beat_o  = 3'(unwrap_beat_q);

  // --- Sections ----------------------------------------------------------------------------------

  logic       section_done;  // its last word is written
  logic       enter;         // the next section begins, or the job ends if there is none
  logic [2:0] coming;        // sections, of which the first is entered
  logic       to_data;       // that begins where the message does
  logic       to_list;       // with its list's first segment
  addr_t      enter_addr;
  logic       gone;          // the job ends without its last section
  logic       job_end;

  assign section_done = (take_drop && last && !killed) ||
                        (take_write && run_end && !spills) || (flushed && after_q);
  assign enter        = job_begin || section_done;

  always_comb begin
    coming = todo_q;
    if (state_q == StIdle) coming = {job.context_out, job.tag, job.message};
    if (section_done)      coming[section] = 1'b0;
  end

  always_comb begin
    todo_d = todo_q;
    if (enter)                                    todo_d = coming;
    else if (take_write && section_end && joined) todo_d[OutMessage] = 1'b0;
  end

  assign to_data = coming[OutMessage] || (coming[OutTag] && job.row);
  assign to_list = to_data && job.list;
  always_comb begin
    enter_addr = job.context_addr;
    if (to_data)             enter_addr = job.dst_addr;
    else if (coming[OutTag]) enter_addr = job.tag_addr;
  end

  always_comb begin
    gone = 1'b0;
    if ((state_q == StPiece) && over) gone = !piece_here && !list_busy_i[place_q] && can_push;
    else if (early)                   gone = !job.list && can_push;
  end
  assign job_end = (enter && (coming == '0)) || gone;

  assign job_pop      = job_end;
  assign left_o       = job_end;
  assign left_bytes_o = bytes_d;
  assign place_o      = place_q;
  assign place_d      = job_end ? place_q + 1'b1 : place_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (erase_begin) state_d = erase_i.list ? StErasePiece : StErase;
      StPiece: if (piece_taken) state_d = StMove;
      StMove: begin
        if (early && job.list && can_push) state_d = StPiece;
        if (take_write && ends)            state_d = spills ? StFlush : StPiece;
      end
      StErasePiece: if (erase_step) state_d = erase_done_o ? StIdle : StErase;
      StErase:      if (erase_step) state_d = erase_done_o ? StIdle : StErasePiece;
      default:      if (flushed) state_d = StPiece;  // StFlush
    endcase
    if (enter)   state_d = to_list ? StPiece : StMove;
    if (job_end) state_d = StIdle;
  end

  // --- Where the next byte goes ------------------------------------------------------------------

  position_t erase_pos;

  always_comb begin
    pos_d = pos_q;
    if (erase_begin) begin
      pos_d = position_of(erase_i.address, 1'b0, erase_i.length);
    end else if (erase_wait || erasing) begin
      pos_d = erase_pos;
    end else if (piece_taken) begin
      pos_d = position_of(piece_i.address, !piece_i.last, piece_i.length);
    end else if (early && job.list) begin
      pos_d.bound = 1'b0;
    end else if (take_write) begin
      pos_d.at   = sum[3:0];
      pos_d.left = pos_q.left - 32'(count);
      if (sum >= WordBytes) pos_d.word_addr = pos_q.word_addr + 1'b1;
    end
    if (enter && (coming != '0) && !to_list) begin
      pos_d.word_addr = enter_addr[AddrWidth-1:4];
      pos_d.at        = enter_addr[3:0];
      pos_d.bound     = 1'b0;
    end
  end

  // --- The word that is being filled -------------------------------------------------------------

  always_comb begin
    part_d = part_q;
    strb_d = strb_q;
    if (take_write) begin
      part_d = (sum >= WordBytes) ? turned : merged;
      strb_d = (sum >= WordBytes) ? ~(16'hFFFF << (sum - WordBytes)) : now_strb;
    end
    if ((state_q == StIdle) || piece_taken || early || enter) strb_d = '0;
    if (state_q == StIdle) part_d = '0;  // it may be part of a key
  end

  always_comb begin
    skip_d        = skip_q;
    unwrap_beat_d = unwrap_beat_q;
    after_d       = after_q;
    if (state_q == StIdle) begin
      skip_d        = '0;
      unwrap_beat_d = '0;
    end else if (take_drop) begin
      skip_d        = '0;
      unwrap_beat_d = unwrap_beat_q + 1'b1;
    end else if (take_write) begin
      skip_d  = consumed ? '0 : skip_q + count[3:0];
      after_d = run_end;
    end
  end

  // --- Bytes of message and tag ------------------------------------------------------------------

  logic [4:0] held;  // of the word that is being filled: never written if the job ends here

  always_comb begin
    held = '0;
    for (int unsigned i = 0; i < 16; i++) held = held + 5'(strb_q[i]);
    if (section == OutContext) held = '0;
  end

  always_comb begin
    bytes_d = bytes_q;
    if (state_q == StIdle)                          bytes_d = '0;
    else if (early)                                 bytes_d = bytes_q - 32'(held);
    else if (take_write && (section != OutContext)) bytes_d = bytes_q + 32'(count);
  end

  // --- Zeroizing ---------------------------------------------------------------------------------

  logic [4:0] zeros;  // bytes of the word to zeroize
  logic       erase_push, erase_close;

  cry_tile_lane_erase u_erase (
    .waits_i(erase_wait), .writes_i(erasing), .stop_i(erase_stop_i),
    .piece_valid_i(erase_piece_valid_i), .piece_ready_o(erase_piece_ready_o),
    .piece_i(erase_piece_i), .can_push_i(can_push), .pos_i(pos_q),
    .pos_o(erase_pos), .zeros_o(zeros), .push_o(erase_push), .close_o(erase_close),
    .step_o(erase_step), .done_o(erase_done_o), .why_o(erase_why_o)
  );
  assign erase_active_o = erase_wait || erasing;

  // --- Bursts ------------------------------------------------------------------------------------

  logic         open;  // a burst is being formed
  queue_t       burst_owner;
  place_t       burst_place;
  logic [127:0] new_data;
  logic [15:0]  new_strb;

  assign burst_owner = erasing ? erase_i.owner : job.owner;
  assign burst_place = erasing ? erase_place_i : place_q;

  logic word_push;   // a word is written
  logic close;       // with word_push: and ends its burst
  logic close_only;  // what is in an open burst leaves

  assign word_push  = (take_write && ((sum >= WordBytes) || ends)) || erase_push || flushed;
  assign close      = (take_write && (filled || section_end) && !spills) || erase_close || flushed;
  assign close_only = ((state_q == StPiece) || (state_q == StMove)) && over;

  always_comb begin
    new_data = merged;
    new_strb = now_strb;
    if (state_q == StFlush) begin
      new_data = part_q;
      new_strb = strb_q;
    end else if (erasing) begin
      new_data = '0;
      new_strb = keep_of(zeros) << pos_q.at;
    end
  end

  assign rest_o = open || (state_q == StFlush);

  cry_tile_lane_burst #(.Depth(Depth), .Protect(Protect)) u_burst (
    .clk_i, .rst_ni,
    .can_push_o(can_push), .push_i(word_push), .word_addr_i(pos_q.word_addr),
    .data_i(new_data), .strb_i(new_strb),
    .owner_i(burst_owner), .place_i(burst_place), .erase_i(erasing),
    .close_i(close), .close_only_i(close_only), .open_o(open),
    .aw_valid_o, .aw_ready_i, .aw_o, .w_valid_o, .w_ready_i, .w_o, .b_valid_i, .b_error_i,
    .lost_o, .lost_why_o, .lost_place_o, .busy_o, .erase_busy_o,
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  logic unused;
  assign unused = ^{job_in_ready, job_count, dst_i.kind};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(HasRoom_A, push_i |-> job_in_ready)
  `CRY_ASSERT(Kind_A, (take && !killed) |->
    dst_i.kind == (((section == OutMessage) && !made) ? cry_engine_pkg::KindMessage :
                   (section != OutContext) ? cry_engine_pkg::KindTag : cry_engine_pkg::KindContext))

endmodule
