// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Collects the words that a lane writes into bursts, and counts their answers.
//
// A word is pushed with push_i while can_push_o is high. Words of a burst are consecutive; it is
// complete with close_i, at a 256-byte boundary, or without a word by close_only_i, and it is
// requested then: all its words are here. Its data leave when the request has been accepted, and do
// not stay here. Answers come in the order of the requests.
//
// Latency: a burst is requested in the cycle behind its last word.
module cry_tile_lane_burst
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
#(
  parameter int unsigned Depth = 64,  // words of the FIFO, a power of two, two bursts or more
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  output logic                 can_push_o,    // there is room for a word, a burst and its answer
  input  logic                 push_i,        // a word, with can_push_o alone
  input  logic [AddrWidth-5:0] word_addr_i,   // its address in words
  input  logic [127:0]         data_i,        // its bytes, first in bits 7:0
  input  logic [15:0]          strb_i,        // which of them are written
  input  queue_t               owner_i,       // of the burst
  input  place_t               place_i,       // slot of its job
  input  logic                 erase_i,       // it zeroizes
  input  logic                 close_i,       // this word ends its burst
  input  logic                 close_only_i,  // the open burst ends, if there is one
  output logic                 open_o,        // a burst is open: words wait for its end

  output logic                 aw_valid_o,    // a burst is requested
  input  logic                 aw_ready_i,    // the request is accepted
  output bus_req_t             aw_o,          // address, length, owner
  output logic                 w_valid_o,     // a word of a requested burst
  input  logic                 w_ready_i,     // the word is accepted
  output bus_w_t               w_o,           // data, strobes
  input  logic                 b_valid_i,     // a burst is answered
  input  bus_error_e           b_error_i,     // how, with b_valid_i

  output logic                 lost_o,        // one cycle: a write was answered with an error
  output tile_status_e         lost_why_o,    // why, with lost_o
  output place_t               lost_place_o,  // slot of its job
  output places_t              busy_o,        // by slot: bursts of its job are not answered
  output logic                 erase_busy_o,  // some of those that zeroize are not answered

  output logic                 corrected_o,   // one cycle: an upset was corrected
  output logic                 detected_o     // an uncorrectable upset was found
);

  logic [7:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned PendingDepth  = 16;

  logic [4:0]               open_q;       // words of the burst that is being formed
  logic [WordAddrWidth-1:0] open_addr_q, first_addr;
  logic                     burst_push, burst_in_ready, burst_valid, burst_pop;
  logic                     word_in_ready, word_valid, word_pop;
  logic                     pending_in_ready, pending_valid;
  logic [4:0]               words;
  place_t                   pending_place;
  logic [3:0]               burst_count;
  logic [4:0]               pending_count;
  logic [127:0]             word_data;
  logic [15:0]              word_strb;
  logic                     pending_erase;
  logic [4:0]               erase_pending_q;

  assign can_push_o = word_in_ready && burst_in_ready && pending_in_ready;
  assign open_o     = open_q != '0;
  assign words      = open_q + 5'(push_i);
  assign first_addr = (open_q == '0) ? word_addr_i : open_addr_q;
  assign burst_push = (push_i && (close_i || (&word_addr_i[3:0]))) ||
                      (close_only_i && can_push_o && (open_q != '0));

  logic [4:0] open_d;
  logic [WordAddrWidth-1:0] open_addr_d;
  always_comb begin
    open_addr_d = open_addr_q;
    open_d = burst_push ? '0 : words;
    if (push_i) open_addr_d = first_addr;
  end

  cry_reg_tmr #(
    .Width($bits({open_q, open_addr_q})), .Protect(Protect)
  ) u_open_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({open_d, open_addr_d}),
    .q_o({open_q, open_addr_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  cry_fifo #(.T(bus_req_t), .Depth(8), .Protect(Protect)) u_bursts (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(burst_push), .in_ready_o(burst_in_ready),
    .in_data_i({owner_i, place_i, first_addr, 4'd0, 4'(words - 5'd1)}),
    .out_valid_o(burst_valid), .out_ready_i(burst_pop), .out_data_o(aw_o), .count_o(burst_count),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  cry_fifo #(.T(logic [$bits(place_t):0]), .Depth(PendingDepth), .Protect(Protect)) u_pending (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(burst_push), .in_ready_o(pending_in_ready), .in_data_i({erase_i, place_i}),
    .out_valid_o(pending_valid), .out_ready_i(b_valid_i),
    .out_data_o({pending_erase, pending_place}),
    .count_o(pending_count),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  cry_tile_lane_words #(.Width(144), .Depth(Depth), .Protect(Protect)) u_words (
    .clk_i, .rst_ni,
    .in_valid_i(push_i), .in_ready_o(word_in_ready), .in_data_i({data_i, strb_i}),
    .out_valid_o(word_valid), .out_ready_i(word_pop), .out_data_o({word_data, word_strb}),
    .corrected_o(corrected[5]), .detected_o(detected[5])
  );

  // The data of a burst may leave when its request has been taken.
  logic       data_in_ready, data_valid, data_pop;
  logic [3:0] data_len, sent_q;
  logic [2:0] data_count;

  assign aw_valid_o = burst_valid && data_in_ready;
  assign burst_pop  = aw_ready_i && data_in_ready;

  cry_fifo #(.T(logic [3:0]), .Depth(4), .Protect(Protect)) u_data (
    .clk_i, .rst_ni, .flush_i(1'b0),
    .in_valid_i(burst_valid && aw_ready_i), .in_ready_o(data_in_ready), .in_data_i(aw_o.len),
    .out_valid_o(data_valid), .out_ready_i(data_pop), .out_data_o(data_len), .count_o(data_count),
    .corrected_o(corrected[6]), .detected_o(detected[6])
  );

  assign w_valid_o = data_valid;
  assign w_o       = '{data: word_data, strb: word_strb, last: sent_q == data_len};
  assign word_pop  = w_valid_o && w_ready_i;
  assign data_pop  = word_pop && w_o.last;

  logic [3:0] sent_d;
  always_comb begin
    sent_d = sent_q;
    if (word_pop) sent_d = w_o.last ? '0 : sent_q + 1'b1;
  end

  cry_reg_tmr #(
    .Width($bits(sent_q)), .Protect(Protect)
  ) u_sent_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(sent_d),
    .q_o(sent_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign lost_o       = b_valid_i && (b_error_i != BusOkay);
  assign lost_why_o   = status_of(b_error_i);
  assign lost_place_o = pending_place;

  // Writes that erase are behind those of later jobs: they are counted.
  logic [4:0] erase_pending_d;
  always_comb begin
    erase_pending_d = erase_pending_q + 5'(burst_push && erase_i) -
                                    5'(b_valid_i && pending_erase);
  end

  cry_reg_tmr #(
    .Width($bits(erase_pending_q)), .Protect(Protect)
  ) u_erase_pending_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(erase_pending_d),
    .q_o(erase_pending_q),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );
  assign erase_busy_o = erase_pending_q != '0;

  // All others, by slot.
  logic [NumJobs-1:0][4:0] unanswered_d, unanswered_q;
  always_comb begin
    for (int unsigned p = 0; p < NumJobs; p++) begin
      unanswered_d[p] = unanswered_q[p] +
                        5'(burst_push && !erase_i && (place_i == place_t'(p))) -
                        5'(b_valid_i && !pending_erase && (pending_place == place_t'(p)));
      busy_o[p]       = unanswered_q[p] != '0;
    end
  end

  cry_reg_tmr #(
    .Width($bits(unanswered_q)), .Protect(Protect)
  ) u_unanswered_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(unanswered_d),
    .q_o(unanswered_q),
    .corrected_o(corrected[7]), .detected_o(detected[7])
  );

  logic unused;
  assign unused = ^{burst_count, pending_count, data_count, pending_valid};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(HasRoom_A, push_i |-> can_push_o)
  `CRY_ASSERT(HasWord_A, w_valid_o |-> word_valid)
  `CRY_ASSERT(Awaited_A, b_valid_i |-> pending_valid)

endmodule
