// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The ChaCha20 key stream, row by row, from one of the cores.
//
// start_i loads the block counter. While run_i is high the core makes blocks and rows of 16 bytes are
// offered in order; when it is low, all key stream is dropped, and the next run begins with row 0
// of a block. The initial state's rows are added as rows leave, so that one row of adders does.
//
// Parameters:
//   Impl    the core
//   Buffer  hold a finished block in a register of its own, so that the core makes the next one
//           meanwhile; otherwise rows leave from the core, which waits (ImplStd only)
module chacha20_keystream #(
  parameter chacha20poly1305_pkg::impl_e Impl   = chacha20poly1305_pkg::ImplOpt,
  parameter bit                          Buffer = 1'b1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       start_i,
  input  logic [31:0]                start_ctr_i,
  input  logic                       run_i,
  input  logic [255:0]               key_i,    // stable while run_i
  input  logic [95:0]                nonce_i,  // stable while run_i

  output logic                       row_valid_o,
  input  logic                       row_ready_i,
  output chacha20poly1305_pkg::row_t row_o,
  output logic [1:0]                 row_index_o,
  output logic [31:0]                ctr_o     // of the block that row_o belongs to
);

  import chacha20poly1305_pkg::*;

  logic        row_fire, last_fire, in_fire;
  logic [31:0] ctr_q, ctr_d, next_ctr_q, next_ctr_d;
  logic [1:0]  row_q, row_d;

  assign row_fire    = row_valid_o & row_ready_i;
  assign last_fire   = row_fire & (row_q == 2'd3);
  assign row_index_o = row_q;
  assign ctr_o       = ctr_q;

  // The counter of the oldest block not wholly taken, and that of the next to enter the core.
  always_comb begin
    ctr_d      = ctr_q;
    next_ctr_d = next_ctr_q;
    row_d      = row_q;
    if (last_fire) ctr_d = ctr_q + 32'd1;
    if (in_fire) next_ctr_d = next_ctr_q + 32'd1;
    if (row_fire) row_d = row_q + 2'd1;
    if (!run_i) row_d = 2'd0;
    if (start_i) begin
      ctr_d      = start_ctr_i;
      next_ctr_d = start_ctr_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctr_q      <= '0;
      next_ctr_q <= '0;
      row_q      <= '0;
    end else begin
      ctr_q      <= ctr_d;
      next_ctr_q <= next_ctr_d;
      row_q      <= row_d;
    end
  end

  // --- Core -------------------------------------------------------------------------------------

  state_t in_block, out_block;
  logic   in_ready, out_valid, out_ready;

  assign in_block = {nonce_i, next_ctr_q, key_i, Constants};
  assign in_fire  = run_i & in_ready;

  if (Impl == ImplStd) begin : gen_std
    chacha20_core_std u_core (
      .clk_i,
      .rst_ni,
      .flush_i    (!run_i),
      .in_valid_i (run_i),
      .in_ready_o (in_ready),
      .in_block_i (in_block),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_block_o(out_block)
    );
  end else if (Impl == ImplOpt) begin : gen_opt
    chacha20_core_opt u_core (
      .clk_i,
      .rst_ni,
      .flush_i    (!run_i),
      .in_valid_i (run_i),
      .in_ready_o (in_ready),
      .in_block_i (in_block),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_block_o(out_block)
    );
  end else begin : gen_ring
    chacha20_core_ring #(
      .Stages((Impl == ImplWide) ? 5 : 20)
    ) u_core (
      .clk_i,
      .rst_ni,
      .flush_i    (!run_i),
      .in_valid_i (run_i),
      .in_ready_o (in_ready),
      .in_block_i (in_block),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .out_block_o(out_block)
    );
  end

  // --- Finished block ---------------------------------------------------------------------------

  state_t rows;

  if (Buffer) begin : gen_buffer
    logic   full_q, full_d, out_fire;
    state_t block_q;

    assign out_ready = !full_q | last_fire;
    assign out_fire  = out_valid & out_ready;
    assign full_d    = run_i & (out_fire | (full_q & !last_fire));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) full_q <= 1'b0;
      else         full_q <= full_d;
    end
    always_ff @(posedge clk_i) begin
      if (out_ready | !run_i) block_q <= {512{out_valid & run_i}} & out_block;
    end

    assign rows        = block_q;
    assign row_valid_o = full_q & run_i;
  end else begin : gen_direct
    assign out_ready   = last_fire;
    assign rows        = out_block;
    assign row_valid_o = out_valid & run_i;
  end

  // The initial state is added word by word.
  state_t initial_rows;
  assign initial_rows = {nonce_i, ctr_q, key_i, Constants};
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) row_o[i] = rows[row_q][i] + initial_rows[row_q][i];
  end

endmodule
