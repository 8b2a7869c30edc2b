// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// CTR_DRBG with AES-256 behind its known-answer test: cry_drbg_core, which describes commands,
// streams and wiping, with a test that runs after reset, after clear_i if it had not yet passed,
// and on OpTest.
//
// The test instantiates, generates and generates twice with prediction resistance, each with
// additional input, with and without derivation function, from words that it makes itself, and
// compares the last block of each, of which there must be one. In this order no request depends on
// ReseedInterval. Until it has passed no command is accepted. If it fails, or takes TestCycles, the
// core stays wiped, and every command but OpTest ends with StatusTestFailed; failed_o is high from
// then on until a test passes. The words come in front of the ports of the core, so that what lies
// before them is not tested.
//
// The wait for additional input and for output to be taken has no bound here: who owns the ports
// aborts with clear_i. The data of output count only with out_valid_o.
//
// Latency of the test: README.
module cry_drbg
  import cry_drbg_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned ReseedInterval = 65536,   // requests between reseeds, at least 1
  parameter int unsigned EntropyCycles  = 1 << 20,  // cycles to wait for a word of entropy
  parameter protect_e    Protect        = ProtectNone  // level of protection: cry_drbg_core
) (
  input  logic clk_i,  // clock
  input  logic rst_ni,  // asynchronous reset
  input  logic clear_i,  // aborts, wipes and uninstantiates

  input  logic cmd_valid_i,  // a command waits
  output logic cmd_ready_o,  // it is accepted
  input  cmd_t cmd_i,  // the command

  output logic    done_valid_o,  // one for each command; stable until taken
  input  logic    done_ready_i,  // the end is taken
  output status_e done_status_o,  // how it ended

  // Entropy input, on request
  input  logic        ent_valid_i,  // a word of entropy is there
  output logic        ent_ready_o,  // a word is wanted
  input  logic [63:0] ent_word_i,  // the word
  input  logic        ent_fail_i,   // there will be none
  output logic        ent_begin_o,  // one cycle, before its first word: a seed is wanted

  // Personalization string or additional input
  input  logic        add_valid_i,  // a word is there
  output logic        add_ready_o,  // a word is wanted
  input  logic [63:0] add_word_i,  // bytes beyond the end are ignored

  output logic         out_valid_o,  // stable until taken
  input  logic         out_ready_i,  // the beat is taken
  output logic [127:0] out_data_o,  // bytes beyond the end are zero
  output logic [15:0]  out_keep_o,  // valid bytes, contiguous from bit 0
  output logic         out_last_o,  // last beat of the job

  output logic seeded_o,  // there is an instance
  output logic failed_o,  // the known-answer test failed, and none has passed since

  output logic corrected_o,  // an upset was corrected
  output logic detected_o    // an upset was detected: the instance is wiped
);

  typedef enum logic [2:0] {
    StStart  = 3'd0,  // wipes the core
    StCmd    = 3'd1,  // a command of the test
    StRun    = 3'd2,  // waits for its end
    StPassed = 3'd3,
    StFailed = 3'd4,
    StReport = 3'd5,  // the end of OpTest
    StRefuse = 3'd6,  // the end of a command after a failure
    StJudge  = 3'd7   // wipes the core: the state of the test is known to all
  } state_e;

  localparam int unsigned TimeWidth = $clog2(TestCycles);

  state_e     state_q, state_d;
  logic       asked_q, asked_d;  // by OpTest
  logic       no_df_q, no_df_d;  // the half without derivation function
  logic [1:0] call_q, call_d;    // command of the test
  logic       equal_q, equal_d;  // so far all answers were right
  logic [1:0] seen_q, seen_d;    // by half: its answer was there
  logic       failed_q, failed_d;
  logic [7:0] words_q, words_d;  // words of input, of either kind
  logic [TimeWidth-1:0] time_q, time_d;  // cycles of the test
  logic [1:0] corrected, detected;

  logic testing, good, core_clear;
  assign testing    = state_q inside {StCmd, StRun};
  assign good       = equal_q & (&seen_q);
  assign core_clear = clear_i | (state_q inside {StStart, StJudge, StFailed, StRefuse});

  logic    cmd_valid, cmd_ready, done_valid, done_ready, ent_ready, ent_begin, add_ready;
  logic    out_valid, seeded;
  cmd_t    test_cmd;
  status_e done_status;
  logic    pass, asks;

  // Bytes that differ, each bit of them both 0 and 1.
  logic [63:0] test_word;
  assign test_word = {8{words_q}} ^ (words_q[0] ? 64'h0123_4567_89ab_cdef
                                                : 64'hfedc_ba98_7654_3210);

  assign pass = state_q == StPassed;
  assign asks = cmd_valid_i & (cmd_i.op == OpTest);

  always_comb begin
    test_cmd         = '0;
    test_cmd.op      = (call_q == 2'd0) ? OpInstantiate : OpGenerate;
    test_cmd.df      = !no_df_q;
    test_cmd.predict = call_q >= 2'd2;
    test_cmd.add_len = TestAddLen;
    test_cmd.out_len = OutWidth'(16);
  end

  assign cmd_valid  = pass ? cmd_valid_i & !asks : state_q == StCmd;
  assign done_ready = pass ? done_ready_i : state_q == StRun;

  cry_drbg_core #(
    .ReseedInterval(ReseedInterval), .EntropyCycles(EntropyCycles), .Protect(Protect)
  ) u_core (
    .clk_i,
    .rst_ni,
    .clear_i      (core_clear),
    .cmd_valid_i  (cmd_valid),
    .cmd_ready_o  (cmd_ready),
    .cmd_i        (pass ? cmd_i : test_cmd),
    .done_valid_o (done_valid),
    .done_ready_i (done_ready),
    .done_status_o(done_status),
    .ent_valid_i  (pass ? ent_valid_i : testing),
    .ent_ready_o  (ent_ready),
    .ent_word_i   (pass ? ent_word_i : test_word),
    .ent_fail_i   (pass & ent_fail_i),
    .ent_begin_o  (ent_begin),
    .add_valid_i  (pass ? add_valid_i : testing),
    .add_ready_o  (add_ready),
    .add_word_i   (pass ? add_word_i : test_word),
    .out_valid_o  (out_valid),
    .out_ready_i  (pass ? out_ready_i : 1'b1),
    .out_data_o,
    .out_keep_o,
    .out_last_o,
    .seeded_o     (seeded),
    .corrected_o  (corrected[0]),
    .detected_o   (detected[0])
  );

  always_comb begin
    state_d = state_q;
    asked_d = asked_q;
    no_df_d = no_df_q;
    call_d  = call_q;
    equal_d = equal_q;
    seen_d  = seen_q;
    words_d = words_q;
    time_d  = testing ? time_q + 1'b1 : '0;
    failed_d = (state_q == StJudge) ? !good : failed_q;

    if (testing & (ent_ready | add_ready)) words_d = words_q + 8'd1;
    if ((state_q == StRun) & out_valid & (call_q == 2'd3)) begin
      equal_d = equal_q & !seen_q[no_df_q] & out_last_o & (&out_keep_o) &
                (out_data_o == (no_df_q ? TestAnswerNoDf : TestAnswerDf));
      seen_d[no_df_q] = 1'b1;
    end

    unique case (state_q)
      StStart: begin
        state_d = StCmd;
        no_df_d = 1'b0;
        call_d  = '0;
        equal_d = 1'b1;
        seen_d  = '0;
        words_d = '0;
      end
      StCmd: if (cmd_ready) state_d = StRun;
      StRun: begin
        if (done_valid) begin
          state_d = StCmd;
          call_d  = call_q + 2'd1;
          equal_d = equal_q & (done_status == StatusOk);
          if (call_q == 2'd3) begin
            no_df_d = 1'b1;
            if (no_df_q) state_d = StJudge;
          end
        end
      end
      StJudge: state_d = asked_q ? StReport : good ? StPassed : StFailed;
      StPassed: begin
        if (asks & cmd_ready) begin
          state_d = StStart;
          asked_d = 1'b1;
        end
      end
      StFailed: begin
        if (cmd_valid_i) state_d = asks ? StStart : StRefuse;
        asked_d = asks;
      end
      StReport: begin
        if (done_ready_i) begin
          state_d = good ? StPassed : StFailed;
          asked_d = 1'b0;
        end
      end
      StRefuse: if (done_ready_i) state_d = StFailed;
      default: state_d = StStart;
    endcase

    if (testing && (time_q == TestLast)) begin
      equal_d = 1'b0;
      state_d = StJudge;
    end

    if (clear_i) begin
      asked_d = 1'b0;
      unique case (state_q)
        StPassed:           state_d = StPassed;
        StFailed, StRefuse: state_d = StFailed;
        // No failure is forgotten.
        StJudge, StReport:  state_d = good ? StStart : StFailed;
        default:            state_d = StStart;
      endcase
    end
  end

  logic [2:0] state;

  cry_reg_tmr #(
    .Width(3 + 8 + 8 + TimeWidth),
    .Protect((Protect == ProtectNone) ? ProtectNone : ProtectCorrect)
  ) u_state (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({state_d, asked_d, no_df_d, call_d, equal_d, seen_d, failed_d, words_d, time_d}),
    .q_o({state, asked_q, no_df_q, call_q, equal_q, seen_q, failed_q, words_q, time_q}),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );
  assign state_q     = state_e'(state);
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  assign cmd_ready_o = (pass & cmd_ready) | ((state_q == StFailed) & !clear_i);
  assign ent_ready_o = pass & ent_ready;
  assign ent_begin_o = pass & ent_begin;
  assign add_ready_o = pass & add_ready;
  assign out_valid_o = pass & out_valid;
  assign seeded_o    = pass & seeded;
  assign failed_o    = failed_q;

  always_comb begin
    done_valid_o  = pass & done_valid;
    done_status_o = done_status;
    if (state_q inside {StReport, StRefuse}) begin
      done_valid_o  = !clear_i;
      done_status_o = ((state_q == StReport) & good) ? StatusOk : StatusTestFailed;
    end
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(NoOutputUntested_A, out_valid_o |-> pass)
  `CRY_ASSERT(TestIsWiped_A, $rose(pass) |-> !seeded)
  `CRY_ASSERT(FailedIsWiped_A, (state_q inside {StFailed, StRefuse}) |=>
                               u_core.key_q == '0 && u_core.v_q == '0)

endmodule
