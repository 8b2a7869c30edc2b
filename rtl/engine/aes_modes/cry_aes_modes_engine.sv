// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES in every mode on the engine port: ECB, CBC, CTR, GCM, CCM, CMAC and XTS over one core of its own;
// cry_aes_modes_sequencer has the modes.
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
// With `decrypt` the modes with a tag take it as the last beat of `src` and compare its first out_len
// bytes: StatusAuthFailed if they differ. The message then has left already: whoever takes it drops
// it. GCM with another IV than of 12 bytes takes it as KindContext beats of `src`, before all else.
// ctx_load: `src` begins with the saved context; ctx_save: the job ends in it (README.md has the
// contents). Modes with a tag save in every part but the last: is_final and ctx_save are opposites.
//
// Jobs overlap: see the README for theory of operation and cycles. No latency depends on data or keys.
// Keys, H, tweaks and masks are wiped when they have been used, by clear and after reset.
//
// Parameters:
//   Impl                         the core: ImplIterative or ImplPipelined, and a GHASH that keeps pace
//   EnDecrypt                    build the inverse cipher (ECB, CBC, XTS)
//   EnKey192, EnKey256           build these key lengths beside 128 bits
//   EnGcm, EnCcm, EnCmac, EnXts  build these modes beside ECB, CBC and CTR
//   Protect                      against upsets of flip-flops
module cry_aes_modes_engine
  import cry_protect_pkg::*;
#(
  parameter cry_aes_pkg::impl_e Impl      = cry_aes_pkg::ImplIterative,
  parameter bit             EnDecrypt = 1'b1,
  parameter bit             EnKey192  = 1'b1,
  parameter bit             EnKey256  = 1'b1,
  parameter bit             EnGcm     = 1'b1,
  parameter bit             EnCcm     = 1'b1,
  parameter bit             EnCmac    = 1'b1,
  parameter bit             EnXts     = 1'b1,
  parameter protect_e       Protect   = ProtectNone
) (
  input  logic                    clk_i,   // clock
  input  logic                    rst_ni,  // reset, asynchronous, active low
  input  cry_engine_pkg::engine_req_t req_i,   // engine port
  output cry_engine_pkg::engine_rsp_t rsp_o    // engine port
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
