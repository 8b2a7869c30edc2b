// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Result buffer of one requester of a shared AES core. A block enters the core only if its result
// has a slot reserved here, so that the core never stalls.
//
// A result that finds the buffer empty is combinationally passed to the output. Of an expansion
// (OpExpand) only the key is stored. Empty slots hold zero.
module cry_aes_core_catch #(
  parameter int unsigned Slots    = 16,   // for results and blocks in flight: a power of two
  parameter int unsigned Keys     = 4,    // expansions among them, 0 or a power of two up to Slots
  parameter bit          WideKeys = 1'b1  // keys have more than 128 bits
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,  // drops all results and wipes the slots

  input  logic         expand_i,  // the requester's next operation is OpExpand
  output logic         room_o,    // there is a slot for it
  input  logic         enter_i,   // it enters the core now: reserves a slot

  input  logic         result_valid_i,   // a result of this requester leaves the core
  input  logic         result_is_key_i,  // ... of an expansion
  input  logic [127:0] result_block_i,   // result of a block
  input  logic [255:0] result_window_i,  // result of an expansion

  // Results, in order
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_block_o,
  output logic [255:0] out_key_o  // of an expansion; its lower half is out_block_o
);

  localparam int unsigned PtrWidth   = $clog2(Slots);
  localparam int unsigned CountWidth = $clog2(Slots + 1);

  typedef struct packed {
    logic         valid;
    logic         is_key;
    logic [127:0] block;   // or the lower half of the key
  } slot_t;

  slot_t [Slots-1:0]     slot_q, slot_d;
  slot_t                 head, result;
  logic [PtrWidth-1:0]   head_q, tail_q;
  logic [CountWidth-1:0] count_q;  // slots reserved
  logic                  push, pop, leave, key_room;

  assign result.valid  = result_valid_i;
  assign result.is_key = result_is_key_i;
  assign result.block  = result_is_key_i ? result_window_i[127:0] : result_block_i;

  always_comb begin
    head = '0;
    for (int unsigned p = 0; p < Slots; p++) begin
      if (head_q == PtrWidth'(p)) head = head | slot_q[p];
    end
  end

  assign out_valid_o = (head.valid | result_valid_i) & !clear_i;
  assign out_block_o = head.valid ? head.block : result.block;
  assign leave       = out_valid_o & out_ready_i;
  assign pop         = leave & head.valid;
  assign push        = result_valid_i & !(leave & !head.valid) & !clear_i;
  assign room_o      = (count_q != CountWidth'(Slots)) & key_room;

  always_comb begin
    for (int unsigned p = 0; p < Slots; p++) begin
      slot_d[p] = slot_q[p];
      if (pop & (head_q == PtrWidth'(p)))  slot_d[p] = '0;
      if (push & (tail_q == PtrWidth'(p))) slot_d[p] = result;
      if (clear_i)                         slot_d[p] = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q  <= '0;
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      slot_q  <= slot_d;
      head_q  <= clear_i ? '0 : head_q + PtrWidth'(pop);
      tail_q  <= clear_i ? '0 : tail_q + PtrWidth'(push);
      count_q <= clear_i ? '0 : count_q + CountWidth'(enter_i) - CountWidth'(leave);
    end
  end

  // The upper halves of keys.
  logic [127:0] upper;

  if (Keys > 0) begin : gen_keys
    localparam int unsigned KeyPtrWidth   = (Keys > 1) ? $clog2(Keys) : 1;
    localparam int unsigned KeyCountWidth = $clog2(Keys + 1);

    logic [KeyCountWidth-1:0] key_count_q;
    logic                     key_leave;

    assign key_leave = leave & (head.valid ? head.is_key : result_is_key_i);
    assign key_room  = !expand_i | (key_count_q != KeyCountWidth'(Keys));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)      key_count_q <= '0;
      else if (clear_i) key_count_q <= '0;
      else key_count_q <= key_count_q + KeyCountWidth'(enter_i & expand_i)
                                      - KeyCountWidth'(key_leave);
    end

    if (WideKeys) begin : gen_upper
      logic [Keys-1:0][127:0]  upper_q;
      logic [KeyPtrWidth-1:0]  key_head_q, key_tail_q;
      logic                    key_push, key_pop;

      assign key_push = push & result_is_key_i;
      assign key_pop  = pop & head.is_key;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          upper_q    <= '0;
          key_head_q <= '0;
          key_tail_q <= '0;
        end else if (clear_i) begin
          upper_q    <= '0;
          key_head_q <= '0;
          key_tail_q <= '0;
        end else begin
          if (key_pop)  upper_q[key_head_q] <= '0;
          if (key_push) upper_q[key_tail_q] <= result_window_i[255:128];
          if (Keys > 1) begin
            key_head_q <= key_head_q + KeyPtrWidth'(key_pop);
            key_tail_q <= key_tail_q + KeyPtrWidth'(key_push);
          end
        end
      end

      assign upper = head.valid ? upper_q[key_head_q] : result_window_i[255:128];
    end else begin : gen_lower_alone
      logic unused_upper;
      assign unused_upper = ^result_window_i[255:128];
      assign upper        = '0;
    end
  end else begin : gen_no_keys
    logic unused_keys;
    assign unused_keys = ^{result_window_i[255:128], head.is_key};
    assign key_room    = !expand_i;
    assign upper       = '0;
  end

  assign out_key_o = {upper, out_block_o};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(ResultHasSlot_A, push |-> !slot_q[tail_q].valid || (pop && head_q == tail_q))
  `CRY_ASSERT(EnterOnlyWithRoom_A, enter_i |-> room_o)

endmodule
