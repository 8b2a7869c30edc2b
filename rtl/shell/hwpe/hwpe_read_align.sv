// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Read realigner: makes beats out of wide reads by a byte shift across the word boundary. It holds the
// last word read, so that an unaligned segment needs each of its words once.
//
// Protocol: combinational from the read FIFO's head; an entry is popped with the beat it completes.
// Prefix entries only fill the held word.
module hwpe_read_align
  import hwpe_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             pop_o,
  input  read_tag_t        tag_i,
  input  logic [3:0][31:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output segment_e         segment_o,
  output logic [127:0]     data_o,
  output logic [15:0]      keep_o,
  output logic             last_o
);

  logic [31:0] held_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
    end else if (pop_o) begin
      held_q <= data_i[3];
    end
  end

  // Bytes 0..3 are held, 4..19 are new; a segment at offset 0 takes only new ones.
  logic [19:0][7:0] window;
  assign window = {data_i, held_q};

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      unique case (tag_i.offset)
        2'd1:    data_o[8*i +: 8] = window[i+1];
        2'd2:    data_o[8*i +: 8] = window[i+2];
        2'd3:    data_o[8*i +: 8] = window[i+3];
        default: data_o[8*i +: 8] = window[i+4];
      endcase
      keep_o[i] = !tag_i.last || (tag_i.bytes == '0) || (tag_i.bytes > 4'(i));
    end
  end

  assign segment_o = tag_i.segment;
  assign last_o    = tag_i.last;
  assign valid_o   = valid_i && !tag_i.prefix;
  assign pop_o     = valid_i && (tag_i.prefix || ready_i);

endmodule
