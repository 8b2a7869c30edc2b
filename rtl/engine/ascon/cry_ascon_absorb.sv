// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What a beat does to the rate of the state. Combinational.
//
// Bytes that count are added to the rate, and the padding behind them; when decrypting, the rate is
// replaced by them. A wide rate is S_0 and S_1; a narrow one is S_0 alone, and takes a beat in two
// halves.
module cry_ascon_absorb
  import cry_ascon_pkg::*;
(
  input  logic [127:0] rate_i,     // S_0 and S_1
  input  logic [127:0] data_i,     // the beat
  input  logic [15:0]  keep_i,     // contiguous; none: padding alone
  input  logic         decrypt_i,  // data_i is ciphertext, which replaces the rate
  input  logic         pad_i,      // pad behind the last byte
  input  logic         narrow_i,   // the rate is S_0 alone
  input  logic         half_i,     // the upper half of the beat
  output logic [127:0] text_o,     // the beat en- or decrypted, zero beyond its bytes
  output logic [127:0] add_o       // to be added to the rate
);

  logic [127:0] mask, plain, padded;
  logic [15:0]  ends;

  assign ends = {keep_i[14:0], 1'b1} & ~keep_i;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) mask[8*i+:8] = {8{keep_i[i]}};
  end
  assign text_o = (data_i ^ rate_i) & mask;
  assign plain  = decrypt_i ? text_o : data_i & mask;

  always_comb begin
    padded = plain;
    for (int unsigned i = 0; i < 16; i++) padded[8*i] = plain[8*i] | (ends[i] & pad_i);
    add_o = padded;
    if (narrow_i) add_o = 128'(half_i ? padded[127:64] : padded[63:0]);
  end

endmodule
