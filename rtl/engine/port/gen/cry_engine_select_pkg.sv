// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// The variants of engines that cry_engine_select builds, and what shells must know of each.
package cry_engine_select_pkg;

  typedef enum logic [7:0] {
    Copy                            = 8'd0,
    AesSerial                       = 8'd1,
    AesIterative                    = 8'd2,
    AesPipelined                    = 8'd3,
    AesSerialAes128Enc              = 8'd4,
    AesIterativeAes128Enc           = 8'd5,
    AesPipelinedAes128Enc           = 8'd6,
    AesModesIterative               = 8'd7,
    AesModesPipelined               = 8'd8,
    Sha2R1Sha256                    = 8'd9,
    Sha2R2Sha256                    = 8'd10,
    Sha2R1Sha512                    = 8'd11,
    Sha2R2Sha512                    = 8'd12,
    Sha2R1HmacSha256                = 8'd13,
    Sha2R2HmacSha256                = 8'd14,
    Sha2R1                          = 8'd15,
    Sha2R2                          = 8'd16,
    KeccakR1                        = 8'd17,
    KeccakR2                        = 8'd18,
    ChaCha20Poly1305StdStream       = 8'd19,
    ChaCha20Poly1305OptStream       = 8'd20,
    ChaCha20Poly1305WideStream      = 8'd21,
    ChaCha20Poly1305PipelinedStream = 8'd22,
    ChaCha20Poly1305Std             = 8'd23,
    ChaCha20Poly1305Opt             = 8'd24,
    ChaCha20Poly1305Wide            = 8'd25,
    ChaCha20Poly1305Pipelined       = 8'd26,
    AsconR1                         = 8'd27,
    AsconR2                         = 8'd28,
    AsconR4                         = 8'd29,
    Pka                             = 8'd30,
    PkaFast                         = 8'd31,
    Pka384                          = 8'd32,
    Pka521                          = 8'd33,
    PkaRsa                          = 8'd34,
    Random                          = 8'd35
  } engine_e;

  // The register FEATURES of shells.
  typedef struct packed {
    logic [15:0] modes;
    logic decrypt;
    logic [2:0] key_lens;
    logic [3:0] impl;
    logic [7:0] engine;
  } features_t;

  // Its value.
  function automatic features_t features(engine_e engine);
    unique case (engine)
      Copy: return 32'h00010000;
      AesSerial: return 32'h0007f001;
      AesIterative: return 32'h0007f101;
      AesPipelined: return 32'h0007f201;
      AesSerialAes128Enc: return 32'h00031001;
      AesIterativeAes128Enc: return 32'h00031101;
      AesPipelinedAes128Enc: return 32'h00031201;
      AesModesIterative: return 32'h007ff103;
      AesModesPipelined: return 32'h007ff203;
      Sha2R1Sha256: return 32'h00038104;
      Sha2R2Sha256: return 32'h00038204;
      Sha2R1Sha512: return 32'h003f8104;
      Sha2R2Sha512: return 32'h003f8204;
      Sha2R1HmacSha256: return 32'h03038104;
      Sha2R2HmacSha256: return 32'h03038204;
      Sha2R1: return 32'h3f3f8104;
      Sha2R2: return 32'h3f3f8204;
      KeccakR1: return 32'h0fff8105;
      KeccakR2: return 32'h0fff8205;
      ChaCha20Poly1305StdStream: return 32'h0001c002;
      ChaCha20Poly1305OptStream: return 32'h0001c102;
      ChaCha20Poly1305WideStream: return 32'h0001c202;
      ChaCha20Poly1305PipelinedStream: return 32'h0001c302;
      ChaCha20Poly1305Std: return 32'h0007c002;
      ChaCha20Poly1305Opt: return 32'h0007c102;
      ChaCha20Poly1305Wide: return 32'h0007c202;
      ChaCha20Poly1305Pipelined: return 32'h0007c302;
      AsconR1: return 32'h000f9006;
      AsconR2: return 32'h000f9106;
      AsconR4: return 32'h000f9206;
      Pka: return 32'h3fff4007;
      PkaFast: return 32'h3fff400b;
      Pka384: return 32'h7c000009;
      Pka521: return 32'h7c00000c;
      PkaRsa: return 32'hffff100a;
      Random: return 32'h00010008;
      default: return '0;
    endcase
  endfunction

  // The number of the variant in it.
  function automatic logic [3:0] variant(engine_e engine);
    return 4'(features(engine) >> 8);
  endfunction

  // By mode: the engine takes a key.
  function automatic logic [15:0] key_modes(engine_e engine);
    unique case (engine)
      Copy: return 16'h0000;
      AesSerial: return 16'h0007;
      AesIterative: return 16'h0007;
      AesPipelined: return 16'h0007;
      AesSerialAes128Enc: return 16'h0003;
      AesIterativeAes128Enc: return 16'h0003;
      AesPipelinedAes128Enc: return 16'h0003;
      AesModesIterative: return 16'h007f;
      AesModesPipelined: return 16'h007f;
      Sha2R1Sha256: return 16'h0000;
      Sha2R2Sha256: return 16'h0000;
      Sha2R1Sha512: return 16'h0000;
      Sha2R2Sha512: return 16'h0000;
      Sha2R1HmacSha256: return 16'h0300;
      Sha2R2HmacSha256: return 16'h0300;
      Sha2R1: return 16'h3f00;
      Sha2R2: return 16'h3f00;
      KeccakR1: return 16'h0f00;
      KeccakR2: return 16'h0f00;
      ChaCha20Poly1305StdStream: return 16'h0001;
      ChaCha20Poly1305OptStream: return 16'h0001;
      ChaCha20Poly1305WideStream: return 16'h0001;
      ChaCha20Poly1305PipelinedStream: return 16'h0001;
      ChaCha20Poly1305Std: return 16'h0007;
      ChaCha20Poly1305Opt: return 16'h0007;
      ChaCha20Poly1305Wide: return 16'h0007;
      ChaCha20Poly1305Pipelined: return 16'h0007;
      AsconR1: return 16'h0001;
      AsconR2: return 16'h0001;
      AsconR4: return 16'h0001;
      Pka: return 16'h1857;
      PkaFast: return 16'h1857;
      Pka384: return 16'h2c00;
      Pka521: return 16'h2c00;
      PkaRsa: return 16'h7e00;
      Random: return 16'h0000;
      default: return '0;
    endcase
  endfunction

  // By mode: the engine takes an IV.
  function automatic logic [15:0] iv_modes(engine_e engine);
    unique case (engine)
      Copy: return 16'h0000;
      AesSerial: return 16'h0006;
      AesIterative: return 16'h0006;
      AesPipelined: return 16'h0006;
      AesSerialAes128Enc: return 16'h0002;
      AesIterativeAes128Enc: return 16'h0002;
      AesPipelinedAes128Enc: return 16'h0002;
      AesModesIterative: return 16'h005e;
      AesModesPipelined: return 16'h005e;
      Sha2R1Sha256: return 16'h0000;
      Sha2R2Sha256: return 16'h0000;
      Sha2R1Sha512: return 16'h0000;
      Sha2R2Sha512: return 16'h0000;
      Sha2R1HmacSha256: return 16'h0000;
      Sha2R2HmacSha256: return 16'h0000;
      Sha2R1: return 16'h0000;
      Sha2R2: return 16'h0000;
      KeccakR1: return 16'h0000;
      KeccakR2: return 16'h0000;
      ChaCha20Poly1305StdStream: return 16'h0001;
      ChaCha20Poly1305OptStream: return 16'h0001;
      ChaCha20Poly1305WideStream: return 16'h0001;
      ChaCha20Poly1305PipelinedStream: return 16'h0001;
      ChaCha20Poly1305Std: return 16'h0005;
      ChaCha20Poly1305Opt: return 16'h0005;
      ChaCha20Poly1305Wide: return 16'h0005;
      ChaCha20Poly1305Pipelined: return 16'h0005;
      AsconR1: return 16'h0001;
      AsconR2: return 16'h0001;
      AsconR4: return 16'h0001;
      Pka: return 16'h0000;
      PkaFast: return 16'h0000;
      Pka384: return 16'h0000;
      Pka521: return 16'h0000;
      PkaRsa: return 16'h0000;
      Random: return 16'h0000;
      default: return '0;
    endcase
  endfunction

  // By mode: the key comes in two transfers.
  function automatic logic [15:0] two_key_modes(engine_e engine);
    unique case (engine)
      Copy: return 16'h0000;
      AesSerial: return 16'h0000;
      AesIterative: return 16'h0000;
      AesPipelined: return 16'h0000;
      AesSerialAes128Enc: return 16'h0000;
      AesIterativeAes128Enc: return 16'h0000;
      AesPipelinedAes128Enc: return 16'h0000;
      AesModesIterative: return 16'h0040;
      AesModesPipelined: return 16'h0040;
      Sha2R1Sha256: return 16'h0000;
      Sha2R2Sha256: return 16'h0000;
      Sha2R1Sha512: return 16'h0000;
      Sha2R2Sha512: return 16'h0000;
      Sha2R1HmacSha256: return 16'h0300;
      Sha2R2HmacSha256: return 16'h0300;
      Sha2R1: return 16'h3f00;
      Sha2R2: return 16'h3f00;
      KeccakR1: return 16'h0f00;
      KeccakR2: return 16'h0f00;
      ChaCha20Poly1305StdStream: return 16'h0000;
      ChaCha20Poly1305OptStream: return 16'h0000;
      ChaCha20Poly1305WideStream: return 16'h0000;
      ChaCha20Poly1305PipelinedStream: return 16'h0000;
      ChaCha20Poly1305Std: return 16'h0000;
      ChaCha20Poly1305Opt: return 16'h0000;
      ChaCha20Poly1305Wide: return 16'h0000;
      ChaCha20Poly1305Pipelined: return 16'h0000;
      AsconR1: return 16'h0000;
      AsconR2: return 16'h0000;
      AsconR4: return 16'h0000;
      Pka: return 16'h1800;
      PkaFast: return 16'h1800;
      Pka384: return 16'h2c00;
      Pka521: return 16'h2c00;
      PkaRsa: return 16'h0000;
      Random: return 16'h0000;
      default: return '0;
    endcase
  endfunction

  // By mode: associated data may not be empty.
  function automatic logic [15:0] needs_aad_modes(engine_e engine);
    unique case (engine)
      Copy: return 16'h0000;
      AesSerial: return 16'h0000;
      AesIterative: return 16'h0000;
      AesPipelined: return 16'h0000;
      AesSerialAes128Enc: return 16'h0000;
      AesIterativeAes128Enc: return 16'h0000;
      AesPipelinedAes128Enc: return 16'h0000;
      AesModesIterative: return 16'h0000;
      AesModesPipelined: return 16'h0000;
      Sha2R1Sha256: return 16'h0000;
      Sha2R2Sha256: return 16'h0000;
      Sha2R1Sha512: return 16'h0000;
      Sha2R2Sha512: return 16'h0000;
      Sha2R1HmacSha256: return 16'h0000;
      Sha2R2HmacSha256: return 16'h0000;
      Sha2R1: return 16'h0000;
      Sha2R2: return 16'h0000;
      KeccakR1: return 16'h0fc0;
      KeccakR2: return 16'h0fc0;
      ChaCha20Poly1305StdStream: return 16'h0000;
      ChaCha20Poly1305OptStream: return 16'h0000;
      ChaCha20Poly1305WideStream: return 16'h0000;
      ChaCha20Poly1305PipelinedStream: return 16'h0000;
      ChaCha20Poly1305Std: return 16'h0000;
      ChaCha20Poly1305Opt: return 16'h0000;
      ChaCha20Poly1305Wide: return 16'h0000;
      ChaCha20Poly1305Pipelined: return 16'h0000;
      AsconR1: return 16'h0000;
      AsconR2: return 16'h0000;
      AsconR4: return 16'h0000;
      Pka: return 16'h0000;
      PkaFast: return 16'h0000;
      Pka384: return 16'h0000;
      Pka521: return 16'h0000;
      PkaRsa: return 16'h0000;
      Random: return 16'h0000;
      default: return '0;
    endcase
  endfunction

  // By mode: the message comes out again.
  function automatic logic [15:0] output_modes(engine_e engine);
    unique case (engine)
      Copy: return 16'h0001;
      AesSerial: return 16'h0007;
      AesIterative: return 16'h0007;
      AesPipelined: return 16'h0007;
      AesSerialAes128Enc: return 16'h0003;
      AesIterativeAes128Enc: return 16'h0003;
      AesPipelinedAes128Enc: return 16'h0003;
      AesModesIterative: return 16'h005f;
      AesModesPipelined: return 16'h005f;
      Sha2R1Sha256: return 16'h0000;
      Sha2R2Sha256: return 16'h0000;
      Sha2R1Sha512: return 16'h0000;
      Sha2R2Sha512: return 16'h0000;
      Sha2R1HmacSha256: return 16'h0000;
      Sha2R2HmacSha256: return 16'h0000;
      Sha2R1: return 16'h0000;
      Sha2R2: return 16'h0000;
      KeccakR1: return 16'h0000;
      KeccakR2: return 16'h0000;
      ChaCha20Poly1305StdStream: return 16'h0001;
      ChaCha20Poly1305OptStream: return 16'h0001;
      ChaCha20Poly1305WideStream: return 16'h0001;
      ChaCha20Poly1305PipelinedStream: return 16'h0001;
      ChaCha20Poly1305Std: return 16'h0005;
      ChaCha20Poly1305Opt: return 16'h0005;
      ChaCha20Poly1305Wide: return 16'h0005;
      ChaCha20Poly1305Pipelined: return 16'h0005;
      AsconR1: return 16'h0001;
      AsconR2: return 16'h0001;
      AsconR4: return 16'h0001;
      Pka: return 16'h0000;
      PkaFast: return 16'h0000;
      Pka384: return 16'h0000;
      Pka521: return 16'h0000;
      PkaRsa: return 16'h0000;
      Random: return 16'h0000;
      default: return '0;
    endcase
  endfunction

  // By mode: there is a tag under a key. An empty message has one, too; decryption takes it in.
  function automatic logic [15:0] tag_modes(engine_e engine);
    unique case (engine)
      Copy: return 16'h0000;
      AesSerial: return 16'h0000;
      AesIterative: return 16'h0000;
      AesPipelined: return 16'h0000;
      AesSerialAes128Enc: return 16'h0000;
      AesIterativeAes128Enc: return 16'h0000;
      AesPipelinedAes128Enc: return 16'h0000;
      AesModesIterative: return 16'h0038;
      AesModesPipelined: return 16'h0038;
      Sha2R1Sha256: return 16'h0000;
      Sha2R2Sha256: return 16'h0000;
      Sha2R1Sha512: return 16'h0000;
      Sha2R2Sha512: return 16'h0000;
      Sha2R1HmacSha256: return 16'h0300;
      Sha2R2HmacSha256: return 16'h0300;
      Sha2R1: return 16'h3f00;
      Sha2R2: return 16'h3f00;
      KeccakR1: return 16'h0f00;
      KeccakR2: return 16'h0f00;
      ChaCha20Poly1305StdStream: return 16'h0000;
      ChaCha20Poly1305OptStream: return 16'h0000;
      ChaCha20Poly1305WideStream: return 16'h0000;
      ChaCha20Poly1305PipelinedStream: return 16'h0000;
      ChaCha20Poly1305Std: return 16'h0006;
      ChaCha20Poly1305Opt: return 16'h0006;
      ChaCha20Poly1305Wide: return 16'h0006;
      ChaCha20Poly1305Pipelined: return 16'h0006;
      AsconR1: return 16'h0001;
      AsconR2: return 16'h0001;
      AsconR4: return 16'h0001;
      Pka: return 16'h1857;
      PkaFast: return 16'h1857;
      Pka384: return 16'h2c00;
      Pka521: return 16'h2c00;
      PkaRsa: return 16'h7e00;
      Random: return 16'h0000;
      default: return '0;
    endcase
  endfunction

  // There are keys of more than 128 bits.
  function automatic bit long_key(engine_e engine);
    return 3'(features(engine) >> 12) > 1;
  endfunction

  // Beats that the engine takes one after the other.
  function automatic int unsigned beats_ahead(engine_e engine);
    unique case (engine)
      Copy: return 4;
      AesSerial: return 1;
      AesIterative: return 1;
      AesPipelined: return 4;
      AesSerialAes128Enc: return 1;
      AesIterativeAes128Enc: return 1;
      AesPipelinedAes128Enc: return 4;
      AesModesIterative: return 1;
      AesModesPipelined: return 4;
      Sha2R1Sha256: return 1;
      Sha2R2Sha256: return 1;
      Sha2R1Sha512: return 1;
      Sha2R2Sha512: return 1;
      Sha2R1HmacSha256: return 1;
      Sha2R2HmacSha256: return 1;
      Sha2R1: return 1;
      Sha2R2: return 1;
      KeccakR1: return 1;
      KeccakR2: return 1;
      ChaCha20Poly1305StdStream: return 1;
      ChaCha20Poly1305OptStream: return 1;
      ChaCha20Poly1305WideStream: return 1;
      ChaCha20Poly1305PipelinedStream: return 1;
      ChaCha20Poly1305Std: return 1;
      ChaCha20Poly1305Opt: return 1;
      ChaCha20Poly1305Wide: return 1;
      ChaCha20Poly1305Pipelined: return 1;
      AsconR1: return 1;
      AsconR2: return 1;
      AsconR4: return 1;
      Pka: return 1;
      PkaFast: return 1;
      Pka384: return 1;
      Pka521: return 1;
      PkaRsa: return 1;
      Random: return 1;
      default: return 1;
    endcase
  endfunction

  // Cycles in which it wipes itself behind a job and behind reset, where they are many.
  function automatic int unsigned wipe_cycles(engine_e engine);
    unique case (engine)
      Copy: return 0;
      AesSerial: return 0;
      AesIterative: return 0;
      AesPipelined: return 0;
      AesSerialAes128Enc: return 0;
      AesIterativeAes128Enc: return 0;
      AesPipelinedAes128Enc: return 0;
      AesModesIterative: return 0;
      AesModesPipelined: return 0;
      Sha2R1Sha256: return 0;
      Sha2R2Sha256: return 0;
      Sha2R1Sha512: return 0;
      Sha2R2Sha512: return 0;
      Sha2R1HmacSha256: return 0;
      Sha2R2HmacSha256: return 0;
      Sha2R1: return 0;
      Sha2R2: return 0;
      KeccakR1: return 0;
      KeccakR2: return 0;
      ChaCha20Poly1305StdStream: return 0;
      ChaCha20Poly1305OptStream: return 0;
      ChaCha20Poly1305WideStream: return 0;
      ChaCha20Poly1305PipelinedStream: return 0;
      ChaCha20Poly1305Std: return 0;
      ChaCha20Poly1305Opt: return 0;
      ChaCha20Poly1305Wide: return 0;
      ChaCha20Poly1305Pipelined: return 0;
      AsconR1: return 0;
      AsconR2: return 0;
      AsconR4: return 0;
      Pka: return 258;
      PkaFast: return 258;
      Pka384: return 258;
      Pka521: return 258;
      PkaRsa: return 258;
      Random: return 0;
      default: return 0;
    endcase
  endfunction

  // By opcode: what a tile builds if nothing else is said.
  function automatic engine_e [15:0] tile_engines();
    engine_e [15:0] engines;
    engines = '{default: Copy};
    engines[1] = Copy;
    engines[2] = AesModesPipelined;
    engines[3] = Sha2R1;
    engines[4] = KeccakR1;
    engines[5] = ChaCha20Poly1305Opt;
    engines[6] = AsconR2;
    engines[7] = Pka;
    engines[8] = Random;
    engines[9] = Pka384;
    engines[10] = PkaRsa;
    engines[11] = Pka521;
    return engines;
  endfunction

endpackage
