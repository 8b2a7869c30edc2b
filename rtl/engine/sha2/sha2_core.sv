// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-2 compression: blocks of 16 words to a chaining value.
//
// A block's words are taken as its rounds use them, the first one or more a cycle before. So no time
// goes by for loading: the first words of the next block are taken in the cycle of the last rounds,
// and blocks follow each other at 64 (SHA-256) or 80 (SHA-512) rounds. Without words the
// rounds wait; after the first 16 rounds they need none.
//
// The chaining value is updated in the last four rounds, as its words come about, and is on hash_o
// in the cycle after last_o. While hold_i is high a block stops short of that, also of loading the
// initial value, so that hash_o stays for its reader.
//
// Words of SHA-256 are in the upper half of word_t. No latency depends on data. The registers of
// data have no reset: without a block, state and schedule fill with zeros.
//
// Parameters:
//   RoundsPerCycle  1, or 2 for half of the cycles
//   EnSha512        build words of 64 bits; if not, the lower halves of words are zero
module sha2_core #(
  parameter int unsigned RoundsPerCycle = 1,
  parameter bit          EnSha512       = 1'b1
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  logic                                   clear_i,      // drops the block inside

  input  logic                                   word_valid_i,
  output logic                                   word_ready_o,
  output logic [3:0]                             word_index_o, // of the first of the words
  input  sha2_pkg::word_t [RoundsPerCycle-1:0]   word_i,       // the first is element 0
  input  logic                                   first_i,      // begin with the initial value of ...
  input  logic [2:0]                             hash_i,       // the hash; both with word 0

  input  logic                                   hold_i,
  output logic                                   busy_o,
  output logic                                   last_o,       // the last rounds are being done

  input  logic                                   wipe_i,       // set the chaining value to zero
  input  logic                                   init_i,       // set it to what hash_i begins with
  input  logic                                   shift_i,      // put words before a and e
  input  sha2_pkg::word_t                        shift_a_i,
  input  sha2_pkg::word_t                        shift_e_i,
  output sha2_pkg::state_t                       hash_o
);

  import sha2_pkg::*;

  localparam int unsigned R = RoundsPerCycle;

  localparam word_t Used = EnSha512 ? '1 : 64'hffff_ffff_0000_0000;

  if (R != 1 && R != 2) begin : gen_bad_rounds
    $error("RoundsPerCycle is 1 or 2");
  end

  // --- Control ----------------------------------------------------------------------------------

  typedef struct packed {
    logic       busy;
    logic       first;
    logic [2:0] hash;
    logic [6:0] round;
  } control_t;

  control_t   control_q, control_d;
  logic       sha512, needs_word, step, start, update, before_update;
  logic [6:0] last_round;

  assign sha512        = EnSha512 & is_sha512(control_q.hash);
  assign last_round    = sha512 ? 7'(80 - R) : 7'(64 - R);
  assign update        = control_q.busy & (control_q.round > last_round - 7'd4);
  assign before_update = control_q.round == last_round - 7'd4;
  assign needs_word    = control_q.busy & (control_q.round < 7'(16 - R));
  assign last_o        = control_q.busy & (control_q.round == last_round);
  assign step          = control_q.busy & !clear_i & (word_valid_i | !needs_word) &
                         !(hold_i & before_update);
  assign start         = word_valid_i & !clear_i & (!control_q.busy | last_o);
  assign word_ready_o  = !clear_i & (needs_word | !control_q.busy | last_o);
  assign word_index_o  = needs_word ? control_q.round[3:0] + 4'(R) : '0;
  assign busy_o        = control_q.busy;

  always_comb begin
    control_d = control_q;
    if (step) control_d.round = control_q.round + 7'(R);
    if ((step & last_o) | clear_i) control_d = '0;
    if (start) control_d = '{busy: 1'b1, first: first_i, hash: hash_i, round: '0};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) control_q <= '0;
    else         control_q <= control_d;
  end

  // --- Rounds -----------------------------------------------------------------------------------

  state_t         state_q, state_d, hash_q, hash_d, stepped, chained;
  word_t  [15:0]  schedule_q, schedule_d;  // the newest is element 0
  word_t  [R-1:0] next_words;
  pair_t  t1, sum_a, sum_e;

  always_comb begin
    stepped = state_q;
    chained = hash_q;
    for (int unsigned r = 0; r < R; r++) begin
      t1    = '{sum: stepped.efgh[3], carry: schedule_q[R-1-r]};
      t1    = add(t1, RoundConstants[control_q.round + 7'(r)] &
                      {32'hffff_ffff, {32{sha512}}});
      t1    = add(t1, choose(stepped.efgh[0], stepped.efgh[1], stepped.efgh[2]));
      t1    = add(t1, big_sigma1(sha512, stepped.efgh[0]));
      sum_e = add(t1, stepped.abcd[3]);
      sum_a = add(t1, majority(stepped.abcd[0], stepped.abcd[1], stepped.abcd[2]));
      sum_a = add(sum_a, big_sigma0(sha512, stepped.abcd[0]));
      stepped.abcd = {stepped.abcd[2:0], sum_a.sum + sum_a.carry};
      stepped.efgh = {stepped.efgh[2:0], sum_e.sum + sum_e.carry};
      // The same words added to the oldest of the chaining value.
      sum_a = add(sum_a, chained.abcd[3]);
      sum_e = add(sum_e, chained.efgh[3]);
      chained.abcd = {chained.abcd[2:0], sum_a.sum + sum_a.carry};
      chained.efgh = {chained.efgh[2:0], sum_e.sum + sum_e.carry};
    end
  end

  always_comb begin
    hash_d = hash_q;
    if (shift_i) begin
      hash_d.abcd = {hash_q.abcd[2:0], shift_a_i};
      hash_d.efgh = {hash_q.efgh[2:0], shift_e_i};
    end
    if (update) hash_d = chained;
    if (init_i | (step & before_update & control_q.first)) begin
      hash_d = initial_state(init_i ? hash_i : control_q.hash);
    end
    if (wipe_i) hash_d = '0;
  end

  always_comb begin
    state_d = '0;
    if (control_q.busy & !clear_i) state_d = step ? stepped : state_q;
    if (last_o) state_d = '0;
    if (start) state_d = first_i ? initial_state(hash_i) : hash_d;
  end

  // --- Message schedule -------------------------------------------------------------------------

  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      next_words[R-1-r] = small_sigma1(sha512, schedule_q[1-r]) + schedule_q[6-r] +
                          small_sigma0(sha512, schedule_q[14-r]) + schedule_q[15-r];
      if (!step | last_o) next_words[R-1-r] = '0;
      if (needs_word | start) next_words[R-1-r] = word_i[r];
    end
    schedule_d = {schedule_q[15-R:0], next_words};
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d & {8{Used}};
    hash_q  <= hash_d & {8{Used}};
    if (step | start | !control_q.busy | clear_i) schedule_q <= schedule_d & {16{Used}};
  end

  assign hash_o = hash_q;

endmodule
