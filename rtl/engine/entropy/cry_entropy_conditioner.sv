// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Conditioning: CBC-MAC with AES-128 under a fixed key, a vetted function (NIST SP 800-90B,
// 3.1.5.1.1), over Blocks blocks of 16 samples, each of up to eight bits, padded with zeros. All
// messages have one length, as CBC-MAC asks.
//
// The core holds the chain, and sample n of a block is its byte 4 (n mod 4) + n / 4. The result
// goes out as two words of 64 bits. While the core computes, or holds a word that was not taken,
// one sample waits, and others are dropped.
//
// Known-answer test (test_i): the bytes 0 to 63 in the place of samples, as four blocks whatever
// Blocks is, and both words compared on their way out. The second one comes only if the first was
// right. No word is given.
//
// Latency: 213 cycles from the last sample of a message to its first word, 214 if it had waited.
// Samples that are 220 cycles apart are all taken if the words are in as many. The test has its
// answer 917 cycles behind the first one of test_i. Wiping: the core is zero two cycles after
// clear_i, and one cycle after the second word was taken.
module cry_entropy_conditioner #(
  parameter int unsigned Width  = 6,  // bits of a sample, 1 to 8
  parameter int unsigned Blocks = 4   // of a message, at least 1
) (
  input  logic clk_i,    // clock
  input  logic rst_ni,   // asynchronous reset
  input  logic clear_i,  // forgets all; high in reset, with a clock

  input  logic test_i,    // level, with a cycle of clear_i at its begin and end: known-answer test
  output logic passed_o,  // level, with test_i: both words were right

  input  logic             valid_i,   // a sample, taken in this cycle
  input  logic [Width-1:0] sample_i,  // its bits

  output logic        word_valid_o,  // stable until taken
  input  logic        word_ready_i,  // it is taken
  output logic [63:0] word_o         // with word_valid_o; else zero, or of the test
);

  // The first 16 bytes of the binary expansion of pi's fraction: any fixed value does.
  localparam logic [127:0] Key = 128'h4473_7003_2e8a_1913_d308_a385_886a_3f24;

  // Of the known-answer test
  localparam int unsigned  TestBlocks = 4;
  localparam logic [127:0] Answer     = 128'h8818_a4ea_f24f_3c61_5c9a_2a22_b544_f503;

  localparam int unsigned BlockWidth = (Blocks > TestBlocks) ? $clog2(Blocks) : $clog2(TestBlocks);

  logic [Width-1:0]      late_q, late_d;      // the sample that waits; else zero
  logic                  waits_q, waits_d;    // there is one
  logic [3:0]            place_q, place_d;
  logic                  whole_q, whole_d;    // 16 samples are there
  logic [BlockWidth-1:0] block_q, block_d;    // blocks that were encrypted before
  logic                  result_q, result_d;  // the core makes or holds the result
  logic                  half_q, half_d;      // its first word was taken

  logic         ready, is_free, take, given, equal, out_valid, out_ready;
  logic [7:0]   sample;
  logic [127:0] out_block;

  assign is_free      = ready && !whole_q && !result_q;
  assign take         = is_free && (valid_i || waits_q || test_i);
  assign sample       = test_i ? 8'({block_q, place_q}) : 8'(waits_q ? late_q : sample_i);
  assign word_valid_o = out_valid && result_q && !test_i;
  assign word_o       = !(out_valid && result_q) ? '0 :
                        half_q ? out_block[127:64] : out_block[63:0];
  assign equal        = word_o == (half_q ? Answer[127:64] : Answer[63:0]);
  assign given        = test_i ? equal && !half_q : word_valid_o && word_ready_i;
  assign out_ready    = given && half_q;
  assign passed_o     = equal && half_q;

  always_comb begin
    place_d  = place_q + 4'(take);
    whole_d  = take && (place_q == 4'd15);
    block_d  = block_q;
    result_d = result_q && !out_ready;
    half_d   = half_q ^ given;
    if (whole_q) begin
      result_d = block_q == BlockWidth'((test_i ? TestBlocks : Blocks) - 1);
      block_d  = result_d ? '0 : block_q + 1'b1;
    end
    waits_d = is_free ? valid_i && waits_q : valid_i || waits_q;
    late_d  = (waits_q && !is_free) ? late_q : sample_i;
    if (clear_i) begin
      waits_d  = 1'b0;
      place_d  = '0;
      whole_d  = 1'b0;
      block_d  = '0;
      result_d = 1'b0;
      half_d   = 1'b0;
    end
    if (!waits_d) late_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q  <= '0;
      whole_q  <= 1'b0;
      block_q  <= '0;
      result_q <= 1'b0;
      half_q   <= 1'b0;
      waits_q  <= 1'b0;
    end else begin
      place_q  <= place_d;
      whole_q  <= whole_d;
      block_q  <= block_d;
      result_q <= result_d;
      half_q   <= half_d;
      waits_q  <= waits_d;
    end
  end

  // Its owner clears it in reset.
  always_ff @(posedge clk_i) late_q <= late_d;

  cry_aes_core_serial_enc128 #(.Chain(1'b1), .ChainKey(Key)) u_core (
    .clk_i, .rst_ni, .clear_i,
    .in_valid_i  (whole_q),
    .in_ready_o  (ready),
    .in_key_i    ('0),
    .in_block_i  ('0),
    .byte_valid_i(take),
    .byte_i      (sample),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready),
    .out_block_o (out_block)
  );

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Stable_A, (word_valid_o && !word_ready_i && !clear_i) |=> word_valid_o)

endmodule
