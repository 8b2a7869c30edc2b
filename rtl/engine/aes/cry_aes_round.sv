// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One AES round, encryption or decryption. Combinational.
//
// Both directions share the S-boxes (cry_aes_sbox_dual) and MixColumns: the decryption order
// InvShiftRows, InvSubBytes, AddRoundKey, InvMixColumns has the key before the mixing, encryption
// after.
module cry_aes_round #(
  parameter bit EnDecrypt = 1'b1  // build the inverse round; otherwise decrypt_i is ignored
) (
  input  logic         decrypt_i,  // inverse round
  input  logic         last_i,     // last round: without MixColumns
  input  logic [127:0] state_i,    // state before the round
  input  logic [127:0] key_i,      // round key
  output logic [127:0] state_o     // state after the round
);

  import cry_aes_pkg::*;

  logic [127:0] sub;

  if (EnDecrypt) begin : gen_both
    logic [127:0] shifted, keyed, mixed;

    for (genvar i = 0; i < 16; i++) begin : gen_sbox
      cry_aes_sbox_dual u_sbox (
        .inverse_i(decrypt_i),
        .in_i     (state_i[8*i+:8]),
        .out_o    (sub[8*i+:8])
      );
    end

    assign shifted = decrypt_i ? inv_shift_rows(sub) : shift_rows(sub);
    assign keyed   = shifted ^ (key_i & {128{decrypt_i}});
    assign mixed   = mix_columns(decrypt_i ? inv_mix_prepare_columns(keyed) : keyed);
    assign state_o = (last_i ? keyed : mixed) ^ (key_i & {128{!decrypt_i}});
  end else begin : gen_encrypt
    logic [127:0] shifted;
    logic         unused_decrypt;

    for (genvar i = 0; i < 16; i++) begin : gen_sbox
      cry_aes_sbox u_sbox (
        .in_i (state_i[8*i+:8]),
        .out_o(sub[8*i+:8])
      );
    end

    assign shifted        = shift_rows(sub);
    assign state_o        = (last_i ? shifted : mix_columns(shifted)) ^ key_i;
    assign unused_decrypt = decrypt_i;
  end

endmodule
