// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Conditioning: CBC-MAC with AES-128 under a fixed key, a vetted function (NIST SP 800-90B,
// 3.1.5.1.1), over Blocks blocks of 16 samples, each of up to eight bits, padded with zeros. All
// messages have one length, as CBC-MAC asks.
//
// The result goes out as two words of 64 bits. Samples of the next message are taken meanwhile.
// None is taken while a block waits for the core, or the next one for its chaining value: what
// comes then is dropped.
//
// Latency: 253 cycles from the last sample of a message to its first word. Samples that are 260
// cycles apart are all taken if the words are. Wiping: chain, core and result are zero one cycle
// after clear_i, and the result one cycle after its second word was taken.
module cry_entropy_conditioner #(
  parameter int unsigned Width  = 6,  // bits of a sample, 1 to 8
  parameter int unsigned Blocks = 4   // of a message, at least 1
) (
  input  logic clk_i,    // clock
  input  logic rst_ni,   // asynchronous reset
  input  logic clear_i,  // forgets all; high in reset, with a clock

  input  logic             valid_i,   // a sample, taken in this cycle
  input  logic [Width-1:0] sample_i,  // its bits

  output logic        word_valid_o,  // stable until taken
  input  logic        word_ready_i,  // it is taken
  output logic [63:0] word_o         // with word_valid_o; else zero
);

  // The first 16 bytes of the binary expansion of pi's fraction: any fixed value does.
  localparam logic [127:0] Key = 128'h4473_7003_2e8a_1913_d308_a385_886a_3f24;

  localparam int unsigned BlockWidth = (Blocks > 1) ? $clog2(Blocks) : 1;

  // The chain goes round by a byte with each sample, so that 16 samples are XORed to all of it.
  logic [15:0][7:0]      chain_q, chain_d;
  logic [3:0]            place_q, place_d;
  logic                  whole_q, whole_d;    // the block waits for the core
  logic [BlockWidth-1:0] block_q, block_d;    // blocks that were encrypted before
  logic                  next_q, next_d;      // the core makes the next chaining value
  logic                  half_q, half_d;      // the result's first word was taken

  logic         in_ready, out_valid, out_ready, last;
  logic [127:0] out_block;

  assign last         = block_q == BlockWidth'(Blocks - 1);
  assign word_valid_o = out_valid && !next_q;
  assign word_o       = !word_valid_o ? '0 : half_q ? out_block[127:64] : out_block[63:0];

  always_comb begin
    chain_d   = chain_q;
    place_d   = place_q;
    whole_d   = whole_q;
    block_d   = block_q;
    next_d    = next_q;
    half_d    = half_q;
    out_ready = 1'b0;
    if (valid_i && !whole_q && !next_q) begin
      chain_d = {chain_q[0] ^ 8'(sample_i), chain_q[15:1]};
      place_d = place_q + 1'b1;
      whole_d = place_q == 4'd15;
    end
    if (whole_q && in_ready) begin
      whole_d = 1'b0;
      chain_d = '0;
      block_d = last ? '0 : block_q + 1'b1;
      next_d  = !last;
    end
    if (out_valid && next_q) begin
      out_ready = 1'b1;
      next_d    = 1'b0;
      chain_d   = out_block;
    end
    if (word_valid_o && word_ready_i) begin
      half_d    = !half_q;
      out_ready = half_q;
    end
    if (clear_i) begin
      chain_d  = '0;
      place_d  = '0;
      whole_d  = 1'b0;
      block_d  = '0;
      next_d   = 1'b0;
      half_d   = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q <= '0;
      whole_q <= 1'b0;
      block_q <= '0;
      next_q  <= 1'b0;
      half_q  <= 1'b0;
    end else begin
      place_q <= place_d;
      whole_q <= whole_d;
      block_q <= block_d;
      next_q  <= next_d;
      half_q  <= half_d;
    end
  end

  // Its owner clears it in reset.
  always_ff @(posedge clk_i) chain_q <= chain_d;

  cry_aes_core_serial_enc128 u_core (
    .clk_i, .rst_ni, .clear_i,
    .in_valid_i (whole_q),
    .in_ready_o (in_ready),
    .in_key_i   (Key),
    .in_block_i (chain_q),
    .out_valid_o(out_valid),
    .out_ready_i(out_ready),
    .out_block_o(out_block)
  );

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Stable_A, (word_valid_o && !word_ready_i && !clear_i) |=> word_valid_o)

endmodule
