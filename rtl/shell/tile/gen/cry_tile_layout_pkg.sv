// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/descriptor.rdl and regs/tile.rdl by `cryptile generate`: edit those files,
// not this one.

// What software and the tile share: words in memory (catalog/descriptor.rdl) and registers
// (regs/tile.rdl). The bits without a name that a type has are those of its constant `Reserved`.
package cry_tile_layout_pkg;

  // Not every bit and register has a user, and some have names that C++ uses, too.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off SYMRSVDWORD

  // --- Memory ------------------------------------------------------------------------------------

  // Descriptor.
  typedef struct packed {
    logic [7:0]   tag_len;           // its bytes; 0: all
    logic [55:0]  tag_addr;          // tag or digest; read when `decrypt` is set, else written
    logic [7:0]   reserved_447_440;
    logic [55:0]  aad_addr;          // associated data
    logic [127:0] iv;                // IV, byte 0 in the lowest bits; long outputs, and keys that are made: see below
    logic [31:0]  aad_len;           // bytes of associated data
    logic [31:0]  msg_len;           // bytes of message
    logic [7:0]   reserved_191_184;
    logic [55:0]  dst_addr;          // destination
    logic [7:0]   generation;        // GENERATION of the key slot that is meant; 0: any
    logic [55:0]  src_addr;          // source
    logic         reserved_63_63;
    logic         row;               // associated data, message and tag lie in a row: see below
    logic         aad_list;          // associated data is an SG list
    logic [1:0]   kek_len;           // length of that one, as `key_len`
    logic         token;             // the key is wrapped, at `key_addr`, under the one in slot `slot`
    logic [9:0]   iv_len;            // GCM: bytes of IV at `iv_addr`; 0 or 12: it is in `iv`
    logic [7:0]   target;            // number of that slot
    logic         unwrap;            // destination is key slot `target`: a key is unwrapped, or made
    logic [6:0]   key_bytes;         // bytes of key where no mode or `key_len` says them, 0 to 64, of `pka521` 80
    logic [7:0]   slot;              // number of the key slot
    logic         extension;         // the next entry of the ring is this one's extension
    logic         fence;             // fence: start when all earlier jobs of the queue are complete
    logic         irq;               // interrupt at the end
    logic         dst_list;          // destination is an SG list
    logic         src_list;          // source is an SG list
    logic         key_slot;          // the key is in slot `slot`
    logic [1:0]   key_len;           // key length: 0 128, 1 192, 2 256 bits
    logic         more;              // not the last part of its message
    logic         ctx_save;          // save the context there
    logic         ctx_load;          // load the context at `context_addr`
    logic         decrypt;           // decrypt or verify
    logic [3:0]   mode;              // mode of the engine
    logic [7:0]   opcode;            // opcode: the engine
  } descriptor_t;
  parameter descriptor_t DescriptorReserved = {
    64'h0000000000000000, 64'hff00000000000000, 64'h0000000000000000, 64'h0000000000000000,
    64'h0000000000000000, 64'hff00000000000000, 64'h0000000000000000, 64'h8000000000000000
  };

  // Extension of a descriptor.
  typedef struct packed {
    logic [327:0] reserved_511_184;
    logic [55:0]  iv_addr;           // IV of another length than 12 bytes
    logic [7:0]   reserved_127_120;
    logic [55:0]  context_addr;      // context
    logic [7:0]   reserved_63_56;
    logic [55:0]  key_addr;          // key, as in memory; XTS: data key, then tweak key
  } extension_t;
  parameter extension_t ExtensionReserved = {
    64'hffffffffffffffff, 64'hffffffffffffffff, 64'hffffffffffffffff, 64'hffffffffffffffff,
    64'hffffffffffffffff, 64'hff00000000000000, 64'hff00000000000000, 64'hff00000000000000
  };

  // Output of any length, in the place of the IV.
  typedef struct packed {
    logic [95:0] reserved_127_32;
    logic [31:0] output_len;       // bytes of output; 0: as `tag_len` says
  } output_t;
  parameter output_t OutputReserved = {
    64'hffffffffffffffff, 64'hffffffff00000000
  };

  // Entry of an SG list.
  typedef struct packed {
    logic [30:0] reserved_127_97;
    logic        last;             // nothing follows
    logic [31:0] length;           // how many; 0: the entry is skipped
    logic [7:0]  reserved_63_56;
    logic [55:0] address;          // of the bytes
  } sg_entry_t;
  parameter sg_entry_t SgEntryReserved = {
    64'hfffffffe00000000, 64'hff00000000000000
  };

  // Completion record.
  typedef struct packed {
    logic [31:0] cycles;           // from the descriptor's read to the end; where the tile makes nonces: see Key slots
    logic [31:0] bytes;            // bytes of message and tag that were written; of a job that unwrapped a key: see Key slots
    logic [31:0] sequence_number;  // job number + 1; what is polled: the whole record is there then
    logic [15:0] index;            // index of the descriptor, free-running
    logic [7:0]  reserved_15_8;
    logic [7:0]  status;           // status
  } completion_t;
  parameter completion_t CompletionReserved = {
    64'h0000000000000000, 64'h000000000000ff00
  };

  // Associated data of a wrapped key; what a key that is made is for.
  typedef struct packed {
    logic [31:0] uses;            // its USES
    logic [31:0] policy;          // its POLICY
    logic [23:0] reserved_63_40;
    logic [7:0]  slot;            // number of the slot; 255: any, and the queue alone owns it
    logic [31:0] attributes;      // the new ATTRIBUTES of the slot
  } wrap_aad_t;
  parameter wrap_aad_t WrapAadReserved = {
    64'h0000000000000000, 64'hffffff0000000000
  };

  // --- Registers ---------------------------------------------------------------------------------

  // Attributes.
  typedef struct packed {
    logic [11:0] reserved_31_20;
    logic [3:0]  opcode;
    logic [7:0]  owners;
    logic        nonce;
    logic        counted;
    logic        contexts;
    logic        lock;
    logic        unwrap;
    logic        decrypt;
    logic        encrypt;
    logic        valid;
  } slot_attributes_t;
  parameter slot_attributes_t SlotAttributesReserved = 32'hfff00000;

  // Policy.
  typedef struct packed {
    logic        reserved_31_31;
    logic [6:0]  tag_bytes;
    logic        reserved_23_23;
    logic [6:0]  key_bytes;
    logic [15:0] modes;
  } slot_policy_t;
  parameter slot_policy_t SlotPolicyReserved = 32'h80800000;

  // Control.
  typedef struct packed {
    logic [19:0] reserved_31_12;
    logic [3:0]  ring_log2;
    logic [5:0]  reserved_7_2;
    logic        abort;
    logic        enable;
  } queue_control_t;
  parameter queue_control_t QueueControlReserved = 32'hfffff0fc;

  // Interrupt coalescing.
  typedef struct packed {
    logic [15:0] timeout;
    logic [7:0]  reserved_15_8;
    logic [7:0]  count;
  } queue_coalesce_t;
  parameter queue_coalesce_t QueueCoalesceReserved = 32'h0000ff00;

  // State.
  typedef struct packed {
    logic [15:0] reserved_31_16;
    logic [7:0]  jobs;
    logic [1:0]  reserved_7_6;
    logic        quiet;
    logic        doorbell;
    logic        window;
    logic        where;
    logic        error;
    logic        idle;
  } queue_status_t;
  parameter queue_status_t QueueStatusReserved = 32'hffff00c0;

  // Events of the queue; write 1 to clear.
  typedef struct packed {
    logic [28:0] reserved_31_3;
    logic        violation;
    logic        error;
    logic        completion;
  } queue_irq_status_t;
  parameter queue_irq_status_t QueueIrqStatusReserved = 32'hfffffff8;

  // Write 1: events raise the interrupt. Reads as those that do.
  typedef struct packed {
    logic [28:0] reserved_31_3;
    logic        violation;
    logic        error;
    logic        completion;
  } queue_irq_enable_set_t;
  parameter queue_irq_enable_set_t QueueIrqEnableSetReserved = 32'hfffffff8;

  // Write 1: they do not any more. Reads as IRQ_ENABLE_SET.
  typedef struct packed {
    logic [28:0] reserved_31_3;
    logic        violation;
    logic        error;
    logic        completion;
  } queue_irq_enable_clear_t;
  parameter queue_irq_enable_clear_t QueueIrqEnableClearReserved = 32'hfffffff8;

  // The first burst that was refused, outside the windows.
  typedef struct packed {
    logic [15:0] index;
    logic [7:0]  count;
    logic [3:0]  reserved_7_4;
    logic [1:0]  what;
    logic        write;
    logic        valid;
  } queue_violation_t;
  parameter queue_violation_t QueueViolationReserved = 32'h000000f0;

  // What jobs of the queue may be.
  typedef struct packed {
    logic [13:0] reserved_31_18;
    logic        make_keys;
    logic        no_clear_keys;
    logic [15:0] opcodes;
  } queue_allowed_t;
  parameter queue_allowed_t QueueAllowedReserved = 32'hfffc0000;

  // What is allowed.
  typedef struct packed {
    logic [16:0] reserved_31_15;
    logic [2:0]  prot;
    logic [3:0]  cache;
    logic [4:0]  reserved_7_3;
    logic        write;
    logic        read;
    logic        enable;
  } queue_window_flags_t;
  parameter queue_window_flags_t QueueWindowFlagsReserved = 32'hffff80f8;

  // State.
  typedef struct packed {
    logic [27:0] reserved_31_4;
    logic        doorbell;
    logic        enabled;
    logic        error;
    logic        idle;
  } page_status_t;
  parameter page_status_t PageStatusReserved = 32'hfffffff0;

  // SLOT: which word of 32 bits a register is.
  typedef enum logic [4:0] {
    SlotKeyWord        = 5'd0,
    SlotAttributesWord = 5'd16,
    SlotPolicyWord     = 5'd17,
    SlotUsesWord       = 5'd18,
    SlotGenerationWord = 5'd19,
    SlotKeyHighWord    = 5'd20
  } slot_word_e;

  // QUEUE: which word of 32 bits a register is.
  typedef enum logic [4:0] {
    QueueRingLoWord         = 5'd0,
    QueueRingHiWord         = 5'd1,
    QueueCompletionLoWord   = 5'd2,
    QueueCompletionHiWord   = 5'd3,
    QueueControlWord        = 5'd4,
    QueueKeyMaskWord        = 5'd5,
    QueueCoalesceWord       = 5'd6,
    QueueMaxBytesWord       = 5'd7,
    QueueStatusWord         = 5'd8,
    QueueIrqStatusWord      = 5'd9,
    QueueIrqEnableSetWord   = 5'd10,
    QueueIrqEnableClearWord = 5'd11,
    QueueViolationWord      = 5'd12,
    QueueViolationLoWord    = 5'd13,
    QueueViolationHiWord    = 5'd14,
    QueueAllowedWord        = 5'd15,
    QueueWeightWord         = 5'd16,
    QueueProcessWord        = 5'd17,
    QueueRelativeWord       = 5'd18,
    QueuePieceWord          = 5'd19
  } queue_word_e;

  // WINDOW: which word of 32 bits a register is.
  typedef enum logic [2:0] {
    QueueWindowBaseLoWord  = 3'd0,
    QueueWindowBaseHiWord  = 3'd1,
    QueueWindowLimitLoWord = 3'd2,
    QueueWindowLimitHiWord = 3'd3,
    QueueWindowFlagsWord   = 3'd4
  } queue_window_word_e;

  // PAGE: which word of 32 bits a register is.
  typedef enum logic [2:0] {
    PageDoorbellWord   = 3'd0,
    PageHeadWord       = 3'd1,
    PageStatusWord     = 3'd2,
    PageCompletedWord  = 3'd3,
    PageViolationsWord = 3'd4
  } page_word_e;

  // verilator lint_on SYMRSVDWORD
  // verilator lint_on UNUSEDPARAM

endpackage
