// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The key access check: holds the policy of each slot and the slot mask of each queue, and decides.
//
// A job may use a slot if its queue's mask has the slot, the slot is valid and the key that the job
// means, and the slot's attributes and policy have the queue among the owners, the opcode, the
// mode, the lengths of key and tag, and the direction (cry_tile_permit_rules):
//  - Encryption that is decryption too (keystreams) takes both rights. So does encryption with a
//    tag under a nonce of the job's choice: with a nonce for the second time it decrypts.
//  - A slot whose nonces the tile makes serves no keystreams, and encrypts only where the tile can.
//  - Parts of messages need `contexts`, those that come out again both rights, and they never come
//    with nonces of the tile.
//  - Of a counted slot, and for a nonce, something must be left; use_i takes one.
//  - A slot with `unwrap` serves jobs that unwrap keys, and no others do. The target of such a job
//    must be in the queue's mask too, not locked, and empty or owned by the queue: by it alone if
//    the job makes the key (target_ok_o, which is all that is asked if it needs no key for that).
// Decisions are combinational; again_i asks once more for jobs that were allowed, whatever is left:
// one that unwraps a key (0), one that makes one (1).
//
// What is stored of a locked or broken slot changes by wipe_i and use_i alone. Each time that a
// slot becomes valid it is another generation.
//
// ProtectCorrect: an upset changes no decision and is reported on corrected_o. ProtectDetect:
// detected_o is high, and nothing is allowed, while an upset is present; a wrong mask can be
// written again.
module cry_tile_permit
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues = 4,           // queues
  parameter int unsigned NumSlots  = 8,           // slots
  parameter protect_e    Protect   = ProtectNone  // level of protection of its registers
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               wipe_i,  // level: clears what is stored of all slots

  // by slot, one cycle: writes its attributes
  input  logic        [NumSlots-1:0]         attr_we_i,
  input  slot_attributes_t                   attr_i,  // value to be written
  output slot_attributes_t [NumSlots-1:0]    attr_o,  // by slot: its attributes
  // by slot, one cycle: writes its policy
  input  logic        [NumSlots-1:0]         policy_we_i,
  input  slot_policy_t                       policy_i,      // value to be written
  output slot_policy_t [NumSlots-1:0]        policy_o,      // by slot: its policy
  input  logic        [NumSlots-1:0]         uses_we_i,     // by slot, one cycle: writes its uses
  input  logic        [31:0]                 uses_i,        // value to be written
  output logic        [NumSlots-1:0][31:0]   uses_o,        // by slot: jobs that are left
  output logic        [NumSlots-1:0][7:0]    generation_o,  // by slot: which key it is

  // by queue, one cycle: writes its slot mask
  input  logic        [NumQueues-1:0]        mask_we_i,
  input  logic        [MaxSlots-1:0]         mask_i,         // value to be written
  output logic        [NumQueues-1:0][MaxSlots-1:0] mask_o,  // by queue: its slot mask

  input  permit_req_t                        req_i,              // a job asks for a slot
  output logic                               allowed_o,          // it may use it, combinational
  output logic                               target_ok_o,        // its target takes a key
  output logic                               nonce_o,            // the tile makes the job's nonce
  output logic        [31:0]                 left_o,             // uses of its slot that are left
  input  logic                               use_i,              // one cycle: the job begins
  input  permit_req_t [1:0]                  again_i,            // jobs that began ask again
  output logic        [1:0]                  again_allowed_o,    // they may still use it
  output logic        [1:0]                  again_target_ok_o,  // their target still takes a key

  output logic                               corrected_o,  // one cycle: an upset was corrected
  output logic                               detected_o    // an uncorrectable upset was found
);

  logic [NumSlots-1:0][3:0] slot_corrected, slot_detected;
  logic [NumQueues-1:0]     mask_corrected, mask_detected;
  slot_attributes_t         source;  // of req_i
  logic                     counts;  // req_i takes one of what is left

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    slot_attributes_t stored;
    logic             fixed, take;

    // What is broken counts as locked: it may be the lock.
    assign fixed = attr_o[s].lock;
    assign take  = use_i && counts && (req_i.slot == slot_t'(s));
    always_comb begin
      attr_o[s]      = stored;
      attr_o[s].lock = stored.lock || (|slot_detected[s]);
    end

    cry_reg_tmr #(.Width($bits(slot_attributes_t)), .Protect(Protect)) u_attr (
      .clk_i, .rst_ni,
      .en_i       (wipe_i || (attr_we_i[s] && !fixed)),
      .d_i        (wipe_i ? '0 : attr_i),
      .inject_i   (1'b0),
      .q_o        (stored),
      .corrected_o(slot_corrected[s][0]),
      .detected_o (slot_detected[s][0])
    );
    cry_reg_tmr #(.Width($bits(slot_policy_t)), .Protect(Protect)) u_policy (
      .clk_i, .rst_ni,
      .en_i       (wipe_i || (policy_we_i[s] && !fixed)),
      .d_i        (wipe_i ? '0 : policy_i),
      .inject_i   (1'b0),
      .q_o        (policy_o[s]),
      .corrected_o(slot_corrected[s][1]),
      .detected_o (slot_detected[s][1])
    );
    cry_reg_tmr #(.Width(32), .Protect(Protect)) u_uses (
      .clk_i, .rst_ni,
      .en_i       (wipe_i || take || (uses_we_i[s] && !fixed)),
      .d_i        (wipe_i ? '0 : (uses_we_i[s] && !fixed) ? uses_i : uses_o[s] - 32'd1),
      .inject_i   (1'b0),
      .q_o        (uses_o[s]),
      .corrected_o(slot_corrected[s][2]),
      .detected_o (slot_detected[s][2])
    );
    // Never 0, in which a job says that any will do.
    cry_reg_tmr #(.Width(8), .ResVal(8'd255), .Protect(Protect)) u_generation (
      .clk_i, .rst_ni,
      .en_i       (attr_we_i[s] && !fixed && attr_i.valid && !wipe_i),
      .d_i        ((generation_o[s] == 8'd255) ? 8'd1 : generation_o[s] + 8'd1),
      .inject_i   (1'b0),
      .q_o        (generation_o[s]),
      .corrected_o(slot_corrected[s][3]),
      .detected_o (slot_detected[s][3])
    );
  end

  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [NumSlots-1:0] stored;
    cry_reg_tmr #(.Width(NumSlots), .Protect(Protect)) u_mask (
      .clk_i, .rst_ni,
      .en_i       (mask_we_i[q]),
      .d_i        (mask_i[NumSlots-1:0]),
      .inject_i   (1'b0),
      .q_o        (stored),
      .corrected_o(mask_corrected[q]),
      .detected_o (mask_detected[q])
    );
    assign mask_o[q] = MaxSlots'(stored);
  end

  assign corrected_o = (|slot_corrected) || (|mask_corrected);
  assign detected_o  = (|slot_detected) || (|mask_detected);

  // --- The decision ------------------------------------------------------------------------------

  // Of all requests. Nothing is allowed to a queue or by a slot that does not exist.
  permit_req_t [2:0] req;
  logic        [2:0] allowed, takes;

  assign req = {again_i, req_i};

  for (genvar r = 0; r < 3; r++) begin : gen_rules
    logic [MaxSlots-1:0] mask;
    slot_attributes_t    from, target;
    slot_policy_t        policy;
    logic [7:0]          generation;

    always_comb begin
      mask       = '0;
      from       = '0;
      policy     = '0;
      generation = '0;
      target     = '{lock: 1'b1, default: '0};
      for (int unsigned q = 0; q < NumQueues; q++) begin
        if (req[r].owner == queue_t'(q)) mask = mask_o[q];
      end
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (req[r].slot == slot_t'(s)) begin
          from       = attr_o[s];
          policy     = policy_o[s];
          generation = generation_o[s];
        end
        if (req[r].target == slot_t'(s)) target = attr_o[s];
      end
    end

    cry_tile_permit_rules u_rules (
      .req_i       (req[r]),
      .mask_i      (mask),
      .attr_i      (from),
      .policy_i    (policy),
      .generation_i(generation),
      .target_i    (target),
      .target_ok_o (takes[r]),
      .allowed_o   (allowed[r])
    );
  end

  always_comb begin
    source = '0;
    left_o = '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (req_i.slot == slot_t'(s)) begin
        source = attr_o[s];
        left_o = uses_o[s];
      end
    end
  end

  assign nonce_o           = source.nonce && !req_i.decrypt;
  assign counts            = source.counted || nonce_o;
  assign allowed_o         = allowed[0] && (!counts || (left_o != '0)) && !detected_o;
  assign target_ok_o       = takes[0] && !detected_o;
  assign again_allowed_o   = detected_o ? '0 : allowed[2:1];
  assign again_target_ok_o = detected_o ? '0 : takes[2:1];

  // The register has room where attributes have none.
  logic unused;
  assign unused = ^{mask_i, source};

  if (NumSlots > MaxSlots || NumQueues > MaxQueues) begin : gen_check
    $error("cry_tile_permit: too many slots or queues");
  end

endmodule
