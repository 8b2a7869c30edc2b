// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Entropy source (NIST SP 800-90B): samples oscillators, tests every sample, combines two sources
// and conditions what comes of them to words of full entropy. The oscillators are outside.
//
// Even lanes are one source, odd lanes another: bit i of a combined sample is lane 2 i XOR lane
// 2 i + 1. Behind enable_i the oscillators settle, in which time the conditioner passes its
// known-answer test, and StartWindows windows are tested before a sample is used; restart_i, at any
// time but off, has all that done anew (SP 800-90B, 4.3: tests on demand). A failed test stops the
// output and the oscillators, wipes everything and raises alarm_o, until restart_i; nothing else
// ends an alarm but reset.
//
// Read-out (read_i, while read_allowed_i is high): what is read goes nowhere else, and whatever was
// in the source before or behind the switch is wiped: a switch starts the oscillators anew. Samples
// are contiguous: if one is not read before the next, read_lost_o stays high and no more come until
// the next switch. In ReadRestart rows of RestartSamples come without end, before each of which the
// oscillators stood still for PauseCycles. Tests do not run in ReadRaw and ReadRestart.
//
// Latency: README. Wiping: all that depends on samples is zero within Lanes + 2 cycles after the
// alarm, a switch, or enable_i low, but the flip-flops that follow the oscillators, which stand
// still; words and beats of the read-out are gone at once.
module cry_entropy
  import cry_entropy_pkg::*;
#(
  parameter int unsigned Lanes          = 12,    // even, 2 to 16
  parameter int unsigned Period         = 256,   // cycles from sample to sample, over Lanes + 2
  parameter int unsigned Window         = 1024,  // samples of a window, at least 2
  parameter int unsigned RctCutoff      = 81,    // equal samples in a row that fail, at least 2
  parameter int unsigned Cutoff         = 810,   // right guesses that fail, over half of Window
  parameter int unsigned Lags           = 4,     // lags that are tested, at least 1
  parameter int unsigned StartWindows   = 1,     // windows of the start-up test, at least 1
  parameter int unsigned Entropy        = 500,   // of a combined bit, thousandths of a bit
  parameter int unsigned Blocks         = least_blocks(Lanes, Entropy),  // that, or more
  parameter int unsigned SettleCycles   = 1024,  // before the first sample, at least TestCycles
  parameter int unsigned PauseCycles    = 1024,  // oscillators stand still; over Lanes + 2
  parameter int unsigned RestartSamples = 1000,  // of a row of the restart matrix
  parameter bit          ClockGate      = 1'b1   // of the tests' records; no for FPGAs
) (
  input  logic clk_i,   // clock
  input  logic rst_ni,  // asynchronous reset

  input  logic   enable_i,        // level: it runs
  input  logic   restart_i,       // one cycle: begins anew, and ends an alarm; nothing while off
  input  read_e  read_i,          // level: what is read out
  input  logic   read_allowed_i,  // level: the life cycle permits it; else as ReadNone
  output state_e state_o,         // what it is doing
  output logic   alarm_o,         // level: a test failed

  // The first failure, while alarm_o is high
  output fails_t                     alarm_fails_o,  // which tests
  output logic [$clog2(Lanes+1)-1:0] alarm_lane_o,   // of which lane; Lanes: of the parity of all

  // Oscillators, or a foundry's source
  output logic             osc_enable_o,  // level: they run
  input  logic [Lanes-1:0] osc_i,         // asynchronous

  // Entropy
  input  logic        ent_begin_i,  // one cycle: words come of later samples alone
  output logic        ent_valid_o,  // stable until taken, ent_begin_i, or ent_fail_o
  input  logic        ent_ready_i,  // it is taken
  output logic [63:0] ent_word_o,   // full entropy if the assumptions of README hold
  output logic        ent_fail_o,   // level: off, in alarm, or read out: no word will come

  // Read-out
  output logic        read_valid_o,  // a beat, stable until taken or a switch
  input  logic        read_ready_i,  // it is taken
  output logic [63:0] read_data_o,   // a sample from bit 0 on, or a word
  output logic        read_first_o,  // first sample of a row, or of all
  output logic        read_lost_o    // level: a sample was not read in time
);

  // In which the conditioner's known-answer test ends
  localparam int unsigned TestCycles = 918;

  if (Lanes % 2 != 0 || Lanes < 2 || Lanes > 16) begin : gen_bad_lanes
    $error("Lanes are pairs, 2 to 16");
  end
  if (Period <= Lanes + 2 || PauseCycles <= Lanes + 2) begin : gen_bad_period
    $error("Period and PauseCycles are over Lanes + 2");
  end
  if (RctCutoff < 2 || Cutoff <= Window / 2 || Cutoff > Window) begin : gen_bad_cutoff
    $error("RctCutoff is at least 2, Cutoff over half of Window and no more than it");
  end
  if (Entropy < 1 || Entropy > 1000) begin : gen_bad_entropy
    $error("Entropy is 1 to 1000 thousandths of a bit");
  end
  if (Blocks < least_blocks(Lanes, Entropy)) begin : gen_bad_blocks
    $error("Blocks have less min-entropy than full entropy asks for");
  end
  if (SettleCycles < TestCycles) begin : gen_bad_settle
    $error("SettleCycles end before the known-answer test");
  end

  localparam int unsigned MaxWait    = (SettleCycles > PauseCycles) ? SettleCycles : PauseCycles;
  localparam int unsigned WaitWidth  = $clog2(MaxWait);
  localparam int unsigned StartWidth = $clog2(StartWindows + 1);
  localparam int unsigned RowWidth   = $clog2(RestartSamples);

  state_e                  state_q, state_d;
  read_e                   read, read_q, read_d;  // wanted, in force
  logic [WaitWidth-1:0]    wait_q, wait_d;        // cycles
  logic [StartWidth-1:0]   start_q, start_d;      // windows that passed
  logic [RowWidth-1:0]     row_q, row_d;          // samples of the row
  fails_t                  fails, fails_q, fails_d;
  logic [$clog2(Lanes+1)-1:0] lane, lane_q, lane_d;
  logic                    fail, window, tests_ready, sampling, testing, settling, settled, valid;
  logic                    raw, passed;
  logic [Lanes-1:0]        sample;
  logic [Lanes/2-1:0]      combined;

  assign read     = read_allowed_i ? read_i : ReadNone;
  assign testing  = state_q inside {StateStartup, StateRun};
  assign sampling = testing || (state_q == StateRead);
  assign settling = state_q == StateSettle;
  assign settled  = settling && (wait_q == WaitWidth'(SettleCycles - 1));
  assign raw      = read_q inside {ReadRaw, ReadRestart};

  always_comb begin
    state_d = state_q;
    read_d  = read_q;
    wait_d  = '0;
    start_d = start_q;
    row_d   = row_q;
    fails_d = fails_q;
    lane_d  = lane_q;
    unique case (state_q)
      StateOff: begin
        read_d = read;
        if (enable_i) state_d = StateSettle;
      end
      StatePause: begin
        read_d = read;
        wait_d = wait_q + 1'b1;
        if (wait_q == WaitWidth'(PauseCycles - 1)) begin
          wait_d  = '0;
          state_d = StateSettle;
        end
      end
      StateSettle: begin
        wait_d  = wait_q + 1'b1;
        start_d = '0;
        row_d   = '0;
        if (settled) begin
          wait_d  = '0;
          state_d = raw ? StateRead : StateStartup;
        end
      end
      StateStartup: begin
        if (window) start_d = start_q + 1'b1;
        if (window && (start_q == StartWidth'(StartWindows - 1))) state_d = StateRun;
      end
      StateRun: ;
      StateRead: begin
        if (valid) row_d = (row_q == RowWidth'(RestartSamples - 1)) ? '0 : row_q + 1'b1;
        if (valid && (read_q == ReadRestart) && (row_q == RowWidth'(RestartSamples - 1))) begin
          state_d = StatePause;
        end
      end
      default: begin  // StateAlarm
        state_d = StateAlarm;
        read_d  = read;
      end
    endcase
    if (!(state_q inside {StateOff, StatePause, StateAlarm}) && (read != read_q)) begin
      state_d = StatePause;
      wait_d  = '0;
    end
    if (restart_i && (state_q != StateOff)) begin
      state_d = StatePause;
      wait_d  = '0;
      fails_d = '0;
      lane_d  = '0;
    end
    if (!enable_i && (state_q != StateAlarm)) begin
      state_d = StateOff;
      wait_d  = '0;
    end
    if (testing && fail) begin
      state_d = StateAlarm;
      wait_d  = '0;
      fails_d = fails;
      lane_d  = lane;
    end
    if (settled && !raw && !passed) begin
      state_d       = StateAlarm;
      fails_d.known = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateOff;
      read_q  <= ReadNone;
      wait_q  <= '0;
      start_q <= '0;
      row_q   <= '0;
      fails_q <= '0;
      lane_q  <= '0;
    end else begin
      state_q <= state_d;
      read_q  <= read_d;
      wait_q  <= wait_d;
      start_q <= start_d;
      row_q   <= row_d;
      fails_q <= fails_d;
      lane_q  <= lane_d;
    end
  end

  assign state_o       = state_q;
  assign alarm_o       = !(state_q inside {StateOff, StateSettle, StateStartup, StateRun, StateRead,
                                           StatePause});
  assign alarm_fails_o = fails_q;
  assign alarm_lane_o  = lane_q;
  assign osc_enable_o  = sampling || settling;

  // --- Samples -----------------------------------------------------------------------------------

  cry_entropy_sampler #(.Lanes(Lanes), .Period(Period)) u_sampler (
    .clk_i, .rst_ni, .enable_i(sampling), .osc_i, .valid_o(valid), .sample_o(sample)
  );

  cry_entropy_tests #(
    .Lanes(Lanes), .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff), .Lags(Lags),
    .ClockGate(ClockGate)
  ) u_tests (
    .clk_i, .rst_ni,
    .clear_i (state_d != state_q && !(state_d inside {StateStartup, StateRun})),
    .ready_o (tests_ready),
    .valid_i (valid && testing),
    .sample_i(sample),
    .fail_o  (fail),
    .fails_o (fails),
    .lane_o  (lane),
    .window_o(window)
  );

  for (genvar i = 0; i < Lanes / 2; i++) begin : gen_combine
    assign combined[i] = sample[2*i] ^ sample[2*i+1];
  end

  // --- Conditioning ------------------------------------------------------------------------------

  logic        running, word_valid, word_ready;
  logic [63:0] word;
  assign running = state_q == StateRun;

  cry_entropy_conditioner #(.Width(Lanes / 2), .Blocks(Blocks)) u_conditioner (
    .clk_i, .rst_ni,
    .clear_i     (!(running || settling) || (state_d != state_q) ||
                  (running && ent_begin_i && (read_q == ReadNone))),
    .test_i      (settling),
    .passed_o    (passed),
    .valid_i     (running && valid && (read_q != ReadTested)),
    .sample_i    (combined),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready),
    .word_o      (word)
  );

  // A word goes one way only: read_q does not change while it is there.
  assign ent_valid_o = word_valid && (read_q == ReadNone);
  assign ent_word_o  = ent_valid_o ? word : '0;
  assign ent_fail_o  = (read_q != ReadNone) || !(testing || settling);

  // --- Read-out ----------------------------------------------------------------------------------

  logic             beat_valid_q, beat_valid_d, beat_first_q, beat_first_d, begun_q, begun_d;
  logic             lost_q, lost_d, beat, reads_words, read_word;
  logic [Lanes-1:0] beat_q, beat_d;

  assign reads_words = read_q == ReadConditioned;
  assign beat        = valid && ((state_q == StateRead) || (running && (read_q == ReadTested)));

  always_comb begin
    beat_valid_d = beat_valid_q && !read_ready_i;
    beat_first_d = beat_first_q;
    beat_d       = beat_valid_d ? beat_q : '0;
    begun_d      = begun_q;
    lost_d       = lost_q;
    if (beat && !lost_q) begin
      lost_d = beat_valid_d;
      if (!beat_valid_d) begin
        beat_valid_d = 1'b1;
        beat_first_d = !begun_q;
        beat_d       = (state_q == StateRead) ? sample : Lanes'(combined);
        begun_d      = 1'b1;
      end
    end
    // A row ends, and its last beat may wait. Behind a switch nothing is left.
    if (state_q == StatePause) begun_d = 1'b0;
    if ((state_q inside {StateOff, StateAlarm}) || (read != read_q) ||
        ((state_q != StateAlarm) && (state_d inside {StateOff, StateAlarm}))) begin
      beat_valid_d = 1'b0;
      beat_d       = '0;
      begun_d      = 1'b0;
      lost_d       = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_valid_q <= 1'b0;
      beat_first_q <= 1'b0;
      beat_q       <= '0;
      begun_q      <= 1'b0;
      lost_q       <= 1'b0;
    end else begin
      beat_valid_q <= beat_valid_d;
      beat_first_q <= beat_first_d;
      beat_q       <= beat_d;
      begun_q      <= begun_d;
      lost_q       <= lost_d;
    end
  end

  assign word_ready   = reads_words ? read_ready_i : ent_ready_i && (read_q == ReadNone);
  assign read_word    = reads_words && word_valid;
  assign read_valid_o = beat_valid_q || read_word;
  assign read_data_o  = beat_valid_q ? 64'(beat_q) : read_word ? word : '0;
  assign read_first_o = beat_valid_q && beat_first_q;
  assign read_lost_o  = lost_q;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(TestsReady_A, (valid && testing) |-> tests_ready)
  `CRY_ASSERT(NoWordIsZero_A, (ent_valid_o || (ent_word_o == '0)) &&
                              (read_valid_o || (read_data_o == '0)))
  `CRY_ASSERT(OneWay_A, !(ent_valid_o && read_valid_o))
  `CRY_ASSERT(QuietAlarm_A, alarm_o |-> (!ent_valid_o && !read_valid_o && ent_fail_o))
  `CRY_ASSERT(Tested_A, (settling && (state_d == StateStartup)) |-> passed)
  `CRY_ASSERT(Stays_A, (alarm_o && !restart_i) |=> alarm_o)

endmodule
