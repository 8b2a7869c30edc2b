// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// One queue: its registers, its positions in descriptor and completion ring, its prefetched
// descriptors, its interrupt (cry_tile_events), its log of violations
// and what its jobs may be (cry_tile_policy).
//
// A queue is idle, running or draining. It runs from a write of CONTROL.enable until an abort, an
// error of its rings, or hold_i. Then it drains: bursts and engine jobs in flight complete, and it
// becomes idle. abort_o is high while it drains because of an abort.
//
// Fetch: fetch_* requests the next descriptor when there is room for it; its beats arrive in order.
// Issue: head_valid_o says that the descriptor on main_o (with the one behind it, if that is its
// extension) can be issued; pop_i takes a descriptor. begin_i counts a job as issued, made_i as
// complete, written_i when its completion record is in memory.
module cry_tile_queue
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
#(
  parameter int unsigned Prefetch = 4,  // descriptors read ahead, a power of two, at least 2
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         hold_i,  // level: stops the queue
  input  logic         dead_i,  // level: the memory does not answer
  input  logic [31:0]  now_i,   // counts cycles

  // Registers
  input  logic         cfg_we_i,      // one cycle: writes the word
  input  queue_word_e  cfg_word_i,    // register of the queue
  input  logic [31:0]  cfg_wdata_i,   // word to be written, in either page
  output logic [31:0]  cfg_rdata_o,   // the word, combinational
  input  logic         page_we_i,     // one cycle: writes a word of the user page
  input  page_word_e   page_word_i,   // register of the user page
  output logic [31:0]  page_rdata_o,  // the word, combinational

  // Descriptors
  output logic         fetch_valid_o,  // a descriptor is requested
  input  logic         fetch_ready_i,  // the request is accepted
  output addr_t        fetch_addr_o,   // address of the descriptor
  input  logic         beat_valid_i,   // a word of the descriptors, in order
  input  bus_r_t       beat_i,         // data, last, error

  // Jobs
  output logic         running_o,     // jobs may be issued
  output logic         abort_o,       // level: kills the queue's jobs
  output logic         quiet_o,       // level: nothing is under way until it is enabled
  output logic         head_valid_o,  // a descriptor can be issued
  output descriptor_t  main_o,        // the descriptor
  output logic [31:0]  start_o,       // cycle in which it was fetched
  output logic [15:0]  index_o,       // its number
  output logic [31:0]  max_bytes_o,   // longest section; 0: any
  output policy_t      policy_o,      // what its jobs may be
  input  logic         pop_i,         // one cycle: takes a descriptor
  input  logic         begin_i,       // one cycle: a job is issued

  // Completions
  input  logic         made_i,           // one cycle: a record got the number and address
  output addr_t        record_addr_o,    // address of the next record
  output logic [31:0]  record_number_o,  // its number
  input  logic         written_i,        // one cycle: a record is in memory
  input  logic         written_irq_i,    // with written_i: its descriptor asks for an interrupt
  input  bus_error_e   written_error_i,  // with written_i: how the write was answered

  input  logic         read_refused_i,   // one cycle: a read of the queue was refused
  input  violation_t   read_violation_i,   // which
  input  logic         write_refused_i,  // one cycle: a write of the queue was refused
  input  violation_t   write_violation_i,  // which
  output logic         irq_o,              // level

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [11:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned PlaceWidth = $clog2(Prefetch);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StDrain
  } state_e;

  typedef struct packed {
    logic       window;
    logic       where;
    logic       error;
  } failure_t;

  state_e   state_d, state_q;
  logic     abort_q;
  failure_t failure_q;
  logic     refused_q;  // a doorbell was

  // --- Registers ---------------------------------------------------------------------------------

  logic [AddrWidth-1:6] ring_q;
  logic [AddrWidth-1:4] completion_q;
  logic [3:0]           log2_q;
  logic [31:0]          max_bytes_q;
  logic                 idle, nothing_begun, set_up, control, enable, stop;

  queue_control_t new_control;
  assign new_control = cfg_wdata_i;

  assign set_up  = cfg_we_i && (state_q == StIdle);
  assign control = cfg_we_i && (cfg_word_i == QueueControlWord);
  assign stop    = (control && (!new_control.enable || new_control.abort)) || hold_i;
  assign enable  = control && !stop && (state_q == StIdle);

  logic [AddrWidth-1:6] ring_d;
  logic [AddrWidth-1:4] completion_d;
  logic [3:0] log2_d;
  logic [31:0] max_bytes_d;
  always_comb begin
    ring_d       = ring_q;
    completion_d = completion_q;
    log2_d       = log2_q;
    max_bytes_d  = max_bytes_q;
    if (set_up) begin
      unique case (cfg_word_i)
        QueueRingLoWord:       ring_d[31:6]               = cfg_wdata_i[31:6];
        QueueRingHiWord:       ring_d[AddrWidth-1:32]     = cfg_wdata_i[AddrWidth-33:0];
        QueueCompletionLoWord: completion_d[31:4]         = cfg_wdata_i[31:4];
        QueueCompletionHiWord: completion_d[AddrWidth-1:32] = cfg_wdata_i[AddrWidth-33:0];
        QueueControlWord:      log2_d                     = new_control.ring_log2;
        QueueMaxBytesWord:     max_bytes_d                = cfg_wdata_i;
        default: ;
      endcase
    end
  end

  cry_reg_tmr #(
    .Width($bits({ring_q, completion_q, max_bytes_q})),
    .ResVal({{$bits({ring_q, completion_q}){1'b0}}, 32'h0001_0000}),
    .Protect(Protect)
  ) u_ring_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({ring_d, completion_d, max_bytes_d}),
    .q_o({ring_q, completion_q, max_bytes_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_tmr #(
    .Width($bits(log2_q)), .ResVal(4'd1), .Protect(Protect)
  ) u_log2_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(log2_d),
    .q_o(log2_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign max_bytes_o = max_bytes_q;

  logic [31:0] policy_rdata;

  cry_tile_policy #(
    .Protect(Protect)
  ) u_policy (
    .clk_i,
    .rst_ni,
    .set_up_i   (state_q == StIdle),
    .cfg_we_i,
    .cfg_word_i,
    .cfg_wdata_i,
    .cfg_rdata_o(policy_rdata),
    .policy_o,
    .corrected_o(corrected[11]),
    .detected_o (detected[11])
  );

  // --- Places in the rings -----------------------------------------------------------------------

  // Entries written by software, asked for, there, and taken; all free-running.
  logic [15:0] producer_q, fetch_q, arrived_q, head_q, mask;
  logic [1:0]  beat_q;
  logic [31:0] number_q;   // records made
  logic [7:0]  active_q, open_q;  // jobs without record, jobs without a record in memory
  logic        doorbell, doorbell_good, fetch, arrive;
  logic [15:0] doorbell_ahead;

  assign mask           = 16'((17'd1 << log2_q) - 17'd1);
  assign doorbell_ahead = cfg_wdata_i[15:0] - head_q;
  assign doorbell       = page_we_i && (page_word_i == PageDoorbellWord) && (state_q == StRun);
  assign doorbell_good  = (doorbell_ahead <= mask + 16'd1) &&
                          (doorbell_ahead >= producer_q - head_q);
  assign fetch_valid_o  = (state_q == StRun) && (fetch_q != producer_q) &&
                          ((fetch_q - head_q) < 16'(Prefetch));
  assign fetch_addr_o   = {ring_q, 6'd0} + {{(AddrWidth - 22){1'b0}}, fetch_q & mask, 6'd0};
  assign fetch          = fetch_valid_o && fetch_ready_i;
  assign arrive         = beat_valid_i && beat_i.last;

  assign nothing_begun = (fetch_q == arrived_q) && (open_q == '0);
  assign idle = (state_q == StIdle) ||
                ((state_q == StRun) && nothing_begun && (producer_q == head_q));

  logic [15:0] producer_d, fetch_d, arrived_d, head_d;
  logic [1:0] beat_d;
  logic [31:0] number_d;
  logic [7:0] active_d, open_d;
  always_comb begin
    producer_d = producer_q;
    fetch_d    = fetch_q;
    arrived_d  = arrived_q;
    head_d     = head_q;
    beat_d     = beat_q;
    number_d   = number_q;
    active_d   = active_q;
    open_d     = open_q;
    if (enable) begin
      producer_d = '0;
      fetch_d    = '0;
      arrived_d  = '0;
      head_d     = '0;
      number_d   = '0;
    end else begin
      if (doorbell && doorbell_good) producer_d = cfg_wdata_i[15:0];
      if (fetch)    fetch_d    = fetch_q + 16'd1;
      if (arrive)   arrived_d  = arrived_q + 16'd1;
      if (pop_i)    head_d     = head_q + 16'd1;
      if (beat_valid_i) beat_d = beat_i.last ? '0 : beat_q + 2'd1;
      if (made_i)   number_d   = number_q + 32'd1;
      active_d = active_q + 8'(begin_i) - 8'(made_i);
      open_d   = open_q + 8'(begin_i) - 8'(written_i);
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      producer_q, fetch_q, arrived_q, head_q, beat_q, number_q, active_q, open_q
    })), .Protect(Protect)
  ) u_producer_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      producer_d, fetch_d, arrived_d, head_d, beat_d, number_d, active_d, open_d
    }),
    .q_o({
      producer_q, fetch_q, arrived_q, head_q, beat_q, number_q, active_q, open_q
    }),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign index_o         = head_q;
  assign record_number_o = number_q;
  assign record_addr_o   = {completion_q, 4'd0} +
                           {{(AddrWidth - 20){1'b0}}, number_q[15:0] & mask, 4'd0};

  // --- State -------------------------------------------------------------------------------------

  failure_t failure;
  always_comb begin
    failure = '0;
    if (written_i && (written_error_i != BusOkay)) begin
      failure = '{error: 1'b1, where: 1'b1, window: written_error_i == BusDenied};
    end else if (beat_valid_i && (beat_i.error != BusOkay)) begin
      failure = '{error: 1'b1, where: 1'b0, window: beat_i.error == BusDenied};
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (enable) state_d = StRun;
      StRun:   if (stop || failure.error) state_d = StDrain;
      StDrain: if (nothing_begun) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  logic abort_d, refused_d;
  failure_t failure_d;
  always_comb begin
    abort_d   = abort_q;
    failure_d = failure_q;
    refused_d = (refused_q && !enable) || (doorbell && !doorbell_good);
    if (state_d == StIdle)              abort_d = 1'b0;
    else if (stop)                      abort_d = 1'b1;
    if (enable)                                  failure_d = '0;
    else if (failure.error && !failure_q.error)  failure_d = failure;
  end

  cry_reg_tmr #(
    .Width($bits({state_q, abort_q, failure_q, refused_q})), .Protect(Protect)
  ) u_state_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({state_d, abort_d, failure_d, refused_d}),
    .q_o({state_q, abort_q, failure_q, refused_q}),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  assign running_o = state_q == StRun;
  assign abort_o   = abort_q;
  assign quiet_o   = state_q == StIdle;

  // --- Descriptors -------------------------------------------------------------------------------

  logic [3:0][127:0] main;
  assign main_o = main;

  for (genvar b = 0; b < 4; b++) begin : gen_beat
    cry_ram #(.Width(128), .Depth(Prefetch), .Protect(Protect)) u_ram (
      .clk_i,
      .we_i   (beat_valid_i && (beat_q == 2'(b))),
      .waddr_i(arrived_q[PlaceWidth-1:0]),
      .wdata_i(beat_i.data),
      .raddr_i(head_q[PlaceWidth-1:0]),
      .rdata_o(main[b]),
      .used_i(arrived_q != head_q),
      .corrected_o(corrected[5 + b]), .detected_o(detected[5 + b])
    );
  end

  cry_ram #(.Width(32), .Depth(Prefetch), .Protect(Protect)) u_start (
    .clk_i,
    .we_i   (arrive),
    .waddr_i(arrived_q[PlaceWidth-1:0]),
    .wdata_i(now_i),
    .raddr_i(head_q[PlaceWidth-1:0]),
    .rdata_o(start_o),
    .used_i(arrived_q != head_q),
    .corrected_o(corrected[9]), .detected_o(detected[9])
  );

  logic [15:0] arrived;
  assign arrived      = arrived_q - head_q;
  assign head_valid_o = (state_q == StRun) && (arrived > 16'(main_o.extension)) &&
                        (!main_o.fence || (active_q == '0)) && (open_q != '1);

  // --- Events ---------------------------------------------------------------------------------

  logic [31:0] events_rdata, violations_rdata;
  logic [7:0]  violations;
  logic        violation;

  cry_tile_events #(
    .Protect(Protect)
  ) u_events (
    .clk_i,
    .rst_ni,
    .cfg_we_i,
    .cfg_word_i,
    .cfg_wdata_i,
    .cfg_rdata_o(events_rdata),
    .done_i     (written_i && written_irq_i && (written_error_i == BusOkay)),
    .stopped_i  (state_q == StIdle),
    .error_i    (failure.error && !failure_q.error),
    .violation_i(violation),
    .irq_o,
    .corrected_o(corrected[4]),
    .detected_o (detected[4])
  );

  cry_tile_violations #(
    .Protect(Protect)
  ) u_violations (
    .clk_i,
    .rst_ni,
    .cfg_we_i,
    .cfg_word_i,
    .cfg_wdata_i,
    .cfg_rdata_o  (violations_rdata),
    .read_valid_i (read_refused_i),
    .read_i       (read_violation_i),
    .write_valid_i(write_refused_i),
    .write_i      (write_violation_i),
    .event_o      (violation),
    .count_o      (violations),
    .corrected_o  (corrected[10]),
    .detected_o   (detected[10])
  );

  // --- Reads -------------------------------------------------------------------------------------

  queue_control_t control_now;
  queue_status_t  status_now;
  page_status_t   page_status_now;
  assign control_now     = '{ring_log2: log2_q, enable: running_o, default: '0};
  assign status_now      = '{
    jobs:    open_q,
    window:  failure_q.window,
    where:   failure_q.where,
    error:   failure_q.error,
    idle:    idle,
    doorbell: refused_q,
    quiet:   quiet_o && !dead_i,
    default: '0
  };
  assign page_status_now = '{
    doorbell: refused_q, enabled: running_o, error: failure_q.error, idle: idle, default: '0
  };

  always_comb begin
    unique case (cfg_word_i)
      QueueRingLoWord:       cfg_rdata_o = {ring_q[31:6], 6'd0};
      QueueRingHiWord:       cfg_rdata_o = 32'(ring_q[AddrWidth-1:32]);
      QueueCompletionLoWord: cfg_rdata_o = {completion_q[31:4], 4'd0};
      QueueCompletionHiWord: cfg_rdata_o = 32'(completion_q[AddrWidth-1:32]);
      QueueControlWord:      cfg_rdata_o = control_now;
      QueueMaxBytesWord:     cfg_rdata_o = max_bytes_q;
      QueueStatusWord:       cfg_rdata_o = status_now;
      default:               cfg_rdata_o = events_rdata | violations_rdata | policy_rdata;
    endcase
    unique case (page_word_i)
      PageHeadWord:       page_rdata_o = 32'(head_q);
      PageStatusWord:     page_rdata_o = page_status_now;
      PageCompletedWord:  page_rdata_o = number_q;
      PageViolationsWord: page_rdata_o = 32'(violations);
      default:            page_rdata_o = '0;
    endcase
  end

  logic unused;
  assign unused = ^new_control;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(BeatsWereAsked_A,
    beat_valid_i |-> (fetch_q != arrived_q) && (beat_i.last == (beat_q == 2'd3)))
  `CRY_ASSERT(JobsAreCounted_A, (made_i |-> active_q != '0) and (written_i |-> open_q != '0))

endmodule
