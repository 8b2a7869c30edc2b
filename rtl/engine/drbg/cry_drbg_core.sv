// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// CTR_DRBG with AES-256 (NIST SP 800-90A Rev. 1, 10.2.1), one instance, with and without derivation
// function. cry_drbg holds it back until its known-answer test has passed.
//
// A command is accepted when idle and ends with one `done`. In between it takes words of entropy,
// then words of additional input (personalization string), ceil(add_len / 8) of them, and gives
// beats of output.
//
//   - OpGenerate reseeds first if `predict` asks for it or ReseedInterval requests were served; the
//     additional input then goes into the reseed, as the standard says (9.3.1, step 7).
//   - With `done` of a bad parameter or StatusNotSeeded nothing was taken or given. With that of
//     StatusEntropy the instance is wiped and words of additional input may be left: drop them.
//   - A word of entropy that is late by EntropyCycles ends the job with StatusEntropy.
//   - ent_begin_o tells the source that what it made before shall not be part of the seed that a
//     command begins: only so has a reseed the prediction resistance that the standard means.
//
// Protection: all that is stored is in cry_reg_tmr. What is found and cannot be corrected ends a
// job with StatusFault; no beat leaves in its cycle, and the instance is wiped, also between jobs:
// so no output can come twice, or of a key and V that nobody seeded.
//
//   ProtectDetect   secrets and the AES core's state are held twice, control three times
//   ProtectCorrect  all is held three times
//
// Latency: 14 cycles for each block of output, without a pause unless out_ready_i stalls. The rest,
// for whole jobs: README. No latency depends on what is secret.
//
// Wiping: OpUninstantiate, clear_i, StatusEntropy, StatusFault and reset leave no key, V or seed:
// all is zero one cycle later, with the first clock in reset, and there is no instance. A beat of
// output is zero one cycle after it was taken, and what the seed was made of when its job is done.
module cry_drbg_core
  import cry_drbg_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned ReseedInterval = 65536,   // requests between reseeds, at least 1
  parameter int unsigned EntropyCycles  = 1 << 20,  // cycles to wait for a word of entropy
  parameter protect_e    Protect        = ProtectNone  // level of protection
) (
  input  logic clk_i,  // clock
  input  logic rst_ni,  // asynchronous reset
  input  logic clear_i,  // aborts, wipes and uninstantiates

  input  logic cmd_valid_i,  // a command waits
  output logic cmd_ready_o,  // it is accepted
  input  cmd_t cmd_i,  // not OpTest

  output logic    done_valid_o,  // stable until taken
  input  logic    done_ready_i,  // the end is taken
  output status_e done_status_o,  // how it ended

  input  logic        ent_valid_i,  // a word of entropy is there
  output logic        ent_ready_o,  // a word is wanted: the request
  input  logic [63:0] ent_word_i,   // full entropy without derivation function
  input  logic        ent_fail_i,   // there will be none
  output logic        ent_begin_o,  // one cycle, before its first word: a seed is wanted

  input  logic        add_valid_i,  // a word is there
  output logic        add_ready_o,  // a word is wanted
  input  logic [63:0] add_word_i,  // additional input; bytes beyond its end are ignored

  output logic         out_valid_o,  // stable until taken
  input  logic         out_ready_i,  // the beat is taken
  output logic [127:0] out_data_o,  // bytes beyond the end are zero
  output logic [15:0]  out_keep_o,  // valid bytes, contiguous from bit 0
  output logic         out_last_o,  // last beat of the job

  output logic seeded_o,  // there is an instance

  output logic corrected_o,  // an upset was corrected
  output logic detected_o    // an upset was detected: the instance is wiped
);

  localparam int unsigned CountWidth = $clog2(ReseedInterval + 1);
  localparam int unsigned WaitWidth  = $clog2(EntropyCycles + 1);

  typedef enum logic [3:0] {
    StIdle   = 4'd0,
    StIv     = 4'd1,  // derivation function: the counters in front of the three chains
    StWords  = 4'd2,  // two words of seed material
    StAbsorb = 4'd3,  // they go into the three chains, or into a third of the seed
    StTurn   = 4'd4,  // derivation function: X to the front
    StFinal  = 4'd5,  // derivation function: three blocks with the key that it made
    StUpdate = 4'd6,  // CTR_DRBG_Update
    StBlocks = 4'd7,  // output
    StDrain  = 4'd8,  // waits for the last beat to be taken
    StDone   = 4'd9
  } state_e;

  typedef struct packed {
    state_e     state;
    op_e        op;
    logic       df;       // of the instance
    logic       seeded;   // there is an instance
    logic       begun;    // there was a clock since reset
    status_e    status;
    logic       header;   // the derivation function's lengths come next
    logic       seed;     // this pass takes entropy, and counts as seeding
    logic       closing;  // the last update of a request
    logic       half;     // upper word of two
    logic       padded;   // the derivation function's 80h is in
    logic [1:0] step;     // block of three
    logic       valid;    // a beat of output is in y
    logic       last;     // it is the last one
    logic [3:0] rest;     // its bytes, if it is not full
  } control_t;

  typedef struct packed {
    logic [2:0]            ent_left;  // words of entropy
    logic [AddWidth-1:0]   add_left;  // bytes of additional input
    logic [OutWidth-1:0]   out_left;  // bytes of output
    logic [CountWidth-1:0] requests;  // since the last seed
    logic [WaitWidth-1:0]  late;      // cycles that a word of entropy is late
  } counts_t;

  typedef struct packed {
    logic [255:0] key;
    logic [127:0] v;
    logic [127:0] t0, t1, t2;  // chains, key of the function, or seed
    logic [127:0] y;           // words, output, first block of an update
  } secrets_t;

  control_t control_q, control_d;
  counts_t  counts_q, counts_d;
  secrets_t secrets_q, secrets_d;

  // The same, by name.
  state_e                state_q;
  op_e                   op_q;
  status_e               status_q;
  logic                  df_q, seeded_q, begun_q, header_q, seed_q, closing_q, half_q, padded_q;
  logic                  valid_q, last_q;
  logic [1:0]            step_q;
  logic [3:0]            rest_q;
  logic [2:0]            ent_left_q;
  logic [AddWidth-1:0]   add_left_q;
  logic [OutWidth-1:0]   out_left_q;
  logic [CountWidth-1:0] count_q;
  logic [WaitWidth-1:0]  wait_q;
  logic [255:0]          key_q;
  logic [127:0]          v_q, t0_q, t1_q, t2_q, y_q;

  assign state_q   = control_q.state;
  assign op_q      = control_q.op;
  assign df_q      = control_q.df;
  assign seeded_q  = control_q.seeded;
  assign begun_q   = control_q.begun;
  assign status_q  = control_q.status;
  assign header_q  = control_q.header;
  assign seed_q    = control_q.seed;
  assign closing_q = control_q.closing;
  assign half_q    = control_q.half;
  assign padded_q  = control_q.padded;
  assign step_q    = control_q.step;
  assign valid_q   = control_q.valid;
  assign last_q    = control_q.last;
  assign rest_q    = control_q.rest;
  assign {ent_left_q, add_left_q, out_left_q, count_q, wait_q} = counts_q;
  assign {key_q, v_q, t0_q, t1_q, t2_q, y_q} = secrets_q;

  state_e       state_d;
  status_e      status_d;
  logic [1:0]   step_d;
  logic [127:0] v_next;
  logic [3:0]   corrected, detected;
  logic         fault, give;

  logic         core_in_valid, core_in_ready, core_out_valid, core_out_ready;
  logic [127:0] core_block, core_result;
  logic [255:0] core_key, unused_key;
  logic         issue, result;

  assign issue  = core_in_valid & core_in_ready;
  assign result = core_out_valid & core_out_ready;

  // --- Commands ----------------------------------------------------------------------------------

  logic cmd_fire, cmd_df, cmd_seeds, cmd_unknown, cmd_bad, cmd_unseeded, cmd_wipes, due;

  assign cmd_ready_o = (state_q == StIdle) & !clear_i & !fault;
  assign cmd_fire    = cmd_valid_i & cmd_ready_o;
  assign cmd_df      = (cmd_i.op == OpInstantiate) ? cmd_i.df : df_q;
  assign due         = count_q == CountWidth'(ReseedInterval);
  assign cmd_seeds   = (cmd_i.op != OpGenerate) | cmd_i.predict | due;
  assign cmd_unknown = !(cmd_i.op inside {OpInstantiate, OpReseed, OpGenerate, OpUninstantiate});

  assign cmd_unseeded = (cmd_i.op inside {OpReseed, OpGenerate}) & !seeded_q;
  assign cmd_bad      = cmd_unknown |
                        ((cmd_i.op != OpUninstantiate) & !cmd_unseeded & !cmd_df &
                         (cmd_i.add_len > SeedLen)) |
                        ((cmd_i.op == OpGenerate) &
                         ((cmd_i.out_len == '0) | (cmd_i.out_len > MostOut)));
  assign ent_begin_o  = cmd_fire & !cmd_bad & !cmd_unseeded & cmd_seeds &
                        (cmd_i.op != OpUninstantiate);
  assign cmd_wipes    = cmd_fire & !cmd_bad & (cmd_i.op inside {OpInstantiate, OpUninstantiate});

  // --- Words of seed material --------------------------------------------------------------------

  logic        in_words, from_header, from_entropy, from_add, word_valid, word_fire, late, fail;
  logic        partial;
  logic [63:0] word, header;
  logic [31:0] material;

  assign in_words     = (state_q == StWords) & !clear_i & !fault;
  assign from_header  = header_q;
  assign from_entropy = !header_q & (ent_left_q != '0);
  assign from_add     = !header_q & (ent_left_q == '0) & (add_left_q != '0);
  assign partial      = from_add & (add_left_q < AddWidth'(8));

  assign late = wait_q == WaitWidth'(EntropyCycles);
  assign fail = in_words & from_entropy & (ent_fail_i | (late & !ent_valid_i));

  assign ent_ready_o = in_words & from_entropy & !ent_fail_i;
  assign add_ready_o = in_words & from_add;

  // L and N, of 32 bits each. Nothing of what L counts was taken yet.
  assign material = 32'(add_left_q) + 32'({ent_left_q, 3'd0});
  assign header   = {8'd48, 24'd0, material[7:0], material[15:8], material[23:16], material[31:24]};

  always_comb begin
    word       = '0;
    word_valid = 1'b1;
    if (from_header) begin
      word = header;
    end else if (from_entropy) begin
      word       = ent_word_i;
      word_valid = ent_valid_i & !fail;
    end else if (from_add) begin
      word       = add_word_i;
      word_valid = add_valid_i;
      for (int unsigned i = 0; i < 8; i++) begin
        if (AddWidth'(i) >= add_left_q) word[8*i+:8] = '0;
        if (AddWidth'(i) == add_left_q) word[8*i+:8] = {df_q, 7'd0};
      end
    end else begin
      word[7:0] = {df_q & !padded_q, 7'd0};
    end
  end
  assign word_fire = in_words & word_valid;

  // --- Blocks ------------------------------------------------------------------------------------

  logic use_t, use_y, use_v, pipelined, out_free, more, last_of_three, material_ends;
  logic absorb_plain;
  logic [127:0] mixed, summed;

  assign v_next        = increment(v_q);
  assign out_free      = !out_valid_o | out_ready_i;
  assign pipelined     = state_q inside {StUpdate, StBlocks};
  assign absorb_plain  = (state_q == StAbsorb) & !df_q;
  assign last_of_three = step_q == 2'd2;
  assign material_ends = !header_q & (ent_left_q == '0) & (add_left_q == '0) &
                         (df_q ? padded_q : last_of_three);

  // In front of StFinal's third block, y holds the second.
  assign use_y = (state_q == StAbsorb) | ((state_q == StFinal) & last_of_three);
  assign use_t = !((state_q == StFinal) & last_of_three);
  assign use_v = pipelined;
  assign mixed = (t0_q & {128{use_t}}) ^ (y_q & {128{use_y}}) ^
                 {102'd0, step_q & {2{state_q == StIv}}, 24'd0};

  // Another block follows the one that leaves; if none leaves, there was none yet.
  always_comb begin
    more = !core_out_valid;
    if (core_out_valid & (state_q == StUpdate)) more = !last_of_three;
    if (core_out_valid & (state_q == StBlocks)) more = out_left_q > OutWidth'(16);
  end

  always_comb begin
    core_in_valid = 1'b0;
    unique case (state_q)
      StIv, StFinal:      core_in_valid = !core_out_valid;
      StAbsorb:           core_in_valid = df_q & !core_out_valid;
      StUpdate, StBlocks: core_in_valid = more;
      default: ;
    endcase
  end
  assign core_out_ready = (state_q == StBlocks) ? out_free : 1'b1;
  assign core_block     = use_v ? v_next : mixed;
  assign core_key       = use_v ? key_q : (state_q == StFinal) ? {t2_q, t1_q} : KeyDf;

  cry_aes_core_iterative #(
    .EnDecrypt(1'b0), .EnKey192(1'b0), .EnKey256(1'b1), .Protect(Protect)
  ) u_aes (
    .clk_i,
    .rst_ni,
    .clear_i     (clear_i | fault),
    .in_valid_i  (core_in_valid & !clear_i),
    .in_ready_o  (core_in_ready),
    .in_op_i     (cry_aes_pkg::OpEncrypt),
    .in_key_len_i(cry_engine_pkg::KeyLen256),
    .in_key_i    (core_key),
    .in_block_i  (core_block),
    .out_valid_o (core_out_valid),
    .out_ready_i (core_out_ready),
    .out_block_o (core_result),
    .out_key_o   (unused_key),
    .corrected_o (corrected[3]),
    .detected_o  (detected[3])
  );

  assign summed = core_result ^ (t0_q & {128{state_q == StUpdate}});

  // --- States ------------------------------------------------------------------------------------

  logic update_ends, request_ends;
  assign update_ends  = (state_q == StUpdate) & result & last_of_three;
  assign request_ends = update_ends & closing_q;

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    unique case (state_q)
      StIdle: begin
        if (cmd_fire) begin
          state_d  = StDone;
          status_d = StatusOk;
          if (cmd_bad) begin
            status_d = StatusBadParam;
          end else if (cmd_unseeded) begin
            status_d = StatusNotSeeded;
          end else if (cmd_i.op != OpUninstantiate) begin
            if (cmd_seeds | (cmd_i.add_len != '0)) state_d = cmd_df ? StIv : StWords;
            else                                   state_d = StBlocks;
          end
        end
      end
      StIv:     if (result & last_of_three) state_d = StWords;
      StWords: begin
        if (word_fire & half_q) state_d = StAbsorb;
        if (fail) begin
          state_d  = StDone;
          status_d = StatusEntropy;
        end
      end
      StAbsorb: begin
        if (absorb_plain) state_d = material_ends ? StUpdate : StWords;
        else if (result & last_of_three) state_d = material_ends ? StTurn : StWords;
      end
      StTurn:   if (step_q[0]) state_d = StFinal;
      StFinal:  if (result & last_of_three) state_d = StUpdate;
      StUpdate: begin
        if (update_ends) state_d = ((op_q == OpGenerate) & !closing_q) ? StBlocks : StDone;
      end
      StBlocks: if (result & !more) state_d = StDrain;
      StDrain:  if (out_free) state_d = StUpdate;
      StDone:   if (done_ready_i) state_d = StIdle;
      default:  state_d = StIdle;
    endcase
    // Between jobs there is nobody to tell but the next one, which finds no instance.
    if (fault) begin
      state_d  = (state_q == StIdle) ? StIdle : StDone;
      status_d = StatusFault;
    end
    if (clear_i) state_d = StIdle;
  end

  always_comb begin
    step_d = step_q;
    if (result | absorb_plain | (state_q == StTurn)) begin
      step_d = last_of_three ? 2'd0 : step_q + 2'd1;
    end
    if ((state_q == StTurn) & step_q[0]) step_d = 2'd0;
    if (state_q inside {StIdle, StBlocks, StDrain}) step_d = 2'd0;
  end

  always_comb begin
    control_d        = control_q;
    control_d.begun  = 1'b1;
    control_d.state  = state_d;
    control_d.status = status_d;
    control_d.step   = step_d;
    if (cmd_fire) begin
      control_d.op      = cmd_i.op;
      control_d.header  = cmd_df;
      control_d.seed    = cmd_seeds;
      control_d.closing = 1'b0;
      control_d.half    = 1'b0;
      control_d.padded  = 1'b0;
      if (cmd_wipes) control_d.df = cmd_i.df;
    end
    if (word_fire) begin
      control_d.header = 1'b0;
      control_d.half   = !half_q;
      control_d.padded = padded_q | partial | !(from_header | from_entropy | from_add);
    end
    if (state_q == StBlocks) control_d.closing = 1'b1;
    if (update_ends & !closing_q) control_d.seeded = 1'b1;
    if (cmd_wipes | fail | clear_i | fault) control_d.seeded = 1'b0;
    if (out_ready_i) control_d.valid = 1'b0;
    if (give) begin
      control_d.valid = 1'b1;
      control_d.last  = !more;
      control_d.rest  = more ? 4'd0 : out_left_q[3:0];
    end
    if (clear_i | fault) control_d.valid = 1'b0;
  end

  // Lengths and counts: loaded before they are used.
  always_comb begin
    counts_d = counts_q;
    if (cmd_fire) begin
      counts_d.ent_left = '0;
      if (cmd_seeds) begin
        counts_d.ent_left = (cmd_i.op == OpInstantiate) ? WordsInstantiate :
                            cmd_df ? WordsReseed : WordsNoDf;
      end
      counts_d.add_left = cmd_i.add_len;
      counts_d.out_left = cmd_i.out_len;
    end
    if (word_fire & from_entropy) counts_d.ent_left = ent_left_q - 3'd1;
    if (word_fire & from_add) begin
      counts_d.add_left = partial ? '0 : add_left_q - AddWidth'(8);
    end
    if ((state_q == StBlocks) & result) begin
      counts_d.out_left = more ? out_left_q - OutWidth'(16) : '0;
    end
    if (update_ends) begin
      if (seed_q & !closing_q) counts_d.requests = '0;
      if (closing_q) counts_d.requests = count_q + CountWidth'(1);
    end
    counts_d.late = (in_words & from_entropy & !ent_valid_i) ? wait_q + WaitWidth'(1) : '0;
  end

  // Copies of what has no reset are equal once they were loaded.
  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  cry_reg_tmr #(
    .Width($bits(control_t)), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .d_i(control_d), .q_o(control_q),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  cry_reg_tmr #(
    .Width($bits(counts_t)), .EnReset(1'b0), .Protect(Control)
  ) u_counts (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .d_i(counts_d), .q_o(counts_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  // They are wiped with the first clock in reset: a reset of their own is a third of their area.
  cry_reg_tmr #(
    .Width($bits(secrets_t)), .EnReset(1'b0), .Protect(Protect)
  ) u_secrets (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .d_i(secrets_d), .q_o(secrets_q),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign fault       = begun_q & (|detected);
  assign corrected_o = begun_q & (|corrected);
  assign detected_o  = fault;

  // --- Secrets -----------------------------------------------------------------------------------

  logic wipe, turn, empty;

  assign wipe  = clear_i | fault | !begun_q | fail | cmd_wipes;
  // A reseed consumes the additional input of its request.
  assign empty = wipe | (state_q == StIdle) | request_ends |
                 (update_ends & (seed_q | (op_q != OpGenerate)));
  assign turn  = (state_q == StTurn) | absorb_plain |
                 (result & (state_q inside {StIv, StAbsorb, StUpdate}));

  always_comb begin
    secrets_d.t0 = t0_q;
    secrets_d.t1 = t1_q;
    secrets_d.t2 = t2_q;
    if (turn) begin
      secrets_d.t0 = t1_q;
      secrets_d.t1 = t2_q;
      secrets_d.t2 = (state_q inside {StIv, StAbsorb}) & df_q ? core_result : mixed;
    end
    if (state_q == StFinal) begin
      if (result & (step_q == 2'd0)) secrets_d.t0 = core_result;
      if (issue & last_of_three)     secrets_d.t1 = y_q;
      if (result & last_of_three)    secrets_d.t2 = core_result;
    end
    if (empty) begin
      secrets_d.t0 = '0;
      secrets_d.t1 = '0;
      secrets_d.t2 = '0;
    end
  end

  always_comb begin
    secrets_d.key = key_q;
    secrets_d.v   = v_q;
    if (issue & use_v) secrets_d.v = v_next;
    if ((state_q == StUpdate) & result & (step_q == 2'd1)) secrets_d.key = {summed, y_q};
    if (update_ends) secrets_d.v = summed;
    if (wipe) begin
      secrets_d.key = '0;
      secrets_d.v   = '0;
    end
  end

  // --- Output ------------------------------------------------------------------------------------

  logic [15:0] keep_d;

  assign give = (state_q == StBlocks) & result;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) keep_d[i] = OutWidth'(i) < out_left_q;
  end

  always_comb begin
    secrets_d.y = y_q;
    if (out_valid_o & out_ready_i) secrets_d.y = '0;
    if (word_fire & !half_q) secrets_d.y[63:0] = word;
    if (word_fire & half_q)  secrets_d.y[127:64] = word;
    if ((state_q == StUpdate) & result & (step_q == 2'd0)) secrets_d.y = summed;
    if ((state_q == StFinal) & result & (step_q == 2'd1))  secrets_d.y = core_result;
    if (give) secrets_d.y = core_result & mask_bytes(keep_d);
    if (wipe | update_ends | absorb_plain |
        ((state_q inside {StAbsorb, StFinal}) & result & last_of_three)) begin
      secrets_d.y = '0;
    end
  end

  assign out_valid_o = valid_q & !clear_i & !fault;
  assign out_data_o  = y_q & {128{valid_q}};
  assign out_last_o  = valid_q & last_q;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      out_keep_o[i] = valid_q & ((rest_q == 4'd0) | (4'(i) < rest_q));
    end
  end

  assign done_valid_o  = (state_q == StDone) & !clear_i & !fault;
  assign done_status_o = status_q;
  assign seeded_o      = seeded_q;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Wiped_A, wipe |=> secrets_q == '0)
  `CRY_ASSERT(IdleHoldsNoSeed_A, state_q == StIdle |-> {t0_q, t1_q, t2_q, y_q} == '0)
  `CRY_ASSERT(UnseededIsZero_A, state_q == StIdle && !seeded_q |-> {key_q, v_q} == '0)
  `CRY_ASSERT(OutStable_A, out_valid_o && !out_ready_i && !clear_i |=>
              clear_i || fault || (out_valid_o && $stable(out_data_o) && $stable(out_keep_o)))
  `CRY_ASSERT(TakenIsWiped_A, out_valid_o && out_ready_i && !give |=> y_q == '0)

endmodule
