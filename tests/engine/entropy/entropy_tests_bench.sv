// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// cry_entropy_tests with what it said of the last sample, collected by lane.
module entropy_tests_bench #(
  parameter int unsigned Lanes     = 12,
  parameter int unsigned Window    = 1024,
  parameter int unsigned RctCutoff = 81,
  parameter int unsigned Cutoff    = 810,
  parameter int unsigned Lags      = 4,
  parameter bit          ClockGate = 1'b1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic             valid_i,
  input  logic [Lanes-1:0] sample_i,
  output logic             ready_o,
  output logic [Lanes:0]   rct_o,
  output logic [Lanes:0]   apt_o,
  output logic [Lanes:0]   lag_o,
  output logic [Lanes:0]   pair_o,
  output logic             window_o
);

  logic                       fail, window;
  cry_entropy_pkg::fails_t    fails;
  logic [$clog2(Lanes+1)-1:0] lane;

  cry_entropy_tests #(
    .Lanes(Lanes), .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff), .Lags(Lags),
    .ClockGate(ClockGate)
  ) u_tests (
    .clk_i, .rst_ni, .clear_i, .ready_o, .valid_i, .sample_i,
    .fail_o(fail), .fails_o(fails), .lane_o(lane), .window_o(window)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {rct_o, apt_o, lag_o, pair_o, window_o} <= '0;
    end else if (valid_i || clear_i) begin
      {rct_o, apt_o, lag_o, pair_o, window_o} <= '0;
    end else begin
      if (fail) begin
        rct_o[lane]  <= fails.rct;
        apt_o[lane]  <= fails.apt;
        lag_o[lane]  <= fails.lag;
        pair_o[lane] <= fails.pair;
      end
      if (window) window_o <= 1'b1;
    end
  end

endmodule
