// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// The output stream: every job gives one packet, whose last beat has TLAST.
//
// The engine says with `last` that a kind of data ends, not whether another follows, so such a beat
// is held until the next one or close_i comes. close_i (level, until closed_o) ends the packet: the
// held beat leaves with TLAST, or, if there is none, a beat without bytes (TKEEP = 0). drop_i
// forgets the held beat. What is on the stream stays there until it is taken.
//
// Latency: one cycle, and one more for the last beat of a kind.
module cry_axis_output
  import cry_engine_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         drop_i,    // discards the held beat
  input  logic         close_i,   // level until closed_o: ends the packet
  output logic         closed_o,  // one cycle: the last beat of the packet is taken

  input  logic         dst_valid_i,  // engine port: dst channel
  output logic         dst_ready_o,  // engine port
  input  beat_t        dst_i,        // engine port

  output logic         tvalid_o,  // AXI4-Stream
  input  logic         tready_i,  // AXI4-Stream
  output logic [127:0] tdata_o,   // byte 0 in bits 7:0
  output logic [15:0]  tkeep_o,   // contiguous from bit 0; 0 in the one beat of an empty packet
  output logic         tlast_o    // last beat of the packet
);

  logic         held_q, free, pass, release_held, null_beat;
  logic [127:0] held_data_q;
  logic [15:0]  held_keep_q;

  assign free         = !tvalid_o || tready_i;
  assign release_held = held_q && free && (dst_valid_i || close_i) && !drop_i;
  assign null_beat    = !held_q && close_i && free && !drop_i;
  assign closed_o     = close_i && free && !drop_i;
  // A beat goes to the stream, or, as the last of its kind, to where it is held.
  assign dst_ready_o  = !close_i && !drop_i && (held_q ? 1'b0 : (dst_i.last || free));
  assign pass         = dst_valid_i && dst_ready_o && !dst_i.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q      <= 1'b0;
      held_data_q <= '0;
      held_keep_q <= '0;
    end else begin
      if (drop_i || release_held) begin
        held_q      <= 1'b0;
        held_data_q <= '0;
      end else if (dst_valid_i && dst_ready_o && dst_i.last) begin
        held_q      <= 1'b1;
        held_data_q <= dst_i.data;
        held_keep_q <= dst_i.keep;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tvalid_o <= 1'b0;
      tdata_o  <= '0;
      tkeep_o  <= '0;
      tlast_o  <= 1'b0;
    end else if (free) begin
      tvalid_o <= pass || release_held || null_beat;
      tlast_o  <= closed_o;
      if (release_held) begin
        tdata_o <= held_data_q;
        tkeep_o <= held_keep_q;
      end else begin
        tdata_o <= pass ? dst_i.data : '0;
        tkeep_o <= pass ? dst_i.keep : '0;
      end
    end
  end

  // The stream does not tell kinds apart.
  logic unused;
  assign unused = ^dst_i.kind;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(StreamStable_A,
    (tvalid_o && !tready_i) |=> (tvalid_o && $stable(tdata_o) && $stable(tkeep_o) &&
    $stable(tlast_o)))

endmodule
