// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types and constants of SHA-3 (FIPS 202) and its derived functions (SP 800-185).
//
// A state is 25 lanes of 64 bits; lane (x, y) of FIPS 202 is element x + 5*y, so that lanes are in
// the order of the message's bytes, byte 0 in bits 7:0.
package cry_keccak_pkg;

  // job_t.mode
  typedef enum logic [3:0] {
    ModeSha3_224   = 4'd0,
    ModeSha3_256   = 4'd1,
    ModeSha3_384   = 4'd2,
    ModeSha3_512   = 4'd3,
    ModeShake128   = 4'd4,
    ModeShake256   = 4'd5,
    ModeCshake128  = 4'd6,
    ModeCshake256  = 4'd7,
    ModeKmac128    = 4'd8,
    ModeKmac256    = 4'd9,
    ModeKmacXof128 = 4'd10,
    ModeKmacXof256 = 4'd11
  } mode_e;

  parameter int unsigned Lanes    = 25;
  parameter int unsigned MaxRate  = 21;  // lanes of the largest rate: what the buffer holds
  parameter int unsigned Rounds   = 24;
  parameter int unsigned CtxLanes = 26;  // 13 beats: the state and a lane of zeros

  typedef logic [63:0]      lane_t;
  typedef logic [24:0][63:0] state_t;
  typedef logic [4:0][63:0]  plane_t;  // one lane per x: also the parities of columns

  // Classes of modes, in the order of their numbers.
  function automatic logic is_sha3(logic [3:0] mode);
    return mode <= ModeSha3_512;
  endfunction
  // With associated data: names and customisation, padded to a block.
  function automatic logic is_custom(logic [3:0] mode);
    return mode >= ModeCshake128;
  endfunction
  function automatic logic is_kmac(logic [3:0] mode);
    return mode >= ModeKmac128;
  endfunction
  function automatic logic is_kmac_xof(logic [3:0] mode);
    return mode >= ModeKmacXof128;
  endfunction

  // Lanes of message per block.
  function automatic logic [4:0] rate(logic [3:0] mode);
    if (!is_sha3(mode)) return mode[0] ? 5'd17 : 5'd21;
    unique case (mode[1:0])
      2'd0:    return 5'd18;
      2'd1:    return 5'd17;
      2'd2:    return 5'd13;
      default: return 5'd9;
    endcase
  endfunction

  // Bytes of output if the job does not say: the digest's size, or twice the strength in bits.
  function automatic logic [6:0] full_length(logic [3:0] mode);
    if (!is_sha3(mode)) return mode[0] ? 7'd64 : 7'd32;
    unique case (mode[1:0])
      2'd0:    return 7'd28;
      2'd1:    return 7'd32;
      2'd2:    return 7'd48;
      default: return 7'd64;
    endcase
  endfunction

  // The bits behind the message that tell the functions apart, and the first bit of padding.
  function automatic logic [7:0] suffix(logic [3:0] mode);
    if (is_custom(mode)) return 8'h04;
    return is_sha3(mode) ? 8'h06 : 8'h1f;
  endfunction

  // Bits 0, 1, 3, 7, 15, 31 and 63 of the round constants; all others are zero.
  function automatic logic [6:0] iota(logic [4:0] index);
    unique case (index)
      5'd0:    return 7'h01;
      5'd1:    return 7'h1a;
      5'd2:    return 7'h5e;
      5'd3:    return 7'h70;
      5'd4:    return 7'h1f;
      5'd5:    return 7'h21;
      5'd6:    return 7'h79;
      5'd7:    return 7'h55;
      5'd8:    return 7'h0e;
      5'd9:    return 7'h0c;
      5'd10:   return 7'h35;
      5'd11:   return 7'h26;
      5'd12:   return 7'h3f;
      5'd13:   return 7'h4f;
      5'd14:   return 7'h5d;
      5'd15:   return 7'h53;
      5'd16:   return 7'h52;
      5'd17:   return 7'h48;
      5'd18:   return 7'h16;
      5'd19:   return 7'h66;
      5'd20:   return 7'h79;
      5'd21:   return 7'h58;
      5'd22:   return 7'h21;
      default: return 7'h74;
    endcase
  endfunction

  // Left rotation of each lane in the step rho.
  parameter int unsigned Rho [Lanes] = '{
    0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14
  };

endpackage
