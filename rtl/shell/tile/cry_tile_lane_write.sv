// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Writes the engine's output: message, then tag or context, each to its own address in memory,
// byte-aligned; in a row the tag follows the message, in the same segments of a list.
//
// The job determines its output sections; if it ends early (over_i) the missing ones are not
// awaited. Beats of a killed job (kill_i) are taken and dropped. The message of an unwrapped key
// goes to unwrap_o only. cry_tile_lane_burst collects the words into bursts. A job leaves this
// stage (left_o, in order of slots)
// when all its bursts are formed; left_bytes_o is the number of message and tag bytes in them;
// busy_o marks jobs with unanswered bursts.
//
// Between jobs a written message can be zeroized: erase_valid_i is high until erase_done_o (one
// cycle), with the segments of its list if it has one. It ends early, and says why, with a segment
// that cannot be had or with erase_stop_i. erase_busy_o: some of these writes are not answered.
//
// Latency: one cycle per job beside its beats; a section or segment costs one more if its bytes lie
// in more words than beats, and each segment one more.
module cry_tile_lane_write
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  parameter int unsigned Depth = 64,  // words of the FIFO, a power of two, two bursts or more
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic               clk_i,
  input  logic               rst_ni,

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
  output logic [1:0]         unwrap_beat_o,   // its number

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

  // --- Where the next byte goes ------------------------------------------------------------------

  localparam int unsigned WordAddrWidth = AddrWidth - 4;

  state_e                   state_d, state_q;
  place_t                   place_q;
  logic [2:0]               todo_d, todo_q;      // sections that are still to come, by out_e
  logic [WordAddrWidth-1:0] word_addr_d, word_addr_q;
  logic [3:0]               at_d, at_q;          // byte in the word
  logic                     bound_d, bound_q;    // to left_q bytes, then comes another piece
  logic [31:0]              left_d, left_q;
  logic                     after_d, after_q;    // the section ends with the flush
  logic [3:0]               skip_d, skip_q;      // bytes of the beat that are written
  logic [127:0]             part_d, part_q;
  logic [15:0]              strb_d, strb_q;
  logic [31:0]              bytes_d, bytes_q;
  logic [1:0]               unwrap_beat_d, unwrap_beat_q;

  logic [4:0]   present, count, sum, held;
  logic         killed, over, piece_here, to_memory, can_push, erasing;
  logic [4:0]   zeros;       // bytes of the word to erase
  logic         take, consumed, filled, section_end, joined, run_end, ends;
  logic [3:0]   turn;
  logic [127:0] turned, merged;
  logic [15:0]  now_strb;

  assign killed     = kill_i[place_q];
  assign over       = over_i[place_q];
  assign piece_here = piece_valid_i && (piece_i.place == place_q);
  assign to_memory  = !(job.unwrap && todo_q[OutMessage]);

  assign erasing = state_q == StErase;
  assign zeros   = (left_q < 32'(5'd16 - 5'(at_q))) ? left_q[4:0] : 5'd16 - 5'(at_q);

  always_comb begin
    present = '0;
    for (int unsigned i = 0; i < 16; i++) present = present + 5'(dst_i.keep[i]);
    present = present - 5'(skip_q);
  end
  assign count       = (bound_q && (left_q < 32'(present))) ? left_q[4:0] : present;
  assign sum         = 5'(at_q) + count;
  assign consumed    = count == present;
  assign filled      = bound_q && (left_q == 32'(count));
  assign section_end = consumed && dst_i.last;
  assign joined      = job.row && todo_q[OutMessage] && todo_q[OutTag];  // the tag goes on here
  assign run_end     = section_end && !joined;
  assign ends        = run_end || filled;

  // Bytes of the word that is being filled: never written if the job ends here.
  always_comb begin
    held = '0;
    for (int unsigned i = 0; i < 16; i++) held = held + 5'(strb_q[i]);
    if (!todo_q[OutMessage] && !todo_q[OutTag]) held = '0;
  end

  // The beat's first byte turns to its place in the word; what passes byte 15 comes round.
  assign turn = at_q - skip_q;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      turned[8*i+:8] = 8'(dst_i.data >> {4'(i) - turn, 3'd0});
      merged[8*i+:8] = strb_q[i] ? part_q[8*i+:8] : turned[8*i+:8];
      now_strb[i]    = strb_q[i] || ((5'(i) >= 5'(at_q)) && (5'(i) < sum));
    end
  end

  // --- Zeroizing ---------------------------------------------------------------------------------

  state_e                   erase_state;
  logic [WordAddrWidth-1:0] erase_word_addr;
  logic [3:0]               erase_at;
  logic                     erase_bound, erase_close;
  logic [31:0]              erase_left;

  always_comb begin
    erase_state         = state_q;
    erase_word_addr     = word_addr_q;
    erase_at            = at_q;
    erase_bound         = bound_q;
    erase_left          = left_q;
    erase_close         = 1'b0;
    erase_done_o        = 1'b0;
    erase_why_o         = TileOk;
    erase_piece_ready_o = 1'b0;
    if (state_q == StErasePiece) begin
      erase_piece_ready_o = 1'b1;
      erase_word_addr     = erase_piece_i.address[AddrWidth-1:4];
      erase_at            = erase_piece_i.address[3:0];
      erase_left          = erase_piece_i.length;
      erase_bound         = !erase_piece_i.last;
      erase_why_o         = erase_stop_i ? TileAborted : erase_piece_i.why;
      if (erase_stop_i || erase_piece_valid_i) begin
        erase_done_o = erase_why_o != TileOk;
        erase_state  = erase_done_o ? StIdle : StErase;
      end
    end else if (erasing) begin
      erase_close = (left_q == 32'(zeros)) || erase_stop_i;
      if ((left_q != 32'(zeros)) || bound_q) erase_why_o = TileAborted;
      if (can_push) begin
        erase_word_addr = word_addr_q + 1'b1;
        erase_at        = '0;
        erase_left      = left_q - 32'(zeros);
        if (erase_close) begin
          erase_done_o = !bound_q || erase_stop_i;
          erase_state  = erase_done_o ? StIdle : StErasePiece;
        end
      end
    end
  end

  assign erase_active_o = (state_q == StErasePiece) || erasing;

  // --- Sections ----------------------------------------------------------------------------------

  logic [2:0] coming;   // of which the first is entered
  logic       enter;
  logic       to_data;  // that begins where the message does
  out_e       section;  // that is being written
  addr_t      enter_addr;

  always_comb begin
    section = OutContext;
    if (todo_q[OutMessage])  section = OutMessage;
    else if (todo_q[OutTag]) section = OutTag;
  end

  logic word_push, close, close_only, drop;

  assign drop        = killed || !to_memory;
  assign take        = (state_q == StMove) && dst_valid_i && !over && may_write_i[place_q] &&
                       (drop || can_push);
  assign dst_ready_o = (take && (drop || consumed)) ||
                       ((state_q == StPiece) && killed && !over && may_write_i[place_q]);
  assign place_o     = place_q;

  always_comb begin
    state_d       = state_q;
    todo_d        = todo_q;
    word_addr_d   = word_addr_q;
    at_d          = at_q;
    bound_d       = bound_q;
    left_d        = left_q;
    after_d       = after_q;
    skip_d        = skip_q;
    part_d        = part_q;
    strb_d        = strb_q;
    bytes_d       = bytes_q;
    unwrap_beat_d = unwrap_beat_q;
    word_push     = 1'b0;
    close         = 1'b0;
    close_only    = 1'b0;
    coming        = todo_q;
    enter         = 1'b0;
    job_pop       = 1'b0;
    piece_ready_o = 1'b0;
    bad_o         = 1'b0;
    unique case (state_q)
      StIdle: begin
        coming        = {job.context_out, job.tag, job.message};
        bytes_d       = '0;
        unwrap_beat_d = '0;
        skip_d        = '0;
        strb_d        = '0;
        if (erase_valid_i && !erase_stop_i) begin
          state_d     = erase_i.list ? StErasePiece : StErase;
          word_addr_d = erase_i.address[AddrWidth-1:4];
          at_d        = erase_i.address[3:0];
          left_d      = erase_i.length;
          bound_d     = 1'b0;
        end else if (job_valid) begin
          todo_d = coming;
          enter  = 1'b1;
        end
      end
      StPiece: begin
        if (over) begin
          // Pieces that are left over go with the job.
          piece_ready_o = piece_here;
          close_only    = 1'b1;
          job_pop       = !piece_here && !list_busy_i[place_q] && can_push;
        end else if (piece_here && !killed) begin
          piece_ready_o = 1'b1;
          bad_o         = (piece_i.why != TileOk);
          if (piece_i.why == TileOk) begin
            state_d     = StMove;
            word_addr_d = piece_i.address[AddrWidth-1:4];
            at_d        = piece_i.address[3:0];
            bound_d     = !piece_i.last;
            left_d      = piece_i.length;
            strb_d      = '0;
          end
        end
      end
      StMove: begin
        if (over) begin
          // It ended early. What is in an open burst leaves.
          close_only = 1'b1;
          bytes_d    = bytes_q - 32'(held);
          strb_d     = '0;
          if (job.list) begin
            state_d = can_push ? StPiece : StMove;
            bound_d = 1'b0;
          end else begin
            job_pop = can_push;
          end
        end else if (take && drop) begin
          unwrap_beat_d = unwrap_beat_q + 1'b1;
          skip_d        = '0;
          if (dst_i.last && !killed) begin
            todo_d[section] = 1'b0;
            coming          = todo_d;
            enter           = 1'b1;
          end
        end else if (take) begin
          word_push = (sum >= 5'd16) || ends;
          close     = (filled || section_end) && (sum <= 5'd16);
          at_d      = sum[3:0];
          left_d    = left_q - 32'(count);
          skip_d    = consumed ? '0 : skip_q + count[3:0];
          part_d    = (sum >= 5'd16) ? turned : merged;
          strb_d    = (sum >= 5'd16) ? ~(16'hFFFF << (sum - 5'd16)) : now_strb;
          bytes_d   = bytes_q + ((section == OutContext) ? 32'd0 : 32'(count));
          after_d   = run_end;
          if (sum >= 5'd16) word_addr_d = word_addr_q + 1'b1;
          if (ends && (sum > 5'd16)) begin
            state_d = StFlush;
          end else if (run_end) begin
            todo_d[section] = 1'b0;
            coming          = todo_d;
            enter           = 1'b1;
          end else if (ends) begin
            state_d = StPiece;
          end
          if (section_end && joined) todo_d[OutMessage] = 1'b0;
        end
      end
      StErasePiece, StErase: begin
        state_d     = erase_state;
        word_addr_d = erase_word_addr;
        at_d        = erase_at;
        bound_d     = erase_bound;
        left_d      = erase_left;
        word_push   = erasing && can_push;
        close       = erase_close;
      end
      default: begin  // StFlush
        word_push = can_push;
        close     = can_push;
        if (can_push) begin
          state_d = StPiece;
          if (after_q) begin
            todo_d[section] = 1'b0;
            coming          = todo_d;
            enter           = 1'b1;
          end
        end
      end
    endcase

    to_data = coming[OutMessage] || (coming[OutTag] && job.row);
    if (to_data)             enter_addr = job.dst_addr;
    else if (coming[OutTag]) enter_addr = job.tag_addr;
    else                     enter_addr = job.context_addr;
    if (enter) begin
      strb_d = '0;
      if (coming == '0) begin
        job_pop = 1'b1;
      end else if (to_data && job.list) begin
        state_d = StPiece;
      end else begin
        state_d     = StMove;
        word_addr_d = enter_addr[AddrWidth-1:4];
        at_d        = enter_addr[3:0];
        bound_d     = 1'b0;
      end
    end
    if (job_pop) state_d = StIdle;
  end

  assign left_o        = job_pop;
  assign left_bytes_o  = bytes_d;
  assign bad_why_o     = piece_i.why;

  assign unwrap_valid_o = take && !to_memory && !killed;
  assign unwrap_data_o  = dst_i.data;
  assign unwrap_beat_o  = unwrap_beat_q;

  place_t place_d;
  always_comb begin
    place_d = place_q;
    if (job_pop) place_d = place_q + 1'b1;
  end

  cry_reg_tmr #(
    .Width($bits({
      state_q, place_q, todo_q, word_addr_q, at_q, bound_q, left_q, after_q, skip_q,
      part_q, strb_q, bytes_q, unwrap_beat_q
    })), .Protect(Protect)
  ) u_state_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      state_d, place_d, todo_d, word_addr_d, at_d, bound_d, left_d, after_d, skip_d,
      part_d, strb_d, bytes_d, unwrap_beat_d
    }),
    .q_o({
      state_q, place_q, todo_q, word_addr_q, at_q, bound_q, left_q, after_q, skip_q,
      part_q, strb_q, bytes_q, unwrap_beat_q
    }),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // --- Bursts ------------------------------------------------------------------------------------

  logic         open;  // a burst is being formed
  queue_t       burst_owner;
  place_t       burst_place;
  logic [127:0] new_data;
  logic [15:0]  new_strb;

  assign burst_owner = erasing ? erase_i.owner : job.owner;
  assign burst_place = erasing ? erase_place_i : place_q;

  always_comb begin
    new_data = merged;
    new_strb = now_strb;
    if (state_q == StFlush) begin
      new_data = part_q;
      new_strb = strb_q;
    end else if (erasing) begin
      new_data = '0;
      new_strb = keep_of(zeros) << at_q;
    end
  end

  assign rest_o = open || (state_q == StFlush);

  cry_tile_lane_burst #(.Depth(Depth), .Protect(Protect)) u_burst (
    .clk_i, .rst_ni,
    .can_push_o(can_push), .push_i(word_push), .word_addr_i(word_addr_q),
    .data_i(new_data), .strb_i(new_strb),
    .owner_i(burst_owner), .place_i(burst_place), .erase_i(erasing),
    .close_i(close), .close_only_i(close_only), .open_o(open),
    .aw_valid_o, .aw_ready_i, .aw_o, .w_valid_o, .w_ready_i, .w_o, .b_valid_i, .b_error_i,
    .lost_o, .lost_why_o, .lost_place_o, .busy_o, .erase_busy_o,
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  logic unused;
  assign unused = ^{job_in_ready, job_count, dst_i.kind, erase_piece_i.place};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(HasRoom_A, push_i |-> job_in_ready)
  `CRY_ASSERT(Kind_A, (take && !killed) |->
    dst_i.kind == ((section == OutMessage) ? cry_engine_pkg::KindMessage :
                   (section == OutTag) ? cry_engine_pkg::KindTag : cry_engine_pkg::KindContext))

endmodule
