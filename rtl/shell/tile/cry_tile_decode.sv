// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Decodes a descriptor into a lane job and checks all that can be checked without reading memory.
// Combinational.
module cry_tile_decode
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_layout_pkg::*;
#(
  parameter logic [15:0] Opcodes = 16'h0003  // by opcode: is built in
) (
  input  descriptor_t  main_i,       // the descriptor
  input  extension_t   extension_i,  // 0 if there is none
  input  logic [31:0]  max_bytes_i,  // longest section; 0: any
  input  policy_t      policy_i,     // of the queue
  input  queue_t       owner_i,      // queue of the job
  input  logic [15:0]  index_i,      // number of the descriptor in its queue
  input  logic [31:0]  start_i,      // cycle in which it was fetched

  output lane_job_t    job_o,          // the job, if not bad_o
  output logic         bad_o,          // TileBadDescriptor
  output logic [7:0]   opcode_o,       // opcode of the descriptor
  output permit_req_t  permit_o,       // question to the key access check
  // it brings its key, or makes one, and may not: TileKeyDenied
  output logic         key_denied_o,
  output logic         token_o,        // its key is wrapped
  output lane_job_t    token_job_o,    // the job that unwraps it
  output permit_req_t  token_permit_o  // question for that
);

  descriptor_t d;
  extension_t  e;
  output_t     o;  // of modes with long_tag

  assign d = main_i;
  assign e = extension_i;
  assign o = d.iv;

  localparam logic [3:0] TokenMode = 4'd3;  // GCM

  localparam logic [7:0] AnySlot   = 8'd255;

  localparam int unsigned SlotBytes = 16 * slot_beats(Opcodes);
  localparam logic [15:0] LongKeys  = Opcodes & long_opcodes();

  mode_t       mode;
  logic        made;
  logic        with_tag, with_key, iv_apart;
  logic [6:0]  key_size, key_most;
  logic [9:0]  iv_len;
  logic [31:0] out_len, tag_bytes;

  // In a row. What is no list has its places from here.
  addr_t       aad_len, src_msg_addr;
  logic [33:0] row_bytes;
  logic        bad_row;

  assign mode     = mode_of(d.opcode, d.mode);
  assign made     = d.unwrap && (mode.made_beats != '0);
  assign with_tag = (mode.tag_bytes != '0) && !d.more;
  assign with_key = mode.key != KeyNone;

  assign iv_len   = (mode.long_iv && !d.ctx_load && (d.iv_len != 10'd12)) ? d.iv_len : '0;
  assign iv_apart = iv_len != '0;

  // Bytes of the key in memory.
  always_comb begin
    unique case (mode.key)
      KeySized: key_size = 7'd16 + {2'd0, d.key_len, 3'd0};
      KeyPair:  key_size = 7'd32 + {1'd0, d.key_len, 4'd0};
      KeyFixed: key_size = 7'd32;
      KeyBytes: key_size = d.key_bytes;
      default:  key_size = '0;
    endcase
  end

  assign out_len   = (mode.long_tag && (o.output_len != '0)) ? o.output_len : 32'(d.tag_len);
  assign tag_bytes = (out_len == '0) ? 32'(mode.tag_bytes) : out_len;

  assign aad_len      = addr_t'(d.aad_len);
  assign src_msg_addr = d.src_addr + aad_len;
  assign row_bytes    = 34'(d.aad_len) + 34'(d.msg_len) + (with_tag ? 34'(tag_bytes) : '0);
  assign bad_row      = d.row && (!mode.has_output || (mode.tag_bytes == '0) || d.aad_list ||
                                  d.unwrap || (row_bytes > 34'(32'hFFFF_FFFF)));

  always_comb begin
    job_o = '{
      tag: '{
        owner:  owner_i,
        index:  index_i,
        start:  start_i,
        irq:    d.irq,
        nonce:  1'b0,
        unwrap: d.unwrap,
        token:  1'b0,
        made:   made,
        slot:   d.target[SlotWidth-1:0]
      },
      job: '{
        ctx_load:  d.ctx_load,
        iv_len:    iv_len,
        key_bytes: cry_engine_pkg::KeyBytesWidth'(d.key_bytes),
        out_len:   out_len,
        mode:      d.mode,
        decrypt:   d.decrypt,
        key_len:   d.key_len,
        ctx_save:  d.ctx_save,
        is_final:  !d.more,
        iv:        d.iv,
        aad_len:   d.aad_len,
        msg_len:   d.msg_len
      },
      has_iv:       iv_apart,
      context_beats: mode.context_beats,
      has_key:      with_key,
      two_keys:     mode.key inside {KeyPair, KeyBytes},
      key_slot:     d.key_slot,
      key_bytes:    key_size,
      has_tag:      with_tag,
      tag_bytes:    tag_bytes,
      made_beats:   made ? mode.made_beats : '0,
      has_output:   mode.has_output,
      src_list:     d.src_list,
      dst_list:     d.dst_list,
      aad_list:     d.aad_list,
      row:          d.row,
      src_addr:     (d.row && !d.src_list) ? src_msg_addr : d.src_addr,
      dst_addr:     (d.row && !d.dst_list) ? d.dst_addr + aad_len : d.dst_addr,
      aad_addr:     d.row ? d.src_addr : d.aad_addr,
      tag_addr:     d.row ? src_msg_addr + addr_t'(d.msg_len) : d.tag_addr,
      key_addr:     e.key_addr,
      context_addr: e.context_addr,
      iv_addr:      e.iv_addr,
      max_bytes:    max_bytes_i,
      piece:        policy_i.piece
    };
  end

  logic reserved, too_long, no_extension, bad_token, bad_key, bad_unwrap, bad_use, bad_made;

  assign reserved = ((d & DescriptorReserved) != '0) ||
                    ((e & ExtensionReserved) != '0) ||
                    (mode.long_tag && ((o & OutputReserved) != '0));

  assign too_long = (max_bytes_i != '0) &&
                    ((d.msg_len > max_bytes_i) || (d.aad_len > max_bytes_i) ||
                     (out_len > max_bytes_i));

  assign no_extension = !d.extension && ((with_key && !d.key_slot) || d.token || d.ctx_load ||
                                         d.ctx_save || iv_apart);

  assign bad_token = d.token ? (!Opcodes[4'(OpAes)] || !d.key_slot || d.unwrap ||
                                (key_size == '0) || (d.kek_len == 2'd3)) : (d.kek_len != '0);

  assign key_most = LongKeys[d.opcode[3:0]] ? 7'(SlotBytes) : 7'd64;

  assign bad_key = (d.key_slot && (!with_key || mode.one_time)) ||
                   (with_key && (d.key_bytes > key_most)) ||
                   (32'(d.slot) >= MaxSlots);

  assign bad_unwrap = d.unwrap && !made ?
      (!mode.unwraps || !d.decrypt || !d.key_slot || d.ctx_load || d.ctx_save || d.more ||
       d.dst_list || d.aad_list || (d.aad_len != 32'd16) || (d.msg_len > 32'(SlotBytes)) ||
       (d.msg_len[3:0] != '0 && d.msg_len != 32'd24) ||
       (d.msg_len == '0) || (tag_bytes != 32'd16) || (32'(d.target) >= MaxSlots)) :
      (made ? bad_made : (d.target != '0) || mode.once);

  // What a key that is made is for stands in the place of the IV. Its maker may know it, or find a
  // part of it that could be used alone: so it is used whole, by its queue alone, and neither
  // unwraps others, nor stays when its slot is taken away, nor leaves in a context. What was agreed
  // on is no private key, and what was generated is one of its curve. A key for one job is counted.
  wrap_aad_t        use_said;
  slot_attributes_t attr;
  slot_policy_t     policy;
  assign use_said = d.iv;
  assign attr     = use_said.attributes;
  assign policy   = use_said.policy;
  assign bad_use  = ((use_said & WrapAadReserved) != '0) || (use_said.slot != AnySlot) ||
                    ((attr & SlotAttributesReserved) != '0) ||
                    ((policy & SlotPolicyReserved) != '0) || attr.lock || attr.contexts ||
                    attr.nonce || (policy.key_bytes != {mode.made_beats, 4'd0}) ||
                    (mode.agrees ? attr.unwrap || (8'(attr.opcode) == d.opcode) :
                                   (8'(attr.opcode) != d.opcode) ||
                                   ((policy.modes & ~mode.makes) != '0)) ||
                    (mode.once && (attr.unwrap || !attr.counted || (use_said.uses != 32'd1)));
  assign bad_made = bad_use || d.decrypt || d.ctx_load || d.ctx_save || d.more ||
                    (d.aad_len != '0) || ((mode.agrees || mode.once) && !d.key_slot) ||
                    (32'(d.target) >= MaxSlots);

  assign bad_o = (d.opcode > 8'd15) || !Opcodes[d.opcode[3:0]] ||
                 !policy_i.opcodes[d.opcode[3:0]] || reserved || bad_unwrap ||
                 bad_token || bad_row ||
                 ((d.opcode != OpNop) && (too_long || no_extension || bad_key));

  assign key_denied_o = (policy_i.no_clear_keys && ((with_key && !d.key_slot) || mode.clear_key)) ||
                        (made && !policy_i.make_keys);

  assign opcode_o = d.opcode;
  assign permit_o = '{
    owner:       owner_i,
    slot:        d.slot[SlotWidth-1:0],
    generation:  d.token ? '0 : d.generation,
    opcode:      d.opcode[3:0],
    mode:        d.mode,
    key_bytes:   key_size,
    tag_bytes:   !with_tag ? '0 : (tag_bytes > 32'd127) ? 7'd127 : tag_bytes[6:0],
    tag_full:    tag_bytes == 32'(mode.tag_bytes),
    keystream:   mode.keystream,
    sealing:     mode.has_output && (mode.tag_bytes != '0) && !d.decrypt,
    output_made: mode.has_output,
    tile_nonce:  mode.tile_nonce && !iv_apart,
    in_parts:    d.ctx_load || d.ctx_save || d.more,
    decrypt:     d.decrypt,
    unwrap:      d.unwrap,
    token:       1'b0,
    made:        made,
    target:      d.target[SlotWidth-1:0]
  };

  // --- A wrapped key -----------------------------------------------------------------------------

  // A token: 16 bytes of associated data, 16 of IV, the key in whole blocks, 16 of tag.
  logic [6:0] token_bytes;
  addr_t      token_key;
  assign token_o     = d.token;
  assign token_bytes = {key_size[6:4] + 3'(key_size[3:0] != '0), 4'd0};
  assign token_key   = e.key_addr + addr_t'(32);

  always_comb begin
    token_job_o = '{
      tag:       job_o.tag,
      job:       '{
        iv_len:   10'd16,
        out_len:  32'd16,
        mode:     TokenMode,
        decrypt:  1'b1,
        key_len:  d.kek_len,
        is_final: 1'b1,
        aad_len:  32'd16,
        msg_len:  32'(token_bytes),
        default:  '0
      },
      has_iv:       1'b1,
      has_key:      1'b1,
      key_slot:     1'b1,
      key_bytes:    7'd16 + {2'd0, d.kek_len, 3'd0},
      has_tag:      1'b1,
      tag_bytes:    32'd16,
      has_output:   1'b1,
      src_addr:     token_key,
      aad_addr:     e.key_addr,
      iv_addr:      e.key_addr + addr_t'(16),
      tag_addr:     token_key + addr_t'(token_bytes),
      default:      '0
    };
    token_job_o.tag.unwrap = 1'b1;
    token_job_o.tag.token  = 1'b1;
    token_job_o.tag.made   = 1'b0;
  end

  assign token_permit_o = '{
    owner:      owner_i,
    slot:       d.slot[SlotWidth-1:0],
    generation: d.generation,
    opcode:     4'(OpAes),
    mode:       TokenMode,
    key_bytes:  token_job_o.key_bytes,
    tag_bytes:  7'd16,
    tag_full:   1'b1,
    decrypt:    1'b1,
    unwrap:     1'b1,
    token:      1'b1,
    default:    '0
  };

  // The fence is for cry_tile_queue, the other policy for cry_tile_dispatch and cry_tile_guard.
  logic unused;
  assign unused = ^{d.fence, use_said, attr, policy_i.weight, policy_i.pasid, policy_i.relative};

endmodule
