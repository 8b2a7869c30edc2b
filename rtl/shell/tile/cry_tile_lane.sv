// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Connects one engine to the queues and to memory: reads a job's sections, feeds the engine, writes
// its output and reports the job when all writes are answered.
//
// Up to NumJobs jobs are in flight: while one waits for its last responses, others compute, are
// read, or have their scatter-gather lists read. Jobs are reported in order, but for those of an
// aborted queue, which wait for no other job. cry_tile_pkg defines sections and lists. Sections
// start at any byte address (lists at multiples of 16); an unaligned section costs one more bus
// word and at most one cycle.
//
// A job is killed by a bus error, a denied burst, a bad list, abort_i (level, per queue) or
// tamper_i. A killed job issues no new reads; if the engine holds it, the engine is cleared; its
// output is dropped. Bursts already formed are completed. It is reported when all its bursts are
// answered; other jobs are not affected. tamper_i also wipes all keys.
//
// A job of an aborted queue is reported when all its bursts are answered and, if output of it was
// taken, the engine has ended it: the job is then in front of the engine, which is cleared. Its
// place is free again when those before it are.
//
// When a tag does not verify, or could not be compared because of an error, exactly the part of the
// message that was written is zeroized before the job is reported (after the job that is being
// written at that time). This is given up when the queue is aborted; then the job is reported as
// aborted, and where the list cannot be read again, with that status.
//
// Readers of the bus: 0 data, 1 and 2 lists of source and destination, 3 the list of a message to
// zeroize.
module cry_tile_lane
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  // position of a job's second key: see cry_tile_lane_hand
  parameter bit          KeysAdjacent = 1'b0,
  parameter int unsigned KeyBeats     = 4,  // 16 bytes each of a key: see cry_tile_lane_hand
  parameter int unsigned SlotBeats    = 4,  // likewise of one that goes to a slot, 4 or 5
  parameter int unsigned NumQueues    = 4,  // queues
  // words of 16 bytes that can be outstanding; two bursts or more
  parameter int unsigned ReadDepth    = 64,
  parameter int unsigned WriteDepth   = 64,  // likewise, of writes
  parameter bit          Slow         = 1'b0,  // its jobs are long ones, whatever their bytes
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumQueues-1:0]  abort_i,   // by queue, level: kills its jobs
  input  logic                  tamper_i,  // level: kills all jobs and wipes all keys
  // cycles since reset: for the times of jobs, in simulation
  input  logic [31:0]           now_i,

  // from and to cry_tile_queues
  // by queue: as many long jobs of it are here as may be (cry_tile_pkg::is_long)
  output logic [NumQueues-1:0]  full_o,
  input  logic                  valid_i,         // a job
  output logic                  ready_o,         // it is accepted; does not depend on valid_i
  output logic                  busy_o,          // a job is here, from registers
  input  lane_job_t             job_i,           // the job
  input  slot_key_t             key_i,           // the key from a slot, or 0
  output logic                  done_valid_o,    // a job is retired
  input  logic                  done_ready_i,    // its report is taken
  output lane_done_t            done_o,          // its report
  output logic                  unwrap_valid_o,  // data of a job that unwraps a key
  output unwrap_t               unwrap_o,        // its associated data and message

  // Bus
  output logic [3:0]            ar_valid_o,  // a burst is requested
  input  logic [3:0]            ar_ready_i,  // the request is accepted
  output bus_req_t [3:0]        ar_o,        // address, length, owner
  input  logic [3:0]            r_valid_i,   // a word of a response
  input  bus_r_t                r_i,         // data, last, error
  output logic                  aw_valid_o,  // a burst is requested
  input  logic                  aw_ready_i,  // the request is accepted
  output bus_req_t              aw_o,        // address, length, owner
  output logic                  w_valid_o,   // a word of a requested burst
  input  logic                  w_ready_i,   // the word is accepted
  output bus_w_t                w_o,         // data, strobes
  input  logic                  b_valid_i,   // a burst is answered
  input  bus_error_e            b_error_i,   // how, with b_valid_i

  // Of a burst that was refused, read (0) and written (1)
  input  place_t [1:0]          refused_place_i,  // its `place`
  output logic [1:0][15:0]      refused_index_o,  // index of the descriptor, combinational

  output cry_engine_pkg::engine_req_t req_o,  // engine port
  input  cry_engine_pkg::engine_rsp_t rsp_i,  // engine port

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [13:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  // --- Places ------------------------------------------------------------------------------------

  places_t                    here_q, kill_q, unwrap_q, reported_q;
  tile_status_e [NumJobs-1:0] why_q, status_q;     // of killed jobs; of the engine
  queue_t [NumJobs-1:0]       owner_q;
  place_t                     in_q, oldest_q;      // next to fill, next to report
  places_t                    over, given, stop, may_feed, may_write;
  places_t                    source_busy_q, target_busy_q, fetch_busy_q, write_busy_q;
  places_t                    read_busy, read_unanswered, answer_busy;
  places_t                    aborted;           // by slot: its queue is
  places_t                    long_q;            // by slot: a long job
  logic                       push, report, retire;
  place_t                     report_place;
  logic                       source_left, target_left, fetch_left, write_left, write_rest;
  place_t                     source_place, target_place, fetch_place, write_place;

  logic                       read_key_valid, read_key_last;
  logic [127:0]               read_key_data;
  logic [2:0]                 read_key_beat;
  place_t                     read_key_place;

  logic [MaxQueues-1:0] abort;
  assign abort = MaxQueues'(abort_i);
  always_comb begin
    for (int unsigned p = 0; p < NumJobs; p++) aborted[p] = tamper_i || abort[owner_q[p]];
  end

  assign ready_o = !here_q[in_q] && !read_key_valid;
  assign push    = valid_i && ready_o;
  assign busy_o  = here_q != '0;
  assign stop    = kill_q | over;

  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      logic [JobWidth:0] count;
      count = '0;
      for (int unsigned p = 0; p < NumJobs; p++) begin
        count += (JobWidth + 1)'(here_q[p] && long_q[p] && (owner_q[p] == queue_t'(q)));
      end
      full_o[q] = count >= (JobWidth + 1)'(LongJobs);
    end
  end

  // --- Engine port -------------------------------------------------------------------------------

  logic              clear, job_valid, key_valid, src_valid, dst_ready, done_ready;
  cry_engine_pkg::job_t  engine_job;
  cry_engine_pkg::key_t  key;
  cry_engine_pkg::beat_t src;

  // Random bits are the tile's matter.
  assign req_o = '{
    clear:        clear,
    job_valid:    job_valid,
    job:          engine_job,
    key_valid:    key_valid,
    key:          key,
    src_valid:    src_valid,
    src:          src,
    dst_ready:    dst_ready,
    done_ready:   done_ready,
    rnd_valid:    1'b0,
    rnd:          '0,
    fault_inject: 1'b0
  };

  // The tile itself takes the reports of upsets.
  logic unused_rsp;
  assign unused_rsp = ^{rsp_i.rnd_ready, rsp_i.fault_corrected, rsp_i.fault_detected,
                        rsp_i.fault_sites};

  // --- What each station needs of a job ----------------------------------------------------------

  read_job_t  read_job;
  hand_job_t  hand_job;
  write_job_t write_job;
  list_job_t  source_list, target_list;
  list_t      source_aad;

  // Bytes in the lists of a source and a destination. cry_tile_decode has seen that their sum fits.
  logic        src_row, tag_read, tag_written;
  logic [31:0] source_length, target_length, target_skip;

  assign src_row       = job_i.row && job_i.src_list;
  assign tag_read      = job_i.has_tag && job_i.job.decrypt;
  assign tag_written   = job_i.has_tag && !job_i.job.decrypt;
  assign source_length = job_i.job.msg_len + (job_i.row ? job_i.job.aad_len : '0) +
                         ((job_i.row && tag_read) ? job_i.tag_bytes : '0);
  assign target_length = job_i.job.msg_len +
                         ((job_i.row && tag_written) ? job_i.tag_bytes : '0);
  assign target_skip   = job_i.row ? job_i.job.aad_len : '0;

  assign read_job = '{
    owner:         job_i.tag.owner,
    sections:      {
      tag_read,
      job_i.job.msg_len != '0,
      job_i.job.aad_len != '0,
      job_i.has_iv || (job_i.job.ctx_load && (job_i.context_beats != '0)),
      job_i.has_key && !job_i.key_slot && (job_i.key_bytes != '0)
    },
    aad_list:      job_i.aad_list || src_row,
    msg_list:      job_i.src_list,
    tag_list:      src_row,
    key_bytes:     job_i.key_bytes,
    context_bytes: job_i.has_iv ? job_i.job.iv_len : {2'd0, job_i.context_beats, 4'd0},
    aad_len:       job_i.job.aad_len,
    msg_len:       job_i.job.msg_len,
    tag_bytes:     job_i.tag_bytes,
    key_addr:      job_i.key_addr,
    context_addr:  job_i.has_iv ? job_i.iv_addr : job_i.context_addr,
    aad_addr:      job_i.aad_addr,
    src_addr:      job_i.src_addr,
    tag_addr:      job_i.tag_addr
  };

  assign hand_job = '{job: job_i.job, has_key: job_i.has_key, two_keys: job_i.two_keys};

  assign write_job = '{
    owner:        job_i.tag.owner,
    message:      (job_i.has_output && (job_i.job.msg_len != '0)) || job_i.tag.made,
    tag:          tag_written && !(job_i.tag.made &&
                                   (job_i.tag_bytes <= {25'd0, job_i.made_beats, 4'd0})),
    context_out:  job_i.job.ctx_save,
    list:         job_i.dst_list && job_i.has_output,
    row:          job_i.row,
    unwrap:       job_i.tag.unwrap,
    made_beats:   job_i.made_beats,
    dst_addr:     job_i.dst_addr,
    tag_addr:     job_i.tag_addr,
    context_addr: job_i.context_addr
  };

  assign source_aad = '{
    there:   job_i.aad_list && (job_i.job.aad_len != '0),
    address: job_i.aad_addr,
    length:  job_i.job.aad_len
  };
  assign source_list = '{
    owner: job_i.tag.owner,
    data:  '{
      there:   job_i.src_list && (source_length != '0),
      address: job_i.src_addr,
      length:  source_length
    },
    skip:  '0,
    max_bytes: job_i.max_bytes,
    piece: job_i.piece
  };
  assign target_list = '{
    owner: job_i.tag.owner,
    data:  '{
      there:   job_i.dst_list && job_i.has_output && (target_length != '0),
      address: job_i.dst_addr,
      length:  target_length
    },
    skip:  target_skip,
    max_bytes: job_i.max_bytes,
    piece: job_i.piece
  };

  // --- Lists -------------------------------------------------------------------------------------

  logic   source_valid, source_ready, target_valid, target_ready;
  piece_t source_piece, target_piece;

  cry_tile_lane_list #(.Aad(1'b1), .Protect(Protect)) u_source_list (
    .clk_i,
    .rst_ni,
    .push_i       (push),
    .job_i        (source_list),
    .aad_i        (source_aad),
    .stop_i       (stop),
    .left_o       (source_left),
    .place_o      (source_place),
    .ar_valid_o   (ar_valid_o[1]),
    .ar_ready_i   (ar_ready_i[1]),
    .ar_o         (ar_o[1]),
    .r_valid_i    (r_valid_i[1]),
    .r_i,
    .piece_valid_o(source_valid),
    .piece_ready_i(source_ready),
    .piece_o      (source_piece),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  cry_tile_lane_list #(.Protect(Protect)) u_target_list (
    .clk_i,
    .rst_ni,
    .push_i       (push),
    .job_i        (target_list),
    .aad_i        ('0),
    .stop_i       (stop),
    .left_o       (target_left),
    .place_o      (target_place),
    .ar_valid_o   (ar_valid_o[2]),
    .ar_ready_i   (ar_ready_i[2]),
    .ar_o         (ar_o[2]),
    .r_valid_i    (r_valid_i[2]),
    .r_i,
    .piece_valid_o(target_valid),
    .piece_ready_i(target_ready),
    .piece_o      (target_piece),
    .corrected_o(corrected[5]), .detected_o(detected[5])
  );

  // The list of a message to erase. Its jobs have places of their own count.
  logic   erase_start, erase_left, erase_piece_valid, erase_piece_ready, erase_stop, erase_rest;
  erase_t erase;
  logic [31:0] erase_max_bytes;
  logic [15:0] erase_piece_bytes;
  piece_t erase_piece;
  place_t erase_list_place;
  bus_req_t erase_ar;
  list_job_t erase_list;
  logic [31:0] erase_skip;  // bytes of the list in front of the message
  assign erase_list = '{
    owner: erase.owner,
    data:  '{there: erase.list, address: erase.address, length: erase.length},
    skip:  erase_skip,
    max_bytes: erase_max_bytes,
    piece: erase_piece_bytes
  };
  logic   unused_place;
  assign  unused_place = ^{erase_list_place, erase_ar.place};

  always_comb begin
    ar_o[3]       = erase_ar;
    ar_o[3].place = oldest_q;
  end

  cry_tile_lane_list #(.Protect(Protect)) u_erase_list (
    .clk_i,
    .rst_ni,
    .push_i       (erase_start),
    .job_i        (erase_list),
    .aad_i        ('0),
    .stop_i       ({NumJobs{erase_stop}}),
    .left_o       (erase_left),
    .place_o      (erase_list_place),
    .ar_valid_o   (ar_valid_o[3]),
    .ar_ready_i   (ar_ready_i[3]),
    .ar_o         (erase_ar),
    .r_valid_i    (r_valid_i[3]),
    .r_i,
    .piece_valid_o(erase_piece_valid),
    .piece_ready_i(erase_piece_ready || erase_rest),
    .piece_o      (erase_piece),
    .corrected_o(corrected[6]), .detected_o(detected[6])
  );

  // --- Reading -----------------------------------------------------------------------------------

  logic         fetch_bad, read_bad, write_bad, write_lost;
  tile_status_e fetch_why, read_why, write_why, lost_why;
  place_t       read_place, lost_place, src_place;
  logic         burst_valid, burst_ready, room, src_fire, dst_fire;
  burst_t       burst;

  cry_tile_lane_fetch #(.Depth(ReadDepth), .Protect(Protect)) u_fetch (
    .clk_i,
    .rst_ni,
    .push_i       (push),
    .job_i        (read_job),
    .stop_i       (stop),
    .left_o       (fetch_left),
    .bad_o        (fetch_bad),
    .bad_why_o    (fetch_why),
    .place_o      (fetch_place),
    .piece_valid_i(source_valid),
    .piece_ready_o(source_ready),
    .piece_i      (source_piece),
    .list_busy_i  (source_busy_q),
    .ar_valid_o   (ar_valid_o[0]),
    .ar_ready_i   (ar_ready_i[0]),
    .ar_o         (ar_o[0]),
    .room_i       (room),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_o      (burst),
    .corrected_o(corrected[7]), .detected_o(detected[7])
  );

  cry_tile_lane_read #(
    .Depth(ReadDepth), .KeyBeats(KeyBeats), .Protect(Protect)
  ) u_read (
    .clk_i,
    .rst_ni,
    .burst_valid_i(burst_valid),
    .burst_ready_o(burst_ready),
    .burst_i      (burst),
    .room_o       (room),
    .r_valid_i    (r_valid_i[0]),
    .r_i,
    .stop_i       (stop),
    .may_feed_i   (may_feed),
    .bad_o        (read_bad),
    .bad_why_o    (read_why),
    .bad_place_o  (read_place),
    .busy_o       (read_busy),
    .unanswered_o (read_unanswered),
    .src_valid_o  (src_valid),
    .src_ready_i  (rsp_i.src_ready),
    .src_o        (src),
    .src_place_o  (src_place),
    .key_valid_o  (read_key_valid),
    .key_data_o   (read_key_data),
    .key_beat_o   (read_key_beat),
    .key_last_o   (read_key_last),
    .key_place_o  (read_key_place),
    .corrected_o(corrected[8]), .detected_o(detected[8])
  );

  // --- Engine ------------------------------------------------------------------------------------

  logic                engine_done;
  place_t              engine_done_place;
  cry_engine_pkg::status_e engine_status;

  assign src_fire = src_valid && rsp_i.src_ready;
  assign dst_fire = rsp_i.dst_valid && dst_ready;

  cry_tile_lane_hand #(
    .KeysAdjacent(KeysAdjacent), .KeyBeats(KeyBeats), .Protect(Protect)
  ) u_hand (
    .clk_i,
    .rst_ni,
    .wipe_i          (tamper_i),
    .push_i          (push),
    .push_place_i    (in_q),
    .job_i           (hand_job),
    .key_here_i      (!read_job.sections[SecKey]),
    .key_i,
    .oldest_i        (oldest_q),
    .read_key_valid_i(read_key_valid),
    .read_key_data_i (read_key_data),
    .read_key_beat_i (read_key_beat),
    .read_key_last_i (read_key_last),
    .read_key_place_i(read_key_place),
    .report_i        (report),
    .report_place_i  (report_place),
    .here_i          (here_q),
    .kill_i          (kill_q),
    .over_o          (over),
    .given_o         (given),
    .may_feed_o      (may_feed),
    .may_write_o     (may_write),
    .fed_i           (src_fire),
    .fed_place_i     (src_place),
    .given_i         (dst_fire),
    .given_place_i   (write_place),
    .done_o          (engine_done),
    .done_place_o    (engine_done_place),
    .done_status_o   (engine_status),
    .clear_o         (clear),
    .job_valid_o     (job_valid),
    .job_ready_i     (rsp_i.job_ready),
    .job_o           (engine_job),
    .key_valid_o     (key_valid),
    .key_ready_i     (rsp_i.key_ready),
    .key_o           (key),
    .done_valid_i    (rsp_i.done_valid),
    .done_ready_o    (done_ready),
    .done_status_i   (rsp_i.done_status),
    .corrected_o(corrected[9]), .detected_o(detected[9])
  );

  // --- Writing -----------------------------------------------------------------------------------

  logic         erase_valid, erase_active, erase_done, erase_busy;
  tile_status_e erase_why;
  logic [31:0]  write_bytes;
  logic         key_out_valid;
  logic [127:0] key_out_data;
  logic [2:0]   key_out_beat;

  cry_tile_lane_write #(
    .Depth(WriteDepth), .SlotBeats(SlotBeats), .Protect(Protect)
  ) u_write (
    .clk_i,
    .rst_ni,
    .push_i        (push),
    .job_i         (write_job),
    .kill_i        (kill_q),
    .over_i        (over),
    .may_write_i   (may_write),
    .place_o       (write_place),
    .left_o        (write_left),
    .left_bytes_o  (write_bytes),
    .bad_o         (write_bad),
    .bad_why_o     (write_why),
    .lost_o        (write_lost),
    .lost_why_o    (lost_why),
    .lost_place_o  (lost_place),
    .busy_o        (answer_busy),
    .rest_o        (write_rest),
    .piece_valid_i (target_valid),
    .piece_ready_o (target_ready),
    .piece_i       (target_piece),
    .list_busy_i   (target_busy_q),
    .erase_valid_i (erase_valid),
    .erase_i       (erase),
    .erase_place_i (oldest_q),
    .erase_stop_i  (erase_stop),
    .erase_active_o(erase_active),
    .erase_done_o  (erase_done),
    .erase_why_o   (erase_why),
    .erase_busy_o  (erase_busy),
    .erase_piece_valid_i(erase_piece_valid),
    .erase_piece_ready_o(erase_piece_ready),
    .erase_piece_i (erase_piece),
    .dst_valid_i   (rsp_i.dst_valid),
    .dst_ready_o   (dst_ready),
    .dst_i         (rsp_i.dst),
    .unwrap_valid_o(key_out_valid),
    .unwrap_data_o (key_out_data),
    .unwrap_beat_o (key_out_beat),
    .aw_valid_o,
    .aw_ready_i,
    .aw_o,
    .w_valid_o,
    .w_ready_i,
    .w_o,
    .b_valid_i,
    .b_error_i,
    .corrected_o(corrected[10]), .detected_o(detected[10])
  );

  // The associated data of a wrapped key, then the key. Only one such job is here at a time.
  logic aad_passes;
  assign aad_passes     = src_fire && (src.kind == cry_engine_pkg::KindAad) && unwrap_q[src_place];
  assign unwrap_valid_o = key_out_valid || aad_passes;
  assign unwrap_o       = '{
    aad:  !key_out_valid,
    beat: key_out_valid ? key_out_beat : 3'd0,
    data: key_out_valid ? key_out_data : src.data
  };

  // --- End ---------------------------------------------------------------------------------------

  for (genvar w = 0; w < 2; w++) begin : gen_refused
    cry_ram #(.Width(16), .Depth(NumJobs), .Protect(Protect), .Copy(1'b1)) u_index (
      .clk_i, .we_i(push), .waddr_i(in_q), .wdata_i(job_i.tag.index),
      .raddr_i(refused_place_i[w]), .rdata_o(refused_index_o[w]),
      .used_i(here_q[refused_place_i[w]]),
      .corrected_o(corrected[12 + w]), .detected_o(detected[12 + w])
    );
  end

  // What was written without being authentic is erased first.
  typedef enum logic [1:0] {
    StNone,
    StErase,
    StStop,     // the queue was aborted meanwhile
    StAnswers
  } erase_e;

  job_tag_t     tag;
  logic [31:0]  bytes;
  logic         at_rest;       // the oldest job, but for what must be erased
  erase_e       erase_d, erase_q;
  logic         must_erase, erase_list_busy_q;
  places_t      verify_q;      // unauthentic plaintext of the job may have been written
  places_t      unsafe;        // it was, or may have been
  places_t      leave;         // reports before its turn: its queue is aborted
  tile_status_e [NumJobs-1:0] verdict;
  logic         end_of_oldest;
  place_t       leave_place;

  always_comb begin
    for (int unsigned p = 0; p < NumJobs; p++) begin
      verdict[p] = kill_q[p] ? why_q[p] : status_q[p];
      unsafe[p]  = verify_q[p] && !(verdict[p] inside {TileOk, TileFaultCorrected, TileBadParam});
      leave[p]   = here_q[p] && !reported_q[p] && aborted[p] && (kill_q[p] || over[p]) &&
                   !((erase_q != StNone) && (oldest_q == place_t'(p))) &&
                   !(source_busy_q[p] && (source_place == place_t'(p))) &&
                   !(target_busy_q[p] && (target_place == place_t'(p))) &&
                   !(write_busy_q[p] && given[p]) &&
                   !(write_rest && (write_place == place_t'(p))) &&
                   !read_unanswered[p] && !answer_busy[p];
    end
    leave_place = oldest_q;
    for (int unsigned a = NumJobs; a > 0; a--) begin
      if (leave[oldest_q + place_t'(a - 1)]) leave_place = oldest_q + place_t'(a - 1);
    end
  end

  assign at_rest = here_q[oldest_q] && over[oldest_q] && !source_busy_q[oldest_q] &&
                   !target_busy_q[oldest_q] && !fetch_busy_q[oldest_q] &&
                   !write_busy_q[oldest_q] && !read_busy[oldest_q] && !answer_busy[oldest_q];

  assign must_erase  = unsafe[oldest_q] && !aborted[oldest_q] && (verdict[oldest_q] != TileAborted);
  assign erase_start = (erase_q == StNone) && at_rest && must_erase && !reported_q[oldest_q];
  assign erase_valid = erase_q == StErase;
  assign erase_rest  = erase_q == StAnswers;
  assign erase_stop  = erase_q == StStop;

  // Erasing that waits for another job to be written is given up without the station for writing.
  logic erase_lost;
  assign erase_lost = erase_done ? erase_why != TileOk : erase_stop && !erase_active;

  always_comb begin
    erase_d = erase_q;
    unique case (erase_q)
      StNone:  if (erase_start) erase_d = StErase;
      StErase: begin
        if (erase_done)             erase_d = StAnswers;
        else if (aborted[oldest_q]) erase_d = StStop;
      end
      StStop:  if (erase_done || erase_lost) erase_d = StAnswers;
      default: if (report && end_of_oldest) erase_d = StNone;
    endcase
  end

  // The oldest job first, then those that leave before their turn.
  assign end_of_oldest = (erase_q == StAnswers) ?
                         !erase_busy && !erase_list_busy_q && !erase_piece_valid :
                         (erase_q == StNone) && at_rest && !must_erase && !reported_q[oldest_q];
  assign report_place  = end_of_oldest ? oldest_q : leave_place;
  assign done_valid_o  = end_of_oldest || (|leave);
  assign report        = done_valid_o && done_ready_i;
  assign retire        = reported_q[oldest_q] ? at_rest : report && end_of_oldest;

  cry_ram #(.Width($bits(job_tag_t)), .Depth(NumJobs), .Protect(Protect)) u_tags (
    .clk_i, .we_i(push), .waddr_i(in_q), .wdata_i(job_i.tag), .raddr_i(report_place), .rdata_o(tag),
    .used_i(done_valid_o),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );
  cry_ram #(.Width(32), .Depth(NumJobs), .Protect(Protect)) u_bytes (
    .clk_i, .we_i(write_left), .waddr_i(write_place), .wdata_i(write_bytes),
    .raddr_i(report_place), .rdata_o(bytes),
    .used_i(done_valid_o && !write_busy_q[report_place]),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  // Not authentic and not erased: that is no status of a tag.
  assign done_o = '{
    tag:    tag,
    status: (unsafe[report_place] && !(end_of_oldest && (erase_q == StAnswers))) ?
            TileAborted : verdict[report_place],
    bytes:  write_busy_q[report_place] ? '0 : bytes
  };

  // No more is erased than was sent: what is behind it, as the ciphertext of a message that is
  // decrypted in its place, is not the job's.
  logic        erase_by_list;
  addr_t       erase_addr;
  logic [31:0] erase_length;

  cry_ram #(.Width(AddrWidth + 81), .Depth(NumJobs), .Protect(Protect)) u_erase (
    .clk_i, .we_i(push), .waddr_i(in_q),
    .wdata_i({job_i.dst_list, job_i.dst_addr, target_skip, job_i.max_bytes, job_i.piece}),
    .raddr_i(oldest_q),
    .rdata_o({erase_by_list, erase_addr, erase_skip, erase_max_bytes, erase_piece_bytes}),
    .used_i(at_rest),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );
  cry_ram #(.Width(32), .Depth(NumJobs), .Protect(Protect), .Copy(1'b1)) u_erase_length (
    .clk_i, .we_i(write_left), .waddr_i(write_place), .wdata_i(write_bytes),
    .raddr_i(oldest_q), .rdata_o(erase_length),
    .used_i(at_rest),
    .corrected_o(corrected[11]), .detected_o(detected[11])
  );
  assign erase = '{
    owner: owner_q[oldest_q], list: erase_by_list, address: erase_addr, length: erase_length
  };

  places_t here_d, kill_d, unwrap_d, long_d, reported_d, verify_d;
  places_t source_busy_d, target_busy_d, fetch_busy_d, write_busy_d;
  logic erase_list_busy_d;
  tile_status_e [NumJobs-1:0] why_d, status_d;
  queue_t [NumJobs-1:0] owner_d;
  place_t in_d, oldest_d;

  // Slots: what the jobs in them are.
  always_comb begin
    here_d     = here_q;
    unwrap_d   = unwrap_q;
    long_d     = long_q;
    reported_d = reported_q;
    owner_d    = owner_q;
    in_d       = in_q;
    oldest_d   = oldest_q;
    if (report) reported_d[report_place] = 1'b1;
    if (retire) begin
      here_d[oldest_q] = 1'b0;
      oldest_d         = oldest_q + 1'b1;
    end
    if (push) begin
      here_d[in_q]     = 1'b1;
      unwrap_d[in_q]   = job_i.tag.unwrap;
      long_d[in_q]     = Slow || is_long(job_i.job.msg_len, job_i.job.aad_len, job_i.job.out_len,
                                         job_i.src_list || job_i.dst_list || job_i.aad_list);
      reported_d[in_q] = 1'b0;
      owner_d[in_q]    = job_i.tag.owner;
      in_d             = in_q + 1'b1;
    end
  end

  // Stations that a job has yet to leave.
  always_comb begin
    erase_list_busy_d = erase_list_busy_q;
    source_busy_d     = source_busy_q;
    target_busy_d     = target_busy_q;
    fetch_busy_d      = fetch_busy_q;
    write_busy_d      = write_busy_q;
    if (source_left) source_busy_d[source_place] = 1'b0;
    if (target_left) target_busy_d[target_place] = 1'b0;
    if (fetch_left)  fetch_busy_d[fetch_place]   = 1'b0;
    if (write_left)  write_busy_d[write_place]   = 1'b0;
    if (erase_start)     erase_list_busy_d = 1'b1;
    else if (erase_left) erase_list_busy_d = 1'b0;
    if (push) begin
      source_busy_d[in_q] = 1'b1;
      target_busy_d[in_q] = 1'b1;
      fetch_busy_d[in_q]  = 1'b1;
      write_busy_d[in_q]  = 1'b1;
    end
  end

  // How a job ends: what the engine says, or why it is killed; and whether what it wrote waits for
  // its tag.
  always_comb begin
    kill_d   = kill_q;
    why_d    = why_q;
    status_d = status_q;
    verify_d = verify_q;
    if (write_left && (write_bytes == '0)) verify_d[write_place] = 1'b0;
    if (engine_done) status_d[engine_done_place] = tile_status_e'({4'd0, engine_status});

    // The first reason counts, except that a write may be lost when all else is over.
    for (int unsigned p = 0; p < NumJobs; p++) begin
      if (here_q[p] && !kill_q[p]) begin
        if (write_lost && (lost_place == place_t'(p))) begin
          kill_d[p] = 1'b1;
          why_d[p]  = lost_why;
        end else if (erase_lost && (oldest_q == place_t'(p))) begin
          kill_d[p] = 1'b1;
          why_d[p]  = erase_done ? erase_why : TileAborted;
        end else if (!over[p]) begin
          if (read_bad && (read_place == place_t'(p))) begin
            kill_d[p] = 1'b1;
            why_d[p]  = read_why;
          end else if (fetch_bad && (fetch_place == place_t'(p))) begin
            kill_d[p] = 1'b1;
            why_d[p]  = fetch_why;
          end else if (write_bad && (write_place == place_t'(p))) begin
            kill_d[p] = 1'b1;
            why_d[p]  = write_why;
          end else if (aborted[p]) begin
            kill_d[p] = 1'b1;
            why_d[p]  = TileAborted;
          end
        end
      end
    end

    if (push) begin
      kill_d[in_q]   = 1'b0;
      verify_d[in_q] = job_i.has_tag && job_i.job.decrypt && job_i.has_output &&
                       !job_i.tag.unwrap;
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      here_q, kill_q, unwrap_q, long_q, reported_q, verify_q, erase_q, erase_list_busy_q, why_q,
      status_q, owner_q, in_q, oldest_q, source_busy_q, target_busy_q, fetch_busy_q,
      write_busy_q
    })), .Protect(Protect)
  ) u_here_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      here_d, kill_d, unwrap_d, long_d, reported_d, verify_d, erase_d, erase_list_busy_d, why_d,
      status_d, owner_d, in_d, oldest_d, source_busy_d, target_busy_d, fetch_busy_d,
      write_busy_d
    }),
    .q_o({
      here_q, kill_q, unwrap_q, long_q, reported_q, verify_q, erase_q, erase_list_busy_q, why_q,
      status_q, owner_q, in_q, oldest_q, source_busy_q, target_busy_q, fetch_busy_q,
      write_busy_q
    }),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

`ifdef SYNTHESIS
  logic unused_now;
  assign unused_now = ^now_i;
`else
  cry_tile_lane_times u_times (
    .clk_i, .rst_ni, .now_i,
    .push_i  (push),        .push_place_i  (in_q),
    .feed_i  (src_fire),    .feed_place_i  (src_place),
    .done_i  (engine_done), .done_place_i  (engine_done_place),
    .report_i(report),      .report_place_i(report_place), .report_tag_i(tag)
  );
`endif

endmodule
