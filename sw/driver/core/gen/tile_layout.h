// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Generated from catalog/descriptor.rdl and regs/tile.rdl by `cryptile generate`: edit those files,
// not this one.

// What software and the tile share: which word is which, and for each a structure of its fields,
// and functions between the two. A value must fit into its field: the next one gets what is above.
#ifndef CRYPTILE_DRIVER_GEN_TILE_LAYOUT_H
#define CRYPTILE_DRIVER_GEN_TILE_LAYOUT_H

#include "tile_types.h"

// Descriptor, in words of 64 bits.
enum {
  TileDescriptorControl = 0,
  TileDescriptorSource = 1,
  TileDescriptorDestination = 2,
  TileDescriptorLengths = 3,
  TileDescriptorIv = 4,
  TileDescriptorAad = 6,
  TileDescriptorTag = 7,
  TileDescriptorWords = 8
};

typedef struct {
  uint8_t opcode;     // opcode: the engine
  uint8_t mode;       // mode of the engine
  bool decrypt;       // decrypt or verify
  bool ctx_load;      // load the context at `context_addr`
  bool ctx_save;      // save the context there
  bool more;          // not the last part of its message
  uint8_t key_len;    // key length: 0 128, 1 192, 2 256 bits
  bool key_slot;      // the key is in slot `slot`
  bool src_list;      // source is an SG list
  bool dst_list;      // destination is an SG list
  bool irq;           // interrupt at the end
  bool fence;         // fence: start when all earlier jobs of the queue are complete
  bool extension;     // the next entry of the ring is this one's extension
  uint8_t slot;       // number of the key slot
  uint8_t key_bytes;  // bytes of key where no mode or `key_len` says them, 0 to 64, of `pka521` 80
  bool unwrap;        // destination is key slot `target`: a key is unwrapped, or made
  uint8_t target;     // number of that slot
  uint16_t iv_len;    // GCM: bytes of IV at `iv_addr`; 0 or 12: it is in `iv`
  bool token;         // the key is wrapped, at `key_addr`, under the one in slot `slot`
  uint8_t kek_len;    // length of that one, as `key_len`
  bool aad_list;      // associated data is an SG list
  bool row;           // associated data, message and tag lie in a row: see below
} tile_descriptor_control_t;

static inline uint64_t tile_descriptor_control_encode(tile_descriptor_control_t fields) {
  return (uint64_t)fields.opcode |
         (uint64_t)fields.mode << 8 |
         (uint64_t)fields.decrypt << 12 |
         (uint64_t)fields.ctx_load << 13 |
         (uint64_t)fields.ctx_save << 14 |
         (uint64_t)fields.more << 15 |
         (uint64_t)fields.key_len << 16 |
         (uint64_t)fields.key_slot << 18 |
         (uint64_t)fields.src_list << 19 |
         (uint64_t)fields.dst_list << 20 |
         (uint64_t)fields.irq << 21 |
         (uint64_t)fields.fence << 22 |
         (uint64_t)fields.extension << 23 |
         (uint64_t)fields.slot << 24 |
         (uint64_t)fields.key_bytes << 32 |
         (uint64_t)fields.unwrap << 39 |
         (uint64_t)fields.target << 40 |
         (uint64_t)fields.iv_len << 48 |
         (uint64_t)fields.token << 58 |
         (uint64_t)fields.kek_len << 59 |
         (uint64_t)fields.aad_list << 61 |
         (uint64_t)fields.row << 62;
}

static inline tile_descriptor_control_t tile_descriptor_control_decode(uint64_t word) {
  return (tile_descriptor_control_t){
      .opcode = (uint8_t)(word & 0xff),
      .mode = (uint8_t)(word >> 8 & 0xf),
      .decrypt = (bool)(word >> 12 & 0x1),
      .ctx_load = (bool)(word >> 13 & 0x1),
      .ctx_save = (bool)(word >> 14 & 0x1),
      .more = (bool)(word >> 15 & 0x1),
      .key_len = (uint8_t)(word >> 16 & 0x3),
      .key_slot = (bool)(word >> 18 & 0x1),
      .src_list = (bool)(word >> 19 & 0x1),
      .dst_list = (bool)(word >> 20 & 0x1),
      .irq = (bool)(word >> 21 & 0x1),
      .fence = (bool)(word >> 22 & 0x1),
      .extension = (bool)(word >> 23 & 0x1),
      .slot = (uint8_t)(word >> 24 & 0xff),
      .key_bytes = (uint8_t)(word >> 32 & 0x7f),
      .unwrap = (bool)(word >> 39 & 0x1),
      .target = (uint8_t)(word >> 40 & 0xff),
      .iv_len = (uint16_t)(word >> 48 & 0x3ff),
      .token = (bool)(word >> 58 & 0x1),
      .kek_len = (uint8_t)(word >> 59 & 0x3),
      .aad_list = (bool)(word >> 61 & 0x1),
      .row = (bool)(word >> 62 & 0x1),
  };
}

typedef struct {
  uint64_t src_addr;   // source
  uint8_t generation;  // GENERATION of the key slot that is meant; 0: any
} tile_descriptor_source_t;

static inline uint64_t tile_descriptor_source_encode(tile_descriptor_source_t fields) {
  return fields.src_addr |
         (uint64_t)fields.generation << 56;
}

static inline tile_descriptor_source_t tile_descriptor_source_decode(uint64_t word) {
  return (tile_descriptor_source_t){
      .src_addr = word & 0xffffffffffffff,
      .generation = (uint8_t)(word >> 56),
  };
}

typedef struct {
  uint64_t dst_addr;  // destination
} tile_descriptor_destination_t;

static inline uint64_t tile_descriptor_destination_encode(tile_descriptor_destination_t fields) {
  return fields.dst_addr;
}

static inline tile_descriptor_destination_t tile_descriptor_destination_decode(uint64_t word) {
  return (tile_descriptor_destination_t){
      .dst_addr = word & 0xffffffffffffff,
  };
}

typedef struct {
  uint32_t msg_len;  // bytes of message
  uint32_t aad_len;  // bytes of associated data
} tile_descriptor_lengths_t;

static inline uint64_t tile_descriptor_lengths_encode(tile_descriptor_lengths_t fields) {
  return (uint64_t)fields.msg_len |
         (uint64_t)fields.aad_len << 32;
}

static inline tile_descriptor_lengths_t tile_descriptor_lengths_decode(uint64_t word) {
  return (tile_descriptor_lengths_t){
      .msg_len = (uint32_t)(word & 0xffffffff),
      .aad_len = (uint32_t)(word >> 32),
  };
}

typedef struct {
  uint64_t aad_addr;  // associated data
} tile_descriptor_aad_t;

static inline uint64_t tile_descriptor_aad_encode(tile_descriptor_aad_t fields) {
  return fields.aad_addr;
}

static inline tile_descriptor_aad_t tile_descriptor_aad_decode(uint64_t word) {
  return (tile_descriptor_aad_t){
      .aad_addr = word & 0xffffffffffffff,
  };
}

typedef struct {
  uint64_t tag_addr;  // tag or digest; read when `decrypt` is set, else written
  uint8_t tag_len;    // its bytes; 0: all
} tile_descriptor_tag_t;

static inline uint64_t tile_descriptor_tag_encode(tile_descriptor_tag_t fields) {
  return fields.tag_addr |
         (uint64_t)fields.tag_len << 56;
}

static inline tile_descriptor_tag_t tile_descriptor_tag_decode(uint64_t word) {
  return (tile_descriptor_tag_t){
      .tag_addr = word & 0xffffffffffffff,
      .tag_len = (uint8_t)(word >> 56),
  };
}

// Extension of a descriptor, in words of 64 bits.
enum {
  TileExtensionKey = 0,
  TileExtensionContext = 1,
  TileExtensionIv = 2,
  TileExtensionWords = 8
};

typedef struct {
  uint64_t key_addr;  // key, as in memory; XTS: data key, then tweak key
} tile_extension_key_t;

static inline uint64_t tile_extension_key_encode(tile_extension_key_t fields) {
  return fields.key_addr;
}

static inline tile_extension_key_t tile_extension_key_decode(uint64_t word) {
  return (tile_extension_key_t){
      .key_addr = word & 0xffffffffffffff,
  };
}

typedef struct {
  uint64_t context_addr;  // context
} tile_extension_context_t;

static inline uint64_t tile_extension_context_encode(tile_extension_context_t fields) {
  return fields.context_addr;
}

static inline tile_extension_context_t tile_extension_context_decode(uint64_t word) {
  return (tile_extension_context_t){
      .context_addr = word & 0xffffffffffffff,
  };
}

typedef struct {
  uint64_t iv_addr;  // IV of another length than 12 bytes
} tile_extension_iv_t;

static inline uint64_t tile_extension_iv_encode(tile_extension_iv_t fields) {
  return fields.iv_addr;
}

static inline tile_extension_iv_t tile_extension_iv_decode(uint64_t word) {
  return (tile_extension_iv_t){
      .iv_addr = word & 0xffffffffffffff,
  };
}

// Output of any length, in the place of the IV, in words of 64 bits.
enum {
  TileOutputLength = 0,
  TileOutputWords = 2
};

typedef struct {
  uint32_t output_len;  // bytes of output; 0: as `tag_len` says
} tile_output_length_t;

static inline uint64_t tile_output_length_encode(tile_output_length_t fields) {
  return (uint64_t)fields.output_len;
}

static inline tile_output_length_t tile_output_length_decode(uint64_t word) {
  return (tile_output_length_t){
      .output_len = (uint32_t)(word & 0xffffffff),
  };
}

// Entry of an SG list, in words of 64 bits.
enum {
  TileSgEntryAddress = 0,
  TileSgEntryLength = 1,
  TileSgEntryWords = 2
};

typedef struct {
  uint64_t address;  // of the bytes
} tile_sg_entry_address_t;

static inline uint64_t tile_sg_entry_address_encode(tile_sg_entry_address_t fields) {
  return fields.address;
}

static inline tile_sg_entry_address_t tile_sg_entry_address_decode(uint64_t word) {
  return (tile_sg_entry_address_t){
      .address = word & 0xffffffffffffff,
  };
}

typedef struct {
  uint32_t length;  // how many; 0: the entry is skipped
  bool last;        // nothing follows
} tile_sg_entry_length_t;

static inline uint64_t tile_sg_entry_length_encode(tile_sg_entry_length_t fields) {
  return (uint64_t)fields.length |
         (uint64_t)fields.last << 32;
}

static inline tile_sg_entry_length_t tile_sg_entry_length_decode(uint64_t word) {
  return (tile_sg_entry_length_t){
      .length = (uint32_t)(word & 0xffffffff),
      .last = (bool)(word >> 32 & 0x1),
  };
}

// Completion record, in words of 64 bits.
enum {
  TileCompletionEnded = 0,
  TileCompletionCounts = 1,
  TileCompletionWords = 2
};

typedef struct {
  uint8_t status;            // status
  uint16_t index;            // index of the descriptor, free-running
  uint32_t sequence_number;  // job number + 1; what is polled: the whole record is there then
} tile_completion_ended_t;

static inline uint64_t tile_completion_ended_encode(tile_completion_ended_t fields) {
  return (uint64_t)fields.status |
         (uint64_t)fields.index << 16 |
         (uint64_t)fields.sequence_number << 32;
}

static inline tile_completion_ended_t tile_completion_ended_decode(uint64_t word) {
  return (tile_completion_ended_t){
      .status = (uint8_t)(word & 0xff),
      .index = (uint16_t)(word >> 16 & 0xffff),
      .sequence_number = (uint32_t)(word >> 32),
  };
}

typedef struct {
  uint32_t bytes;   // bytes of message and tag that were written; of a job that unwrapped a key: see Key slots
  uint32_t cycles;  // from the descriptor's read to the end; where the tile makes nonces: see Key slots
} tile_completion_counts_t;

static inline uint64_t tile_completion_counts_encode(tile_completion_counts_t fields) {
  return (uint64_t)fields.bytes |
         (uint64_t)fields.cycles << 32;
}

static inline tile_completion_counts_t tile_completion_counts_decode(uint64_t word) {
  return (tile_completion_counts_t){
      .bytes = (uint32_t)(word & 0xffffffff),
      .cycles = (uint32_t)(word >> 32),
  };
}

// Associated data of a wrapped key; what a key that is made is for, in words of 64 bits.
enum {
  TileWrapAadAttributes = 0,
  TileWrapAadPolicy = 1,
  TileWrapAadWords = 2
};

typedef struct {
  uint32_t attributes;  // the new ATTRIBUTES of the slot
  uint8_t slot;         // number of the slot; 255: any, and the queue alone owns it
} tile_wrap_aad_attributes_t;

static inline uint64_t tile_wrap_aad_attributes_encode(tile_wrap_aad_attributes_t fields) {
  return (uint64_t)fields.attributes |
         (uint64_t)fields.slot << 32;
}

static inline tile_wrap_aad_attributes_t tile_wrap_aad_attributes_decode(uint64_t word) {
  return (tile_wrap_aad_attributes_t){
      .attributes = (uint32_t)(word & 0xffffffff),
      .slot = (uint8_t)(word >> 32 & 0xff),
  };
}

typedef struct {
  uint32_t policy;  // its POLICY
  uint32_t uses;    // its USES
} tile_wrap_aad_policy_t;

static inline uint64_t tile_wrap_aad_policy_encode(tile_wrap_aad_policy_t fields) {
  return (uint64_t)fields.policy |
         (uint64_t)fields.uses << 32;
}

static inline tile_wrap_aad_policy_t tile_wrap_aad_policy_decode(uint64_t word) {
  return (tile_wrap_aad_policy_t){
      .policy = (uint32_t)(word & 0xffffffff),
      .uses = (uint32_t)(word >> 32),
  };
}

// SLOT, in words of 32 bits.
enum {
  TileSlotKey = 0,
  TileSlotAttributes = 16,
  TileSlotPolicy = 17,
  TileSlotUses = 18,
  TileSlotGeneration = 19,
  TileSlotKeyHigh = 20,
  TileSlotWords = 32
};

typedef struct {
  uint32_t value;  // 
} tile_slot_key_t;

static inline uint32_t tile_slot_key_encode(tile_slot_key_t fields) {
  return fields.value;
}

static inline tile_slot_key_t tile_slot_key_decode(uint32_t word) {
  return (tile_slot_key_t){
      .value = word,
  };
}

typedef struct {
  bool valid;      // The slot can be used
  bool encrypt;    // May encrypt, hash and make tags
  bool decrypt;    // May decrypt and verify
  bool unwrap;     // Unwraps keys, into other slots or for one job, or agrees on keys or makes nonces, into slots, and nothing else
  bool lock;       // Cannot be changed until reset
  bool contexts;   // Messages in parts: contexts, which may tell the key, go through memory
  bool counted;    // Each job takes one of USES; with 0 left there are no more
  bool nonce;      // The tile makes the nonces for encryption, and counts USES
  uint8_t owners;  // Queues that may use it, one bit each
  uint8_t opcode;  // Opcode that may use it
} tile_slot_attributes_t;

static inline uint32_t tile_slot_attributes_encode(tile_slot_attributes_t fields) {
  return (uint32_t)fields.valid |
         (uint32_t)fields.encrypt << 1 |
         (uint32_t)fields.decrypt << 2 |
         (uint32_t)fields.unwrap << 3 |
         (uint32_t)fields.lock << 4 |
         (uint32_t)fields.contexts << 5 |
         (uint32_t)fields.counted << 6 |
         (uint32_t)fields.nonce << 7 |
         (uint32_t)fields.owners << 8 |
         (uint32_t)fields.opcode << 16;
}

static inline tile_slot_attributes_t tile_slot_attributes_decode(uint32_t word) {
  return (tile_slot_attributes_t){
      .valid = (bool)(word & 0x1),
      .encrypt = (bool)(word >> 1 & 0x1),
      .decrypt = (bool)(word >> 2 & 0x1),
      .unwrap = (bool)(word >> 3 & 0x1),
      .lock = (bool)(word >> 4 & 0x1),
      .contexts = (bool)(word >> 5 & 0x1),
      .counted = (bool)(word >> 6 & 0x1),
      .nonce = (bool)(word >> 7 & 0x1),
      .owners = (uint8_t)(word >> 8 & 0xff),
      .opcode = (uint8_t)(word >> 16 & 0xf),
  };
}

typedef struct {
  uint16_t modes;     // Modes of the opcode that may use it, one bit each
  uint8_t key_bytes;  // Bytes of the key, as long as the job's
  uint8_t tag_bytes;  // Bytes of tags: 0 those of a full one, 127 any number
} tile_slot_policy_t;

static inline uint32_t tile_slot_policy_encode(tile_slot_policy_t fields) {
  return (uint32_t)fields.modes |
         (uint32_t)fields.key_bytes << 16 |
         (uint32_t)fields.tag_bytes << 24;
}

static inline tile_slot_policy_t tile_slot_policy_decode(uint32_t word) {
  return (tile_slot_policy_t){
      .modes = (uint16_t)(word & 0xffff),
      .key_bytes = (uint8_t)(word >> 16 & 0x7f),
      .tag_bytes = (uint8_t)(word >> 24 & 0x7f),
  };
}

typedef struct {
  uint32_t jobs;  // 
} tile_slot_uses_t;

static inline uint32_t tile_slot_uses_encode(tile_slot_uses_t fields) {
  return fields.jobs;
}

static inline tile_slot_uses_t tile_slot_uses_decode(uint32_t word) {
  return (tile_slot_uses_t){
      .jobs = word,
  };
}

typedef struct {
  uint8_t generation;  // 1 to 255, another one each time that the slot becomes valid
} tile_slot_generation_t;

static inline uint32_t tile_slot_generation_encode(tile_slot_generation_t fields) {
  return (uint32_t)fields.generation;
}

static inline tile_slot_generation_t tile_slot_generation_decode(uint32_t word) {
  return (tile_slot_generation_t){
      .generation = (uint8_t)(word & 0xff),
  };
}

typedef struct {
  uint32_t value;  // 
} tile_slot_key_high_t;

static inline uint32_t tile_slot_key_high_encode(tile_slot_key_high_t fields) {
  return fields.value;
}

static inline tile_slot_key_high_t tile_slot_key_high_decode(uint32_t word) {
  return (tile_slot_key_high_t){
      .value = word,
  };
}

#endif  // CRYPTILE_DRIVER_GEN_TILE_LAYOUT_H
