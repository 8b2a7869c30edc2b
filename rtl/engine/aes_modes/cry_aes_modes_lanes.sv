// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES in all modes for several concurrent jobs: one engine port per lane, each with a sequencer,
// around one pipelined core. Modes in which a block depends on the one before (CBC encryption,
// CMAC, CCM) leave most cycles of the core to the other lanes.
//
//   - Lane 0 is cry_aes_modes_engine with a pipelined core, in every mode and at its throughput.
//   - The others have CBC encryption, CMAC, CCM, ECB encryption and CTR (the last two at NoteDepth
//     blocks per pass through the core); other jobs end there with StatusBadParam.
//   - Lanes do not stall each other, and clear of one does not affect the others
//     (cry_aes_core_share).
module cry_aes_modes_lanes #(
  parameter int unsigned Lanes     = 4,  // 2 or more
  // Blocks in flight of a lane other than 0, a power of two from 4
  parameter int unsigned NoteDepth = 4,
  // As of cry_aes_modes_engine
  parameter bit          EnDecrypt = 1'b1,
  parameter bit          EnKey192  = 1'b1,
  parameter bit          EnKey256  = 1'b1,
  parameter bit          EnGcm     = 1'b1,
  parameter bit          EnCcm     = 1'b1,
  parameter bit          EnCmac    = 1'b1,
  parameter bit          EnXts     = 1'b1
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  // Engine port of each lane
  input  cry_engine_pkg::engine_req_t [Lanes-1:0] req_i,
  output cry_engine_pkg::engine_rsp_t [Lanes-1:0] rsp_o
);

  localparam int unsigned MainDepth = 16;
  localparam int unsigned MainJobs  = 4;
  localparam logic [Lanes-1:0][7:0] Slots  = {{(Lanes - 1){8'(NoteDepth)}}, 8'(MainDepth)};
  localparam logic [Lanes-1:0][7:0] Keys   = EnDecrypt ? (8 * Lanes)'(MainJobs) : '0;

  logic         [Lanes-1:0]        wipe, in_valid, in_ready, out_valid, out_ready;
  cry_aes_pkg::op_e [Lanes-1:0]        in_op;
  logic         [Lanes-1:0][1:0]   in_key_len;
  logic         [Lanes-1:0][255:0] in_key, out_key;
  logic         [Lanes-1:0][127:0] in_block, out_block;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam bit Main = l == 0;
    cry_aes_modes_sequencer #(
      .Impl(cry_aes_pkg::ImplPipelined), .EnDecrypt(EnDecrypt && Main), .EnKey192(EnKey192),
      .EnKey256(EnKey256), .EnGcm(EnGcm && Main), .EnCcm(EnCcm), .EnCmac(EnCmac),
      .EnXts(EnXts && Main), .Shared(1'b1), .NoteDepth(Main ? MainDepth : NoteDepth),
      .Jobs(Main ? MainJobs : 2)
    ) u_sequencer (
      .clk_i,
      .rst_ni,
      .req_i            (req_i[l]),
      .rsp_o            (rsp_o[l]),
      .core_in_valid_o  (in_valid[l]),
      .core_in_ready_i  (in_ready[l]),
      .core_in_op_o     (in_op[l]),
      .core_in_key_len_o(in_key_len[l]),
      .core_in_key_o    (in_key[l]),
      .core_in_block_o  (in_block[l]),
      .core_out_valid_i (out_valid[l]),
      .core_out_ready_o (out_ready[l]),
      .core_out_block_i (out_block[l]),
      .core_out_key_i   (out_key[l]),
      .core_clear_o     (wipe[l]),
      .core_corrected_i (1'b0),
      .core_detected_i  (1'b0)
    );
  end

  cry_aes_core_share #(
    .Requesters(Lanes), .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256),
    .Slots(Slots), .Keys(Keys)
  ) u_share (
    .clk_i,
    .rst_ni,
    .clear_i     (wipe),
    .in_valid_i  (in_valid),
    .in_ready_o  (in_ready),
    .in_op_i     (in_op),
    .in_key_len_i(in_key_len),
    .in_key_i    (in_key),
    .in_block_i  (in_block),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready),
    .out_block_o (out_block),
    .out_key_o   (out_key)
  );

endmodule
