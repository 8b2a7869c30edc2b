// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Zeroizes a written message: where its next word of zeros goes, and when it is done.
//
// The state is its user's (cry_tile_lane_write), who has one for jobs and for zeroizing: it waits
// for a segment (waits_i) or writes one (writes_i), never both, and goes to the other with step_o,
// but to its end with done_o. It ends early, with why_o, at a segment that cannot be had or at
// stop_i.
//
// Latency: none, combinational. No state.
module cry_tile_lane_erase
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_lane_pkg::*;
(
  input  logic         waits_i,        // level: a segment is awaited
  input  logic         writes_i,       // level: words of zeros are written
  input  logic         stop_i,         // level: it is given up
  input  logic         piece_valid_i,  // segment of the message
  output logic         piece_ready_o,  // it is taken
  input  piece_t       piece_i,        // address and length, or an error
  input  logic         can_push_i,     // a word can be written
  input  position_t    pos_i,          // of the next byte

  output position_t    pos_o,          // of the byte after this cycle's
  output logic [4:0]   zeros_o,        // bytes of this word to zeroize
  output logic         push_o,         // they are written
  output logic         close_o,        // with push_o: and end their burst
  output logic         step_o,         // one cycle: what waits_i or writes_i stand for ends
  output logic         done_o,         // with step_o: so does the whole
  output tile_status_e why_o           // other than TileOk: before all was zeroized; with done_o
);

  localparam logic [4:0] WordBytes = 5'd16;

  logic [4:0] room;  // bytes of the word from the next one on
  logic       last;  // this word is the last of its segment
  logic       take;  // the awaited segment is there, or is not awaited any more

  assign room    = WordBytes - 5'(pos_i.at);
  assign zeros_o = (pos_i.left < 32'(room)) ? pos_i.left[4:0] : room;
  assign last    = pos_i.left == 32'(zeros_o);
  assign take    = waits_i && (stop_i || piece_valid_i);

  assign piece_ready_o = waits_i;
  assign push_o        = writes_i && can_push_i;
  assign close_o       = writes_i && (last || stop_i);
  assign step_o        = take || (push_o && close_o);
  assign done_o        = waits_i ? take && (why_o != TileOk) : step_o && (!pos_i.bound || stop_i);

  always_comb begin
    why_o = TileOk;
    if (waits_i)                                 why_o = stop_i ? TileAborted : piece_i.why;
    else if (writes_i && (!last || pos_i.bound)) why_o = TileAborted;
  end

  always_comb begin
    pos_o = pos_i;
    if (waits_i) begin
      pos_o = position_of(piece_i.address, !piece_i.last, piece_i.length);
    end else if (push_o) begin
      pos_o.word_addr = pos_i.word_addr + 1'b1;
      pos_o.at        = '0;
      pos_o.left      = pos_i.left - 32'(zeros_o);
    end
  end

  logic unused;
  assign unused = ^piece_i.place;

endmodule
