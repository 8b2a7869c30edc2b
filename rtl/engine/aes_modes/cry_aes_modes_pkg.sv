// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Modes, job metadata and block metadata of the AES engine of all modes, and the small functions of
// the modes.
//
// Byte order: byte n of a block is bits 8n+7:8n.
package cry_aes_modes_pkg;

  import cry_engine_pkg::*;

  // job_t.mode; all other values are bad parameters.
  typedef enum logic [3:0] {
    ModeEcb  = 4'd0,
    ModeCbc  = 4'd1,
    ModeCtr  = 4'd2,
    ModeGcm  = 4'd3,
    ModeCcm  = 4'd4,
    ModeCmac = 4'd5,
    ModeXts  = 4'd6
  } mode_e;

  // Bits of the byte counts of a whole message and of its associated data.
  parameter int unsigned TotalWidth = 36;

  // Beats of a saved context.
  parameter logic [2:0] GcmContextBeats   = 3'd5;
  parameter logic [2:0] CcmContextBeats   = 3'd2;
  parameter logic [2:0] OtherContextBeats = 3'd1;

  // Steps of a job, in order. Not every job has every step.
  typedef enum logic [3:0] {
    StepLoad,      // takes a saved context
    StepHash,      // encrypts the zero block: GHASH's H, or L of CMAC
    StepIv,        // hashes a long IV
    StepIvEnd,     // ... its length
    StepIvWait,    // ... and takes the resulting counter block
    StepMask,      // GCM: the tag's mask; CCM: the MAC's first block
    StepAad,       // associated data
    StepData,      // message blocks
    StepMac,       // CCM: the MAC of the block whose keystream is under way
    StepSteal,     // XTS: the last block, with bytes stolen from the one before
    StepStealEnd,  // XTS: the remaining bytes of the one before
    StepTag,
    StepSave,      // issues the context
    StepEnd        // ends a job that none of these ends
  } step_e;
  parameter int unsigned NumSteps = 14;

  // Metadata of a job that its start determines. No mode set: ECB.
  typedef struct packed {
    logic       bad;
    logic       cbc;
    logic       ctr;
    logic       gcm;
    logic       ccm;
    logic       cmac;
    logic       xts;
    logic       decrypt;
    logic       inverse;   // needs the inverse cipher
    logic       ctx_load;
    logic       ctx_save;
    logic       ends;      // last part of a message with a tag
    logic       has_aad;
    logic       long_iv;
    logic       empty;     // no message
    logic [1:0] key_len;
    logic [3:0] tag_last;  // bytes of the tag less one
  } ctl_t;

  // A job under way.
  typedef struct packed {
    ctl_t                  ctl;
    step_e                 step;
    logic [27:0]           count;    // complement of the full blocks left
    logic [3:0]            partial;  // bytes of a partial last block
    logic [TotalWidth-1:0] aad_len;
    logic [TotalWidth-1:0] msg_len;
    logic [9:0]            iv_len;
  } record_t;

  // Metadata of a block that leaves the core, or of a step without one, for the finish side.
  typedef struct packed {
    logic core;      // a block of the core belongs to this note
    logic takes;     // `src` beats are taken with it
    logic to_key;    // the block's key is a job's expanded key
    logic to_tweak;  // the block is a job's tweak
    logic to_chain;  // the block is the next chaining value
    logic to_hash;   // the block is H
    logic to_aux;    // the block is kept
    logic due;       // ... and the issue side waits for it
    logic feedback;  // the block is fed back by the issue side
    logic emit;      // the block goes to `dst`
    logic unmask;    // the note's payload is added to the block
    logic stream;    // the block is keystream: a `src` beat is added
    logic mate;      // ... and the issue side takes the result for the MAC
    logic hash;      // ... and GHASH takes the ciphertext
    logic absorb;    // GHASH takes a section of `src`
    logic lengths;   // GHASH takes the lengths in the payload
    logic tag;       // ends in a tag: with a block, itself; without, GHASH's
    logic use_aux;   // the kept block is added to the output
    logic decrypt;
    logic last;      // last beat of the message
    logic finish;    // the job ends with this
    logic bad;       // ... by a bad parameter
  } note_t;

  // Payload of entries, if it is not a block to add.
  typedef struct packed {
    logic [127-2*TotalWidth-4:0] unused;
    logic [3:0]                  size_last;  // bytes of the tag or of the beat, less one
    logic [TotalWidth-1:0]       aad_len;
    logic [TotalWidth-1:0]       msg_len;
  } payload_t;

  // The steps that a job has.
  function automatic logic [NumSteps-1:0] steps_of(ctl_t ctl);
    logic [NumSteps-1:0] steps;
    logic                unused_ctl;
    unused_ctl = ^ctl;
    steps = '0;
    steps[StepLoad]   = ctl.ctx_load;
    steps[StepHash]   = ctl.gcm | (ctl.cmac & ctl.ends);
    steps[StepIv]     = ctl.long_iv;
    steps[StepIvEnd]  = ctl.long_iv;
    steps[StepIvWait] = ctl.long_iv;
    steps[StepMask]   = (ctl.gcm | ctl.ccm) & !ctl.ctx_load;
    steps[StepAad]    = ctl.has_aad;
    steps[StepData]   = !ctl.empty | (ctl.cmac & ctl.ends);
    steps[StepTag]    = (ctl.gcm | ctl.ccm) & ctl.ends;
    steps[StepSave]   = ctl.ctx_save;
    steps[StepEnd]    = ctl.empty & !ctl.ctx_save & !ctl.ends;
    if (ctl.bad) steps = NumSteps'(1) << StepEnd;
    return steps;
  endfunction

  // First of some steps.
  function automatic step_e first_step(logic [NumSteps-1:0] steps);
    step_e first;
    first = StepLoad;
    for (int s = NumSteps - 1; s >= 0; s--) begin
      if (steps[s]) first = step_e'(4'(s));
    end
    return first;
  endfunction

  // Multiplication of an XTS tweak by x: IEEE 1619, little-endian.
  function automatic logic [127:0] xts_double(logic [127:0] a);
    return {a[126:0], 1'b0} ^ (128'h87 & {128{a[127]}});
  endfunction

  // Doubling of CMAC: SP 800-38B, big-endian.
  function automatic logic [127:0] reverse_bytes(logic [127:0] a);
    logic [127:0] b;
    for (int i = 0; i < 16; i++) b[8*i+:8] = a[8*(15-i)+:8];
    return b;
  endfunction
  function automatic logic [127:0] cmac_double(logic [127:0] a);
    return reverse_bytes(xts_double(reverse_bytes(a)));
  endfunction

  // A mask of the first `last` + 1 bytes.
  function automatic logic [15:0] first_bytes(logic [3:0] last);
    logic [15:0] keep;
    for (int i = 0; i < 16; i++) keep[i] = 4'(i) <= last;
    return keep;
  endfunction

  function automatic logic [127:0] byte_mask(logic [15:0] keep);
    logic [127:0] mask;
    for (int i = 0; i < 16; i++) mask[8*i+:8] = {8{keep[i]}};
    return mask;
  endfunction

  // GHASH's last block: both lengths in bits, big-endian, 64 bits each.
  function automatic logic [127:0] lengths_block(payload_t payload);
    logic [63:0] aad_bits, msg_bits;
    logic        unused_payload;
    unused_payload = ^payload;
    aad_bits = 64'({payload.aad_len, 3'd0});
    msg_bits = 64'({payload.msg_len, 3'd0});
    return reverse_bytes({aad_bits, msg_bits});
  endfunction

  // CCM: counter block 0 of an IV (its length field cleared), and the MAC's first block.
  function automatic logic [127:0] ccm_counter_zero(logic [127:0] iv);
    logic [127:0] block;
    block = iv;
    for (int i = 8; i < 16; i++) begin
      if (4'(i) >= 4'd15 - {1'b0, iv[2:0]}) block[8*i+:8] = '0;
    end
    return block;
  endfunction
  function automatic logic [127:0] ccm_first_block(logic [127:0] iv, logic has_aad,
                                                   logic [2:0] tag_pairs);
    logic [127:0] block;
    block = iv;
    block[7:0] = {1'b0, has_aad, tag_pairs, iv[2:0]};
    return block;
  endfunction

endpackage
