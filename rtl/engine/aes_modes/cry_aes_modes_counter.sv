// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Next counter block: big-endian, byte 15 is the least significant. Combinational.
//
// All 128 bits count (CTR), or only the last 32 (GCM). The counter has words of 16 bits, each of
// which increments when all lower words are all-ones: short carries.
module cry_aes_modes_counter (
  input  logic         last_32_i,  // only the last 32 bits count
  input  logic [127:0] block_i,    // counter block
  output logic [127:0] block_o     // the next
);

  logic [7:0][15:0] words, counted;
  logic [7:0]       full, steps;

  always_comb begin
    for (int i = 0; i < 16; i++) words[(15-i)/2][8*((15-i)%2)+:8] = block_i[8*i+:8];
    for (int w = 0; w < 8; w++) full[w] = &words[w];
    for (int w = 0; w < 8; w++) begin
      steps[w]   = (&(full | (8'hFF << w))) & ((w < 2) | !last_32_i);
      counted[w] = steps[w] ? words[w] + 16'd1 : words[w];
    end
    for (int i = 0; i < 16; i++) block_o[8*i+:8] = counted[(15-i)/2][8*((15-i)%2)+:8];
  end

endmodule
