// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The key slots: 512 bits each, written through registers until they are sealed, or by jobs that
// unwrap a key; read only by jobs that cry_tile_permit allows.
//
// Registers: regs/tile.rdl (SLOT); cfg_word_i is the register, written as a whole word.
// Use: req_i asks combinationally; key_o is the key if allowed_o is high, else 0.
// Unwrapping: the key arrives on unwrap_i while its job runs and is held until the job ends.
// commit_i writes it to target_i with the attributes from its associated data, if those name
// target_i and it is not locked (commit_ok_o); drop_i discards it. One such job at a time, and no
// commit in the cycle of a register write. tamper_i wipes all slots, locked ones too.
//
// ProtectDetect: detected_o is high while anything is wrong. A wrong word of a key stays wrong
// until it is wiped, committed, or overwritten while the slot is valid; the key is denied. All keys
// are denied until tamper_i or reset once attributes are wrong or a wrong key was to be committed;
// once the seal is wrong, until reset.
module cry_tile_key_slots
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues = 4,           // queues
  parameter int unsigned NumSlots  = 8,           // slots
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

  input  permit_req_t         req_i,      // a job asks for a slot
  output logic                allowed_o,  // it may use it, combinational
  output slot_key_t           key_o,      // the key if allowed_o, else 0

  input  logic                unwrap_valid_i,  // data of the job that unwraps a key
  input  unwrap_t             unwrap_i,        // its associated data and message
  input  logic                commit_i,        // one cycle: writes the unwrapped key
  input  logic                drop_i,          // one cycle: discards it
  input  slot_t               target_i,        // the slot, with commit_i
  output logic                commit_ok_o,     // with commit_i: the slot takes it

  output logic                corrected_o,  // one cycle: an upset was corrected
  output logic                detected_o    // an uncorrectable upset was found
);

  // Once set, until reset. Broken counts as set.
  logic seal_q, sealed, seal_corrected, seal_detected;
  cry_reg_tmr #(.Width(1), .Protect(Protect)) u_sealed (
    .clk_i, .rst_ni, .en_i(seal_i && !seal_detected), .d_i(1'b1), .inject_i(1'b0),
    .q_o(seal_q), .corrected_o(seal_corrected), .detected_o(seal_detected)
  );
  assign sealed = seal_q || seal_detected;

  // --- The key that is being unwrapped -----------------------------------------------------------

  slot_attributes_t [NumSlots-1:0] attr;

  slot_key_t    new_key;
  wrap_aad_t    new_aad;
  logic         new_wipe, new_wrong;
  logic [4:0]   new_corrected, new_detected;

  slot_attributes_t new_attr;

  assign new_wipe = tamper_i || commit_i || drop_i;

  for (genvar w = 0; w < 4; w++) begin : gen_new
    logic [127:0] unused_raw;
    cry_reg_ecc #(.Width(128), .Protect(Protect)) u_key (
      .clk_i, .rst_ni,
      .en_i       (new_wipe || (unwrap_valid_i && !unwrap_i.aad && (unwrap_i.beat == 2'(w)))),
      .d_i        (new_wipe ? '0 : unwrap_i.data),
      .inject_i   (1'b0),
      .q_o        (new_key[128*w+:128]),
      .raw_o      (unused_raw),
      .corrected_o(new_corrected[w]),
      .detected_o (new_detected[w])
    );
  end
  logic [127:0] unused_new_raw;
  cry_reg_ecc #(.Width(128), .Protect(Protect)) u_new_aad (
    .clk_i, .rst_ni,
    .en_i       (new_wipe || (unwrap_valid_i && unwrap_i.aad)),
    .d_i        (new_wipe ? '0 : unwrap_i.data),
    .inject_i   (1'b0),
    .q_o        (new_aad),
    .raw_o      (unused_new_raw),
    .corrected_o(new_corrected[4]),
    .detected_o (new_detected[4])
  );
  assign new_wrong = |new_detected;

  // A key that was to be committed was broken: what is in its slot is not what its users think.
  logic missed;
  if (Protect == ProtectDetect) begin : gen_missed
    logic missed_q, missed_detected, unused_corrected;
    cry_reg_tmr #(.Width(1), .Protect(Protect)) u_missed (
      .clk_i, .rst_ni, .en_i(tamper_i || (commit_i && new_wrong)), .d_i(!tamper_i), .inject_i(1'b0),
      .q_o(missed_q), .corrected_o(unused_corrected), .detected_o(missed_detected)
    );
    assign missed = missed_q || missed_detected;
  end else begin : gen_none_missed
    assign missed = 1'b0;
  end

  always_comb begin
    new_attr       = slot_attributes_t'(new_aad.attributes) & ~SlotAttributesReserved;
    new_attr.valid = 1'b1;
  end
  always_comb begin
    commit_ok_o = 1'b0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (target_i == slot_t'(s)) begin
        commit_ok_o = (new_aad == wrap_aad_t'{
          attributes: new_aad.attributes, slot: 8'(s), default: '0
        }) && !attr[s].lock && !new_wrong;
      end
    end
  end

  // --- Attributes --------------------------------------------------------------------------------

  logic       [NumSlots-1:0] attr_we, cfg_hit, key_we, commit, corrected, detected;
  slot_attributes_t          attr_d;
  logic                      commit_any, permit_allowed, permit_corrected, permit_detected;

  assign commit_any = commit_i && commit_ok_o;

  always_comb begin
    attr_d = new_attr;
    if (!commit_any) begin
      attr_d = (cfg_word_i == SlotAttributesWord) ? slot_attributes_t'(cfg_wdata_i) : '0;
      attr_d = attr_d & ~SlotAttributesReserved;
    end
    for (int unsigned s = 0; s < NumSlots; s++) begin
      cfg_hit[s] = cfg_we_i && !commit_any && !sealed && (cfg_slot_i == slot_t'(s)) &&
                   !attr[s].lock;
      key_we[s]  = cfg_hit[s] && !cfg_word_i[4];
      commit[s]  = commit_any && (target_i == slot_t'(s));
      attr_we[s] = key_we[s] || (cfg_hit[s] && (cfg_word_i == SlotAttributesWord)) || commit[s];
    end
  end

  cry_tile_permit #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .Protect(Protect)
  ) u_permit (
    .clk_i,
    .rst_ni,
    .wipe_i     (tamper_i),
    .attr_we_i  (attr_we),
    .attr_i     (attr_d),
    .attr_o     (attr),
    .mask_we_i,
    .mask_i,
    .mask_o,
    .req_i,
    .allowed_o  (permit_allowed),
    .corrected_o(permit_corrected),
    .detected_o (permit_detected)
  );

  // --- Keys --------------------------------------------------------------------------------------

  slot_key_t [NumSlots-1:0] keys;

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    slot_key_t  key_d;
    logic       wipe, adds;
    logic [3:0] fixed, broken;

    // A new key begins with all of an old one gone: its words cannot be tried one by one.
    assign wipe = tamper_i || (attr_we[s] && !key_we[s] && !commit[s] && !attr_d.valid);
    assign adds = key_we[s] && !attr[s].valid;  // to what is there
    always_comb begin
      key_d = attr[s].valid ? '0 : keys[s];
      key_d[32*cfg_word_i[3:0]+:32] = cfg_wdata_i;
      if (commit[s]) key_d = new_key;
      if (wipe)      key_d = '0;
    end

    for (genvar w = 0; w < 4; w++) begin : gen_word
      logic [127:0] unused_raw;
      cry_reg_ecc #(.Width(128), .Protect(Protect)) u_key (
        .clk_i, .rst_ni,
        .en_i       (key_we[s] || commit[s] || wipe),
        .d_i        (key_d[128*w+:128]),
        // What is wrong is not encoded as if it were right.
        .inject_i   ((Protect == ProtectDetect) && adds && broken[w] && !wipe),
        .q_o        (keys[s][128*w+:128]),
        .raw_o      (unused_raw),
        .corrected_o(fixed[w]),
        .detected_o (broken[w])
      );
    end
    assign corrected[s] = |fixed;
    assign detected[s]  = |broken;
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

  assign allowed_o = permit_allowed && !source_wrong && !seal_detected && !missed && !tamper_i;
  assign key_o     = allowed_o ? source_key : '0;

  // Keys are never read back, attributes are.
  always_comb begin
    cfg_rdata_o = '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if ((cfg_slot_i == slot_t'(s)) && (cfg_word_i == SlotAttributesWord)) cfg_rdata_o = attr[s];
    end
  end

  assign corrected_o = permit_corrected || seal_corrected || (|corrected) || (|new_corrected);
  assign detected_o  = permit_detected || seal_detected || (|detected) || new_wrong || missed;

endmodule
