// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Decodes a descriptor into a lane job and checks all that can be checked without reading memory.
// Combinational.
//
// Parameters:
//   Opcodes  a bit for each opcode that is built in
module cry_tile_decode
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
#(
  parameter logic [15:0] Opcodes = 16'h0003
) (
  input  logic [511:0] main_i,
  input  logic [511:0] extension_i,     // 0 if there is none
  input  logic [31:0]  max_bytes_i,     // longest section; 0: any
  input  queue_t       owner_i,
  input  logic [15:0]  index_i,
  input  logic [31:0]  start_i,

  output lane_job_t    job_o,
  output logic         bad_o,           // TileBadDescriptor
  output logic [7:0]   opcode_o,
  output permit_req_t  permit_o
);

  // The first word of a descriptor.
  typedef struct packed {
    logic [5:0] reserved;
    logic [9:0] iv_len;
    logic [7:0] target;
    logic       unwrap;
    logic [6:0] key_bytes;
    logic [7:0] slot;
    logic       extension;
    logic       fence;
    logic       irq;
    logic       dst_list;
    logic       src_list;
    logic       key_slot;
    logic [1:0] key_len;
    logic       more;
    logic       ctx_save;
    logic       ctx_load;
    logic       decrypt;
    logic [3:0] mode;
    logic [7:0] opcode;
  } control_t;

  control_t         c;
  logic [7:0][63:0] w, e;

  assign w = main_i;
  assign c = control_t'(w[0]);
  assign e = extension_i;

  mode_t       mode;
  logic        with_tag, with_key, iv_apart;
  logic [6:0]  key_size;
  logic [9:0]  iv_len;
  logic [31:0] out_len, tag_bytes;

  assign mode     = mode_of(c.opcode, c.mode);
  assign with_tag = (mode.tag_bytes != '0) && !c.more;
  assign with_key = mode.key != KeyNone;

  assign iv_len   = (mode.long_iv && !c.ctx_load && (c.iv_len != 10'd12)) ? c.iv_len : '0;
  assign iv_apart = iv_len != '0;

  // Bytes of the key in memory.
  always_comb begin
    unique case (mode.key)
      KeySized: key_size = 7'd16 + {2'd0, c.key_len, 3'd0};
      KeyPair:  key_size = 7'd32 + {1'd0, c.key_len, 4'd0};
      KeyFixed: key_size = 7'd32;
      KeyBytes: key_size = c.key_bytes;
      default:  key_size = '0;
    endcase
  end

  assign out_len   = ((c.opcode == OpKeccak) && (w[4][31:0] != '0)) ? w[4][31:0] : 32'(w[7][63:56]);
  assign tag_bytes = (out_len == '0) ? 32'(mode.tag_bytes) : out_len;

  always_comb begin
    job_o = '{
      tag: '{
        owner:  owner_i,
        index:  index_i,
        start:  start_i,
        irq:    c.irq,
        unwrap: c.unwrap,
        slot:   c.target[SlotWidth-1:0]
      },
      job: '{
        ctx_load:  c.ctx_load,
        iv_len:    iv_len,
        key_bytes: c.key_bytes,
        out_len:   out_len,
        mode:      c.mode,
        decrypt:   c.decrypt,
        key_len:   c.key_len,
        ctx_save:  c.ctx_save,
        is_final:  !c.more,
        iv:        {w[5], w[4]},
        aad_len:   w[3][63:32],
        msg_len:   w[3][31:0]
      },
      has_iv:       iv_apart,
      context_beats: mode.context_beats,
      has_key:      with_key,
      two_keys:     mode.key inside {KeyPair, KeyBytes},
      key_slot:     c.key_slot,
      key_bytes:    key_size,
      has_tag:      with_tag,
      tag_bytes:    tag_bytes,
      has_output:   mode.has_output,
      src_list:     c.src_list,
      dst_list:     c.dst_list,
      src_addr:     w[1][AddrWidth-1:0],
      dst_addr:     w[2][AddrWidth-1:0],
      aad_addr:     w[6][AddrWidth-1:0],
      tag_addr:     w[7][AddrWidth-1:0],
      key_addr:     e[0][AddrWidth-1:0],
      context_addr: e[1][AddrWidth-1:0],
      iv_addr:      e[2][AddrWidth-1:0]
    };
  end

  logic reserved, too_long, no_extension, bad_key, bad_unwrap;

  assign reserved = (c.reserved != '0) || (w[1][63:AddrWidth] != '0) ||
                    (w[2][63:AddrWidth] != '0) || (w[6][63:AddrWidth] != '0) || (e[0][63:AddrWidth] != '0) ||
                    (e[1][63:AddrWidth] != '0) || (e[2][63:AddrWidth] != '0) || (e[7:3] != '0);

  assign too_long = (max_bytes_i != '0) &&
                    ((w[3][31:0] > max_bytes_i) || (w[3][63:32] > max_bytes_i) ||
                     (out_len > max_bytes_i));

  assign no_extension = !c.extension && ((with_key && !c.key_slot) || c.ctx_load || c.ctx_save ||
                                         iv_apart);

  assign bad_key = (c.key_slot && !with_key) || (with_key && (c.key_bytes > 7'd64)) ||
                   (32'(c.slot) >= MaxSlots);

  assign bad_unwrap = c.unwrap ?
      (!mode.unwraps || !c.decrypt || !c.key_slot || c.ctx_load || c.ctx_save || c.more ||
       c.dst_list || (w[3][63:32] != 32'd16) || (w[3][31:0] > 32'd64) ||
       (w[3][3:0] != '0 && w[3][31:0] != 32'd24) ||
       (w[3][31:0] == '0) || (tag_bytes != 32'd16) || (32'(c.target) >= MaxSlots)) :
      (c.target != '0);

  assign bad_o = (c.opcode > 8'd15) || !Opcodes[c.opcode[3:0]] || reserved || bad_unwrap ||
                 ((c.opcode != OpNop) && (too_long || no_extension || bad_key));

  assign opcode_o = c.opcode;
  assign permit_o = '{
    owner:   owner_i,
    slot:    c.slot[SlotWidth-1:0],
    opcode:  c.opcode[3:0],
    decrypt: c.decrypt,
    unwrap:  c.unwrap,
    target:  c.target[SlotWidth-1:0]
  };

  // The fence is for cry_tile_dispatch.
  logic unused;
  assign unused = c.fence;

endmodule
