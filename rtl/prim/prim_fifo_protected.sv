// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A queue whose words are codewords (prim_code_pkg) and whose pointers are prim_reg_tmr.
//
// Valid/ready on both sides; a word can leave in the cycle after it came; valid_o does not depend on
// ready_i, nor ready_o on valid_i. A full queue takes no word in the cycle in which one leaves.
// ProtectCorrect: data_o is the corrected word. corrected_o is high when a word with one wrong bit is
// taken, and while a pointer is corrected. detected_o is high while the word offered is not to be
// used (ProtectDetect: one wrong bit or more; ProtectCorrect: two), and while copies of pointers
// differ at ProtectDetect: users must then not let data_o out. clear_i empties the queue; the words of
// an empty queue are zero one cycle later. inject_i flips bit 0 of the word that comes, as if by an upset; tie it low where it
// is not wanted.
//
// Parameters: Width, bits, 1 to 247; Depth, words, 2 or more; Protect, the level.
module prim_fifo_protected
  import prim_protect_pkg::*;
#(
  parameter int unsigned Width   = 32,
  parameter int unsigned Depth   = 4,
  parameter protect_e    Protect = ProtectNone
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,

  input  logic             inject_i,
  output logic             corrected_o,
  output logic             detected_o
);

  localparam int unsigned CodeWidth  = Width + prim_code_pkg::check_width(Width, Protect);
  localparam int unsigned PtrWidth   = $clog2(Depth);
  localparam int unsigned LevelWidth = $clog2(Depth + 1);

  typedef struct packed {
    logic [LevelWidth-1:0] level;  // words inside
    logic [PtrWidth-1:0]   head;   // the oldest
    logic [PtrWidth-1:0]   tail;   // the next free place
  } place_t;

  // --- Pointers ---------------------------------------------------------------------------------

  place_t place_q, place_d;
  logic   push, pop, place_corrected, place_detected;

  function automatic logic [PtrWidth-1:0] after(logic [PtrWidth-1:0] pointer);
    return (pointer == PtrWidth'(Depth - 1)) ? '0 : pointer + PtrWidth'(1);
  endfunction

  assign ready_o = place_q.level != LevelWidth'(Depth);
  assign valid_o = place_q.level != '0;
  assign push    = valid_i & ready_o;
  assign pop     = valid_o & ready_i;

  always_comb begin
    place_d = place_q;
    if (push) place_d.tail = after(place_q.tail);
    if (pop)  place_d.head = after(place_q.head);
    if (push & !pop) place_d.level = place_q.level + LevelWidth'(1);
    if (pop & !push) place_d.level = place_q.level - LevelWidth'(1);
    if (clear_i) place_d = '0;
  end

  prim_reg_tmr #(
    .Width($bits(place_t)), .Protect(Protect)
  ) u_place (
    .clk_i, .rst_ni,
    .en_i       (push | pop | clear_i),
    .d_i        (place_d),
    .inject_i   (1'b0),
    .q_o        (place_q),
    .corrected_o(place_corrected),
    .detected_o (place_detected)
  );

  // --- Words --------------------------------------------------------------------------------------

  logic [CodeWidth-1:0] encoded, word_d, word_q, right;
  logic [CodeWidth-1:0] words [Depth];
  logic                 correctable, wrong, inject;

  prim_code_enc #(.Width(Width), .Protect(Protect)) u_enc (.data_i, .codeword_o(encoded));

  assign inject = (Protect != ProtectNone) & inject_i;
  assign word_d = encoded ^ CodeWidth'(inject);

  // Words have no reset: an empty queue fills itself with zeros, which are a codeword.
  logic wipe;
  assign wipe = place_q.level == '0;

  for (genvar w = 0; w < Depth; w++) begin : gen_word
    logic write;
    assign write = push & (place_q.tail == PtrWidth'(w));
    prim_dff #(
      .Width(CodeWidth), .EnReset(1'b0)
    ) u_codeword (
      .clk_i, .rst_ni,
      .en_i(write | wipe),
      .d_i (write ? word_d : '0),
      .q_o (words[w])
    );
  end

  logic [PtrWidth-1:0] head;
  assign head = place_q.head;
  always_comb begin
    word_q = '0;
    for (int unsigned w = 0; w < Depth; w++) begin
      if (head == PtrWidth'(w)) word_q |= words[w];
    end
  end

  prim_code_dec #(.Width(Width), .Protect(Protect)) u_dec (
    .codeword_i(word_q), .codeword_o(right), .correctable_o(correctable), .wrong_o(wrong)
  );

  logic unused_check;
  assign unused_check = ^right;

  assign data_o      = right[Width-1:0];
  assign corrected_o = place_corrected | (pop & correctable);
  assign detected_o  = place_detected | (valid_o & wrong);

endmodule
