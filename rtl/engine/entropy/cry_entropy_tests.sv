// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Health tests of several lanes that are sampled together: those of each lane (cry_entropy_health),
// and of each lane with the next one: how often the two are equal, or differ. Windows follow one
// another without a gap from reset, or clear_i, on.
//
// Latency: a failure shows one cycle after its sample, and window_o with the window's last ones.
// Wiping: clear_i forgets all. What a failure leads to is not decided here.
module cry_entropy_tests #(
  parameter int unsigned Lanes     = 12,    // at least 2
  parameter int unsigned Window    = 1024,  // samples of a window, at least 2
  parameter int unsigned RctCutoff = 61,    // equal samples in a row that fail, at least 2
  parameter int unsigned Cutoff    = 810,   // right guesses in a window that fail
  parameter int unsigned Lags      = 4      // lags that are tested, at least 1
) (
  input  logic clk_i,  // clock
  input  logic rst_ni,  // asynchronous reset
  input  logic clear_i,  // begins anew

  input  logic             valid_i,   // there is a sample of each lane
  input  logic [Lanes-1:0] sample_i,  // one bit of each lane

  output logic [Lanes-1:0] rct_fail_o,   // repetition count of a lane failed; one cycle
  output logic [Lanes-1:0] apt_fail_o,   // adaptive proportion of a lane failed; one cycle
  output logic [Lanes-1:0] lag_fail_o,   // a lag of a lane failed; one cycle
  output logic [Lanes-2:0] pair_fail_o,  // bit i: lanes i and i+1 are not independent; one cycle
  output logic             window_o      // a window has ended; one cycle
);

  localparam int unsigned IndexWidth = $clog2(Window);

  logic [IndexWidth-1:0] index_q;
  logic                  first, last, window_q;

  assign first = index_q == '0;
  assign last  = index_q == IndexWidth'(Window - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      index_q  <= '0;
      window_q <= 1'b0;
    end else begin
      window_q <= valid_i & last & !clear_i;
      if (valid_i) index_q <= last ? '0 : index_q + IndexWidth'(1);
      if (clear_i) index_q <= '0;
    end
  end
  assign window_o = window_q;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic [Lags-1:0] lag_fail;
    cry_entropy_health #(
      .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff), .Lags(Lags)
    ) u_health (
      .clk_i, .rst_ni, .clear_i, .valid_i,
      .first_i   (first),
      .last_i    (last),
      .bit_i     (sample_i[i]),
      .rct_fail_o(rct_fail_o[i]),
      .apt_fail_o(apt_fail_o[i]),
      .lag_fail_o(lag_fail)
    );
    assign lag_fail_o[i] = |lag_fail;
  end

  for (genvar i = 0; i < Lanes - 1; i++) begin : gen_pair
    cry_entropy_tally #(.Window(Window), .Cutoff(Cutoff)) u_pair (
      .clk_i, .rst_ni, .clear_i, .valid_i,
      .first_i(first),
      .last_i (last),
      .hit_i  (sample_i[i] == sample_i[i+1]),
      .fail_o (pair_fail_o[i])
    );
  end

endmodule
