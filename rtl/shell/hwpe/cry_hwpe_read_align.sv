// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Read realigner: collects the answers to one wide read, which may come lane by lane, in a register
// of one beat, each byte shifted to its place on the way in. It holds the last word read, so that
// an unaligned segment needs each of its words once.
//
// Protocol: take_i says that an access has its last grant; its last answers come in the next cycle,
// and the beat is there one cycle later. It must be taken before answers to another access come: in
// the cycle in which it appears, unless no further access is asked for. A prefix access only fills
// the held word. A key is wiped from the register as it is taken.
module cry_hwpe_read_align
  import cry_hwpe_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             flush_i,  // forget and wipe

  input  logic             take_i,    // the access was granted in its last lane
  input  read_tag_t        tag_i,     // of the access that is asked for
  input  logic [3:0]       answer_i,  // lanes granted in the cycle before
  input  logic [3:0][31:0] data_i,    // words of the answer, by lane

  output logic             valid_o,    // a beat is complete
  input  logic             ready_i,    // the beat is taken
  output segment_e         segment_o,  // the segment that the beat is part of
  output logic [127:0]     data_o,     // the beat, byte 0 in bits 7:0
  output logic             last_o      // last beat of the segment
);

  read_tag_t tag_q;    // of the access that is answered
  logic      fill_q;   // and its last answers come now
  logic      valid_q, last_q;
  segment_e  segment_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q  <= 1'b0;
      valid_q <= 1'b0;
    end else if (flush_i) begin
      fill_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      fill_q  <= take_i;
      valid_q <= (fill_q && !tag_q.prefix) || (valid_q && !ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    tag_q <= tag_i;
    if (fill_q) begin
      segment_q <= tag_q.segment;
      last_q    <= tag_q.last;
    end
  end

  logic wipe;
  assign wipe = flush_i || (valid_q && (segment_q == SegKey) && last_q);

  // The last word's upper bytes; byte 0 of it never belongs to the next beat.
  logic [2:0][7:0] held_q;
  always_ff @(posedge clk_i) begin
    if (answer_i[3])  held_q <= data_i[3][31:8];
    else if (wipe)    held_q <= '0;
  end

  // Bytes 0..2 are held, 3..18 are new; a segment at offset 0 takes only new ones. The held bytes
  // go to the beat when the last lane answers, or, if it is not read, at the end.
  logic [18:0][7:0] window;
  logic [4:0]       sources;   // the held word, and the lanes
  assign window  = {data_i, held_q};
  assign sources = {answer_i, answer_i[3] || (fill_q && !tag_q.tail)};

  logic [15:0][7:0] beat_q;
  for (genvar i = 0; i < 16; i++) begin : gen_byte
    localparam int unsigned Lane = i / 4;
    logic [7:0] value;
    logic       load;
    always_comb begin
      unique case (tag_q.offset)
        2'd1:    value = window[i];
        2'd2:    value = window[i+1];
        2'd3:    value = window[i+2];
        default: value = window[i+3];
      endcase
      load = sources[Lane];
      if ((tag_q.offset == '0) || (32'(tag_q.offset) + i % 4 >= 4)) load = sources[Lane+1];
    end
    always_ff @(posedge clk_i) begin
      if (load)      beat_q[i] <= value;
      else if (wipe) beat_q[i] <= '0;
    end
  end

  assign valid_o   = valid_q;
  assign segment_o = segment_q;
  assign data_o    = beat_q;
  assign last_o    = last_q;

  `CRY_ASSERT_RUN
  // A beat that waits is not overwritten, and no byte of a key stays.
  `CRY_ASSERT(Hold_A, valid_q && !ready_i && !flush_i |-> answer_i == '0 && !fill_q)
  `CRY_ASSERT(Wipe_A, wipe && answer_i == '0 && !fill_q |=> beat_q == '0 && held_q == '0)

endmodule
