// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The key slots of the tile on the engine port: every job is one access and ends in the cycle in
// which it is taken. There is no state here, so all flip-flops are those of cry_tile_key_slots.
//
// mode 0  asks for the use of a slot (iv: permit_req_t) and uses it. If it is allowed, 16 bytes of
//         the key, or the nonce that the tile makes, go out as a beat, with StatusOk; else
//         StatusAuthFailed
// mode 1  writes iv[31:0] to a register of a slot
// mode 2  writes iv[15:0] to the mask of a queue
// mode 3  gives 16 bytes of a key that is unwrapped, or its AAD
// mode 4  commits that key to a slot; its number goes out (StatusAuthFailed: it is not for it)
// mode 5  drops it
// With MadeBeats mode 0 can begin a job that makes a key, and modes 3 to 5 be of that key, which
// has no number.
// mode 6  is the tamper input
// mode 7  seals
//
// out_len names the slot (bits 3:0), its register (8:4), the queue (11:9), the 16 bytes (13:12) and
// AAD (14), the nonce (15), the key that is unwrapped (16), that which is made (17). While
// detected_o is high every job ends with StatusFaultDetected: the tile raises its error interrupt.
//
// Parameters: as cry_tile_key_slots.
module tile_key_slots_port
  import cry_engine_pkg::*;
#(
  parameter int unsigned                NumQueues = 4,
  parameter int unsigned                NumSlots  = 8,
  parameter int unsigned                MadeBeats = 0,
  parameter cry_protect_pkg::protect_e Protect   = cry_protect_pkg::ProtectNone
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    clear_i,
  input  logic    job_valid_i,
  output logic    job_ready_o,
  input  job_t    job_i,
  input  logic    key_valid_i,
  output logic    key_ready_o,
  input  key_t    key_i,
  input  logic    src_valid_i,
  output logic    src_ready_o,
  input  beat_t   src_i,
  output logic    dst_valid_o,
  input  logic    dst_ready_i,
  output beat_t   dst_o,
  output logic    done_valid_o,
  input  logic    done_ready_i,
  output status_e done_status_o,
  output logic    fault_corrected_o,
  output logic    fault_detected_o
);

  localparam logic [3:0] ModeUse = 4'd0, ModeWrite = 4'd1, ModeMask = 4'd2, ModeUnwrap = 4'd3,
                         ModeCommit = 4'd4, ModeDrop = 4'd5, ModeTamper = 4'd6, ModeSeal = 4'd7;

  logic                fire, gone, key_allowed, nonce_valid, commit_ok, allowed, gives;
  logic [95:0]         nonce;
  logic                token_allowed, target_takes, of_made, no_source;
  cry_tile_pkg::slot_key_t     token_key;
  cry_tile_pkg::permit_req_t   ask;
  logic [127:0]        out;
  logic [63:0]         number;
  logic [NumQueues-1:0] mask_we;
  logic [1:0]          part;
  cry_tile_pkg::slot_t     slot;
  cry_tile_pkg::slot_key_t key;
  cry_tile_pkg::unwrap_t   unwrap;
  logic [31:0]         unused_rdata;
  logic [NumQueues-1:0][cry_tile_pkg::MaxSlots-1:0] unused_mask;

  assign ask    = job_i.iv[$bits(cry_tile_pkg::permit_req_t)-1:0];
  assign slot   = job_i.out_len[3:0];
  assign part   = job_i.out_len[13:12];
  assign unwrap = '{aad: job_i.out_len[14], beat: {1'b0, part}, data: job_i.iv};
  assign of_made   = job_i.out_len[17];
  assign no_source = ask.made && (ask.key_bytes == '0);
  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      mask_we[q] = fire && (job_i.mode == ModeMask) && (job_i.out_len[11:9] == 3'(q));
    end
  end

  cry_tile_key_slots #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .MadeBeats(MadeBeats), .Protect(Protect)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .tamper_i      (fire && (job_i.mode == ModeTamper)),
    .seal_i        (fire && (job_i.mode == ModeSeal)),
    .cfg_we_i      (fire && (job_i.mode == ModeWrite)),
    .cfg_slot_i    (slot),
    .cfg_word_i    (job_i.out_len[8:4]),
    .cfg_wdata_i   (job_i.iv[31:0]),
    .cfg_rdata_o   (unused_rdata),
    .mask_we_i     (mask_we),
    .mask_i        (job_i.iv[cry_tile_pkg::MaxSlots-1:0]),
    .mask_o        (unused_mask),
    .req_i         (ask),
    .allowed_o     (key_allowed),
    .target_ok_o   (target_takes),
    .key_o         (key),
    .nonce_valid_o (nonce_valid),
    .nonce_o       (nonce),
    .use_i         (gone && (job_i.mode == ModeUse) && !job_i.out_len[16] && !no_source),
    .unwrap_valid_i(fire && (job_i.mode == ModeUnwrap) && !of_made),
    .unwrap_i      (unwrap),
    .commit_i      (gone && (job_i.mode == ModeCommit) && !of_made),
    .drop_i        (fire && (job_i.mode == ModeDrop) && !of_made),
    .token_req_i   (ask),
    .token_allowed_o(token_allowed),
    .token_key_o   (token_key),
    .make_begin_i  (gone && (job_i.mode == ModeUse) && allowed && ask.made && !job_i.out_len[16]),
    .made_valid_i  (fire && (job_i.mode == ModeUnwrap) && of_made),
    .made_i        (unwrap),
    .make_i        (fire && (job_i.mode == ModeCommit) && of_made),
    .make_drop_i   (fire && (job_i.mode == ModeDrop) && of_made),
    .target_i      (slot),
    .commit_ok_o   (commit_ok),
    .number_o      (number),
    .corrected_o   (fault_corrected_o),
    .detected_o    (fault_detected_o)
  );

  always_comb begin
    unique case (job_i.mode)
      ModeUse:    allowed = job_i.out_len[16] ? token_allowed :
                            no_source ? target_takes : key_allowed;
      ModeCommit: allowed = commit_ok;
      default:    allowed = 1'b1;
    endcase
  end

  // A beat, the end of a job and the next job are taken at once.
  assign gives        = allowed && ((job_i.mode == ModeUse) ||
                                   ((job_i.mode == ModeCommit) && !of_made));
  assign fire         = job_valid_i && done_ready_i;
  assign gone         = job_valid_i && job_ready_o;  // of what gives a beat
  assign job_ready_o  = done_ready_i && (dst_ready_i || !gives);
  assign done_valid_o = job_valid_i && (dst_ready_i || !gives);
  assign dst_valid_o  = job_valid_i && done_ready_i && gives;
  assign dst_o        = '{data: out, keep: '1, last: 1'b1, kind: KindMessage};

  always_comb begin
    out = key[128*part+:128];
    if (job_i.out_len[15])         out = 128'({nonce_valid, nonce});
    if (job_i.out_len[16])         out = token_key[128*part+:128];
    if (job_i.mode == ModeCommit)  out = 128'(number);
    done_status_o = allowed ? StatusOk : StatusAuthFailed;
    if (fault_detected_o) done_status_o = StatusFaultDetected;
  end

  assign key_ready_o = 1'b0;
  assign src_ready_o = 1'b0;

  logic unused;
  assign unused = ^{clear_i, job_i, key_valid_i, key_i, src_valid_i, src_i};

endmodule
