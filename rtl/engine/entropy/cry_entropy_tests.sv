// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Health tests of several lanes that are sampled together, one lane a cycle (cry_entropy_health):
// of each lane, of each lane with the next one, and of the parity of all, which shows what all
// lanes have in common. Windows follow one another without a gap from clear_i on.
//
// The records go round in a shift register, which needs neither reset nor enables: it moves while a
// sample is tested alone. As samples are rare, there is one set of counters' logic for all lanes.
//
// Latency: failures of lane i show in the cycle i + 2 behind its sample, those of the parity as of
// lane Lanes; window_o comes with the latter. Then ready_o is high again; a sample that comes
// earlier is lost. Wiping: clear_i, and reset, zero one lane a cycle; ready_o is low meanwhile.
module cry_entropy_tests #(
  parameter int unsigned Lanes     = 12,    // at least 2
  parameter int unsigned Window    = 1024,  // samples of a window, at least 2
  parameter int unsigned RctCutoff = 81,    // equal samples in a row that fail, at least 2
  parameter int unsigned Cutoff    = 810,   // right guesses in a window that fail
  parameter int unsigned Lags      = 4,     // lags that are tested, at least 1
  parameter bit          ClockGate = 1'b1   // gate the records' clock; otherwise enables
) (
  input  logic clk_i,    // clock
  input  logic rst_ni,   // asynchronous reset
  input  logic clear_i,  // forgets all, also a sample that is under test

  output logic             ready_o,   // the next sample can be tested
  input  logic             valid_i,   // there is a sample of each lane, with ready_o alone
  input  logic [Lanes-1:0] sample_i,  // one bit of each lane

  output logic                       fail_o,   // a test failed; one cycle
  output cry_entropy_pkg::fails_t    fails_o,  // which, with fail_o
  output logic [$clog2(Lanes+1)-1:0] lane_o,   // of which lane; Lanes: of the parity
  output logic                       window_o  // a window has ended; one cycle
);

  localparam int unsigned Records     = Lanes + 1;
  localparam int unsigned LaneWidth   = $clog2(Lanes + 1);
  localparam int unsigned IndexWidth  = $clog2(Window);
  localparam int unsigned RecordWidth =
      (Lags + 2) * $clog2(Window) + $clog2(RctCutoff + 1) + Lags + 1;

  logic                   busy_q, busy_d;      // the records move
  logic                   wipe_q, wipe_d;      // zeros take their place
  logic [LaneWidth-1:0]   lane_q, lane_d;      // which is at the front
  logic [Lanes:0]         sample_q, sample_d;  // from that lane on, then the parity
  logic [IndexWidth-1:0]  index_q, index_d;    // sample in the window
  logic [RecordWidth-1:0] front, back;
  logic                   last_lane, first, last, testing;
  cry_entropy_pkg::fails_t fails;

  assign last_lane = lane_q == LaneWidth'(Lanes);
  assign first     = index_q == '0;
  assign last      = index_q == IndexWidth'(Window - 1);
  assign testing   = busy_q && !wipe_q;
  assign ready_o   = !busy_q;

  always_comb begin
    busy_d   = busy_q;
    wipe_d   = wipe_q;
    lane_d   = lane_q;
    sample_d = sample_q;
    index_d  = index_q;
    if (busy_q) begin
      lane_d   = last_lane ? '0 : lane_q + 1'b1;
      sample_d = sample_q >> 1;
      if (last_lane) begin
        busy_d = 1'b0;
        wipe_d = 1'b0;
      end
      if (last_lane && testing) index_d = last ? '0 : index_q + 1'b1;
    end else if (valid_i) begin
      busy_d   = 1'b1;
      sample_d = {^sample_i, sample_i};
    end
    if (clear_i) begin
      busy_d   = 1'b1;
      wipe_d   = 1'b1;
      lane_d   = '0;
      sample_d = '0;
      index_d  = '0;
    end
  end

  // Behind reset the records are wiped.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b1;
      wipe_q   <= 1'b1;
      lane_q   <= '0;
      sample_q <= '0;
      index_q  <= '0;
      fail_o   <= 1'b0;
      fails_o  <= '0;
      lane_o   <= '0;
      window_o <= 1'b0;
    end else begin
      busy_q   <= busy_d;
      wipe_q   <= wipe_d;
      lane_q   <= lane_d;
      sample_q <= sample_d;
      index_q  <= index_d;
      fail_o   <= testing && !clear_i && (fails != '0);
      fails_o  <= fails;
      lane_o   <= lane_q;
      window_o <= testing && !clear_i && last_lane && last;
    end
  end

  cry_entropy_health #(
    .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff), .Lags(Lags)
  ) u_health (
    .record_i(front),
    .first_i (first),
    .last_i  (last),
    .bit_i   (sample_q[0]),
    .next_i  (sample_q[1]),
    .paired_i(lane_q < LaneWidth'(Lanes - 1)),
    .record_o(back),
    .fails_o (fails)
  );

  // --- Records -----------------------------------------------------------------------------------

  logic [Records-1:0][RecordWidth-1:0] records_q, records_d;
  assign front     = records_q[0];
  assign records_d = {wipe_q ? '0 : back, records_q[Records-1:1]};

  if (ClockGate) begin : gen_gate
    logic clk;
    cry_clock_gate u_gate (.clk_i, .en_i(busy_q), .clk_o(clk));
    always_ff @(posedge clk) records_q <= records_d;
  end else begin : gen_enable
    always_ff @(posedge clk_i) if (busy_q) records_q <= records_d;
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Ready_A, (valid_i && !clear_i) |-> ready_o)

endmodule
