// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// The tile's engines, and what a descriptor implies for each of their modes.
package cry_tile_catalog_pkg;

  typedef enum logic [7:0] {
    OpNop              = 8'd0,
    OpCopy             = 8'd1,
    OpAes              = 8'd2,
    OpSha2             = 8'd3,
    OpKeccak           = 8'd4,
    OpChaCha20Poly1305 = 8'd5,
    OpAscon            = 8'd6,
    OpPka              = 8'd7,
    OpRandom           = 8'd8,
    OpPka384           = 8'd9,
    OpPkaRsa           = 8'd10,
    OpPka521           = 8'd11
  } opcode_e;

  // A bit for each.
  function automatic logic [15:0] all_opcodes();
    return 16'h0fff;
  endfunction

  // Those whose engines take random bits.
  function automatic logic [15:0] random_opcodes();
    return 16'h0f80;
  endfunction

  // What a tile has if nothing else is said: the others.
  function automatic logic [15:0] default_opcodes();
    return 16'h007f;
  endfunction

  // Those whose jobs take long, whatever their bytes.
  function automatic logic [15:0] slow_opcodes();
    return 16'h0e80;
  endfunction

  // Those with modes whose results can become keys.
  function automatic logic [15:0] making_opcodes();
    return 16'h0e80;
  endfunction

  // Of 16 bytes: the longest key that they make; 0: none.
  function automatic int unsigned longest_made(logic [15:0] opcodes);
    longest_made = 0;
    for (int unsigned n = 0; n < 16; n++) begin
      int unsigned beats;
      case (8'(n))
        OpPka: beats = 4;
        OpPka384: beats = 3;
        OpPkaRsa: beats = 1;
        OpPka521: beats = 5;
        default: beats = 0;
      endcase
      if (opcodes[n] && (beats > longest_made)) longest_made = beats;
    end
  endfunction

  // Modes that take no keys but those that serve one job.
  function automatic logic [15:0] once_modes(logic [7:0] opcode);
    case (opcode)
      OpPka: return 16'h1000;
      default: return '0;
    endcase
  endfunction

  // Status of a job in its completion; up to 15 the engine's status_e.
  typedef enum logic [7:0] {
    TileOk              = 8'd0,   // done
    TileAuthFailed      = 8'd1,   // wrong tag: the message was overwritten with zeros
    TileBadParam        = 8'd2,   // the engine knows no such parameters
    TileFaultCorrected  = 8'd3,   // done, a fault was corrected
    TileFaultDetected   = 8'd4,   // ended, a fault was detected
    TileRefused         = 8'd7,   // the engine refuses key or message: no valid scalar or point
    TileNoRandom        = 8'd8,   // no random bits came in time
    TileBadDescriptor   = 8'd16,  // bad descriptor or SG list
    TileWindowViolation = 8'd17,  // an access outside the windows
    TileKeyDenied       = 8'd18,  // the key or its slot may not be used so
    TileBusError        = 8'd19,  // an error of the bus
    TileAborted         = 8'd20   // aborted
  } tile_status_e;

  typedef enum logic [2:0] {
    KeyNone,
    KeySized,  // 16, 24 or 32 bytes, as job_t.key_len says
    KeyPair,   // two of that size, in two transfers
    KeyFixed,  // 32 bytes
    KeyBytes   // job_t.key_bytes, in two transfers, or three of more than 64 bytes
  } key_form_e;

  typedef struct packed {
    key_form_e  key;
    logic [3:0] context_beats;  // of a saved context that a job takes back
    logic [10:0] tag_bytes;     // of a full tag, digest or code; 0: makes none
    logic       has_output;     // the message comes out again
    logic       long_iv;        // an IV of another length than 12 bytes is a section of its own
    logic       long_tag;       // w4 says the tag's bytes, in place of an IV
    logic       unwraps;        // keys can be unwrapped in this mode
    logic       keystream;      // decryption is the same as encryption
    logic       tile_nonce;     // the tile can make the nonce
    logic       one_time;       // a key serves one message
    logic       clear_key;      // a private key is part of the message
    logic       agrees;         // the result can become a key of another opcode
    logic       once;           // the result becomes a key for one job, and nothing else
    logic [15:0] makes;         // its first bytes one for these modes of the same opcode
    logic [2:0] made_beats;     // of 16 bytes of that key; 0: none
  } mode_t;

  // A block waits for the one before: any AES lane does this mode.
  function automatic logic aes_serial(logic [3:0] mode, logic decrypt);
    unique case (mode)
      4'd1: return !decrypt;  // cbc
      4'd4: return 1'b1;  // ccm
      4'd5: return 1'b1;  // cmac
      default: return 1'b0;
    endcase
  endfunction

  // Other modes imply nothing. Engines refuse them; a NOP has no mode to refuse.
  function automatic mode_t mode_of(logic [7:0] opcode, logic [3:0] mode);
    unique case ({opcode, mode})
      {OpNop, 4'd0}: return {KeyNone, 4'd0, 11'd0, 10'b0000000000, 16'h0000, 3'd0};  // nop
      {OpCopy, 4'd0}: return {KeyNone, 4'd0, 11'd0, 10'b1000000000, 16'h0000, 3'd0};  // copy
      {OpAes, 4'd0}: return {KeySized, 4'd1, 11'd0, 10'b1000000000, 16'h0000, 3'd0};  // ecb
      {OpAes, 4'd1}: return {KeySized, 4'd1, 11'd0, 10'b1000000000, 16'h0000, 3'd0};  // cbc
      {OpAes, 4'd2}: return {KeySized, 4'd1, 11'd0, 10'b1000100000, 16'h0000, 3'd0};  // ctr
      {OpAes, 4'd3}: return {KeySized, 4'd5, 11'd16, 10'b1101010000, 16'h0000, 3'd0};  // gcm
      {OpAes, 4'd4}: return {KeySized, 4'd2, 11'd16, 10'b1000000000, 16'h0000, 3'd0};  // ccm
      {OpAes, 4'd5}: return {KeySized, 4'd1, 11'd16, 10'b0000000000, 16'h0000, 3'd0};  // cmac
      {OpAes, 4'd6}: return {KeyPair, 4'd1, 11'd0, 10'b1000000000, 16'h0000, 3'd0};  // xts
      {OpSha2, 4'd0}: return {KeyNone, 4'd5, 11'd28, 10'b0000000000, 16'h0000, 3'd0};  // sha224
      {OpSha2, 4'd1}: return {KeyNone, 4'd5, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // sha256
      {OpSha2, 4'd2}: return {KeyNone, 4'd5, 11'd48, 10'b0000000000, 16'h0000, 3'd0};  // sha384
      {OpSha2, 4'd3}: return {KeyNone, 4'd5, 11'd64, 10'b0000000000, 16'h0000, 3'd0};  // sha512
      {OpSha2, 4'd4}: return {KeyNone, 4'd5, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // sha512_256
      {OpSha2, 4'd5}: return {KeyNone, 4'd5, 11'd28, 10'b0000000000, 16'h0000, 3'd0};  // sha512_224
      {OpSha2, 4'd8}: return {KeyBytes, 4'd5, 11'd28, 10'b0000000000, 16'h0000, 3'd0};  // hmac_sha224
      {OpSha2, 4'd9}: return {KeyBytes, 4'd5, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // hmac_sha256
      {OpSha2, 4'd10}: return {KeyBytes, 4'd5, 11'd48, 10'b0000000000, 16'h0000, 3'd0};  // hmac_sha384
      {OpSha2, 4'd11}: return {KeyBytes, 4'd5, 11'd64, 10'b0000000000, 16'h0000, 3'd0};  // hmac_sha512
      {OpSha2, 4'd12}: return {KeyBytes, 4'd5, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // hmac_sha512_256
      {OpSha2, 4'd13}: return {KeyBytes, 4'd5, 11'd28, 10'b0000000000, 16'h0000, 3'd0};  // hmac_sha512_224
      {OpKeccak, 4'd0}: return {KeyNone, 4'd13, 11'd28, 10'b0010000000, 16'h0000, 3'd0};  // sha3_224
      {OpKeccak, 4'd1}: return {KeyNone, 4'd13, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // sha3_256
      {OpKeccak, 4'd2}: return {KeyNone, 4'd13, 11'd48, 10'b0010000000, 16'h0000, 3'd0};  // sha3_384
      {OpKeccak, 4'd3}: return {KeyNone, 4'd13, 11'd64, 10'b0010000000, 16'h0000, 3'd0};  // sha3_512
      {OpKeccak, 4'd4}: return {KeyNone, 4'd13, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // shake128
      {OpKeccak, 4'd5}: return {KeyNone, 4'd13, 11'd64, 10'b0010000000, 16'h0000, 3'd0};  // shake256
      {OpKeccak, 4'd6}: return {KeyNone, 4'd13, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // cshake128
      {OpKeccak, 4'd7}: return {KeyNone, 4'd13, 11'd64, 10'b0010000000, 16'h0000, 3'd0};  // cshake256
      {OpKeccak, 4'd8}: return {KeyBytes, 4'd13, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // kmac128
      {OpKeccak, 4'd9}: return {KeyBytes, 4'd13, 11'd64, 10'b0010000000, 16'h0000, 3'd0};  // kmac256
      {OpKeccak, 4'd10}: return {KeyBytes, 4'd13, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // kmacxof128
      {OpKeccak, 4'd11}: return {KeyBytes, 4'd13, 11'd64, 10'b0010000000, 16'h0000, 3'd0};  // kmacxof256
      {OpChaCha20Poly1305, 4'd0}: return {KeyFixed, 4'd0, 11'd0, 10'b1000100000, 16'h0000, 3'd0};  // chacha20
      {OpChaCha20Poly1305, 4'd1}: return {KeyFixed, 4'd0, 11'd16, 10'b0000001000, 16'h0000, 3'd0};  // poly1305
      {OpChaCha20Poly1305, 4'd2}: return {KeyFixed, 4'd0, 11'd16, 10'b1000010000, 16'h0000, 3'd0};  // chacha20_poly1305
      {OpAscon, 4'd0}: return {KeySized, 4'd3, 11'd16, 10'b1000010000, 16'h0000, 3'd0};  // aead128
      {OpAscon, 4'd1}: return {KeyNone, 4'd3, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // hash256
      {OpAscon, 4'd2}: return {KeyNone, 4'd3, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // xof128
      {OpAscon, 4'd3}: return {KeyNone, 4'd3, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // cxof128
      {OpPka, 4'd0}: return {KeyFixed, 4'd0, 11'd32, 10'b0000000010, 16'h0000, 3'd2};  // x25519
      {OpPka, 4'd1}: return {KeyFixed, 4'd0, 11'd32, 10'b0000000010, 16'h0000, 3'd2};  // p256_ecdh
      {OpPka, 4'd2}: return {KeyFixed, 4'd0, 11'd64, 10'b0000000000, 16'h0000, 3'd0};  // p256_sign
      {OpPka, 4'd3}: return {KeyNone, 4'd0, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // p256_verify
      {OpPka, 4'd4}: return {KeyFixed, 4'd0, 11'd64, 10'b0000000000, 16'h0000, 3'd0};  // p256_public
      {OpPka, 4'd5}: return {KeyNone, 4'd0, 11'd96, 10'b0000000000, 16'h0016, 3'd2};  // p256_keygen
      {OpPka, 4'd6}: return {KeyFixed, 4'd0, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // ed25519_public
      {OpPka, 4'd7}: return {KeyNone, 4'd0, 11'd32, 10'b0000000100, 16'h0000, 3'd0};  // ed25519_commit
      {OpPka, 4'd8}: return {KeyNone, 4'd0, 11'd64, 10'b0000000100, 16'h0000, 3'd0};  // ed25519_sign
      {OpPka, 4'd9}: return {KeyNone, 4'd0, 11'd32, 10'b0000000000, 16'h0000, 3'd0};  // ed25519_verify
      {OpPka, 4'd10}: return {KeyNone, 4'd0, 11'd64, 10'b0000000000, 16'h0840, 3'd2};  // ed25519_keygen
      {OpPka, 4'd11}: return {KeyBytes, 4'd0, 11'd96, 10'b0000000001, 16'h1000, 3'd4};  // ed25519_nonce
      {OpPka, 4'd12}: return {KeyBytes, 4'd0, 11'd64, 10'b0000000000, 16'h0000, 3'd0};  // ed25519_sign_once
      {OpPka, 4'd13}: return {KeyNone, 4'd0, 11'd64, 10'b0000000000, 16'h0001, 3'd2};  // x25519_keygen
      {OpRandom, 4'd0}: return {KeyNone, 4'd0, 11'd32, 10'b0010000000, 16'h0000, 3'd0};  // generate
      {OpPka384, 4'd10}: return {KeyBytes, 4'd0, 11'd48, 10'b0000000010, 16'h0000, 3'd3};  // p384_ecdh
      {OpPka384, 4'd11}: return {KeyBytes, 4'd0, 11'd96, 10'b0000000000, 16'h0000, 3'd0};  // p384_sign
      {OpPka384, 4'd12}: return {KeyNone, 4'd0, 11'd48, 10'b0000000000, 16'h0000, 3'd0};  // p384_verify
      {OpPka384, 4'd13}: return {KeyBytes, 4'd0, 11'd96, 10'b0000000000, 16'h0000, 3'd0};  // p384_public
      {OpPka384, 4'd14}: return {KeyNone, 4'd0, 11'd144, 10'b0000000000, 16'h2c00, 3'd3};  // p384_keygen
      {OpPkaRsa, 4'd0}: return {KeyNone, 4'd0, 11'd256, 10'b0000000100, 16'h0000, 3'd0};  // rsa2048_private
      {OpPkaRsa, 4'd1}: return {KeyNone, 4'd0, 11'd384, 10'b0000000100, 16'h0000, 3'd0};  // rsa3072_private
      {OpPkaRsa, 4'd2}: return {KeyNone, 4'd0, 11'd512, 10'b0000000100, 16'h0000, 3'd0};  // rsa4096_private
      {OpPkaRsa, 4'd3}: return {KeyNone, 4'd0, 11'd256, 10'b0000000000, 16'h0000, 3'd0};  // rsa2048_public
      {OpPkaRsa, 4'd4}: return {KeyNone, 4'd0, 11'd256, 10'b0000000000, 16'h0000, 3'd0};  // rsa2048_public64
      {OpPkaRsa, 4'd5}: return {KeyNone, 4'd0, 11'd384, 10'b0000000000, 16'h0000, 3'd0};  // rsa3072_public
      {OpPkaRsa, 4'd6}: return {KeyNone, 4'd0, 11'd384, 10'b0000000000, 16'h0000, 3'd0};  // rsa3072_public64
      {OpPkaRsa, 4'd7}: return {KeyNone, 4'd0, 11'd512, 10'b0000000000, 16'h0000, 3'd0};  // rsa4096_public
      {OpPkaRsa, 4'd8}: return {KeyNone, 4'd0, 11'd512, 10'b0000000000, 16'h0000, 3'd0};  // rsa4096_public64
      {OpPkaRsa, 4'd9}: return {KeySized, 4'd0, 11'd256, 10'b0000000000, 16'h0000, 3'd0};  // rsa2048_sealed
      {OpPkaRsa, 4'd10}: return {KeySized, 4'd0, 11'd384, 10'b0000000000, 16'h0000, 3'd0};  // rsa3072_sealed
      {OpPkaRsa, 4'd11}: return {KeySized, 4'd0, 11'd512, 10'b0000000000, 16'h0000, 3'd0};  // rsa4096_sealed
      {OpPkaRsa, 4'd12}: return {KeySized, 4'd0, 11'd928, 10'b0000000100, 16'h0000, 3'd0};  // rsa2048_seal
      {OpPkaRsa, 4'd13}: return {KeySized, 4'd0, 11'd1376, 10'b0000000100, 16'h0000, 3'd0};  // rsa3072_seal
      {OpPkaRsa, 4'd14}: return {KeySized, 4'd0, 11'd1824, 10'b0000000100, 16'h0000, 3'd0};  // rsa4096_seal
      {OpPkaRsa, 4'd15}: return {KeyNone, 4'd0, 11'd16, 10'b0000000000, 16'h7e00, 3'd1};  // sealing_key
      {OpPka521, 4'd10}: return {KeyBytes, 4'd0, 11'd80, 10'b0000000000, 16'h0000, 3'd0};  // p521_ecdh
      {OpPka521, 4'd11}: return {KeyBytes, 4'd0, 11'd160, 10'b0000000000, 16'h0000, 3'd0};  // p521_sign
      {OpPka521, 4'd12}: return {KeyNone, 4'd0, 11'd80, 10'b0000000000, 16'h0000, 3'd0};  // p521_verify
      {OpPka521, 4'd13}: return {KeyBytes, 4'd0, 11'd160, 10'b0000000000, 16'h0000, 3'd0};  // p521_public
      {OpPka521, 4'd14}: return {KeyNone, 4'd0, 11'd240, 10'b0000000000, 16'h2c00, 3'd5};  // p521_keygen
      default: return '0;
    endcase
  endfunction

endpackage
