// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Queue of notes on the blocks inside an AES core, oldest first, with a 128-bit mask beside each.
//
// Push and pop may come in the same cycle, also when the queue is full. The masks are ciphertext or
// initialisation vectors, never secrets, so they are not wiped.
//
// Parameters:
//   Depth      most blocks that can be inside the core: 1 or a power of two
//   NoteWidth  bits of a note
//   EnMask     build the masks; otherwise mask_o is mask_i
module aes_notes #(
  parameter int unsigned Depth     = 1,
  parameter int unsigned NoteWidth = 1,
  parameter bit          EnMask    = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  logic                 push_i,
  input  logic [NoteWidth-1:0] note_i,
  input  logic [127:0]         mask_i,
  input  logic                 pop_i,
  output logic                 empty_o,
  output logic [NoteWidth-1:0] note_o,
  output logic [127:0]         mask_o
);

  logic [127:0] mask;

  assign mask_o = EnMask ? mask : mask_i;

  if (Depth == 1) begin : gen_one
    logic                 valid_q;
    logic [NoteWidth-1:0] note_q;
    logic [127:0]         mask_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)      valid_q <= 1'b0;
      else if (clear_i) valid_q <= 1'b0;
      else if (push_i)  valid_q <= 1'b1;
      else if (pop_i)   valid_q <= 1'b0;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)     note_q <= '0;
      else if (push_i) note_q <= note_i;
    end
    always_ff @(posedge clk_i) begin
      if (push_i) mask_q <= mask_i;
    end

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
  end

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) pop_i |-> !empty_o)
    else $error("a block left the core that never entered");
`endif

endmodule
