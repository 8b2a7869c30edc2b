// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One round's step of the AES key schedule, forward or backward. Combinational.
//
// The schedule W[0], W[1], ... is seen through a window of Nk words (4, 6 or 8) that starts at
// W[4r]; word j of the window is bits 32j+31:32j. A forward step goes from r to r + 1 and computes
// four new words, a backward step goes from r + 1 to r. The low 128 bits of window_o are the round
// key of the step, in both directions. At most one of the four words needs SubWord:
//
//   Nk = 4  the first
//   Nk = 6  the first if r mod 3 = 0, the third if r mod 3 = 1, none if r mod 3 = 2
//   Nk = 8  the first, with RotWord and the round constant only if r is even
module cry_aes_key_step #(
  parameter bit EnDecrypt = 1'b1,  // build the backward step
  parameter bit EnKey192  = 1'b1,  // build 192-bit keys
  parameter bit EnKey256  = 1'b1   // build 256-bit keys; unused bits of the window are zero
) (
  input  logic         backward_i,   // backward step
  input  logic [1:0]   key_len_i,    // cry_engine_pkg::key_len_e
  input  logic         even_i,       // r is even
  input  logic [1:0]   phase_i,      // r mod 3
  input  logic [7:0]   rcon_i,       // the step's round constant
  output logic         rcon_used_o,  // the step uses rcon_i
  input  logic [255:0] window_i,     // window before the step
  output logic [255:0] window_o      // window after the step
);

  import cry_aes_pkg::*;

  localparam logic [255:0] Built =
      {{64{EnKey256}}, {64{EnKey256 | EnKey192}}, {128{1'b1}}};

  logic       is_192, is_256, back;
  logic       sub_first, sub_third;

  assign is_192 = EnKey192 & (key_len_i == cry_engine_pkg::KeyLen192);
  assign is_256 = EnKey256 & (key_len_i == cry_engine_pkg::KeyLen256);
  assign back   = EnDecrypt & backward_i;

  assign sub_first   = !is_192 | (phase_i == 2'd0);
  assign sub_third   = is_192 & (phase_i == 2'd1);
  assign rcon_used_o = is_256 ? even_i : (sub_first | sub_third);

  logic [255:0] window;
  logic [31:0]  w0, w1, w2, w3;   // the window's first words
  logic [31:0]  t0, t1, t2, t3;   // its last four words
  logic [31:0]  sub_in, sub_rot, sub_out, f;
  logic [31:0]  n0, n1, n2, n3;   // new words of a step forward
  logic [31:0]  o0, o1, o2, o3;   // new words of a step backward
  logic [31:0]  before_n0, before_o0;

  assign window = window_i & Built;
  assign {w3, w2, w1, w0} = window[127:0];
  assign {t3, t2, t1, t0} = is_256 ? window[255:128] : is_192 ? window[191:64] : window[127:0];

  // The word before the first new one.
  assign before_n0 = t3;
  assign before_o0 = is_256 ? w3 : is_192 ? w1 : o3;

  assign sub_in = back ? (sub_third ? t1 : before_o0) : (sub_third ? w1 ^ w0 ^ t3 : before_n0);
  assign sub_rot = (is_256 & !even_i) ? sub_in : rot_word(sub_in);
  for (genvar i = 0; i < 4; i++) begin : gen_sbox
    cry_aes_sbox u_sbox (
      .in_i (sub_rot[8*i+:8]),
      .out_o(sub_out[8*i+:8])
    );
  end
  assign f = sub_out ^ {24'b0, (is_256 & !even_i) ? 8'h00 : rcon_i};

  assign n0 = w0 ^ (sub_first ? f : before_n0);
  assign n1 = w1 ^ n0;
  assign n2 = w2 ^ (sub_third ? f : n1);
  assign n3 = w3 ^ n2;

  assign o3 = t3 ^ t2;
  assign o2 = t2 ^ (sub_third ? f : t1);
  assign o1 = t1 ^ t0;
  assign o0 = t0 ^ (sub_first ? f : before_o0);

  always_comb begin
    if (back) begin
      window_o = {w3, w2, w1, w0, o3, o2, o1, o0};
    end else if (is_256) begin
      window_o = {n3, n2, n1, n0, window[255:128]};
    end else if (is_192) begin
      window_o = {64'b0, n3, n2, n1, n0, window[191:128]};
    end else begin
      window_o = {128'b0, n3, n2, n1, n0};
    end
    window_o &= Built;
  end

endmodule
