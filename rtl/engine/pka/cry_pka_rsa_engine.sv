// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// RSA on the engine port, with private keys that may lie in memory sealed: cry_pka_engine with rows
// of 512 bits, and beside it Ascon-AEAD128 (NIST SP 800-232).
//
//   mode                       key  message             result
//   ModeRsa*Private, *Public*  -    of cry_pka_engine   of cry_pka_engine
//   ModeRsa*Sealed             16   sealed key, number  number^d modulo n
//   ModeRsa*Seal               16   private key         sealed key
//   ModeSealingKey             -    -                   16 random bytes: a key for the others
//
// A private key is n, p, q, d mod p - 1, d mod q - 1, 1 / q mod p. Sealed it is a nonce of 16
// bytes, n, the ciphertext of the five others, and a tag of 16 bytes. The associated data is
// rsa_purpose and n, so that neither n nor the length can be exchanged. Nonces are words of `rnd`.
//
// What is opened goes to the rows of cry_pka_engine and nowhere else. Its program starts when the
// number behind the sealed key is there, and that is taken when the tag was right: else the rows
// are wiped, the rest of the message is dropped, and the job ends with StatusAuthFailed.
//
// Bad parameters are those of cry_pka_engine, and a key_len other than KeyLen128 where there is a
// key. A nonce or key that `rnd` does not give within RandomCycles ends the job with
// StatusNoRandom; one that is the word behind it, too, as of a port that is stuck, and an upset
// that Ascon or a parity finds, with StatusFaultDetected. Whatever is wrong, all of the message is
// taken, and what has not left of the result is zeros.
//
// Upsets: Ascon has ProtectDetect, what steers a job is held three times.
//
// Wiping: Ascon and what was drawn at the end of a job, by clear and behind reset; the rest as
// cry_pka_engine.
//
// Latency: modes of cry_pka_engine as there. Else a beat of n and of what is encrypted takes 8
// cycles, and the number behind a sealed key is as the last beats of a message there. No latency
// depends on key or data, but on whether the tag is right.
module cry_pka_rsa_engine
  import cry_engine_pkg::*;
#(
  parameter int unsigned RandomCycles = 1 << 16,  // to wait for random bits, at least 2
  // That a program may take, without these waits.
  parameter int unsigned MaxCycles    = cry_pka_pkg::max_cycles(512)
) (
  input  logic        clk_i,   // clock
  input  logic        rst_ni,  // reset, asynchronous, active low
  input  engine_req_t req_i,   // engine port
  output engine_rsp_t rsp_o    // engine port
);

  engine_req_t pka_req;
  engine_rsp_t pka_rsp;

  cry_pka_seal #(
    .RandomCycles(RandomCycles)
  ) u_seal (
    .clk_i, .rst_ni,
    .req_i,
    .rsp_o,
    .pka_req_o(pka_req),
    .pka_rsp_i(pka_rsp)
  );

  cry_pka_engine #(
    .RowBits(512), .RandomCycles(RandomCycles), .MaxCycles(MaxCycles)
  ) u_pka (
    .clk_i, .rst_ni,
    .req_i(pka_req),
    .rsp_o(pka_rsp)
  );

endmodule
