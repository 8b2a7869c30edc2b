// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Requests the data of jobs: their sections in order, in bursts that end at 256-byte boundaries,
// with metadata of each for cry_tile_lane_read.
//
// The bytes of a section that is in a list lie in segments. A segment may hold the end of one
// section and the beginning of the next.
//
// A burst is requested when there is room for all its words (Depth, returned by room_i), so
// responses are never stalled. stop_i ends a job after the burst being requested. A job leaves this
// stage (left_o, in order of slots) when all its bursts are requested. bad_o (one cycle): a list
// of the current job cannot be read.
//
// Latency: one cycle per job and one per burst.
module cry_tile_lane_fetch
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  parameter int unsigned Depth = 64,  // words that can be outstanding
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         push_i,     // never more than NumJobs are inside
  input  read_job_t    job_i,      // the job, with push_i
  input  places_t      stop_i,     // by slot: its job has ended; no further burst
  output logic         left_o,     // one cycle: all bursts of the job in place_o are requested
  output logic         bad_o,      // one cycle: a list of the job in place_o cannot be read
  output tile_status_e bad_why_o,  // why, with bad_o
  output place_t       place_o,    // slot of the current job

  // of the sections that are in lists; in the order of jobs
  input  logic         piece_valid_i,  // segment of a list
  output logic         piece_ready_o,  // it is taken
  input  piece_t       piece_i,        // address and length, or an error
  input  places_t      list_busy_i,    // jobs whose lists are still being read

  output logic         ar_valid_o,  // a burst is requested
  input  logic         ar_ready_i,  // the request is accepted
  output bus_req_t     ar_o,        // address, length, owner
  input  logic         room_i,      // a word was taken

  output logic         burst_valid_o,  // metadata of a requested burst
  input  logic         burst_ready_i,  // it is taken
  output burst_t       burst_o,        // what its words are

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [2:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned CountWidth = $clog2(Depth) + 1;

  logic              job_valid, job_pop, job_in_ready;
  read_job_t         job;
  logic [JobWidth:0] job_count;

  cry_fifo #(.T(read_job_t), .Depth(NumJobs), .Protect(Protect)) u_jobs (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(push_i), .in_ready_o(job_in_ready), .in_data_i(job_i),
    .out_valid_o(job_valid), .out_ready_i(job_pop), .out_data_o(job), .count_o(job_count),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  // What is under way: bytes without a gap, of a section.
  logic                   begun_d, begun_q;      // the job's sections are in todo_q
  logic                   active_d, active_q;
  logic                   first_d, first_q;      // burst of its section
  logic                   ends_d, ends_q;        // the section
  section_e               section_d, section_q;
  addr_t                  addr_d, addr_q;
  logic [31:0]            left_d, left_q;
  // Behind it, bytes of its section; and of its segment, which is at hand while there are any.
  logic [31:0]            behind_d, behind_q, rest_d, rest_q;
  logic [NumSections-1:0] todo_d, todo_q, todo;
  place_t                 place_q;

  logic [8:0]             room, bytes;
  logic [4:0]             beats;
  logic [CountWidth-1:0]  free_q;
  logic                   stop, bus_free, ask, over, next, more, listed, piece_here, bad, quit;
  section_e               choice;

  assign stop     = stop_i[place_q];
  assign bus_free = !ar_valid_o || ar_ready_i;
  assign room     = 9'd256 - 9'(addr_q[7:0]);
  assign bytes    = (left_q < 32'(room)) ? left_q[8:0] : room;
  assign beats    = 5'((10'(bytes) + 10'(addr_q[3:0]) + 10'd15) >> 4);
  assign ask      = active_q && !stop && bus_free && burst_ready_i &&
                    (free_q >= CountWidth'(beats));
  assign over     = ask && (left_q == 32'(bytes));

  // The next to read: the lowest section, or the next segment of it.
  assign todo = begun_q ? todo_q : job.sections;
  always_comb begin
    choice = SecKey;
    for (int unsigned s = NumSections; s > 0; s--) begin
      if (todo[s-1]) choice = section_e'(s - 1);
    end
  end
  assign more       = todo != '0;

  addr_t       start;
  logic [31:0] length;
  always_comb begin
    unique case (choice)
      SecKey:     {listed, start, length} = {1'b0, job.key_addr, 32'(job.key_bytes)};
      SecContext: {listed, start, length} = {1'b0, job.context_addr, 32'(job.context_bytes)};
      SecAad:     {listed, start, length} = {job.aad_list, job.aad_addr, job.aad_len};
      SecMessage: {listed, start, length} = {job.msg_list, job.src_addr, job.msg_len};
      default:    {listed, start, length} = {job.tag_list, job.tag_addr, job.tag_bytes};
    endcase
  end

  // What the section wants, and what the segment has.
  logic        resumed;
  logic [31:0] wanted, given;
  assign resumed = begun_q && (section_q == choice);
  assign wanted  = resumed ? behind_q : length;
  assign given   = (rest_q != '0) ? rest_q : piece_i.length;

  assign piece_here = piece_valid_i && (piece_i.place == place_q);
  assign next       = job_valid && !stop && more && (!active_q || over) && (!listed || piece_here);

  // A job that is given up takes its pieces along.
  logic job_lists;
  assign job_lists = job.aad_list || job.msg_list || job.tag_list;
  assign quit = stop && !piece_here && !(job_lists && list_busy_i[place_q]);

  assign bad           = piece_i.why != TileOk;
  assign piece_ready_o = (next && listed && (bad || (wanted >= given))) ||
                         (job_valid && stop && piece_here);
  assign bad_o         = next && listed && bad;
  assign bad_why_o     = piece_i.why;
  assign place_o       = place_q;

  always_comb begin
    begun_d   = begun_q;
    active_d  = active_q;
    first_d   = first_q;
    ends_d    = ends_q;
    section_d = section_q;
    addr_d    = addr_q;
    left_d    = left_q;
    behind_d  = behind_q;
    rest_d    = rest_q;
    todo_d    = todo_q;
    job_pop   = 1'b0;
    if (ask) begin
      active_d = !over;
      first_d  = 1'b0;
      addr_d   = addr_q + addr_t'(bytes);
      left_d   = left_q - 32'(bytes);
    end
    if (next) begin
      begun_d   = 1'b1;
      active_d  = 1'b1;
      first_d   = !resumed;
      ends_d    = !listed || (wanted <= given);
      section_d = choice;
      todo_d    = todo;
      if (ends_d) todo_d[choice] = 1'b0;
      if (!listed) begin
        addr_d = start;
        left_d = length;
      end else begin
        // The rest of a segment follows on what was read of it.
        if (rest_q == '0) addr_d = piece_i.address;
        left_d   = ends_d ? wanted : given;
        behind_d = wanted - left_d;
        rest_d   = given - left_d;
      end
      if (bad_o) active_d = 1'b0;
    end
    if (stop) active_d = 1'b0;
    // A job with a bad list waits to be stopped.
    if (job_valid && (quit || (!stop && !more && (!active_q || over)))) begin
      job_pop   = 1'b1;
      begun_d   = 1'b0;
      active_d  = 1'b0;
      section_d = SecKey;
      rest_d    = '0;
    end
  end

  assign left_o = job_pop;

  place_t place_d;
  logic [CountWidth-1:0] free_d;
  logic ar_valid_d;
  bus_req_t ar_d;
  always_comb begin
    place_d    = place_q;
    ar_valid_d = ar_valid_o;
    ar_d       = ar_o;
    if (job_pop) place_d = place_q + 1'b1;
    free_d = free_q - (ask ? CountWidth'(beats) : '0) + CountWidth'(room_i);
    if (ask) begin
      ar_valid_d = 1'b1;
      ar_d       = '{
        owner:   job.owner,
        place:   place_q,
        address: {addr_q[AddrWidth-1:4], 4'd0},
        len:     4'(beats - 5'd1)
      };
    end else if (ar_ready_i) begin
      ar_valid_d = 1'b0;
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      begun_q, active_q, first_q, ends_q, section_q, addr_q, left_q, behind_q, rest_q, todo_q,
      place_q, ar_valid_o, ar_o
    })), .Protect(Protect)
  ) u_begun_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      begun_d, active_d, first_d, ends_d, section_d, addr_d, left_d, behind_d, rest_d, todo_d,
      place_d, ar_valid_d, ar_d
    }),
    .q_o({
      begun_q, active_q, first_q, ends_q, section_q, addr_q, left_q, behind_q, rest_q, todo_q,
      place_q, ar_valid_o, ar_o
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

  assign burst_valid_o = ask;
  assign burst_o       = '{
    place:   place_q,
    section: section_q,
    first:   first_q,
    last:    ends_q && (left_q == 32'(bytes)),
    skip:    addr_q[3:0],
    bytes:   bytes
  };

  logic unused;
  assign unused = ^{job_in_ready, job_count, piece_i.last};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(HasRoom_A, push_i |-> job_in_ready)

endmodule
