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
//
// Latency: 14 cycles for each block of output, without a pause unless out_ready_i stalls. The rest,
// for whole jobs: README. No latency depends on what is secret.
//
// Wiping: OpUninstantiate, clear_i, StatusEntropy and reset leave no key, V or seed: all is zero
// one cycle later, and there is no instance. A beat of output is zero one cycle after it was taken,
// and what the seed was made of when its job is done.
module cry_drbg_core
  import cry_drbg_pkg::*;
#(
  parameter int unsigned ReseedInterval = 65536,   // requests between reseeds, at least 1
  parameter int unsigned EntropyCycles  = 1 << 20  // cycles to wait for a word of entropy
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

  input  logic        add_valid_i,  // a word is there
  output logic        add_ready_o,  // a word is wanted
  input  logic [63:0] add_word_i,  // additional input; bytes beyond its end are ignored

  output logic         out_valid_o,  // stable until taken
  input  logic         out_ready_i,  // the beat is taken
  output logic [127:0] out_data_o,  // bytes beyond the end are zero
  output logic [15:0]  out_keep_o,  // valid bytes, contiguous from bit 0
  output logic         out_last_o,  // last beat of the job

  output logic seeded_o  // there is an instance
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

  state_e              state_q, state_d;
  op_e                 op_q;
  logic                df_q;                // of the instance
  logic                seeded_q;
  status_e             status_q, status_d;
  logic                header_q;            // the derivation function's lengths come next
  logic                seed_q;              // this pass takes entropy, and counts as seeding
  logic                closing_q;           // the last update of a request
  logic                half_q;              // upper word of two
  logic                padded_q;            // the derivation function's 80h is in
  logic [1:0]          step_q, step_d;      // block of three
  logic [2:0]          ent_left_q;          // words of entropy
  logic [AddWidth-1:0] add_left_q;          // bytes of additional input
  logic [AddWidth:0]   material_q;          // bytes of seed material
  logic [OutWidth-1:0] out_left_q;          // bytes of output
  logic [CountWidth-1:0] count_q;           // requests since the last seed
  logic [WaitWidth-1:0]  wait_q;            // cycles that a word of entropy is late

  logic [255:0] key_q, key_d;
  logic [127:0] v_q, v_d, v_next;
  logic [127:0] t0_q, t1_q, t2_q, t0_d, t1_d, t2_d;  // chains, key of the function, or seed
  logic [127:0] y_q, y_d;                            // words, output, first block of an update

  logic         core_in_valid, core_in_ready, core_out_valid, core_out_ready;
  logic [127:0] core_block, core_result;
  logic [255:0] core_key, unused_key;
  logic         unused_corrected, unused_detected;
  logic         issue, result;

  assign issue  = core_in_valid & core_in_ready;
  assign result = core_out_valid & core_out_ready;

  // --- Commands ----------------------------------------------------------------------------------

  logic cmd_fire, cmd_df, cmd_seeds, cmd_unknown, cmd_bad, cmd_unseeded, cmd_wipes, due;

  assign cmd_ready_o = (state_q == StIdle) & !clear_i;
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
  assign cmd_wipes    = cmd_fire & !cmd_bad & (cmd_i.op inside {OpInstantiate, OpUninstantiate});

  // --- Words of seed material --------------------------------------------------------------------

  logic        in_words, from_header, from_entropy, from_add, word_valid, word_fire, late, fail;
  logic        partial;
  logic [63:0] word, header;
  logic [31:0] material;

  assign in_words     = (state_q == StWords) & !clear_i;
  assign from_header  = header_q;
  assign from_entropy = !header_q & (ent_left_q != '0);
  assign from_add     = !header_q & (ent_left_q == '0) & (add_left_q != '0);
  assign partial      = from_add & (add_left_q < AddWidth'(8));

  assign late = wait_q == WaitWidth'(EntropyCycles);
  assign fail = in_words & from_entropy & (ent_fail_i | (late & !ent_valid_i));

  assign ent_ready_o = in_words & from_entropy & !ent_fail_i;
  assign add_ready_o = in_words & from_add;

  // L and N, of 32 bits each.
  assign material = 32'(material_q);
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
    .EnDecrypt(1'b0), .EnKey192(1'b0), .EnKey256(1'b1)
  ) u_aes (
    .clk_i,
    .rst_ni,
    .clear_i     (clear_i),
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
    .corrected_o (unused_corrected),
    .detected_o  (unused_detected)
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

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      status_q  <= StatusOk;
      op_q      <= OpInstantiate;
      df_q      <= 1'b0;
      seeded_q  <= 1'b0;
      header_q  <= 1'b0;
      seed_q    <= 1'b0;
      closing_q <= 1'b0;
      half_q    <= 1'b0;
      padded_q  <= 1'b0;
      step_q    <= '0;
    end else begin
      state_q  <= state_d;
      status_q <= status_d;
      step_q   <= step_d;
      if (cmd_fire) begin
        op_q      <= cmd_i.op;
        header_q  <= cmd_df;
        seed_q    <= cmd_seeds;
        closing_q <= 1'b0;
        half_q    <= 1'b0;
        padded_q  <= 1'b0;
        if (cmd_wipes) df_q <= cmd_i.df;
      end
      if (word_fire) begin
        header_q <= 1'b0;
        half_q   <= !half_q;
        padded_q <= padded_q | partial | !(from_header | from_entropy | from_add);
      end
      if (state_q == StBlocks) closing_q <= 1'b1;
      if (update_ends & !closing_q) seeded_q <= 1'b1;
      if (cmd_wipes | fail | clear_i) seeded_q <= 1'b0;
    end
  end

  // Lengths and counts: loaded before they are used.
  always_ff @(posedge clk_i) begin
    if (cmd_fire) begin
      ent_left_q <= '0;
      material_q <= (AddWidth + 1)'(cmd_i.add_len);
      if (cmd_seeds) begin
        ent_left_q <= (cmd_i.op == OpInstantiate) ? WordsInstantiate :
                      cmd_df ? WordsReseed : WordsNoDf;
        material_q <= (AddWidth + 1)'(cmd_i.add_len) +
                      ((cmd_i.op == OpInstantiate) ? 17'd48 : 17'd32);
      end
      add_left_q <= cmd_i.add_len;
      out_left_q <= cmd_i.out_len;
    end
    if (word_fire & from_entropy) ent_left_q <= ent_left_q - 3'd1;
    if (word_fire & from_add) add_left_q <= partial ? '0 : add_left_q - AddWidth'(8);
    if ((state_q == StBlocks) & result) out_left_q <= more ? out_left_q - OutWidth'(16) : '0;
    if (update_ends) begin
      if (seed_q & !closing_q) count_q <= '0;
      if (closing_q)           count_q <= count_q + CountWidth'(1);
    end
    if (cmd_wipes) count_q <= '0;
    wait_q <= (in_words & from_entropy & !ent_valid_i) ? wait_q + WaitWidth'(1) : '0;
  end

  // --- Secrets -----------------------------------------------------------------------------------

  logic wipe, turn, empty;

  assign wipe  = clear_i | fail | cmd_wipes;
  // A reseed consumes the additional input of its request.
  assign empty = wipe | (state_q == StIdle) | request_ends |
                 (update_ends & (seed_q | (op_q != OpGenerate)));
  assign turn  = (state_q == StTurn) | absorb_plain |
                 (result & (state_q inside {StIv, StAbsorb, StUpdate}));

  always_comb begin
    t0_d = t0_q;
    t1_d = t1_q;
    t2_d = t2_q;
    if (turn) begin
      t0_d = t1_q;
      t1_d = t2_q;
      t2_d = (state_q inside {StIv, StAbsorb}) & df_q ? core_result : mixed;
    end
    if (state_q == StFinal) begin
      if (result & (step_q == 2'd0)) t0_d = core_result;
      if (issue & last_of_three)     t1_d = y_q;
      if (result & last_of_three)    t2_d = core_result;
    end
    if (empty) begin
      t0_d = '0;
      t1_d = '0;
      t2_d = '0;
    end
  end

  always_comb begin
    key_d = key_q;
    v_d   = v_q;
    if (issue & use_v) v_d = v_next;
    if ((state_q == StUpdate) & result & (step_q == 2'd1)) key_d = {summed, y_q};
    if (update_ends) v_d = summed;
    if (wipe) begin
      key_d = '0;
      v_d   = '0;
    end
  end

  // --- Output ------------------------------------------------------------------------------------

  logic        valid_q, last_q, give;
  logic [3:0]  rest_q;  // bytes of a beat that is not full
  logic [15:0] keep_d;

  assign give = (state_q == StBlocks) & result;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) keep_d[i] = OutWidth'(i) < out_left_q;
  end

  always_comb begin
    y_d = y_q;
    if (out_valid_o & out_ready_i) y_d = '0;
    if (word_fire & !half_q) y_d[63:0] = word;
    if (word_fire & half_q)  y_d[127:64] = word;
    if ((state_q == StUpdate) & result & (step_q == 2'd0)) y_d = summed;
    if ((state_q == StFinal) & result & (step_q == 2'd1))  y_d = core_result;
    if (give) y_d = core_result & mask_bytes(keep_d);
    if (wipe | update_ends | absorb_plain |
        ((state_q inside {StAbsorb, StFinal}) & result & last_of_three)) begin
      y_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_q   <= '0;
      v_q     <= '0;
      t0_q    <= '0;
      t1_q    <= '0;
      t2_q    <= '0;
      y_q     <= '0;
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      rest_q  <= '0;
    end else begin
      key_q <= key_d;
      v_q   <= v_d;
      t0_q  <= t0_d;
      t1_q  <= t1_d;
      t2_q  <= t2_d;
      y_q   <= y_d;
      if (out_ready_i) valid_q <= 1'b0;
      if (give) begin
        valid_q <= 1'b1;
        last_q  <= !more;
        rest_q  <= more ? 4'd0 : out_left_q[3:0];
      end
      if (clear_i) valid_q <= 1'b0;
    end
  end

  assign out_valid_o = valid_q & !clear_i;
  assign out_data_o  = y_q & {128{valid_q}};
  assign out_last_o  = valid_q & last_q;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      out_keep_o[i] = valid_q & ((rest_q == 4'd0) | (4'(i) < rest_q));
    end
  end

  assign done_valid_o  = (state_q == StDone) & !clear_i;
  assign done_status_o = status_q;
  assign seeded_o      = seeded_q;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Wiped_A, wipe |=> {key_q, v_q, t0_q, t1_q, t2_q, y_q} == '0)
  `CRY_ASSERT(IdleHoldsNoSeed_A, state_q == StIdle |-> {t0_q, t1_q, t2_q, y_q} == '0)
  `CRY_ASSERT(UnseededIsZero_A, state_q == StIdle && !seeded_q |-> {key_q, v_q} == '0)
  `CRY_ASSERT(OutStable_A, out_valid_o && !out_ready_i && !clear_i |=>
              clear_i || (out_valid_o && $stable(out_data_o) && $stable(out_keep_o)))
  `CRY_ASSERT(TakenIsWiped_A, out_valid_o && out_ready_i && !give |=> y_q == '0)

endmodule
