// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Retires jobs: takes the reports of lanes and dispatch, round-robin, and writes completion
// records.
//
// A record gets its number and address in the cycle in which the report is taken (made_o);
// written_o follows with the bus response. A job that unwraps a key ends with commit_o or drop_o,
// one that makes a key with make_o or make_drop_o; hold_unwrap_i delays both.
module cry_tile_complete
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_layout_pkg::*;
#(
  parameter int unsigned NumQueues  = 4,  // queues
  parameter int unsigned NumSources = 6,  // sources of reports: lanes and dispatch
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [31:0]                 now_i,  // cycles since reset

  input  logic       [NumSources-1:0] done_valid_i,  // by source: a job has ended
  output logic       [NumSources-1:0] done_ready_o,  // its report is taken
  input  lane_done_t [NumSources-1:0] done_i,        // its report

  input  addr_t [NumQueues-1:0]       record_addr_i,    // by queue: address of its next record
  input  logic  [NumQueues-1:0][31:0] record_number_i,  // by queue: number of its next record
  // by queue, one cycle: a record got that number and address
  output logic  [NumQueues-1:0]       made_o,
  output logic  [NumQueues-1:0]       written_o,  // by queue, one cycle: a record is in memory
  // with written_o: the descriptor asks for an interrupt
  output logic                        written_irq_o,
  // with written_o: how the write was answered
  output bus_error_e                  written_error_o,

  input  logic                        hold_unwrap_i,  // level: no job ends whose key goes to a slot
  output logic                        commit_o,       // one cycle: the unwrapped key is good
  output logic                        keep_o,         // likewise, for the job that brought it
  output logic                        drop_o,         // one cycle: it is not
  output logic                        make_o,         // as commit_o, of the key that was made
  output logic                        make_drop_o,    // as drop_o, of that
  output slot_t                       target_o,       // its slot, with any of these
  input  logic                        commit_ok_i,    // with commit_o or make_o: the slot takes it
  input  logic [63:0]                 number_i,       // of the key that is committed

  output logic                        req_valid_o,  // a burst is requested
  input  logic                        req_ready_i,  // the request is accepted
  output bus_req_t                    req_o,        // address, length, owner
  output logic                        w_valid_o,    // a word of a requested burst
  input  logic                        w_ready_i,    // the word is accepted
  output bus_w_t                      w_o,          // data, strobes
  input  logic                        b_valid_i,    // a burst is answered
  input  bus_error_e                  b_error_i,    // how, with b_valid_i

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [3:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned IndexWidth = $clog2(NumSources);
  localparam int unsigned Waiting    = 8;

  typedef struct packed {
    queue_t       owner;
    logic         irq;
    addr_t        address;
    completion_t  data;
  } record_t;

  // --- Take --------------------------------------------------------------------------------------

  logic [NumSources-1:0] ask;
  logic [IndexWidth-1:0] choice;
  logic                  any, take, room;
  lane_done_t            done;
  tile_status_e          status;
  addr_t                 address;
  logic [31:0]           number;
  record_t               made;

  always_comb begin
    for (int unsigned s = 0; s < NumSources; s++) begin
      ask[s] = done_valid_i[s] && !(done_i[s].tag.unwrap && hold_unwrap_i);
    end
  end

  cry_arbiter #(
    .Number(NumSources),
    .Protect(Protect)
  ) u_arbiter (
    .clk_i, .rst_ni, .req_i(ask), .take_i(take), .any_o(any), .index_o(choice),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  assign take = any && room;
  assign done = done_i[choice];

  always_comb begin
    done_ready_o = '0;
    done_ready_o[choice] = take;
    address = '0;
    number  = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      made_o[q] = take && !keep_o && (done.tag.owner == queue_t'(q));
      if (done.tag.owner == queue_t'(q)) begin
        address = record_addr_i[q];
        number  = record_number_i[q];
      end
    end
  end

  logic unwrapped;
  assign unwrapped = take && done.tag.unwrap && (done.status inside {TileOk, TileFaultCorrected});
  assign target_o    = done.tag.slot;
  assign commit_o    = unwrapped && !done.tag.token && !done.tag.made;
  assign keep_o      = unwrapped && done.tag.token;
  assign drop_o      = take && done.tag.unwrap && !unwrapped && !done.tag.made;
  assign make_o      = unwrapped && done.tag.made;
  assign make_drop_o = take && done.tag.unwrap && !unwrapped && done.tag.made;

  // A token with a wrong tag is no key; the message's own tag was not looked at.
  always_comb begin
    status = done.status;
    if ((commit_o || make_o) && !commit_ok_i)               status = TileKeyDenied;
    if (done.tag.token && (done.status == TileAuthFailed))  status = TileKeyDenied;
  end

  // What of a nonce the job's owner cannot know: the first words of all those that an unwrapped key
  // will make, the last one of a nonce that was made.
  logic [31:0] bytes, cycles;
  always_comb begin
    bytes  = done.bytes;
    cycles = done.tag.nonce ? done.tag.start : now_i - done.tag.start;
    if (commit_o && commit_ok_i) {cycles, bytes} = number_i;
  end

  assign made = '{
    owner:   done.tag.owner,
    irq:     done.tag.irq,
    address: address,
    data:    '{
      cycles:          cycles,
      sequence_number: number + 32'd1,
      bytes:           bytes,
      index:           done.tag.index,
      status:          status,
      default:         '0
    }
  };

  // --- Write -------------------------------------------------------------------------------------

  logic    head_valid, req_done_q, w_done_q, req_done, w_done, place, pop;
  record_t head;
  logic [2:0] unused_count;
  logic [$clog2(Waiting):0] unused_places;

  cry_fifo #(
    .T(record_t), .Depth(4), .Protect(Protect)
  ) u_records (
    .clk_i,
    .rst_ni, .flush_i(1'b0),
    .in_valid_i (take && !keep_o),
    .in_ready_o (room),
    .in_data_i  (made),
    .out_valid_o(head_valid),
    .out_ready_i(pop),
    .out_data_o (head),
    .count_o    (unused_count),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign req_valid_o = head_valid && place && !req_done_q;
  assign w_valid_o   = head_valid && place && !w_done_q;
  assign req_o       = '{owner: head.owner, place: '0, address: head.address, len: 4'd0};
  assign w_o         = '{data: head.data, strb: '1, last: 1'b1};
  assign req_done    = req_done_q || (req_valid_o && req_ready_i);
  assign w_done      = w_done_q || (w_valid_o && w_ready_i);
  assign pop         = head_valid && req_done && w_done;

  logic req_done_d, w_done_d;
  always_comb begin
    req_done_d = req_done && !pop;
    w_done_d   = w_done && !pop;
  end

  cry_reg_tmr #(
    .Width($bits({req_done_q, w_done_q})), .Protect(Protect)
  ) u_req_done_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({req_done_d, w_done_d}),
    .q_o({req_done_q, w_done_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // --- Answers -----------------------------------------------------------------------------------

  // A place is taken when the request is made, before its answer can come.
  logic   answer_valid, answer_irq;
  queue_t answer_owner;

  cry_fifo #(
    .T(logic [QueueWidth:0]), .Depth(Waiting), .Protect(Protect)
  ) u_answers (
    .clk_i,
    .rst_ni, .flush_i(1'b0),
    .in_valid_i (pop),
    .in_ready_o (place),
    .in_data_i  ({head.owner, head.irq}),
    .out_valid_o(answer_valid),
    .out_ready_i(b_valid_i),
    .out_data_o ({answer_owner, answer_irq}),
    .count_o    (unused_places),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      written_o[q] = b_valid_i && (answer_owner == queue_t'(q));
    end
  end
  assign written_irq_o   = answer_irq;
  assign written_error_o = b_error_i;

  logic unused;
  assign unused = ^{unused_count, unused_places, answer_valid};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(AnswersWereAsked_A, b_valid_i |-> answer_valid)

endmodule
