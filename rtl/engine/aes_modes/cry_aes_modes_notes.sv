// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// FIFO of metadata of the blocks in the core, and of steps between them; each entry has a payload
// of 128 bits and the number of its job's slot.
//
// With Depth 1 full_o is combinational on pop_i: push and pop may then coincide. Payloads may be
// XTS tweaks: a free entry holds zero one cycle after it was freed. Payloads have no reset.
module cry_aes_modes_notes
  import cry_aes_modes_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned Depth      = 1,           // entries, 1 or a power of two
  parameter int unsigned IndexWidth = 1,           // bits of a slot's number
  parameter protect_e    Protect    = ProtectNone  // level of protection
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,    // drops all entries and wipes
  input  logic                  push_i,     // stores an entry; not when full
  input  note_t                 note_i,     // metadata
  input  logic [IndexWidth-1:0] index_i,    // number of the job's slot
  input  logic [127:0]          payload_i,  // block to add, or payload_t
  input  logic                  pop_i,      // removes the oldest entry; not when empty
  output logic                  full_o,     // no free entry
  output logic                  empty_o,    // no entry
  // Oldest entry; zero if there is none
  output note_t                 note_o,
  output logic [IndexWidth-1:0] index_o,
  output logic [127:0]          payload_o,
  output logic                  corrected_o,  // an upset was corrected
  output logic                  detected_o    // an upset cannot be corrected
);

  localparam protect_e    Control  = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;
  localparam int unsigned PtrWidth = (Depth == 1) ? 1 : $clog2(Depth);
  localparam int unsigned RowWidth = 1 + $bits(note_t) + IndexWidth;

  typedef struct packed {
    logic                  valid;
    note_t                 note;
    logic [IndexWidth-1:0] index;
  } row_t;

  row_t [Depth-1:0]        row_q, row_d;
  logic [Depth-1:0][127:0] payload_q, payload_d;
  logic [Depth-1:0]        is_head, is_tail, used;
  logic [PtrWidth-1:0]     head_q, head_d, tail_q, tail_d;
  logic [2*Depth:0]        corrected, detected;

  always_comb begin
    for (int unsigned d = 0; d < Depth; d++) begin
      is_head[d] = (Depth == 1) | (head_q == PtrWidth'(d));
      is_tail[d] = (Depth == 1) | (tail_q == PtrWidth'(d));
    end
  end

  always_comb begin
    note_o    = '0;
    index_o   = '0;
    payload_o = '0;
    empty_o   = 1'b1;
    for (int unsigned d = 0; d < Depth; d++) begin
      if (is_head[d]) begin
        empty_o   = !row_q[d].valid;
        note_o    = note_o | row_q[d].note;
        index_o   = index_o | row_q[d].index;
        payload_o = payload_o | payload_q[d];
      end
    end
  end

  always_comb begin
    for (int unsigned d = 0; d < Depth; d++) used[d] = row_q[d].valid;
  end
  assign full_o = (|(is_tail & used)) & !((Depth == 1) & pop_i);

  assign head_d = clear_i ? '0 : head_q + PtrWidth'(pop_i);
  assign tail_d = clear_i ? '0 : tail_q + PtrWidth'(push_i);

  always_comb begin
    for (int unsigned d = 0; d < Depth; d++) begin
      row_d[d]     = row_q[d];
      if (is_head[d] & pop_i)  row_d[d] = '0;
      if (is_tail[d] & push_i) row_d[d] = {1'b1, note_i, index_i};
      if (clear_i)             row_d[d] = '0;
      payload_d[d] = ({128{is_tail[d] & push_i & !clear_i}} & payload_i) |
                     ({128{used[d] & !(is_head[d] & pop_i) & !clear_i}} & payload_q[d]);
    end
  end

  for (genvar d = 0; d < Depth; d++) begin : gen_row
    cry_reg_tmr #(.Width(RowWidth), .Protect(Control)) u_row (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(row_d[d]), .inject_i(1'b0), .q_o(row_q[d]),
      .corrected_o(corrected[2*d]), .detected_o(detected[2*d])
    );
    cry_reg #(.T(logic [127:0]), .Protect(Protect)) u_payload (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(payload_d[d]), .q_o(payload_q[d]),
      .corrected_o(corrected[2*d+1]), .detected_o(detected[2*d+1])
    );
  end
  cry_reg_tmr #(.Width(2*PtrWidth), .Protect(Control)) u_pointers (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i({head_d, tail_d}), .inject_i(1'b0), .q_o({head_q, tail_q}),
    .corrected_o(corrected[2*Depth]), .detected_o(detected[2*Depth])
  );

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(PopNotEmpty_A, pop_i |-> !empty_o)
  `CRY_ASSERT(PushNotFull_A, push_i |-> !full_o)

endmodule
