// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Reads the descriptors of all queues, round-robin, one burst of 64 bytes each.
//
// A queue requests a descriptor only when it has room for it, so beats are never stalled.
module cry_tile_fetch
  import cry_tile_pkg::*;
#(
  parameter int unsigned NumQueues   = 4,   // queues
  parameter int unsigned Outstanding = 16,  // bursts in flight, a power of two
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic  [NumQueues-1:0] fetch_valid_i,  // by queue: a descriptor is requested
  output logic  [NumQueues-1:0] fetch_ready_o,  // the request is accepted
  input  addr_t [NumQueues-1:0] fetch_addr_i,   // address of the descriptor
  output logic  [NumQueues-1:0] beat_valid_o,   // by queue: a word of its descriptors, in order
  output bus_r_t                beat_o,         // data, last, error

  output logic                  req_valid_o,  // a burst is requested
  input  logic                  req_ready_i,  // the request is accepted
  output bus_req_t              req_o,        // address, length, owner
  input  logic                  r_valid_i,    // a word of a response
  input  bus_r_t                r_i,          // data, last, error

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [2:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned IndexWidth = (NumQueues > 1) ? $clog2(NumQueues) : 1;

  logic                  any, take, req_valid_q, place_ready, owner_valid;
  logic [IndexWidth-1:0] choice;
  bus_req_t              req_q;
  logic [IndexWidth-1:0] owner;

  cry_arbiter #(
    .Number(NumQueues),
    .Protect(Protect)
  ) u_arbiter (
    .clk_i, .rst_ni, .req_i(fetch_valid_i), .take_i(take), .any_o(any), .index_o(choice),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign take = any && place_ready && (!req_valid_q || req_ready_i);
  always_comb begin
    fetch_ready_o = '0;
    fetch_ready_o[choice] = take;
  end

  logic req_valid_d;
  bus_req_t req_d;
  always_comb begin
    req_valid_d = req_valid_q;
    req_d       = req_q;
    if (take) begin
      req_valid_d = 1'b1;
      req_d       = '{
        owner: queue_t'(choice), place: '0, address: fetch_addr_i[choice], len: 4'd3
      };
    end else if (req_ready_i) begin
      req_valid_d = 1'b0;
    end
  end

  cry_reg_tmr #(
    .Width($bits({req_valid_q, req_q})), .Protect(Protect)
  ) u_req_valid_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({req_valid_d, req_d}),
    .q_o({req_valid_q, req_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  assign req_valid_o = req_valid_q;
  assign req_o       = req_q;

  // Whose beats come.
  logic [$clog2(Outstanding):0] unused_count;
  cry_fifo #(
    .T(logic [IndexWidth-1:0]), .Depth(Outstanding), .Protect(Protect)
  ) u_owners (
    .clk_i,
    .rst_ni, .flush_i(1'b0),
    .in_valid_i (take),
    .in_ready_o (place_ready),
    .in_data_i  (choice),
    .out_valid_o(owner_valid),
    .out_ready_i(r_valid_i && r_i.last),
    .out_data_o (owner),
    .count_o    (unused_count),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign beat_o = r_i;
  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      beat_valid_o[q] = r_valid_i && (owner == IndexWidth'(q));
    end
  end

  logic unused;
  assign unused = ^{unused_count, owner_valid};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(BeatsHaveOwners_A, r_valid_i |-> owner_valid)

endmodule
