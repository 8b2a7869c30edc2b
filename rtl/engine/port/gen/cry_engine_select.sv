// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// Any engine, at any level of protection. See the engine for theory of operation and cycles.
//
// ProtectDetect and ProtectCorrect: what the engine has of them. ProtectTmr: three engines without
// protection in step (cry_engine_lockstep), which adds a cycle to `dst` and to `done`.
module cry_engine_select
  import cry_engine_pkg::*;
  import cry_engine_select_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter engine_e  Engine  = Copy,         // which engine
  parameter protect_e Protect = ProtectNone   // against upsets of flip-flops
) (
  input  logic        clk_i,   // clock
  input  logic        rst_ni,  // reset, asynchronous, active low
  input  engine_req_t req_i,   // engine port
  output engine_rsp_t rsp_o    // engine port
);

  localparam bit          Tmr   = Protect == ProtectTmr;
  localparam int unsigned Lanes = Tmr ? 3 : 1;
  localparam protect_e    Level = Tmr ? ProtectNone : Protect;

  localparam bit Protected =
      Engine == AesIterative ||
      Engine == AesIterativeAes128Enc ||
      Engine == AesModesIterative ||
      Engine == Sha2R1Sha256 ||
      Engine == Sha2R1Sha512 ||
      Engine == Sha2R1HmacSha256 ||
      Engine == Sha2R1 ||
      Engine == KeccakR1 ||
      Engine == KeccakR2 ||
      Engine == ChaCha20Poly1305StdStream ||
      Engine == ChaCha20Poly1305OptStream ||
      Engine == ChaCha20Poly1305WideStream ||
      Engine == ChaCha20Poly1305PipelinedStream ||
      Engine == ChaCha20Poly1305Std ||
      Engine == ChaCha20Poly1305Opt ||
      Engine == ChaCha20Poly1305Wide ||
      Engine == ChaCha20Poly1305Pipelined ||
      Engine == AsconR1 ||
      Engine == AsconR2 ||
      Engine == AsconR4;
  if (Level != ProtectNone && !Protected) begin : gen_unprotected
    $error("this engine can be protected by three in step only");
  end

  engine_req_t [Lanes-1:0] req;
  engine_rsp_t [Lanes-1:0] rsp;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    if (Engine == Copy) begin : gen_engine
      cry_copy_engine u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesSerial) begin : gen_engine
      cry_aes_engine #(
        .Impl(cry_aes_pkg::ImplSerial)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesIterative) begin : gen_engine
      cry_aes_engine #(
        .Impl(cry_aes_pkg::ImplIterative),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesPipelined) begin : gen_engine
      cry_aes_engine #(
        .Impl(cry_aes_pkg::ImplPipelined)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesSerialAes128Enc) begin : gen_engine
      cry_aes_engine #(
        .Impl(cry_aes_pkg::ImplSerial),
        .EnDecrypt(1'b0),
        .EnKey192(1'b0),
        .EnKey256(1'b0),
        .EnCtr(1'b0)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesIterativeAes128Enc) begin : gen_engine
      cry_aes_engine #(
        .Impl(cry_aes_pkg::ImplIterative),
        .EnDecrypt(1'b0),
        .EnKey192(1'b0),
        .EnKey256(1'b0),
        .EnCtr(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesPipelinedAes128Enc) begin : gen_engine
      cry_aes_engine #(
        .Impl(cry_aes_pkg::ImplPipelined),
        .EnDecrypt(1'b0),
        .EnKey192(1'b0),
        .EnKey256(1'b0),
        .EnCtr(1'b0)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesModesIterative) begin : gen_engine
      cry_aes_modes_engine #(
        .Impl(cry_aes_pkg::ImplIterative),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AesModesPipelined) begin : gen_engine
      cry_aes_modes_engine #(
        .Impl(cry_aes_pkg::ImplPipelined)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R1Sha256) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(1),
        .EnSha512(1'b0),
        .EnHmac(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R2Sha256) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(2),
        .EnSha512(1'b0),
        .EnHmac(1'b0)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R1Sha512) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(1),
        .EnHmac(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R2Sha512) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(2),
        .EnHmac(1'b0)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R1HmacSha256) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(1),
        .EnSha512(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R2HmacSha256) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(2),
        .EnSha512(1'b0)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R1) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(1),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Sha2R2) begin : gen_engine
      cry_sha2_engine #(
        .RoundsPerCycle(2)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == KeccakR1) begin : gen_engine
      cry_keccak_engine #(
        .RoundsPerCycle(1),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == KeccakR2) begin : gen_engine
      cry_keccak_engine #(
        .RoundsPerCycle(2),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305StdStream) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplStd),
        .EnPoly1305(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305OptStream) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplOpt),
        .EnPoly1305(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305WideStream) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplWide),
        .EnPoly1305(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305PipelinedStream) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplPipelined),
        .EnPoly1305(1'b0),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305Std) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplStd),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305Opt) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplOpt),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305Wide) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplWide),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == ChaCha20Poly1305Pipelined) begin : gen_engine
      cry_chacha20poly1305_engine #(
        .Impl(cry_chacha20poly1305_pkg::ImplPipelined),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AsconR1) begin : gen_engine
      cry_ascon_engine #(
        .RoundsPerCycle(1),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AsconR2) begin : gen_engine
      cry_ascon_engine #(
        .RoundsPerCycle(2),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == AsconR4) begin : gen_engine
      cry_ascon_engine #(
        .RoundsPerCycle(4),
        .Protect(Level)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Pka) begin : gen_engine
      cry_pka_engine u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == PkaFast) begin : gen_engine
      cry_pka_engine #(
        .Lanes(cry_pka_isa_pkg::FastLanes)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Pka384) begin : gen_engine
      cry_pka_engine #(
        .RowBits(384)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Pka521) begin : gen_engine
      cry_pka_engine #(
        .RowBits(576)
      ) u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == PkaRsa) begin : gen_engine
      cry_pka_rsa_engine u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else if (Engine == Random) begin : gen_engine
      cry_random_engine u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
    end else begin : gen_unknown
      $error("no engine has this number");
    end
  end

  if (Tmr) begin : gen_tmr
    cry_engine_lockstep u_lockstep (
      .clk_i,
      .rst_ni,
      .req_i,
      .rsp_o,
      .lane_req_o(req),
      .lane_rsp_i(rsp)
    );
  end else begin : gen_one
    assign req[0] = req_i;
    assign rsp_o  = rsp[0];
  end

endmodule
