// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Packs words of memory into the beats of a section: takes away what is before the section's first byte, and
// closes the gaps between its pieces.
//
// A word brings count_i bytes from byte skip_i on. Beats have 16 bytes; the last of a section has what is
// left. What was begun and not ended is forgotten when the next section begins (first_i), or by drop_i (of
// the section that held_o names). Nothing of a section stays here when its last beat was taken.
//
// Latency: one cycle; a section costs one cycle more than its words if its bytes fill more beats than
// its words. Parameter NoteWidth: bits of what passes beside the data, and is that of the last word
// of the beat.
module tile_pack #(
  parameter int unsigned NoteWidth = 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [127:0]         data_i,
  input  logic [3:0]           skip_i,
  input  logic [4:0]           count_i,   // 1 to 16
  input  logic                 first_i,   // word of its section
  input  logic                 last_i,
  input  logic [NoteWidth-1:0] note_i,
  output logic [NoteWidth-1:0] held_o,    // note of the last word
  input  logic                 drop_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [127:0]         data_o,
  output logic [4:0]           count_o,
  output logic                 first_o,
  output logic                 last_o,
  output logic [NoteWidth-1:0] note_o
);

  logic [3:0]           fill_d, fill_q, turn;
  logic [4:0]           sum;
  logic [127:0]         part_d, part_q, turned, merged;
  logic                 rest_d, rest_q;      // the part is the last beat
  logic [NoteWidth-1:0] rest_note_q;
  logic                 free, take, emit;
  logic                 fresh, fresh_q;      // no beat of the section has left

  assign fresh = first_i || fresh_q;
  assign free  = !valid_o || ready_i;
  assign sum   = 5'(first_i ? 4'd0 : fill_q) + count_i;
  assign take  = valid_i && ready_o;
  assign emit  = take && ((sum >= 5'd16) || last_i);

  assign held_o  = rest_note_q;
  assign ready_o = !rest_q && (free || ((sum < 5'd16) && !last_i));

  // The first byte turns to where the waiting bytes end; what passes byte 15 comes round to byte 0.
  assign turn = (first_i ? 4'd0 : fill_q) - skip_i;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      turned[8*i+:8] = 8'(data_i >> {4'(i) - turn, 3'd0});
      merged[8*i+:8] = (!first_i && (5'(i) < 5'(fill_q))) ? part_q[8*i+:8] : turned[8*i+:8];
    end
  end

  always_comb begin
    fill_d = fill_q;
    part_d = part_q;
    rest_d = rest_q && !free;
    if (take) begin
      fill_d = sum[3:0];
      part_d = (sum >= 5'd16) ? turned : merged;
      rest_d = last_i && (sum > 5'd16);
      if (last_i && !rest_d) part_d = '0;
    end else if (rest_q ? free : drop_i) begin
      part_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q      <= '0;
      part_q      <= '0;
      rest_q      <= 1'b0;
      rest_note_q <= '0;
      fresh_q     <= 1'b0;
      valid_o     <= 1'b0;
      data_o      <= '0;
      count_o     <= '0;
      first_o     <= 1'b0;
      last_o      <= 1'b0;
      note_o      <= '0;
    end else begin
      fill_q <= fill_d;
      part_q <= part_d;
      rest_q <= rest_d;
      if (take) begin
        rest_note_q <= note_i;
        fresh_q     <= fresh && !emit;
      end
      if (free) begin
        valid_o <= emit || rest_q;
        first_o <= fresh && !rest_q;
        last_o  <= rest_q || (last_i && (sum <= 5'd16));
        note_o  <= rest_q ? rest_note_q : note_i;
        if (rest_q) count_o <= 5'(fill_q);
        else        count_o <= (sum >= 5'd16) ? 5'd16 : sum;
        for (int unsigned i = 0; i < 16; i++) begin
          // Bytes behind the section may be a neighbour's: they do not leave.
          if (rest_q) data_o[8*i+:8] <= (5'(i) < 5'(fill_q)) ? part_q[8*i+:8] : '0;
          else        data_o[8*i+:8] <= (emit && (5'(i) < sum)) ? merged[8*i+:8] : '0;
        end
      end
    end
  end

endmodule
