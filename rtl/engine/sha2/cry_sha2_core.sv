// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-2 compression function: blocks of 16 words into a chaining value.
//
// Words are accepted one cycle before their round, those of the next block from the last round on:
// loading takes no cycles. Without words the first 16 rounds stall; the others need none. Words of
// SHA-256 are in the upper half of word_t.
//
// Latency: 64 (SHA-256) or 80 (SHA-512) rounds per block, one or two rounds per cycle. The chaining
// value is updated in the last four rounds and valid on hash_o in the cycle after last_o. While
// hold_i is high a block stalls before that and before loading the initial value, so that hash_o is
// stable for its reader. No latency depends on data.
//
// Wiping: without a block, state and schedule fill with zeros. Data registers have no reset.
//
// Protection (one round per cycle only): every word of data is a codeword that moves as a whole and
// is checked where it is used.
//
//   ProtectDetect   detected_o must be followed by clear_i in the same cycle
//   ProtectCorrect  the core stalls (stall_o) while all words of schedule, state and chaining value
//                   rotate through one decoder, in 33 cycles; detected_o if a word has more than
//                   one wrong bit
module cry_sha2_core #(
  parameter int unsigned               RoundsPerCycle = 1,     // 1 or 2
  parameter bit                        EnSha512       = 1'b1,  // build 64-bit words
  // Level of protection
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     clear_i,  // drops the block and wipes

  // Words of a block
  input  logic                                     word_valid_i,
  output logic                                     word_ready_o,
  output logic [3:0]                               word_index_o,  // of the first of the words
  input  cry_sha2_pkg::word_t [RoundsPerCycle-1:0] word_i,        // the first is element 0
  input  logic                                     first_i,       // with word 0: first block
  // Mode without ModeHmac; for first_i, init_i
  input  logic [2:0]                               hash_i,

  input  logic                                     hold_i,  // level: hash_o must not change
  output logic                                     busy_o,  // a block is inside
  output logic                                     last_o,  // its last round or rounds

  // Chaining value
  input  logic                                     idle_i,   // set to zero
  input  logic                                     init_i,   // set to the initial value of hash_i
  input  logic                                     shift_i,  // insert words before a and e
  input  cry_sha2_pkg::word_t                      shift_a_i,
  input  cry_sha2_pkg::word_t                      shift_e_i,
  output cry_sha2_pkg::state_t                     hash_o,   // chaining value

  output logic                                     stall_o,      // hash_o is not valid
  output logic                                     corrected_o,  // an upset was corrected
  output logic                                     detected_o    // an upset cannot be corrected
);

  import cry_protect_pkg::*;
  import cry_sha2_pkg::*;

  localparam int unsigned R         = RoundsPerCycle;
  localparam int unsigned Width     = EnSha512 ? 64 : 32;
  localparam int unsigned CodeWidth = Width + cry_code_pkg::check_width(Width, Protect);
  localparam bit          Correct   = Protect == ProtectCorrect;
  localparam bit          Checked   = Protect != ProtectNone;
  localparam protect_e    Control   = Checked ? ProtectCorrect : ProtectNone;

  typedef logic [CodeWidth-1:0] code_t;

  if (R != 1 && (R != 2 || Checked)) begin : gen_bad_rounds
    $error("RoundsPerCycle is 1, or 2 without protection");
  end

  // --- Control ----------------------------------------------------------------------------------

  typedef struct packed {
    logic       busy;
    logic       first;
    logic [2:0] hash;
    logic [6:0] round;
  } control_t;

  control_t   control_q, control_d;
  logic       sha512, wants_word, step, start, update, before_update;
  logic       control_corrected, unused_detected;
  logic [6:0] last_round;

  assign sha512        = EnSha512 & is_sha512(control_q.hash);
  assign last_round    = sha512 ? 7'(80 - R) : 7'(64 - R);
  assign update        = step & (control_q.round > last_round - 7'd4);
  assign before_update = control_q.busy & (control_q.round == last_round - 7'd4);
  assign wants_word    = control_q.busy & (control_q.round < 7'(16 - R));
  assign last_o        = step & (control_q.round == last_round);
  assign step          = control_q.busy & !clear_i & !stall_o & (word_valid_i | !wants_word) &
                         !(hold_i & before_update);
  assign start         = word_valid_i & word_ready_o & !wants_word;
  assign busy_o        = control_q.busy;

  assign word_ready_o = !clear_i & !stall_o &
                        (wants_word | !control_q.busy | (control_q.round == last_round));
  assign word_index_o = wants_word ? control_q.round[3:0] + 4'(R) : '0;

  always_comb begin
    control_d = control_q;
    if (step) control_d.round = control_q.round + 7'(R);
    if (last_o | clear_i) control_d = '0;
    if (start) control_d = '{busy: 1'b1, first: first_i, hash: hash_i, round: '0};
  end

  cry_reg_tmr #(
    .Width($bits(control_t)), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (control_d),
    .inject_i   (1'b0),
    .q_o        (control_q),
    .corrected_o(control_corrected),
    .detected_o (unused_detected)
  );

  // --- Registers --------------------------------------------------------------------------------

  code_t [7:0]  state_q, state_d, hash_q, hash_d;
  code_t [15:0] schedule_q, schedule_d;  // the newest is element 0
  state_t       state;
  word_t [15:0] schedule;
  logic         schedule_en;

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    hash_q  <= hash_d;
    if (schedule_en) schedule_q <= schedule_d;
  end

  function automatic word_t data(logic [Width-1:0] word);
    return 64'(word) << (64 - Width);
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      state.abcd[i]  = data(state_q[i][Width-1:0]);
      state.efgh[i]  = data(state_q[4+i][Width-1:0]);
      hash_o.abcd[i] = data(hash_q[i][Width-1:0]);
      hash_o.efgh[i] = data(hash_q[4+i][Width-1:0]);
    end
    for (int unsigned i = 0; i < 16; i++) schedule[i] = data(schedule_q[i][Width-1:0]);
  end

  // What a message begins with, for state and chaining value.
  word_t [7:0] initial_words;
  code_t [7:0] initial_codes;
  assign initial_words = initial_state(before_update ? control_q.hash : hash_i);
  for (genvar i = 0; i < 8; i++) begin : gen_initial
    cry_code_enc #(
      .Width(Width), .Protect(Protect)
    ) u_enc (
      .data_i(initial_words[i][63-:Width]), .codeword_o(initial_codes[i])
    );
    if (Width != 64) begin : gen_rest
      logic unused_low;
      assign unused_low = ^initial_words[i][31:0];
    end
  end

  // --- Upsets -----------------------------------------------------------------------------------

  logic  turn_schedule, turn_state, turn_hash;
  code_t turned;

  // All columns of the correcting code have odd weight, so that one parity finds a wrong bit.
  function automatic logic is_wrong(code_t code);
    logic [3:0] parity;
    parity = '0;
    for (int unsigned i = 0; i < CodeWidth; i++) parity[Correct ? 0 : i % 4] ^= code[i];
    return parity != '0;
  endfunction

  if (Checked) begin : gen_checks
    logic schedule_wrong, state_wrong, hash_wrong;
    always_comb begin
      // The word that the round uses, and those that the word after the next is made of.
      schedule_wrong = is_wrong(schedule_q[0]);
      if (!wants_word) begin
        schedule_wrong |= is_wrong(schedule_q[1]) | is_wrong(schedule_q[6]) |
                          is_wrong(schedule_q[14]) | is_wrong(schedule_q[15]);
      end
      state_wrong = 1'b0;
      hash_wrong  = 1'b0;
      for (int unsigned i = 0; i < 8; i++) begin
        state_wrong |= is_wrong(state_q[i]);
        hash_wrong  |= is_wrong(hash_q[i]);
      end
      schedule_wrong &= control_q.busy;
      state_wrong    &= control_q.busy;
      hash_wrong     &= !idle_i;
    end

    if (Correct) begin : gen_repair
      logic       repair_q, repair_d, wrong, beyond, valid, repair_corrected;
      logic       unused_fixed, unused_repair;
      logic [4:0] count_q, count_d;  // of turns: 16 of the schedule, 8 of state and chaining value
      code_t      turning;

      assign wrong         = schedule_wrong | state_wrong | hash_wrong;
      assign turn_schedule = repair_q & !count_q[4];
      assign turn_state    = repair_q & (count_q[4:3] == 2'd2);
      assign turn_hash     = repair_q & (count_q[4:3] == 2'd3);
      assign turning       = turn_schedule ? schedule_q[15] : turn_state ? state_q[7] : hash_q[7];
      cry_code_dec #(
        .Width(Width), .Protect(Protect)
      ) u_dec (
        .codeword_i(turning), .codeword_o(turned), .correctable_o(unused_fixed), .wrong_o(beyond)
      );

      // Words of the schedule that this block has not written may be anything.
      assign valid = turn_schedule ? control_q.busy & (7'(count_q) + control_q.round >= 7'd15)
                                   : repair_q;
      assign stall_o     = wrong | repair_q;
      assign corrected_o = (wrong & !repair_q) | control_corrected | repair_corrected;
      assign detected_o  = valid & beyond;
      assign repair_d    = !clear_i & (repair_q ? count_q != 5'd31 : wrong);
      assign count_d     = repair_q ? count_q + 5'd1 : '0;

      cry_reg_tmr #(
        .Width(6), .Protect(Protect)
      ) u_repair (
        .clk_i, .rst_ni,
        .en_i       (1'b1),
        .d_i        ({repair_d, count_d}),
        .inject_i   (1'b0),
        .q_o        ({repair_q, count_q}),
        .corrected_o(repair_corrected),
        .detected_o (unused_repair)
      );
    end else begin : gen_flag
      assign {turn_schedule, turn_state, turn_hash} = '0;
      assign turned      = '0;
      assign stall_o     = schedule_wrong | state_wrong | hash_wrong;
      assign corrected_o = control_corrected;
      assign detected_o  = stall_o;
    end
  end else begin : gen_no_checks
    assign {turn_schedule, turn_state, turn_hash} = '0;
    assign turned      = '0;
    assign stall_o     = 1'b0;
    assign corrected_o = control_corrected;
    assign detected_o  = 1'b0;
  end

  // --- Rounds -----------------------------------------------------------------------------------

  state_t         stepped, chained;
  pair_t          t1, sum_a, sum_e;
  word_t  [R-1:0] step_a, step_e, chain_a, chain_e;  // new words, the first is element 0
  code_t  [R-1:0] step_a_code, step_e_code, chain_a_code, chain_e_code;

  always_comb begin
    stepped = state;
    chained = hash_o;
    for (int unsigned r = 0; r < R; r++) begin
      t1    = '{sum: stepped.efgh[3], carry: schedule[R-1-r]};
      t1    = add(t1, RoundConstants[control_q.round + 7'(r)] & {32'hffff_ffff, {32{sha512}}});
      t1    = add(t1, choose(stepped.efgh[0], stepped.efgh[1], stepped.efgh[2]));
      t1    = add(t1, big_sigma1(sha512, stepped.efgh[0]));
      sum_e = add(t1, stepped.abcd[3]);
      sum_a = add(t1, majority(stepped.abcd[0], stepped.abcd[1], stepped.abcd[2]));
      sum_a = add(sum_a, big_sigma0(sha512, stepped.abcd[0]));
      step_a[r]    = sum_a.sum + sum_a.carry;
      step_e[r]    = sum_e.sum + sum_e.carry;
      stepped.abcd = {stepped.abcd[2:0], step_a[r]};
      stepped.efgh = {stepped.efgh[2:0], step_e[r]};
      // The same words added to the oldest of the chaining value.
      sum_a = add(sum_a, chained.abcd[3]);
      sum_e = add(sum_e, chained.efgh[3]);
      chain_a[r]   = sum_a.sum + sum_a.carry;
      chain_e[r]   = sum_e.sum + sum_e.carry;
      chained.abcd = {chained.abcd[2:0], chain_a[r]};
      chained.efgh = {chained.efgh[2:0], chain_e[r]};
    end
    if (shift_i) begin
      chain_a[0] = shift_a_i;
      chain_e[0] = shift_e_i;
    end
  end

  for (genvar r = 0; r < R; r++) begin : gen_codes
    cry_code_enc #(
      .Width(Width), .Protect(Protect)
    ) u_step_a (
      .data_i(step_a[r][63-:Width]), .codeword_o(step_a_code[r])
    );
    cry_code_enc #(
      .Width(Width), .Protect(Protect)
    ) u_step_e (
      .data_i(step_e[r][63-:Width]), .codeword_o(step_e_code[r])
    );
    cry_code_enc #(
      .Width(Width), .Protect(Protect)
    ) u_chain_a (
      .data_i(chain_a[r][63-:Width]), .codeword_o(chain_a_code[r])
    );
    cry_code_enc #(
      .Width(Width), .Protect(Protect)
    ) u_chain_e (
      .data_i(chain_e[r][63-:Width]), .codeword_o(chain_e_code[r])
    );
    if (Width != 64) begin : gen_rest
      logic unused_low;
      assign unused_low = ^{step_a[r][31:0], step_e[r][31:0], chain_a[r][31:0], chain_e[r][31:0]};
    end
  end

  always_comb begin
    hash_d = hash_q;
    if (update) begin
      for (int unsigned r = 0; r < R; r++) begin
        hash_d = {hash_d[6:4], chain_e_code[r], hash_d[2:0], chain_a_code[r]};
      end
    end
    if (shift_i) hash_d = {hash_q[6:4], chain_e_code[0], hash_q[2:0], chain_a_code[0]};
    if (turn_hash) hash_d = {hash_q[6:0], turned};
    if (init_i | (step & before_update & control_q.first)) hash_d = initial_codes;
    if (idle_i | clear_i) hash_d = '0;
  end

  always_comb begin
    state_d = (control_q.busy & !clear_i & !last_o) ? state_q : '0;
    if (step & !last_o) begin
      for (int unsigned r = 0; r < R; r++) begin
        state_d = {state_d[6:4], step_e_code[r], state_d[2:0], step_a_code[r]};
      end
    end
    if (turn_state & control_q.busy & !clear_i) state_d = {state_q[6:0], turned};
    if (start) state_d = first_i ? initial_codes : hash_d;
  end

  // --- Message schedule -------------------------------------------------------------------------

  word_t [R-1:0] next_words;
  code_t [R-1:0] next_codes;

  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      next_words[R-1-r] = small_sigma1(sha512, schedule[1-r]) + schedule[6-r] +
                          small_sigma0(sha512, schedule[14-r]) + schedule[15-r];
      if (!step | last_o) next_words[R-1-r] = '0;
      if (wants_word | start) next_words[R-1-r] = word_i[r];
      if (clear_i) next_words[R-1-r] = '0;
    end
  end
  for (genvar r = 0; r < R; r++) begin : gen_next
    cry_code_enc #(
      .Width(Width), .Protect(Protect)
    ) u_enc (
      .data_i(next_words[r][63-:Width]), .codeword_o(next_codes[r])
    );
    if (Width != 64) begin : gen_rest
      logic unused_low;
      assign unused_low = ^next_words[r][31:0];
    end
  end

  assign schedule_en = step | start | !control_q.busy | clear_i | turn_schedule;
  assign schedule_d  = turn_schedule ? {schedule_q[14:0], turned}
                                     : {schedule_q[15-R:0], next_codes};

endmodule
