// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types, sizes and known answers of CTR_DRBG with AES-256 (NIST SP 800-90A Rev. 1, 10.2.1).
//
// Byte order: byte 0 of every string is bits 7:0.
package cry_drbg_pkg;

  typedef enum logic [2:0] {
    OpInstantiate   = 3'd0,  // seeds; wipes an instance that there was
    OpReseed        = 3'd1,
    OpGenerate      = 3'd2,
    OpUninstantiate = 3'd3,  // wipes
    OpTest          = 3'd4   // wipes, and runs the known-answer test again
  } op_e;

  typedef enum logic [2:0] {
    StatusOk         = 3'd0,
    StatusBadParam   = 3'd1,  // no such operation, or a length out of range
    StatusNotSeeded  = 3'd2,  // there is no instance
    StatusEntropy    = 3'd3,  // the entropy source failed or was late: the instance is wiped
    StatusTestFailed = 3'd4,  // the known-answer test failed: there is no output until it passes
    StatusFault      = 3'd5   // an upset was detected: the instance is wiped
  } status_e;

  parameter int unsigned AddWidth = 16;  // bits of a length of additional input in bytes
  parameter int unsigned OutWidth = 17;  // bits of a length of output in bytes

  // SP 800-90A Rev. 1, table 3: 2^19 bits per request; seedlen of AES-256, 384 bits, which without
  // derivation function is the longest additional input, too.
  parameter logic [OutWidth-1:0] MostOut = 17'd65536;
  parameter logic [AddWidth-1:0] SeedLen = 16'd48;

  // Words of 64 bits of entropy input: the security strength and half of it as nonce, the security
  // strength, and seedlen (without derivation function).
  parameter logic [2:0] WordsInstantiate = 3'd6;
  parameter logic [2:0] WordsReseed      = 3'd4;
  parameter logic [2:0] WordsNoDf        = 3'd6;

  typedef struct packed {
    op_e                 op;
    logic                df;       // OpInstantiate: with derivation function
    logic                predict;  // OpGenerate: prediction resistance, so reseed first
    logic [AddWidth-1:0] add_len;  // bytes of personalization string or additional input
    logic [OutWidth-1:0] out_len;  // OpGenerate: bytes
  } cmd_t;

  // Key of the derivation function: bytes 0 to 31 count.
  parameter logic [255:0] KeyDf =
      256'h1f1e1d1c_1b1a1918_17161514_13121110_0f0e0d0c_0b0a0908_07060504_03020100;

  // The known-answer test (cry_drbg): length of its additional inputs in bytes, the cycles in which
  // it must end, and the last 16 bytes of output with and without derivation function.
  parameter logic [AddWidth-1:0] TestAddLen = 16'd20;
  parameter int unsigned TestCycles = 2048;
  parameter logic [10:0] TestLast   = 11'(TestCycles - 1);
  parameter logic [127:0] TestAnswerDf   = 128'hc4e8ee6d_9f5078c4_3cd09a12_7be907eb;
  parameter logic [127:0] TestAnswerNoDf = 128'hcc53d0f6_c3cbf7fd_af5c79a8_4eb6ef95;

  // The next counter block: all 128 bits count, byte 15 fastest. Bytes are counted apart, and their
  // carries looked ahead by pairs, so that no path goes through 128 bits.
  function automatic logic [127:0] increment(logic [127:0] v);
    logic [15:0] full;   // bytes of ones
    logic [15:0] carry;  // bytes before which all are
    for (int unsigned i = 0; i < 16; i++) full[i] = &v[8*i+:8];
    for (int unsigned i = 0; i < 16; i++) carry[i] = &(full | ~(16'hfffe << i));
    for (int unsigned i = 0; i < 16; i++) increment[8*i+:8] = v[8*i+:8] + 8'(carry[i]);
  endfunction

  // A mask of bits: all eight of each byte that is kept.
  function automatic logic [127:0] mask_bytes(logic [15:0] keep);
    for (int unsigned i = 0; i < 16; i++) mask_bytes[8*i+:8] = {8{keep[i]}};
  endfunction

endpackage
