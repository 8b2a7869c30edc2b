// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Health tests of one lane of raw samples, one bit each: repetition count and adaptive proportion
// (NIST SP 800-90B, 4.4.1 and 4.4.2), and one test for each lag k up to Lags: how often a sample
// equals, or differs from, the k-th one before it. The first two do not see a lane that is locked
// to a tone, whose ones and zeros are balanced and whose runs are short; the lags do.
//
// Cut-offs: README. Before k samples were seen the lag's test compares with zeros, which is a guess
// like any other.
//
// Latency: a failure shows one cycle after its sample. Wiping: clear_i forgets all; the samples
// held are the last Lags ones.
module cry_entropy_health #(
  parameter int unsigned Window    = 1024,  // samples of a window, at least 2
  parameter int unsigned RctCutoff = 61,    // equal samples in a row that fail, at least 2
  parameter int unsigned Cutoff    = 810,   // right guesses in a window that fail
  parameter int unsigned Lags      = 4      // lags that are tested, at least 1
) (
  input  logic clk_i,  // clock
  input  logic rst_ni,  // asynchronous reset
  input  logic clear_i,  // forgets all; the next sample has to be a first one

  input  logic valid_i,  // there is a sample
  input  logic first_i,  // it is the first of a window
  input  logic last_i,   // it is the last of a window
  input  logic bit_i,    // the sample

  output logic            rct_fail_o,  // repetition count failed; one cycle
  output logic            apt_fail_o,  // adaptive proportion failed; one cycle
  output logic [Lags-1:0] lag_fail_o   // bit k-1: the test of lag k failed; one cycle
);

  localparam int unsigned RunWidth = $clog2(RctCutoff + 1);

  logic [Lags-1:0]     past_q;  // bit k-1: the k-th sample back
  logic [RunWidth-1:0] run_q, run_d;
  logic                first_q, rct_q, full;  // sample that began the window; run at its cut-off

  // 4.4.1: the run is kept across windows, and its count stays at the cut-off.
  assign full = run_q == RunWidth'(RctCutoff);
  always_comb begin
    run_d = RunWidth'(1);
    if ((run_q != '0) & (bit_i == past_q[0])) run_d = full ? run_q : run_q + RunWidth'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q  <= '0;
      run_q   <= '0;
      first_q <= 1'b0;
      rct_q   <= 1'b0;
    end else begin
      rct_q <= valid_i & !clear_i & (run_d == RunWidth'(RctCutoff));
      if (valid_i) begin
        past_q <= Lags'({past_q, bit_i});
        run_q  <= run_d;
        if (first_i) first_q <= bit_i;
      end
      if (clear_i) begin
        past_q  <= '0;
        run_q   <= '0;
        first_q <= 1'b0;
      end
    end
  end
  assign rct_fail_o = rct_q;

  // 4.4.2: the first sample of the window counts itself. Beyond the standard, a window with too few
  // like it fails, too: a bias shows even if it begins with the rarer value.
  cry_entropy_tally #(.Window(Window), .Cutoff(Cutoff)) u_apt (
    .clk_i, .rst_ni, .clear_i, .valid_i, .first_i, .last_i,
    .hit_i (first_i | (bit_i == first_q)),
    .fail_o(apt_fail_o)
  );

  for (genvar k = 0; k < Lags; k++) begin : gen_lag
    cry_entropy_tally #(.Window(Window), .Cutoff(Cutoff)) u_lag (
      .clk_i, .rst_ni, .clear_i, .valid_i, .first_i, .last_i,
      .hit_i (bit_i == past_q[k]),
      .fail_o(lag_fail_o[k])
    );
  end

endmodule
