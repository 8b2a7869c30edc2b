// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The engine of a lane, by its opcode.
//
// Parameters: Opcode; of the engines: AesImpl, Sha2Rounds, EnSha512, KeccakRounds, ChaChaImpl; Protect, of
// all that can be protected.
module tile_engine
  import tile_pkg::*;
  import tile_catalog_pkg::*;
#(
  parameter logic [7:0]                  Opcode       = OpCopy,
  parameter aes_pkg::impl_e              AesImpl      = aes_pkg::ImplPipelined,
  parameter int unsigned                 Sha2Rounds   = 1,
  parameter bit                          EnSha512     = 1'b1,
  parameter int unsigned                 KeccakRounds = 1,
  parameter chacha20poly1305_pkg::impl_e ChaChaImpl   = chacha20poly1305_pkg::ImplOpt,
  parameter prim_protect_pkg::protect_e  Protect      = prim_protect_pkg::ProtectNone
) (
  input  logic                    clk_i,   // clock
  input  logic                    rst_ni,  // reset, asynchronous, active low
  input  engine_pkg::engine_req_t req_i,   // engine port
  output engine_pkg::engine_rsp_t rsp_o    // engine port
);

  if (Opcode == OpCopy) begin : gen_copy
    copy_engine u_engine (.*);
  end else if (Opcode == OpAes) begin : gen_aes
    aes_modes_engine #(.Impl(AesImpl), .Protect(Protect)) u_engine (.*);
  end else if (Opcode == OpSha2) begin : gen_sha2
    sha2_engine #(
      .RoundsPerCycle(Sha2Rounds), .EnSha512(EnSha512), .Protect(Protect)
    ) u_engine (.*);
  end else if (Opcode == OpKeccak) begin : gen_keccak
    keccak_engine #(.RoundsPerCycle(KeccakRounds), .Protect(Protect)) u_engine (.*);
  end else if (Opcode == OpChaCha20Poly1305) begin : gen_chacha20poly1305
    chacha20poly1305_engine #(.Impl(ChaChaImpl), .Protect(Protect)) u_engine (.*);
  end else begin : gen_unknown
    $error("tile_engine: no engine has this opcode");
  end

endmodule
