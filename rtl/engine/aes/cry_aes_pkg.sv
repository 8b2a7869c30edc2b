// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types, constants and the linear functions of AES (FIPS 197).
//
// Byte order: byte n of a block or key is bits 8n+7:8n. The state's column c is therefore bits
// 32c+31:32c with row 0 in the low byte, and word i of a key schedule is bits 32i+31:32i.
package cry_aes_pkg;

  // Operation of a core on one block.
  typedef enum logic [1:0] {
    OpEncrypt = 2'd0,
    OpDecrypt = 2'd1,  // the key input is the last window of the key schedule, see OpExpand
    OpExpand  = 2'd2   // run the key schedule forward and return its last window
  } op_e;

  // Datapath of an engine.
  typedef enum int unsigned {
    ImplSerial    = 0,
    ImplIterative = 1,
    ImplPipelined = 2
  } impl_e;

  // job_t.mode; all other values are bad parameters.
  typedef enum logic [3:0] {
    ModeEcb = 4'd0,
    ModeCbc = 4'd1,
    ModeCtr = 4'd2
  } mode_e;

  // Rounds of a key length (cry_engine_pkg::key_len_e; other values count as 256 bits).
  function automatic logic [3:0] num_rounds(logic [1:0] key_len);
    unique case (key_len)
      2'd0:    return 4'd10;
      2'd1:    return 4'd12;
      default: return 4'd14;
    endcase
  endfunction

  // Multiplication by x modulo x^8 + x^4 + x^3 + x + 1.
  function automatic logic [7:0] xtime(logic [7:0] a);
    return {a[6:0], 1'b0} ^ {3'b000, a[7], a[7], 1'b0, a[7], a[7]};
  endfunction

  // Division by x: the inverse of xtime; steps the round constant backwards.
  function automatic logic [7:0] xtime_inv(logic [7:0] a);
    return {a[0], a[7:1]} ^ {4'b0000, a[0], a[0], 1'b0, a[0]};
  endfunction

  // First byte of a word moves to its end.
  function automatic logic [31:0] rot_word(logic [31:0] w);
    return {w[7:0], w[31:8]};
  endfunction

  // MixColumns of one column: with t = a0+a1+a2+a3, b_i = a_i + t + x(a_i + a_i+1).
  function automatic logic [31:0] mix_column(logic [31:0] a);
    logic [7:0] s01, s12, s23, s30;
    s01 = a[7:0]   ^ a[15:8];
    s12 = a[15:8]  ^ a[23:16];
    s23 = a[23:16] ^ a[31:24];
    s30 = a[31:24] ^ a[7:0];
    return {
      xtime(s30) ^ a[7:0]   ^ s12,
      xtime(s23) ^ a[31:24] ^ s01,
      xtime(s12) ^ a[7:0]   ^ s23,
      xtime(s01) ^ a[15:8]  ^ s23
    };
  endfunction

  // What turns MixColumns into its inverse: InvMixColumns(a) = MixColumns(inv_mix_prepare(a)), as
  // the polynomial of InvMixColumns is that of MixColumns times 4y^2 + 5.
  function automatic logic [31:0] inv_mix_prepare(logic [31:0] a);
    logic [7:0] even, odd;
    even = xtime(xtime(a[7:0] ^ a[23:16]));
    odd  = xtime(xtime(a[15:8] ^ a[31:24]));
    return a ^ {odd, even, odd, even};
  endfunction

  function automatic logic [127:0] mix_columns(logic [127:0] s);
    return {mix_column(s[127:96]), mix_column(s[95:64]), mix_column(s[63:32]), mix_column(s[31:0])};
  endfunction

  function automatic logic [127:0] inv_mix_prepare_columns(logic [127:0] s);
    return {inv_mix_prepare(s[127:96]), inv_mix_prepare(s[95:64]),
            inv_mix_prepare(s[63:32]), inv_mix_prepare(s[31:0])};
  endfunction

  // Row r moves r columns to the left.
  function automatic logic [127:0] shift_rows(logic [127:0] s);
    logic [127:0] t;
    for (int c = 0; c < 4; c++) begin
      for (int r = 0; r < 4; r++) begin
        t[8*(4*c+r)+:8] = s[8*(4*((c+r)%4)+r)+:8];
      end
    end
    return t;
  endfunction

  // Row r moves r columns to the right.
  function automatic logic [127:0] inv_shift_rows(logic [127:0] s);
    logic [127:0] t;
    for (int c = 0; c < 4; c++) begin
      for (int r = 0; r < 4; r++) begin
        t[8*(4*((c+r)%4)+r)+:8] = s[8*(4*c+r)+:8];
      end
    end
    return t;
  endfunction

endpackage
