// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// One pipelined AES core for several requesters, each with a core port of its own.
//
// One block per cycle enters, round-robin, and leaves 10, 12 or 14 cycles later
// (cry_aes_core_pipelined). The results of a requester are in order. A requester must offer a block
// until one is accepted, but may replace it by another; in_ready_o depends on in_valid_i of all.
//
//   - Requesters do not stall each other: results wait in a buffer of the requester
//     (cry_aes_core_catch), and a requester without a free slot is skipped.
//   - clear_i of a requester drops its results and its blocks in the core; those of the others
//     continue. The core itself is wiped only when all requesters clear in the same cycle: until
//     then dropped blocks pass through it.
//   - Timing that requesters observe of each other: requests, by waiting for at most as many cycles
//     per block as there are others; a longer key ahead in the core, by up to 4 cycles. Nothing
//     depends on data or on key values.
module cry_aes_core_share #(
  parameter int unsigned                Requesters = 2,     // 2 or more
  parameter bit                         EnDecrypt  = 1'b1,  // build OpDecrypt and OpExpand
  parameter bit                         EnKey192   = 1'b1,  // build 192-bit keys
  parameter bit                         EnKey256   = 1'b1,  // build 256-bit keys
  // Of each requester's cry_aes_core_catch
  parameter logic [Requesters-1:0][7:0] Slots      = {Requesters{8'd16}},
  parameter logic [Requesters-1:0][7:0] Keys       = {Requesters{8'd4}}
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [Requesters-1:0]             clear_i,  // of each requester

  // A block of each requester, as at cry_aes_core_pipelined
  input  logic [Requesters-1:0]             in_valid_i,
  output logic [Requesters-1:0]             in_ready_o,
  input  cry_aes_pkg::op_e [Requesters-1:0] in_op_i,
  input  logic [Requesters-1:0][1:0]        in_key_len_i,
  input  logic [Requesters-1:0][255:0]      in_key_i,
  input  logic [Requesters-1:0][127:0]      in_block_i,

  // The result for each requester
  output logic [Requesters-1:0]             out_valid_o,
  input  logic [Requesters-1:0]             out_ready_i,
  output logic [Requesters-1:0][127:0]      out_block_o,
  output logic [Requesters-1:0][255:0]      out_key_o
);

  import cry_aes_pkg::*;

  localparam int unsigned Width      = $clog2(Requesters);
  localparam int unsigned OrderDepth = 16;  // more than blocks in the core
  localparam int unsigned OrderWidth = $clog2(OrderDepth);

  // --- Arbitration -------------------------------------------------------------------------------

  logic [Requesters-1:0] room, request, above, grant, expand;
  logic [Width-1:0]      last_q;
  logic                  wipe;

  assign wipe       = &clear_i;
  assign in_ready_o = grant;

  for (genvar r = 0; r < Requesters; r++) begin : gen_request
    assign expand[r]  = in_op_i[r] == OpExpand;
    assign request[r] = in_valid_i[r] & room[r] & !clear_i[r];
  end

  // The first request above the last one granted, else the first of all.
  always_comb begin
    logic found;
    grant = '0;
    found = 1'b0;
    for (int unsigned r = 0; r < Requesters; r++) above[r] = request[r] & (Width'(r) > last_q);
    for (int unsigned r = 0; r < Requesters; r++) begin
      grant[r] = above[r] & !found;
      found    = found | above[r];
    end
    for (int unsigned r = 0; r < Requesters; r++) begin
      grant[r] = grant[r] | (request[r] & !found);
      found    = found | request[r];
    end
  end

  // --- Core --------------------------------------------------------------------------------------

  logic             core_valid, core_ready, out_valid;
  op_e              core_op;
  logic [1:0]       core_op_bits, core_key_len;
  logic [255:0]     core_key, out_key;
  logic [127:0]     core_block, out_block;
  logic [Width-1:0] served;

  always_comb begin
    core_op_bits = '0;
    core_key_len = '0;
    core_key     = '0;
    core_block   = '0;
    served       = '0;
    for (int unsigned r = 0; r < Requesters; r++) begin
      core_op_bits |= {2{grant[r]}} & in_op_i[r];
      core_key_len |= {2{grant[r]}} & in_key_len_i[r];
      core_key     |= {256{grant[r]}} & in_key_i[r];
      core_block   |= {128{grant[r]}} & in_block_i[r];
      served       |= {Width{grant[r]}} & Width'(r);
    end
  end
  assign core_op    = op_e'(core_op_bits);
  assign core_valid = |request;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)         last_q <= '0;
    else if (core_valid) last_q <= served;
  end

  cry_aes_core_pipelined #(
    .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
  ) u_core (
    .clk_i,
    .rst_ni,
    .clear_i     (wipe),
    .in_valid_i  (core_valid),
    .in_ready_o  (core_ready),
    .in_op_i     (core_op),
    .in_key_len_i(core_key_len),
    .in_key_i    (core_key),
    .in_block_i  (core_block),
    .out_valid_o (out_valid),
    .out_ready_i (1'b1),
    .out_block_o (out_block),
    .out_key_o   (out_key)
  );

  // --- Owners of results -------------------------------------------------------------------------

  typedef struct packed {
    logic             dropped;
    logic             is_key;
    logic [Width-1:0] owner;
  } order_t;

  order_t [OrderDepth-1:0] order_q;
  order_t                  head;
  logic [OrderWidth-1:0]   head_q, tail_q;

  assign head = order_q[head_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      order_q <= '0;
      head_q  <= '0;
      tail_q  <= '0;
    end else begin
      for (int unsigned o = 0; o < OrderDepth; o++) begin
        if (clear_i[order_q[o].owner]) order_q[o].dropped <= 1'b1;
      end
      if (core_valid) begin
        order_q[tail_q] <= '{dropped: 1'b0, is_key: core_op == OpExpand, owner: served};
      end
      tail_q <= wipe ? '0 : tail_q + OrderWidth'(core_valid);
      head_q <= wipe ? '0 : head_q + OrderWidth'(out_valid);
    end
  end

  for (genvar r = 0; r < Requesters; r++) begin : gen_requester
    cry_aes_core_catch #(
      .Slots(int'(Slots[r])), .Keys(int'(Keys[r])), .WideKeys(EnKey192 || EnKey256)
    ) u_catch (
      .clk_i,
      .rst_ni,
      .clear_i        (clear_i[r]),
      .expand_i       (expand[r]),
      .room_o         (room[r]),
      .enter_i        (grant[r]),
      .result_valid_i (out_valid & !head.dropped & (head.owner == Width'(r))),
      .result_is_key_i(head.is_key),
      .result_block_i (out_block),
      .result_window_i(out_key),
      .out_valid_o    (out_valid_o[r]),
      .out_ready_i    (out_ready_i[r]),
      .out_block_o    (out_block_o[r]),
      .out_key_o      (out_key_o[r])
    );
  end

  logic unused_ready;
  assign unused_ready = core_ready;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(CoreTakesEach_A, core_valid |-> core_ready)
  `CRY_ASSERT(OutWasAsked_A, out_valid |-> head_q != tail_q)

endmodule
