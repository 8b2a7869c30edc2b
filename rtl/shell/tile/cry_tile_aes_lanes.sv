// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Selects the AES lane of a queue's next AES job.
//
// Lane 0 runs all modes, the others only serial ones (cry_tile_catalog_pkg::aes_serial). Jobs of
// one queue complete in order: while a queue has AES jobs in a lane, its next AES job goes to the
// same lane and waits if that lane cannot run it. A queue with no AES job in flight sends parallel
// modes to lane 0, and serial modes to an idle lane (lane 0 last), or, if none is idle, to the lane
// whose number is the queue's modulo the number of lanes.
//
// lane_o and ready_o are valid for all queues in parallel. A job is in flight from begin_i to
// end_i, at most one of each per cycle; the selection for a queue does not change until its job
// begins.
module cry_tile_aes_lanes
  import cry_tile_pkg::*;
#(
  parameter int unsigned NumQueues = 4,  // queues
  parameter int unsigned Lanes     = 4,  // AES lanes
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned Width = (Lanes > 1) ? $clog2(Lanes) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic [Lanes-1:0]                lane_ready_i,  // by lane: can take a job
  input  logic [NumQueues-1:0]            serial_i,      // by queue: its next AES job is serial
  output logic [NumQueues-1:0][Width-1:0] lane_o,   // by queue: the lane of its next AES job
  output logic [NumQueues-1:0]            ready_o,  // by queue: that lane can take it

  input  logic                            begin_i,        // one cycle: an AES job begins
  input  queue_t                          begin_owner_i,  // its queue
  input  logic [Width-1:0]                begin_lane_i,   // its lane
  input  logic                            end_i,          // one cycle: an AES job was retired
  input  queue_t                          end_owner_i,    // its queue

  output logic                            corrected_o,  // one cycle: an upset was corrected
  output logic                            detected_o    // an uncorrectable upset was found
);

  if (Lanes == 1) begin : gen_one
    logic unused;
    assign unused      = ^{clk_i, rst_ni, serial_i, begin_i, begin_owner_i, begin_lane_i, end_i,
                           end_owner_i};
    assign lane_o      = '0;
    assign ready_o     = {NumQueues{lane_ready_i[0]}};
    assign corrected_o = 1'b0;
    assign detected_o  = 1'b0;
  end else begin : gen_several
    localparam int unsigned CountWidth = $clog2(NumJobs + 1);

    typedef struct packed {
      logic [Width-1:0]      lane;
      logic [CountWidth-1:0] count;  // of AES jobs, all in that lane
    } place_t;

    place_t [NumQueues-1:0] place_q, place_d;
    logic   [Lanes-1:0]     idle;
    logic   [NumQueues-1:0] bound;
    logic   [Width-1:0]     free;

    always_comb begin
      idle = lane_ready_i;
      for (int unsigned q = 0; q < NumQueues; q++) begin
        bound[q] = place_q[q].count != '0;
        for (int unsigned l = 0; l < Lanes; l++) begin
          if (bound[q] && (place_q[q].lane == Width'(l))) idle[l] = 1'b0;
        end
      end
      free = '0;
      for (int unsigned l = Lanes - 1; l > 0; l--) begin
        if (idle[l]) free = Width'(l);
      end
    end

    always_comb begin
      for (int unsigned q = 0; q < NumQueues; q++) begin
        lane_o[q] = '0;
        if (bound[q])         lane_o[q] = place_q[q].lane;
        else if (serial_i[q]) lane_o[q] = (idle != '0) ? free : Width'(q % Lanes);
        ready_o[q] = lane_ready_i[lane_o[q]] && (serial_i[q] || (lane_o[q] == '0));
      end
    end

    always_comb begin
      place_d = place_q;
      for (int unsigned q = 0; q < NumQueues; q++) begin
        if (begin_i && (begin_owner_i == queue_t'(q))) begin
          place_d[q].lane  = begin_lane_i;
          place_d[q].count = place_d[q].count + 1'b1;
        end
        if (end_i && (end_owner_i == queue_t'(q))) place_d[q].count = place_d[q].count - 1'b1;
      end
    end

    cry_reg_tmr #(.Width($bits(place_q)), .Protect(Protect)) u_places (
      .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .d_i(place_d), .q_o(place_q),
      .corrected_o, .detected_o
    );

    `CRY_ASSERT_RUN
    for (genvar q = 0; q < NumQueues; q++) begin : gen_assert
      `CRY_ASSERT(OneLanePerQueue_A,
        begin_i && begin_owner_i == queue_t'(q) && bound[q] |-> begin_lane_i == place_q[q].lane)
      `CRY_ASSERT(EndOnlyBegun_A, end_i && end_owner_i == queue_t'(q) |-> bound[q])
    end
  end

endmodule
