// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// FIFO of metadata of the blocks in an AES core, with a 128-bit mask beside each entry.
//
// Push and pop may coincide, also when it is full. Masks are ciphertext or initialisation vectors,
// no secrets: they are not wiped. With protection an upset of the mask is corrected or, at
// ProtectDetect, detected; all else is triplicated.
module cry_aes_notes
  import cry_protect_pkg::*;
#(
  parameter int unsigned Depth     = 1,           // most blocks in the core: 1 or a power of two
  parameter int unsigned NoteWidth = 1,           // bits of metadata
  parameter bit          EnMask    = 1'b1,        // build the masks; otherwise mask_o is mask_i
  parameter protect_e    Protect   = ProtectNone  // level of protection; needs Depth 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,      // drops all entries
  input  logic                 push_i,       // stores note_i and mask_i
  input  logic [NoteWidth-1:0] note_i,       // metadata
  input  logic [127:0]         mask_i,       // chaining value or context
  input  logic                 pop_i,        // removes the oldest entry; not when empty
  output logic                 empty_o,      // no entry: note_o and mask_o have no meaning
  output logic [NoteWidth-1:0] note_o,       // metadata of the oldest entry
  output logic [127:0]         mask_o,       // mask of the oldest entry
  output logic                 corrected_o,  // an upset was corrected
  output logic                 detected_o    // the mask is wrong
);

  logic [127:0] mask;

  assign mask_o = EnMask ? mask : mask_i;

  if (Depth == 1) begin : gen_one
    localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

    logic                 valid_q;
    logic [NoteWidth-1:0] note_q;
    logic [127:0]         mask_q;
    logic [2:0]           corrected, detected;

    cry_reg_tmr #(.Width(1), .Protect(Control)) u_valid (
      .clk_i, .rst_ni, .en_i(clear_i | push_i | pop_i), .d_i(!clear_i & push_i), .inject_i(1'b0),
      .q_o(valid_q), .corrected_o(corrected[0]), .detected_o(detected[0])
    );
    cry_reg_tmr #(.Width(NoteWidth), .Protect(Control)) u_note (
      .clk_i, .rst_ni, .en_i(push_i), .d_i(note_i), .inject_i(1'b0),
      .q_o(note_q), .corrected_o(corrected[1]), .detected_o(detected[1])
    );
    if (EnMask) begin : gen_mask
      // Two copies of an unknown value would differ for ever: an empty slot is loaded with zero,
      // from the clock of clear_i on, so that no job begins with copies that an upset has changed.
      logic settle;
      assign settle = (Protect == ProtectDetect) & (clear_i | (!valid_q & !push_i));
      cry_reg_tmr #(.Width(128), .EnReset(1'b0), .Protect(Protect)) u_mask (
        .clk_i, .rst_ni, .en_i(push_i | settle), .d_i(mask_i & {128{!settle}}), .inject_i(1'b0),
        .q_o(mask_q), .corrected_o(corrected[2]), .detected_o(detected[2])
      );
    end else begin : gen_no_mask
      assign mask_q       = '0;
      assign corrected[2] = 1'b0;
      assign detected[2]  = 1'b0;
    end

    assign corrected_o = |corrected;
    assign detected_o  = |detected;

    assign empty_o = !valid_q;
    assign note_o  = note_q;
    assign mask    = mask_q;
  end else begin : gen_queue
    localparam int unsigned PtrWidth = $clog2(Depth);

    logic [PtrWidth-1:0]  head_q, tail_q;
    logic [NoteWidth-1:0] notes [Depth];
    logic [127:0]         masks [Depth];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_q <= '0;
        tail_q <= '0;
      end else if (clear_i) begin
        head_q <= '0;
        tail_q <= '0;
      end else begin
        if (pop_i)  head_q <= head_q + 1'b1;
        if (push_i) tail_q <= tail_q + 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (push_i) begin
        notes[tail_q] <= note_i;
        masks[tail_q] <= mask_i;
      end
    end

    assign empty_o = head_q == tail_q;
    assign note_o  = notes[head_q];
    assign mask    = masks[head_q];

    assign corrected_o = 1'b0;
    assign detected_o  = 1'b0;

    if (Protect != ProtectNone) begin : gen_unprotected
      $error("a queue deeper than one note cannot be protected");
    end
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(PopOnlyEntered_A, pop_i |-> !empty_o)

endmodule
