// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES in all modes on the engine port: ECB, CBC, CTR, GCM, CCM, CMAC and XTS
// (cry_aes_modes_sequencer) over one core of its own.
//
//   mode      iv                             src -> dst
//   ModeEcb   -                              message -> message
//   ModeCbc   IV                             message -> message
//   ModeCtr   counter block                  message -> message
//   ModeGcm   12 bytes, or by iv_len         [IV] aad, message -> message, tag
//   ModeCcm   L - 1, nonce, total length     aad, message -> message, tag
//   ModeCmac  -                              message -> tag
//   ModeXts   tweak                          message -> message, two keys
//
//   - With `decrypt` the tag is the last beat of `src`, of which out_len bytes are compared:
//     StatusAuthFailed if they differ. The message has left by then: the receiver must discard it.
//   - A GCM IV of other than 12 bytes is the first section of `src`, as KindContext beats.
//   - ctx_load: `src` begins with the saved context; ctx_save: the job ends with it (contents:
//     README.md). Modes with a tag save in every part but the last: is_final and ctx_save are
//     opposites.
//   - Jobs overlap (theory of operation and cycles: README.md). No latency depends on data or keys.
//   - Keys, H, tweaks and masks are wiped after their last use, by clear and after reset.
module cry_aes_modes_engine
  import cry_protect_pkg::*;
#(
  // ImplIterative or ImplPipelined; GHASH keeps its pace
  parameter cry_aes_pkg::impl_e Impl      = cry_aes_pkg::ImplIterative,
  parameter bit                 EnDecrypt = 1'b1,  // build the inverse cipher: ECB, CBC, XTS
  parameter bit                 EnKey192  = 1'b1,  // build 192-bit keys beside 128 bits
  parameter bit                 EnKey256  = 1'b1,  // build 256-bit keys beside 128 bits
  // Modes that are built beside ECB, CBC and CTR
  parameter bit                 EnGcm     = 1'b1,
  parameter bit                 EnCcm     = 1'b1,
  parameter bit                 EnCmac    = 1'b1,
  parameter bit                 EnXts     = 1'b1,
  // Level of protection; other than ProtectNone needs ImplIterative
  parameter protect_e           Protect   = ProtectNone
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  cry_engine_pkg::engine_req_t req_i,  // from the shell
  output cry_engine_pkg::engine_rsp_t rsp_o   // to the shell
);

  import cry_aes_pkg::ImplIterative;
  import cry_aes_pkg::ImplPipelined;

  if (Impl != ImplIterative && Impl != ImplPipelined) begin : gen_no_core
    $error("the core must be iterative or pipelined");
  end

  logic         in_valid, in_ready, out_valid, out_ready;
  cry_aes_pkg::op_e in_op;
  logic [1:0]   in_key_len;
  logic [255:0] in_key, out_key;
  logic [127:0] in_block, out_block;
  logic         core_clear, corrected, detected;

  cry_aes_modes_sequencer #(
    .Impl(Impl), .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256), .EnGcm(EnGcm),
    .EnCcm(EnCcm), .EnCmac(EnCmac), .EnXts(EnXts), .Protect(Protect)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .core_in_valid_o  (in_valid),
    .core_in_ready_i  (in_ready),
    .core_in_op_o     (in_op),
    .core_in_key_len_o(in_key_len),
    .core_in_key_o    (in_key),
    .core_in_block_o  (in_block),
    .core_out_valid_i (out_valid),
    .core_out_ready_o (out_ready),
    .core_out_block_i (out_block),
    .core_out_key_i   (out_key),
    .core_clear_o     (core_clear),
    .core_corrected_i (corrected),
    .core_detected_i  (detected)
  );

  if (Impl == ImplPipelined) begin : gen_pipelined
    cry_aes_core_pipelined #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i(core_clear),
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op),
      .in_key_len_i(in_key_len), .in_key_i(in_key), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key)
    );
    assign corrected = 1'b0;
    assign detected  = 1'b0;
  end else begin : gen_iterative
    cry_aes_core_iterative #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256), .Protect(Protect)
    ) u_core (
      .clk_i, .rst_ni, .clear_i(core_clear),
      .in_valid_i(in_valid), .in_ready_o(in_ready), .in_op_i(in_op),
      .in_key_len_i(in_key_len), .in_key_i(in_key), .in_block_i(in_block),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_block_o(out_block),
      .out_key_o(out_key), .corrected_o(corrected), .detected_o(detected)
    );
  end

endmodule
