// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The key slots: SlotBeats times 128 bits each, written through registers until they are sealed, or
// by jobs that unwrap a key; read only by jobs that cry_tile_permit allows.
//
// Registers: regs/tile.rdl (SLOT); cfg_word_i is the register, written as a whole word. One slot at
// a time is written: the first write to it makes it invalid and wipes it, and ATTRIBUTES make it
// valid if all words of its key and its POLICY were written since; else they wipe it again.
// Use: req_i asks combinationally; key_o is the key if allowed_o is high, else 0. use_i: the job
// begins. If nonce_valid_o is high the tile makes its nonce: the last 8 bytes of the 40 that the
// slot holds, then USES, most significant byte first.
// Unwrapping: the key arrives on unwrap_i while its job runs and is held until the job ends.
// commit_i writes it to target_i with the policy from its associated data, if all of the key came,
// the job is still allowed, its associated data names target_i (or any slot, which is then this
// queue's alone), and registers are not writing that slot (commit_ok_o); drop_i discards it. One
// such job at a time, and no commit in the cycle of a register write. number_o, which counts
// commits since reset, becomes bytes 32 to 39 of a key for nonces of the tile: a key that is
// unwrapped again makes other nonces. For modes whose keys serve one job it unwraps none.
// tamper_i wipes all slots, locked ones too.
// Making (MadeBeats): the same with made_i, make_i and make_drop_i, for one job beside the one that
// unwraps. Its queue owns the key alone, and the slot must have the key, or none, that it had when
// the job began (make_begin_i); a job without a key of its own asks for target_ok_o alone. Such
// keys are not counted.
//
// ProtectDetect: detected_o is high while anything is wrong. A wrong word of a key stays wrong
// until it is wiped, committed, or its slot is begun anew; the key is denied. All keys are denied
// until tamper_i or reset once a slot's policy is wrong or a wrong key was to be committed; once
// the seal is wrong, until reset. Nothing is written, and all keys are denied, until tamper_i or
// reset once it is wrong which slot is being written.
module cry_tile_key_slots
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
  import cry_tile_catalog_pkg::once_modes;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues = 4,           // queues
  parameter int unsigned NumSlots  = 8,           // slots
  parameter int unsigned SlotBeats = 4,           // 16 bytes each of a slot's key, 4 or 5
  parameter int unsigned MadeBeats = 0,           // 16 bytes each of keys that jobs make; 0: none
  parameter protect_e    Protect   = ProtectNone  // level of protection of its registers
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                tamper_i,  // level: wipes all slots
  input  logic                seal_i,    // one cycle: no register writes any more

  input  logic                cfg_we_i,     // one cycle: writes the word
  input  slot_t               cfg_slot_i,   // slot
  input  logic [4:0]          cfg_word_i,   // register of the slot
  input  logic [31:0]         cfg_wdata_i,  // word to be written
  output logic [31:0]         cfg_rdata_o,  // the word, combinational; keys are not read back

  input  logic [NumQueues-1:0] mask_we_i,             // by queue, one cycle: writes its slot mask
  input  logic [MaxSlots-1:0]  mask_i,                // value to be written
  output logic [NumQueues-1:0][MaxSlots-1:0] mask_o,  // by queue: its slot mask

  input  permit_req_t         req_i,          // a job asks for a slot
  output logic                allowed_o,      // it may use it, combinational
  output logic                target_ok_o,    // its target takes a key, combinational
  output slot_key_t           key_o,          // the key if allowed_o, else 0
  output logic                nonce_valid_o,  // the tile makes the job's nonce
  output logic [95:0]         nonce_o,        // which this is
  input  logic                use_i,          // one cycle: the job begins

  input  logic                unwrap_valid_i,   // data of the job that unwraps a key
  input  unwrap_t             unwrap_i,         // its associated data and message
  input  logic                commit_i,         // one cycle: writes the unwrapped key
  input  logic                drop_i,           // one cycle: discards it
  input  permit_req_t         token_req_i,      // the job that brought that key asks for it
  output logic                token_allowed_o,  // it may use it, combinational
  output slot_key_t           token_key_o,      // the key if token_allowed_o, else 0
  input  logic                make_begin_i,     // one cycle: a job that makes a key begins: req_i
  input  logic                made_valid_i,     // data of that job
  input  unwrap_t             made_i,           // what the key is for, and the key
  input  logic                make_i,           // one cycle: writes the key that was made
  input  logic                make_drop_i,      // one cycle: discards it
  input  slot_t               target_i,         // the slot, with commit_i or make_i
  output logic                commit_ok_o,      // with either: the slot takes it
  output logic [63:0]         number_o,         // of the unwrapped key, counted since reset

  output logic                corrected_o,  // one cycle: an upset was corrected
  output logic                detected_o    // an uncorrectable upset was found
);

  localparam int unsigned KeyWords  = 4 * SlotBeats;
  localparam int unsigned KeyBits   = 32 * KeyWords;
  localparam int unsigned NonceWord = 8;  // of two, in keys with nonces of the tile

  // Once set, until reset. Broken counts as set.
  logic seal_q, sealed, seal_corrected, seal_detected;
  cry_reg_tmr #(.Width(1), .Protect(Protect)) u_sealed (
    .clk_i, .rst_ni, .en_i(seal_i), .d_i(1'b1), .inject_i(1'b0),
    .q_o(seal_q), .corrected_o(seal_corrected), .detected_o(seal_detected)
  );
  assign sealed = seal_q || seal_detected;

  // What is stored of each slot beside the key.
  slot_attributes_t [NumSlots-1:0]       attr;
  slot_policy_t     [NumSlots-1:0]       policy;
  logic             [NumSlots-1:0][31:0] uses;
  logic             [NumSlots-1:0][7:0]  generation;

  // --- Keys that are being unwrapped and made ----------------------------------------------------

  slot_key_t        new_key, made_key;
  wrap_aad_t        new_aad, made_aad;
  permit_req_t      begun, again, made_again;
  slot_attributes_t new_attr, made_attr;
  slot_policy_t     new_policy, made_policy;
  logic             any_slot, made_any_slot, new_whole, made_whole;
  logic             new_corrected, new_wrong, made_corrected, made_wrong;
  logic             again_allowed, made_allowed;
  logic             number_corrected, number_detected;

  // Another key in the slot is not the one that was allowed.
  always_comb begin
    begun = req_i;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (req_i.slot == slot_t'(s)) begun.generation = generation[s];
    end
  end

  cry_tile_new_key #(.Beats(SlotBeats), .Protect(Protect)) u_unwrapped (
    .clk_i,
    .rst_ni,
    .wipe_i     (tamper_i || commit_i || drop_i),
    .begin_i    (use_i && allowed_o && req_i.unwrap && !req_i.made),
    .job_i      (begun),
    .valid_i    (unwrap_valid_i),
    .data_i     (unwrap_i),
    .job_o      (again),
    .key_o      (new_key),
    .aad_o      (new_aad),
    .attr_o     (new_attr),
    .policy_o   (new_policy),
    .any_slot_o (any_slot),
    .whole_o    (new_whole),
    .corrected_o(new_corrected),
    .wrong_o    (new_wrong)
  );

  // Nor is another key in the target the one in whose place it was to come.
  logic over_same;
  if (MadeBeats > 0) begin : gen_made
    logic       key_corrected, key_wrong, over_corrected, over_wrong;
    logic [7:0] over_d, over_q;

    cry_tile_new_key #(.Beats(MadeBeats), .Protect(Protect)) u_made (
      .clk_i,
      .rst_ni,
      .wipe_i     (tamper_i || make_i || make_drop_i),
      .begin_i    (make_begin_i),
      .job_i      (begun),
      .valid_i    (made_valid_i),
      .data_i     (made_i),
      .job_o      (made_again),
      .key_o      (made_key),
      .aad_o      (made_aad),
      .attr_o     (made_attr),
      .policy_o   (made_policy),
      .any_slot_o (made_any_slot),
      .whole_o    (made_whole),
      .corrected_o(key_corrected),
      .wrong_o    (key_wrong)
    );

    always_comb begin
      over_d    = '0;
      over_same = 1'b0;
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (req_i.target == slot_t'(s)) over_d = generation[s];
        if (target_i == slot_t'(s)) over_same = over_q == generation[s];
      end
    end
    cry_reg_tmr #(.Width(8), .Protect(Protect)) u_over (
      .clk_i, .rst_ni, .en_i(make_begin_i), .d_i(over_d), .inject_i(1'b0),
      .q_o(over_q), .corrected_o(over_corrected), .detected_o(over_wrong)
    );
    assign made_corrected = key_corrected || over_corrected;
    assign made_wrong     = key_wrong || over_wrong;
  end else begin : gen_none_made
    logic unused_made;
    assign unused_made    = ^{make_begin_i, make_drop_i, made_valid_i, made_i};
    assign made_again     = '0;
    assign made_key       = '0;
    assign made_aad       = '0;
    assign made_attr      = '0;
    assign made_policy    = '0;
    assign made_any_slot  = 1'b0;
    assign made_whole     = 1'b0;
    assign over_same      = 1'b0;
    assign made_corrected = 1'b0;
    assign made_wrong     = 1'b0;
  end

  cry_reg_tmr #(.Width(64), .Protect(Protect)) u_number (
    .clk_i, .rst_ni, .en_i(commit_i && !number_detected), .d_i(number_o + 64'd1), .inject_i(1'b0),
    .q_o(number_o), .corrected_o(number_corrected), .detected_o(number_detected)
  );

  // A key that was to be committed was broken: what is in its slot is not what its users think.
  logic missed;
  if (Protect == ProtectDetect) begin : gen_missed
    logic missed_q, missed_detected, unused_corrected, misses;
    assign misses = (commit_i && new_wrong) || (make_i && made_wrong);
    cry_reg_tmr #(.Width(1), .Protect(Protect)) u_missed (
      .clk_i, .rst_ni, .en_i(tamper_i || misses), .d_i(!tamper_i), .inject_i(1'b0),
      .q_o(missed_q), .corrected_o(unused_corrected), .detected_o(missed_detected)
    );
    assign missed = missed_q || missed_detected;
  end else begin : gen_none_missed
    assign missed = 1'b0;
  end

  // Fits: what a key that comes must be. Good: nothing is wrong with it, either; a job may take it.
  logic [15:0] once_served;  // modes of a key that was unwrapped, and may be so again
  logic        new_fits, new_here, made_fits, new_good, new_ok, made_ok, being_written;
  assign once_served = once_modes(8'(new_attr.opcode)) & new_policy.modes;
  assign new_fits    = again_allowed && new_whole && (once_served == '0) &&
                       ((new_aad & WrapAadReserved) == '0);
  assign new_here    = (again.target == target_i) &&
                       (any_slot || (new_aad.slot == 8'(target_i)));
  assign made_fits   = made_allowed && made_whole && (made_again.target == target_i) &&
                       made_any_slot && ((made_aad & WrapAadReserved) == '0) && over_same;
  assign new_good    = new_fits && !new_wrong && !seal_detected;
  assign new_ok      = new_good && new_here && !being_written && !number_detected;
  assign made_ok     = made_fits && !made_wrong && !seal_detected && !being_written;
  assign commit_ok_o = make_i ? made_ok : new_ok;

  // What is committed.
  slot_key_t        coming_key;
  slot_attributes_t coming_attr;
  slot_policy_t     coming_policy;
  logic [31:0]      coming_uses;
  always_comb begin
    coming_key    = make_i ? made_key : new_key;
    coming_attr   = make_i ? made_attr : new_attr;
    coming_policy = make_i ? made_policy : new_policy;
    coming_uses   = make_i ? made_aad.uses : new_aad.uses;
  end

  // A key that was unwrapped for one job alone. Nothing of it could be counted.
  logic token_serves, token_fits, unused_target;
  cry_tile_permit_rules u_token_rules (
    .req_i       (token_req_i),
    .mask_i      ('1),
    .attr_i      (new_attr),
    .policy_i    (new_policy),
    .generation_i('0),
    .target_i    ('0),
    .target_ok_o (unused_target),
    .allowed_o   (token_serves)
  );
  assign token_fits      = token_serves && (again.owner == token_req_i.owner) && again.token &&
                           any_slot && !new_attr.counted && !new_attr.nonce;
  assign token_allowed_o = new_good && token_fits && !missed && !tamper_i;
  assign token_key_o     = token_allowed_o ? new_key : '0;

  // --- What registers write ----------------------------------------------------------------------

  // The slot that is being written, and what of it was.
  typedef struct packed {
    logic                active;
    slot_t               slot;
    logic                policy;
    logic [KeyWords-1:0] key;
  } written_t;
  written_t written_d, written_q;
  logic     written_corrected, written_detected;

  logic             [NumSlots-1:0]       hit, begins, key_we, policy_we, uses_we, attr_we;
  logic             [NumSlots-1:0]       wipe, commit;
  logic             [NumSlots-1:0]       corrected, detected;
  logic                                  commit_any, whole, permit_allowed, permit_target;
  logic                                  again_made, again_target, unused_again_target;
  logic                                  permit_corrected, permit_detected;
  logic                                  attr_word, policy_word, uses_word, key_word;
  logic             [$clog2(KeyWords)-1:0] key_at;  // word of the key
  slot_attributes_t                      attr_d, cfg_attr;
  slot_policy_t                          policy_d;
  logic             [31:0]               left;
  logic             [31:0]               uses_d;

  assign commit_any    = (commit_i || make_i) && commit_ok_o;
  assign being_written = written_detected || (written_q.active && (written_q.slot == target_i));
  assign cfg_attr      = slot_attributes_t'(cfg_wdata_i) & ~SlotAttributesReserved;
  assign attr_word     = cfg_word_i == SlotAttributesWord;
  assign policy_word   = cfg_word_i == SlotPolicyWord;
  assign uses_word     = cfg_word_i == SlotUsesWord;

  // The first words of the key are in front of the other registers, the rest behind them.
  if (SlotBeats > 4) begin : gen_high_words
    logic high;
    assign high     = cfg_word_i[4:2] == SlotKeyHighWord[4:2];
    assign key_word = (cfg_word_i < SlotAttributesWord) || high;
    assign key_at   = high ? {3'b100, cfg_word_i[1:0]} : cfg_word_i;
  end else begin : gen_no_high_words
    assign key_word = cfg_word_i < SlotAttributesWord;
    assign key_at   = cfg_word_i[3:0];
  end

  // ATTRIBUTES that make the slot valid, which is the one that is being written.
  always_comb begin
    whole = cfg_attr.valid && written_q.policy && (written_q.slot == cfg_slot_i);
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (cfg_slot_i == slot_t'(s)) begin
        for (int unsigned w = 0; w < KeyWords; w++) begin
          if (!written_q.key[w] && ((words_of(policy[s].key_bytes) > 6'(w)) ||
                                    (cfg_attr.nonce && (w / 2 == NonceWord / 2)))) whole = 1'b0;
        end
        if (words_of(policy[s].key_bytes) > 6'(KeyWords)) whole = 1'b0;
      end
    end
  end

  always_comb begin
    attr_d   = commit_any ? coming_attr : '0;
    policy_d = commit_any ? coming_policy : '0;
    uses_d   = commit_any ? coming_uses : '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      hit[s]    = cfg_we_i && !commit_any && !sealed && (cfg_slot_i == slot_t'(s)) &&
                  !attr[s].lock && !written_detected && (key_word || attr_word ||
                                                             policy_word || uses_word);
      begins[s] = hit[s] && !(written_q.active && (written_q.slot == slot_t'(s)));
      wipe[s]   = tamper_i || (hit[s] && attr_word && !whole);
      key_we[s] = hit[s] && key_word;
      commit[s] = commit_any && (target_i == slot_t'(s));
      policy_we[s] = commit[s] || begins[s] || wipe[s] || (hit[s] && policy_word);
      uses_we[s]   = commit[s] || begins[s] || wipe[s] || (hit[s] && uses_word);
      attr_we[s]   = commit[s] || begins[s] || (hit[s] && attr_word);
      if (hit[s] && !wipe[s]) begin
        if (policy_word) policy_d = slot_policy_t'(cfg_wdata_i) & ~SlotPolicyReserved;
        if (uses_word)   uses_d   = cfg_wdata_i;
        if (attr_word)   attr_d   = cfg_attr;
      end
    end

    written_d = written_q;
    if (|hit) begin
      if (|begins) written_d = '{active: 1'b1, slot: cfg_slot_i, default: '0};
      if (key_word)              written_d.key[key_at] = 1'b1;
      if (policy_word)           written_d.policy = 1'b1;
      if (attr_word)             written_d        = '0;
    end
    if (tamper_i) written_d = '0;
  end

  cry_reg_tmr #(.Width($bits(written_t)), .Protect(Protect)) u_written (
    .clk_i, .rst_ni, .en_i((|hit) || tamper_i), .d_i(written_d), .inject_i(1'b0),
    .q_o(written_q), .corrected_o(written_corrected), .detected_o(written_detected)
  );

  cry_tile_permit #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .Protect(Protect)
  ) u_permit (
    .clk_i,
    .rst_ni,
    .wipe_i         (tamper_i),
    .attr_we_i      (attr_we),
    .attr_i         (attr_d),
    .attr_o         (attr),
    .policy_we_i    (policy_we),
    .policy_i       (policy_d),
    .policy_o       (policy),
    .uses_we_i      (uses_we),
    .uses_i         (uses_d),
    .uses_o         (uses),
    .generation_o   (generation),
    .mask_we_i,
    .mask_i,
    .mask_o,
    .req_i,
    .allowed_o      (permit_allowed),
    .target_ok_o    (permit_target),
    .nonce_o        (nonce_valid_o),
    .left_o         (left),
    .use_i          (use_i && allowed_o),
    .again_i        ({made_again, again}),
    .again_allowed_o({again_made, again_allowed}),
    .again_target_ok_o({again_target, unused_again_target}),
    .corrected_o    (permit_corrected),
    .detected_o     (permit_detected)
  );

  // --- Keys --------------------------------------------------------------------------------------

  slot_key_t [NumSlots-1:0] keys;

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    logic [KeyBits-1:0]   key_d;
    logic                 adds;
    logic [SlotBeats-1:0] fixed, broken;

    // A new key begins with all of an old one gone: its words cannot be tried one by one.
    assign adds = key_we[s] && !begins[s];  // to what is there
    always_comb begin
      key_d = begins[s] ? '0 : keys[s][KeyBits-1:0];
      if (key_we[s]) key_d[32*key_at+:32] = cfg_wdata_i;
      if (commit[s]) begin
        key_d = coming_key[KeyBits-1:0];
        if (coming_attr.nonce) key_d[32*NonceWord+:64] = number_o;
      end
      if (wipe[s]) key_d = '0;
    end

    for (genvar w = 0; w < SlotBeats; w++) begin : gen_word
      logic [127:0] unused_raw;
      cry_reg_ecc #(.Width(128), .Protect(Protect)) u_key (
        .clk_i, .rst_ni,
        .en_i       (key_we[s] || begins[s] || commit[s] || wipe[s]),
        .d_i        (key_d[128*w+:128]),
        // What is wrong is not encoded as if it were right.
        .inject_i   ((Protect == ProtectDetect) && adds && broken[w] && !wipe[s]),
        .q_o        (keys[s][128*w+:128]),
        .raw_o      (unused_raw),
        .corrected_o(fixed[w]),
        .detected_o (broken[w])
      );
    end
    if (KeyBits < SlotBits) begin : gen_no_word
      assign keys[s][SlotBits-1:KeyBits] = '0;
    end
    assign corrected[s] = |fixed;
    assign detected[s]  = |broken;
  end

  if (KeyBits < SlotBits) begin : gen_unused
    logic unused_key;
    assign unused_key = ^coming_key[SlotBits-1:KeyBits];
  end

  logic      source_wrong;
  slot_key_t source_key;
  always_comb begin
    source_key   = '0;
    source_wrong = 1'b0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (req_i.slot == slot_t'(s)) begin
        source_key   = keys[s];
        source_wrong = detected[s];
      end
    end
  end

  // What makes a key of nothing has no slot of its own to ask for.
  assign made_allowed = (made_again.key_bytes == '0) ? again_target : again_made;

  // While nothing can be written, a key that was to be wiped serves nobody either.
  logic denied;
  assign denied      = seal_detected || missed || written_detected || tamper_i;
  assign target_ok_o = permit_target && !denied;
  assign allowed_o   = permit_allowed && !source_wrong && !denied;
  assign key_o       = allowed_o ? source_key : '0;

  assign nonce_o   = allowed_o ? {
    left[7:0], left[15:8], left[23:16], left[31:24],
    source_key[32*NonceWord+:64]
  } : '0;

  // Keys are never read back, all else is.
  always_comb begin
    cfg_rdata_o = '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (cfg_slot_i == slot_t'(s)) begin
        unique case (cfg_word_i)
          SlotAttributesWord: cfg_rdata_o = attr[s];
          SlotPolicyWord:     cfg_rdata_o = policy[s];
          SlotUsesWord:       cfg_rdata_o = uses[s];
          SlotGenerationWord: cfg_rdata_o = 32'(generation[s]);
          default:            cfg_rdata_o = '0;
        endcase
      end
    end
  end

  assign corrected_o = permit_corrected || seal_corrected || written_corrected ||
                       number_corrected || (|corrected) || new_corrected || made_corrected;
  assign detected_o  = permit_detected || seal_detected || written_detected ||
                       number_detected || (|detected) || new_wrong || made_wrong || missed;

endmodule
