// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One round of Ascon-p (NIST SP 800-232, section 3). Combinational.
module cry_ascon_round
  import cry_ascon_pkg::*;
(
  input  state_t     state_i,  // S_0 to S_4
  input  logic [3:0] index_i,  // of the twelve
  output state_t     state_o   // after the round
);

  function automatic word_t diffuse(word_t x, int unsigned a, int unsigned b);
    return x ^ (x >> a | x << (64 - a)) ^ (x >> b | x << (64 - b));
  endfunction

  state_t x, y;

  always_comb begin
    x       = state_i;
    x[2]    = x[2] ^ x[1] ^ 64'({~index_i, index_i});
    x[0]    = x[0] ^ x[4];
    x[4]    = x[4] ^ x[3];
    for (int unsigned i = 0; i < 5; i++) y[i] = x[i] ^ (~x[(i+1)%5] & x[(i+2)%5]);
    state_o[0] = diffuse(y[0] ^ y[4], 19, 28);
    state_o[1] = diffuse(y[1] ^ y[0], 61, 39);
    state_o[2] = diffuse(~y[2], 1, 6);
    state_o[3] = diffuse(y[3] ^ y[2], 10, 17);
    state_o[4] = diffuse(y[4], 7, 41);
  end

endmodule
