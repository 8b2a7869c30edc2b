// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Issues jobs and keys to the engine, takes its `done`, and clears the engine when a job must end
// early.
//
// A key comes with the job or from memory; it is held until its job is over, or is reported before
// its turn without being in the engine, and is then overwritten. The engine may get the next job
// before the current one is done, but not before the current one has shown that its parameters are
// good (it took its keys, or a beat if it has none): a job with a bad parameter takes neither, and
// its successor must not receive what it left.
//
// A killed job (kill_i) retires when all earlier ones are done. If the engine holds it, the engine
// is cleared, and a later job that the engine already held is issued again. The engine is not
// cleared once it has consumed data or produced output of a later job: the killed job is then about
// to end by itself. Until then input and output of later jobs are held back (may_feed_o,
// may_write_o).
//
// wipe_i (one cycle) zeroizes all keys within a few cycles; the jobs must be killed too.
module cry_tile_lane_hand
  import cry_tile_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  // The second key follows the first directly (XTS); else it begins at byte 32 (HMAC, KMAC)
  parameter bit KeysAdjacent = 1'b0,
  // 16 bytes each of a key: 4, or 5, where all keys have more than 64 and are three transfers
  parameter int unsigned KeyBeats = 4,
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  wipe_i,  // one cycle: zeroizes all keys

  input  logic                  push_i,        // never more than NumJobs are inside
  input  place_t                push_place_i,  // slot of the job, with push_i
  input  hand_job_t             job_i,         // the job, with push_i
  input  logic                  key_here_i,    // with the job, or there is none
  input  slot_key_t             key_i,         // the key from a slot, with key_here_i
  input  place_t                oldest_i,      // slot of the oldest job

  input  logic                  read_key_valid_i,  // a word of a key from memory
  input  logic [127:0]          read_key_data_i,   // the word
  input  logic [2:0]            read_key_beat_i,   // its number
  input  logic                  read_key_last_i,   // last of its key
  input  place_t                read_key_place_i,  // slot of its job

  input  logic                  report_i,       // a job is reported
  input  place_t                report_place_i, // its slot
  input  places_t               here_i,         // places with a job
  input  places_t               kill_i,         // by slot: its job is to end
  output places_t               over_o,         // the engine has no more to do with it
  output places_t               given_o,        // by slot: output of its job was taken
  output places_t               may_feed_o,     // by slot: its input may go to the engine
  output places_t               may_write_o,    // by slot: its output may be written
  input  logic                  fed_i,          // a beat was taken
  input  place_t                fed_place_i,    // slot of its job
  input  logic                  given_i,        // a beat of output was taken
  input  place_t                given_place_i,  // slot of its job

  output logic                  done_o,             // by the engine
  output place_t                done_place_o,       // slot of the job that is done
  output cry_engine_pkg::status_e   done_status_o,  // its status

  output logic                  clear_o,            // engine port
  output logic                  job_valid_o,        // engine port
  input  logic                  job_ready_i,        // engine port
  output cry_engine_pkg::job_t      job_o,          // engine port
  output logic                  key_valid_o,        // engine port
  input  logic                  key_ready_i,        // engine port
  output cry_engine_pkg::key_t      key_o,          // engine port
  input  logic                  done_valid_i,       // engine port
  output logic                  done_ready_o,       // engine port
  input  cry_engine_pkg::status_e   done_status_i,  // engine port

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [2+KeyBeats:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  // Of the key of a job with more than one.
  localparam logic [1:0] Transfers = (KeyBeats > 4) ? 2'd3 : 2'd2;

  places_t           over_q, key_here_q;
  places_t           fed_q, given_q, used;   // a beat went in; came out; either
  place_t            hand_q, done_q;         // next to hand over, next to be done
  logic [JobWidth:0] inside_q;               // jobs that the engine has
  logic [1:0]        keys_left_q;            // of the job that was handed over last
  logic              keyed_q;                // that job has keys
  logic              two_q;
  logic              short_q;
  places_t           dirty_q;                // keys to be wiped
  place_t            latest;                 // handed over last

  hand_job_t         job;

  cry_ram #(.Width($bits(hand_job_t)), .Depth(NumJobs), .Protect(Protect)) u_jobs (
    .clk_i, .we_i(push_i), .waddr_i(push_place_i), .wdata_i(job_i),
    .raddr_i(hand_q), .rdata_o(job),
    .used_i(job_valid_o),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign latest = hand_q - 1'b1;

  // --- Killed jobs -------------------------------------------------------------------------------

  places_t waiting;       // killed, and not over
  logic    end_unused, end_used, later_used, clear_q, skip, end_done;

  assign waiting = here_i & kill_i & ~over_q;

  assign used = fed_q | given_q;

  always_comb begin
    later_used = 1'b0;
    for (int unsigned p = 0; p < NumJobs; p++) begin
      if (here_i[p] && used[p] &&
          (age_of(place_t'(p), oldest_i) > age_of(done_q, oldest_i))) begin
        later_used = 1'b1;
      end
    end
  end

  // Nothing that is behind a killed job feeds the engine or gets its output.
  always_comb begin
    for (int unsigned p = 0; p < NumJobs; p++) begin
      may_feed_o[p]  = !clear_q;
      may_write_o[p] = !clear_q;
      for (int unsigned k = 0; k < NumJobs; k++) begin
        if (waiting[k] && (age_of(place_t'(k), oldest_i) <= age_of(place_t'(p), oldest_i))) begin
          may_feed_o[p] = 1'b0;
          if (k != p) may_write_o[p] = 1'b0;
        end
      end
    end
  end

  assign end_unused = waiting[done_q] && (inside_q == '0) && !clear_q;
  assign end_used   = waiting[done_q] && (inside_q != '0) && !clear_q && !done_valid_i &&
                      !later_used;
  assign skip       = clear_q || end_unused;

  // --- Hand-over ---------------------------------------------------------------------------------

  logic job_fire, key_fire, proved;

  assign proved      = (inside_q == '0) || (keyed_q ? (keys_left_q == '0) : fed_q[latest]);
  assign job_valid_o = here_i[hand_q] && !over_q[hand_q] && key_here_q[hand_q] && !kill_i[hand_q] &&
                       proved && !clear_q && !inside_q[JobWidth];
  assign job_fire    = job_valid_o && job_ready_i;
  assign job_o       = job.job;
  assign clear_o     = clear_q;

  // --- Keys --------------------------------------------------------------------------------------

  logic      later_key, key_wipe;
  place_t    wipe_place;
  place_t    key_place;
  slot_key_t key;
  logic      second, third;
  logic [KeyBeats-1:0]        part_we;
  logic [KeyBeats-1:0][127:0] part_data;
  place_t            key_waddr;

  assign later_key   = keys_left_q != '0;
  assign key_place   = later_key ? latest : hand_q;
  assign second      = later_key && two_q && (keys_left_q == Transfers - 2'd1);
  assign third       = later_key && two_q && (keys_left_q == Transfers - 2'd2);
  assign key_valid_o = !clear_q && (later_key || (job_valid_o && job.has_key));
  assign key_fire    = key_valid_o && key_ready_i;

  // Of a job that is reported before its turn nothing is needed, unless the engine has it.
  logic early;
  assign early = report_i && kill_i[report_place_i] &&
                 ((JobWidth + 1)'(age_of(report_place_i, done_q)) >= inside_q);

  // A key is wiped when nobody needs it any more, as soon as nothing else is written.
  always_comb begin
    wipe_place = '0;
    for (int unsigned p = 0; p < NumJobs; p++) begin
      if (dirty_q[p]) wipe_place = place_t'(p);
    end
  end
  assign key_wipe = dirty_q[wipe_place] && !push_i && !read_key_valid_i;

  always_comb begin
    key_waddr    = push_i ? push_place_i : read_key_place_i;
    part_data = push_i ? key_i[128*KeyBeats-1:0] : {KeyBeats{read_key_data_i}};
    for (int unsigned b = 0; b < KeyBeats; b++) begin
      part_we[b] = push_i || (read_key_valid_i && (read_key_beat_i == 3'(b)));
    end
    if (key_wipe) begin
      key_waddr    = wipe_place;
      part_data = '0;
      part_we   = '1;
    end
  end

  for (genvar b = 0; b < KeyBeats; b++) begin : gen_part
    cry_ram #(.Width(128), .Depth(NumJobs), .Protect(Protect)) u_key (
      .clk_i, .we_i(part_we[b]), .waddr_i(key_waddr), .wdata_i(part_data[b]),
      .raddr_i(key_place), .rdata_o(key[128*b+:128]),
      .used_i(key_valid_o),
      .corrected_o(corrected[3 + b]), .detected_o(detected[3 + b])
    );
  end
  if (KeyBeats < SlotBits / 128) begin : gen_no_part
    logic unused_key;
    assign unused_key = ^key_i[SlotBits-1:128*KeyBeats];
    assign key[SlotBits-1:128*KeyBeats] = '0;
  end

  always_comb begin
    key_o = key[255:0];
    if (second) key_o = (KeysAdjacent && short_q) ? 256'(key[255:128]) : key[511:256];
    if ((KeyBeats > 4) && third) key_o = 256'(key[SlotBits-1:512]);
  end

  // --- State -------------------------------------------------------------------------------------

  logic done_fire;

  assign done_ready_o  = !clear_q;
  assign done_fire     = done_valid_i && done_ready_o && (inside_q != '0);
  assign end_done      = done_fire || skip;
  assign done_o        = done_fire;
  assign done_place_o  = done_q;
  assign done_status_o = done_status_i;
  assign over_o        = over_q;
  assign given_o       = given_q;

  places_t over_d, fed_d, given_d, key_here_d, dirty_d;
  place_t hand_d, done_d;
  logic [JobWidth:0] inside_d;
  logic [1:0] keys_left_d;
  logic keyed_d, two_d, short_d, clear_d;
  always_comb begin
    over_d      = over_q;
    fed_d       = fed_q;
    given_d     = given_q;
    key_here_d  = key_here_q;
    hand_d      = hand_q;
    done_d      = done_q;
    inside_d    = inside_q;
    keys_left_d = keys_left_q;
    keyed_d     = keyed_q;
    two_d       = two_q;
    short_d     = short_q;
    dirty_d     = dirty_q;
    clear_d = end_used;
    if (end_done) begin
      over_d[done_q] = 1'b1;
      done_d         = done_q + 1'b1;
    end
    if (skip) begin
      hand_d   = done_q + 1'b1;
      inside_d = '0;
    end else begin
      hand_d   = hand_q + JobWidth'(job_fire);
      inside_d = inside_q + (JobWidth + 1)'(job_fire) - (JobWidth + 1)'(done_fire);
    end

    if (job_fire) begin
      keyed_d     = job.has_key;
      two_d       = job.two_keys;
      short_d     = job.job.key_len == cry_engine_pkg::KeyLen128;
      keys_left_d = (job.has_key ? (job.two_keys ? Transfers : 2'd1) : 2'd0) - 2'(key_fire);
    end else if (skip || (done_fire && (inside_q == (JobWidth + 1)'(1)))) begin
      keys_left_d = '0;
    end else if (key_fire) begin
      keys_left_d = keys_left_q - 1'b1;
    end

    if (fed_i)   fed_d[fed_place_i]     = 1'b1;
    if (given_i) given_d[given_place_i] = 1'b1;
    if (read_key_valid_i && read_key_last_i) key_here_d[read_key_place_i] = 1'b1;
    if (push_i) begin
      over_d[push_place_i]     = 1'b0;
      fed_d[push_place_i]      = 1'b0;
      given_d[push_place_i]    = 1'b0;
      key_here_d[push_place_i] = key_here_i;
    end

    if (end_done) dirty_d[done_q] = 1'b1;
    if (early)    dirty_d[report_place_i] = 1'b1;
    if (key_wipe) dirty_d[wipe_place] = 1'b0;
    if (push_i)   dirty_d[push_place_i] = 1'b0;
    if (wipe_i)   dirty_d = '1;
  end

  cry_reg_tmr #(
    .Width($bits({
      over_q, fed_q, given_q, key_here_q, hand_q, done_q, inside_q, keys_left_q,
      keyed_q, two_q, short_q, clear_q
    })), .Protect(Protect)
  ) u_over_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      over_d, fed_d, given_d, key_here_d, hand_d, done_d, inside_d, keys_left_d,
      keyed_d, two_d, short_d, clear_d
    }),
    .q_o({
      over_q, fed_q, given_q, key_here_q, hand_q, done_q, inside_q, keys_left_q,
      keyed_q, two_q, short_q, clear_q
    }),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_tmr #(
    .Width($bits(dirty_q)), .ResVal('1), .Protect(Protect)
  ) u_dirty_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(dirty_d),
    .q_o(dirty_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  `CRY_ASSERT_RUN
  // A job's key is not taken before the job, and its data not by a later job.
  `CRY_ASSERT(KeyAfterJob_A, key_fire |-> (later_key || job_fire))
  `CRY_ASSERT(DoneHasJob_A, (done_valid_i && !clear_q) |-> inside_q != '0)
  `CRY_ASSERT(OneWriter_A, !(push_i && read_key_valid_i))

endmodule
