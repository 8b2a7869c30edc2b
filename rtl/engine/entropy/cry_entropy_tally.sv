// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Counts the right guesses of a predictor in windows of samples, and fails if they are too many, or
// too few.
//
// A source with min-entropy H for each sample, given all samples before it, is guessed by any rule
// with probability 2^-H at most. So one cut-off holds for every predictor, and for its opposite:
// a window with Cutoff or more wrong guesses fails at its last sample.
//
// Latency: fail_o is high one cycle after the sample that made it so, from the Cutoff-th right
// guess on for each sample until the window ends. Nothing here is secret.
module cry_entropy_tally #(
  parameter int unsigned Window = 1024,  // samples, at least 2
  parameter int unsigned Cutoff = 810    // right or wrong guesses that fail, over half of Window
) (
  input  logic clk_i,  // clock
  input  logic rst_ni,  // asynchronous reset
  input  logic clear_i,  // forgets the window; the next sample has to be a first one

  input  logic valid_i,  // there is a sample
  input  logic first_i,  // it is the first of a window
  input  logic last_i,   // it is the last of a window
  input  logic hit_i,    // it was guessed

  output logic fail_o  // the test failed; one cycle
);

  localparam int unsigned Width = $clog2(Window + 1);

  logic [Width-1:0] count_q, count_d;
  logic             fail_q, high, low;

  assign count_d = (first_i ? '0 : count_q) + Width'(hit_i);
  assign high    = count_d >= Width'(Cutoff);
  assign low     = last_i & (count_d <= Width'(Window - Cutoff));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      fail_q  <= 1'b0;
    end else begin
      fail_q <= valid_i & !clear_i & (high | low);
      if (valid_i) count_q <= count_d;
      if (clear_i) count_q <= '0;
    end
  end

  assign fail_o = fail_q;

endmodule
