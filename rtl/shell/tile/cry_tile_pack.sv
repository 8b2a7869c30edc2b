// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Packs words of memory into the beats of a section: removes what precedes the section's first byte
// and closes the gaps between its segments.
//
// A word brings count_i bytes from byte skip_i on. Beats have 16 bytes, the last one of a section
// the remainder. A partial section is discarded when the next one starts (first_i), or by drop_i
// (the section that held_o names). Nothing of a section stays here once its last beat is taken.
//
// Latency: one cycle; a section costs one cycle more than its words if its bytes fill more beats
// than words.
module cry_tile_pack #(
  parameter int unsigned NoteWidth = 1,  // bits of metadata of a word
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,  // a word
  output logic                 ready_o,  // it is taken
  input  logic [127:0]         data_i,   // the word, byte 0 in bits 7:0
  input  logic [3:0]           skip_i,   // its first byte that counts
  input  logic [4:0]           count_i,  // 1 to 16
  input  logic                 first_i,  // word of its section
  input  logic                 last_i,   // last word of its section
  input  logic [NoteWidth-1:0] note_i,   // its metadata
  output logic [NoteWidth-1:0] held_o,   // note of the last word
  input  logic                 drop_i,   // discards the section that held_o names

  output logic                 valid_o,  // a beat
  input  logic                 ready_i,  // it is taken
  output logic [127:0]         data_o,   // the beat, byte 0 in bits 7:0
  output logic [4:0]           count_o,  // its bytes, 1 to 16
  output logic                 first_o,  // first beat of its section
  output logic                 last_o,   // last beat of its section
  output logic [NoteWidth-1:0] note_o,   // metadata of its last word

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
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

  logic [NoteWidth-1:0] rest_note_d, note_d;
  logic fresh_d, valid_d, first_d, last_d;
  logic [127:0] data_d;
  logic [4:0] count_d;
  always_comb begin
    rest_note_d = rest_note_q;
    fresh_d     = fresh_q;
    valid_d     = valid_o;
    data_d      = data_o;
    count_d     = count_o;
    first_d     = first_o;
    last_d      = last_o;
    note_d      = note_o;
    if (take) begin
      rest_note_d = note_i;
      fresh_d     = fresh && !emit;
    end
    if (free) begin
      valid_d = emit || rest_q;
      first_d = fresh && !rest_q;
      last_d  = rest_q || (last_i && (sum <= 5'd16));
      note_d  = rest_q ? rest_note_q : note_i;
      if (rest_q) count_d = 5'(fill_q);
      else        count_d = (sum >= 5'd16) ? 5'd16 : sum;
      for (int unsigned i = 0; i < 16; i++) begin
        // Bytes behind the section may be a neighbour's: they do not leave.
        if (rest_q) data_d[8*i+:8] = (5'(i) < 5'(fill_q)) ? part_q[8*i+:8] : '0;
        else        data_d[8*i+:8] = (emit && (5'(i) < sum)) ? merged[8*i+:8] : '0;
      end
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      fill_q, part_q, rest_q, rest_note_q, fresh_q, valid_o, data_o, count_o,
      first_o, last_o, note_o
    })), .Protect(Protect)
  ) u_fill_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      fill_d, part_d, rest_d, rest_note_d, fresh_d, valid_d, data_d, count_d,
      first_d, last_d, note_d
    }),
    .q_o({
      fill_q, part_q, rest_q, rest_note_q, fresh_q, valid_o, data_o, count_o,
      first_o, last_o, note_o
    }),
    .corrected_o(corrected_o), .detected_o(detected_o)
  );

endmodule
