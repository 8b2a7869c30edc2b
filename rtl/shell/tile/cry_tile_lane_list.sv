// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Reads the scatter-gather lists of jobs ahead of their use, that of the associated data before
// that of the data, and trims them to the bytes that are wanted.
//
// A list is an array of 16-byte entries (sg_entry_t) at a multiple of 16. Up to four entries are
// read at a time, never beyond a 64-byte block, and up to eight ahead, of the next 4-KiB page none
// that is not known to be of the list. The output begins behind the bytes to leave out and
// ends with the last byte that is wanted; later entries are ignored, and so are empty ones, up to
// MaxEmpty in a row. A list that is too short, has a bad entry, an entry that cannot be read or too
// many short ones (cry_tile_lane_spare) ends in a segment that says so. stop_i abandons the lists
// of jobs that have ended; segments already out are dropped by their user. A job leaves this stage
// (left_o, in order of slots) when no read of it is outstanding.
module cry_tile_lane_list
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_layout_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  parameter bit Aad = 1'b0,  // there are lists of associated data
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       push_i,   // never more than NumJobs are inside
  input  list_job_t  job_i,    // the job, with push_i
  input  list_t      aad_i,    // list of its associated data, with push_i; if Aad
  input  places_t    stop_i,   // by slot: its job has ended; its list is abandoned
  output logic       left_o,   // one cycle: the job in place_o has no read outstanding
  output place_t     place_o,  // slot of the current job

  output logic       ar_valid_o,  // a burst is requested
  input  logic       ar_ready_i,  // the request is accepted
  output bus_req_t   ar_o,        // address, length, owner
  input  logic       r_valid_i,   // a word of a response
  input  bus_r_t     r_i,         // data, last, error

  output logic       piece_valid_o,  // segment of a list
  input  logic       piece_ready_i,  // it is taken
  output piece_t     piece_o,        // address and length, or an error

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [5:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  // Every entry brings bytes, of which a job has a number, or is one of so many: lists end.
  localparam logic [3:0] MaxEmpty = 4'd15;

  localparam int unsigned Depth = 8;
  localparam int unsigned CountWidth = $clog2(Depth) + 1;

  typedef enum logic [1:0] {
    StIdle,
    StRead,
    StEnd    // until all reads are answered
  } state_e;

  state_e      state_d, state_q;
  place_t      place_q;
  addr_t       addr_d, addr_q;
  logic [31:0] left_d, left_q;
  logic [31:0] skip_d, skip_q;      // bytes that are still left out
  logic [3:0]  empty_d, empty_q;    // empty entries before this one
  logic        behind_d, behind_q;  // the associated data's list was read
  logic [CountWidth-1:0] free_d, free_q, away_d, away_q;  // places in the FIFO; entries asked for

  logic                  job_valid, job_pop, job_in_ready;
  list_job_t             job;
  list_t                 list, aad;
  logic                  is_aad;
  logic [JobWidth:0]     job_count;

  cry_fifo #(.T(list_job_t), .Depth(NumJobs), .Protect(Protect)) u_jobs (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(push_i), .in_ready_o(job_in_ready), .in_data_i(job_i),
    .out_valid_o(job_valid), .out_ready_i(job_pop), .out_data_o(job), .count_o(job_count),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  if (Aad) begin : gen_aad
    logic aad_in_ready, aad_valid, unused_aad;
    logic [JobWidth:0] aad_count;
    assign unused_aad = ^{aad_in_ready, aad_valid, aad_count};
    cry_fifo #(.T(list_t), .Depth(NumJobs), .Protect(Protect)) u_aads (
      .clk_i, .rst_ni, .flush_i(1'b0),
      .in_valid_i(push_i), .in_ready_o(aad_in_ready), .in_data_i(aad_i),
      .out_valid_o(aad_valid), .out_ready_i(job_pop), .out_data_o(aad), .count_o(aad_count),
      .corrected_o(corrected[5]), .detected_o(detected[5])
    );
  end else begin : gen_no_aad
    logic unused_aad;
    assign unused_aad = ^aad_i;
    assign aad = '0;
    assign {corrected[5], detected[5]} = '0;
  end

  assign is_aad = aad.there && !behind_q;
  assign list   = is_aad ? aad : job.data;

  logic      stop, bus_free, page_free, ask, seen, use_entry, piece_push, piece_pop;
  logic [2:0] beats;
  sg_entry_t entry;
  piece_t    piece;
  logic      piece_in_ready;
  logic [CountWidth-1:0] piece_count;

  assign stop     = stop_i[place_q];
  assign bus_free = !ar_valid_o || ar_ready_i;
  assign beats    = 3'd4 - 3'(addr_q[5:4]);
  // A list may end where its window does: a page is not asked for before all entries that were
  // asked for are there.
  assign page_free = (addr_q[11:0] != '0) || (away_q == '0);
  assign ask      = (state_q == StRead) && !stop && bus_free && (free_q >= CountWidth'(beats)) &&
                    (addr_q[3:0] == '0) && page_free;
  assign entry    = sg_entry_t'(r_i.data);

  // An entry, or what is wrong with it.
  logic        empty, unwanted, covers, bad_entry, too_short;
  logic [31:0] length;     // of what is not left out
  assign empty     = entry.length == '0;
  assign unwanted  = entry.length <= skip_q;
  assign length    = entry.length - skip_q;
  assign covers    = !unwanted && (length >= left_q);
  assign bad_entry = ((entry & SgEntryReserved) != '0) || (empty && (empty_q == MaxEmpty)) ||
                     (entry.last && !covers) || too_short;
  always_comb begin
    piece = '{
      place:   place_q,
      last:    covers,
      why:     TileOk,
      address: entry.address + addr_t'(skip_q),
      length:  covers ? left_q : length
    };
    if ((addr_q[3:0] != '0) || bad_entry)     piece.why = TileBadDescriptor;
    if (r_valid_i && (r_i.error != BusOkay)) piece.why = status_of(r_i.error);
  end

  logic [31:0] allowance;
  always_comb begin
    allowance = (list.length < job.max_bytes) ? job.max_bytes - list.length : '0;
    if (job.max_bytes == '0) allowance = '1;
  end

  cry_tile_lane_spare #(.Protect(Protect)) u_spare (
    .clk_i,
    .rst_ni,
    .start_i    (job_valid && (state_q == StIdle)),
    .allowance_i(allowance),
    .least_i    (job.piece),
    .entry_i    (seen),
    .length_i   (entry.length),
    .last_i     (covers),
    .over_o     (too_short),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  assign seen       = r_valid_i && (state_q == StRead) && !stop;
  assign use_entry  = seen && (!unwanted || (piece.why != TileOk));
  assign piece_push = use_entry || ((state_q == StRead) && !stop && (addr_q[3:0] != '0) &&
                                    (free_q != '0));

  always_comb begin
    state_d  = state_q;
    addr_d   = addr_q;
    left_d   = left_q;
    skip_d   = skip_q;
    empty_d  = empty_q;
    behind_d = behind_q;
    job_pop  = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (job_valid) begin
          addr_d  = list.address;
          left_d  = list.length;
          skip_d  = is_aad ? '0 : job.skip;
          empty_d = '0;
          if (list.there && !stop) state_d = StRead;
          else                     job_pop = 1'b1;
        end
      end
      StRead: begin
        if (ask) addr_d = addr_q + addr_t'({beats, 4'd0});
        if (seen) begin
          skip_d  = unwanted ? skip_q - entry.length : '0;
          empty_d = empty ? empty_q + 1'b1 : '0;
        end
        if (piece_push) begin
          left_d = left_q - piece.length;
          if (piece.last || (piece.why != TileOk)) state_d = StEnd;
        end
        if (stop) state_d = StEnd;
      end
      default: begin
        if (!ar_valid_o && (away_q == '0)) begin
          state_d  = StIdle;
          behind_d = 1'b1;
          job_pop  = !is_aad;
        end
      end
    endcase
    if (job_pop) behind_d = 1'b0;
  end

  assign piece_pop = piece_valid_o && piece_ready_i;
  assign away_d    = away_q + (ask ? CountWidth'(beats) : '0) - CountWidth'(r_valid_i);
  // A place is given back by an entry that is not used, or by the user.
  assign free_d    = free_q - (ask ? CountWidth'(beats) : '0) +
                     CountWidth'(r_valid_i && !use_entry) + CountWidth'(piece_pop) -
                     CountWidth'(piece_push && !use_entry);
  assign left_o    = job_pop;
  assign place_o   = place_q;

  place_t place_d;
  logic ar_valid_d;
  bus_req_t ar_d;
  always_comb begin
    place_d    = place_q;
    ar_valid_d = ar_valid_o;
    ar_d       = ar_o;
    if (job_pop) place_d = place_q + 1'b1;
    if (ask) begin
      ar_valid_d = 1'b1;
      ar_d       = '{
        owner: job.owner, place: place_q, address: addr_q, len: 4'(beats - 3'd1)
      };
    end else if (ar_ready_i) begin
      ar_valid_d = 1'b0;
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      state_q, place_q, addr_q, left_q, skip_q, empty_q, behind_q, away_q, ar_valid_o, ar_o
    })), .Protect(Protect)
  ) u_state_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      state_d, place_d, addr_d, left_d, skip_d, empty_d, behind_d, away_d, ar_valid_d, ar_d
    }),
    .q_o({
      state_q, place_q, addr_q, left_q, skip_q, empty_q, behind_q, away_q, ar_valid_o, ar_o
    }),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_tmr #(
    .Width($bits(free_q)), .ResVal(CountWidth'(Depth)), .Protect(Protect)
  ) u_free_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(free_d),
    .q_o(free_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  cry_fifo #(.T(piece_t), .Depth(Depth), .Protect(Protect)) u_pieces (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(piece_push), .in_ready_o(piece_in_ready), .in_data_i(piece),
    .out_valid_o(piece_valid_o), .out_ready_i(piece_ready_i), .out_data_o(piece_o),
    .count_o(piece_count),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  logic unused;
  assign unused = ^{job_in_ready, job_count, piece_in_ready, piece_count, r_i.last};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(HasRoom_A, (piece_push |-> piece_in_ready) and (push_i |-> job_in_ready))

endmodule
