// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Whether a slot serves a job, but for what is left of its uses: the rules of cry_tile_permit.
// Combinational.
module cry_tile_permit_rules
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
(
  input  permit_req_t         req_i,         // the job asks for a slot
  input  logic [MaxSlots-1:0] mask_i,        // KEY_MASK of the queue
  input  slot_attributes_t    attr_i,        // of the slot
  input  slot_policy_t        policy_i,      // of the slot
  input  logic [7:0]          generation_i,  // of the slot
  input  slot_attributes_t    target_i,      // of the slot to which a key is unwrapped, or made
  output logic                target_ok_o,   // that slot takes it, or there is none
  output logic                allowed_o      // it may use the slot, and target_ok_o
);

  // Tags that a slot allows, beside a number of bytes.
  localparam logic [6:0] TagFull = 7'd0;
  localparam logic [6:0] TagAny  = 7'd127;

  logic owner, key, tag, direction, parts, mine;

  assign owner = mask_i[req_i.slot] && attr_i.valid && attr_i.owners[req_i.owner];

  assign key = (attr_i.unwrap == req_i.unwrap) && (attr_i.opcode == req_i.opcode) &&
               policy_i.modes[req_i.mode] && (policy_i.key_bytes == req_i.key_bytes) &&
               ((req_i.generation == '0) || (req_i.generation == generation_i));

  always_comb begin
    unique case (policy_i.tag_bytes)
      TagAny:  tag = 1'b1;
      TagFull: tag = (req_i.tag_bytes == '0) || req_i.tag_full;
      default: tag = (req_i.tag_bytes == '0) || (req_i.tag_bytes == policy_i.tag_bytes);
    endcase
    if (req_i.keystream)    direction = attr_i.encrypt && attr_i.decrypt && !attr_i.nonce;
    else if (req_i.decrypt) direction = attr_i.decrypt;
    else if (attr_i.nonce)  direction = attr_i.encrypt && req_i.tile_nonce;
    else                    direction = attr_i.encrypt && (attr_i.decrypt || !req_i.sealing);
  end

  // With a context of its own choice a job encrypts what it likes.
  assign parts = !req_i.in_parts || (attr_i.contexts && !attr_i.nonce &&
                                     (!req_i.output_made || (attr_i.encrypt && attr_i.decrypt)));

  // Who makes a key knows it, or has the only one: it takes the place of nobody else's.
  assign mine        = req_i.made ? (target_i.owners == (8'(1) << req_i.owner)) :
                                    target_i.owners[req_i.owner];
  assign target_ok_o = !req_i.unwrap || req_i.token || (mask_i[req_i.target] && !target_i.lock &&
                                                        (!target_i.valid || mine));

  assign allowed_o = owner && key && tag && direction && parts && target_ok_o;

  logic unused;
  assign unused = ^{attr_i, policy_i, target_i};

endmodule
