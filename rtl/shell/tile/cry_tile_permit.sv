// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The key access check: holds the attributes of each slot and the slot mask of each queue, and
// decides.
//
// A job may use a slot if its queue's mask has the slot, and the slot is valid, has the queue among
// its owners, has the opcode, and allows the direction. A slot with `unwrap` serves jobs that
// unwrap keys, and no others do. The target of such a job must be in the queue's mask too, not
// locked, and empty or owned by the queue. Decisions are combinational. The attributes of a locked
// or broken slot change by wipe_i alone.
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
  input  logic                               wipe_i,  // level: clears the attributes of all slots

  // by slot, one cycle: writes its attributes
  input  logic        [NumSlots-1:0]         attr_we_i,
  input  slot_attributes_t                   attr_i,  // value to be written
  output slot_attributes_t [NumSlots-1:0]    attr_o,  // by slot: its attributes

  // by queue, one cycle: writes its slot mask
  input  logic        [NumQueues-1:0]        mask_we_i,
  input  logic        [MaxSlots-1:0]         mask_i,         // value to be written
  output logic        [NumQueues-1:0][MaxSlots-1:0] mask_o,  // by queue: its slot mask

  input  permit_req_t                        req_i,      // a job asks for a slot
  output logic                               allowed_o,  // it may use it, combinational

  output logic                               corrected_o,  // one cycle: an upset was corrected
  output logic                               detected_o    // an uncorrectable upset was found
);

  logic [NumSlots-1:0]  slot_corrected, slot_detected;
  logic [NumQueues-1:0] mask_corrected, mask_detected;

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    slot_attributes_t stored;
    cry_reg_tmr #(.Width($bits(slot_attributes_t)), .Protect(Protect)) u_attr (
      .clk_i, .rst_ni,
      .en_i       (wipe_i || (attr_we_i[s] && !attr_o[s].lock)),
      .d_i        (wipe_i ? '0 : attr_i),
      .inject_i   (1'b0),
      .q_o        (stored),
      .corrected_o(slot_corrected[s]),
      .detected_o (slot_detected[s])
    );
    // What is broken counts as locked: it may be the lock.
    always_comb begin
      attr_o[s]      = stored;
      attr_o[s].lock = stored.lock || slot_detected[s];
    end
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

  // Nothing is allowed to a queue or by a slot that does not exist.
  logic [MaxSlots-1:0] mask;
  slot_attributes_t    source, target;
  always_comb begin
    mask   = '0;
    source = '0;
    target = '{lock: 1'b1, default: '0};
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (req_i.owner == queue_t'(q)) mask = mask_o[q];
    end
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (req_i.slot == slot_t'(s))   source = attr_o[s];
      if (req_i.target == slot_t'(s)) target = attr_o[s];
    end
  end

  logic source_allowed, target_allowed;
  assign source_allowed = mask[req_i.slot] && source.valid && source.owners[req_i.owner] &&
                          source.opcodes[req_i.opcode] && (source.unwrap == req_i.unwrap) &&
                          (req_i.decrypt ? source.decrypt : source.encrypt);
  assign target_allowed = mask[req_i.target] && !target.lock &&
                          (!target.valid || target.owners[req_i.owner]);

  assign allowed_o = source_allowed && (target_allowed || !req_i.unwrap) && !detected_o;

  // The register has room where attributes have none.
  logic unused;
  assign unused = ^{mask_i, source.lock, source.reserved_7_5, target};

  if (NumSlots > MaxSlots || NumQueues > MaxQueues) begin : gen_check
    $error("cry_tile_permit: too many slots or queues");
  end

endmodule
