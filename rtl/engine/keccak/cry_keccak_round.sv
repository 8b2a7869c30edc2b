// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One round of Keccak-f[1600] (FIPS 202, 3.3). Combinational.
//
// columns_o are the parities of the columns of state_i, which the round needs anyway: who stores
// parities of the state compares them with these.
module cry_keccak_round
  import cry_keccak_pkg::*;
(
  input  state_t     state_i,   // state before the round
  input  logic [4:0] index_i,   // number of the round, 0 to 23
  output state_t     state_o,   // state after the round
  output plane_t     columns_o  // parities of the columns of state_i
);

  plane_t     spread;  // theta adds this to every lane of a sheet
  state_t     moved;   // behind theta, rho and pi
  logic [6:0] constants;

  always_comb begin
    for (int unsigned x = 0; x < 5; x++) begin
      columns_o[x] = state_i[x] ^ state_i[x+5] ^ state_i[x+10] ^ state_i[x+15] ^ state_i[x+20];
    end
    for (int unsigned x = 0; x < 5; x++) begin
      spread[x] = columns_o[(x+4)%5] ^ {columns_o[(x+1)%5][62:0], columns_o[(x+1)%5][63]};
    end
  end

  for (genvar x = 0; x < 5; x++) begin : gen_x
    for (genvar y = 0; y < 5; y++) begin : gen_y
      localparam int unsigned From = x + 5 * y;
      localparam int unsigned To   = y + 5 * ((2 * x + 3 * y) % 5);
      lane_t mixed;
      assign mixed     = state_i[From] ^ spread[x];
      assign moved[To] = (mixed << Rho[From]) | (mixed >> ((64 - Rho[From]) % 64));
    end
  end

  assign constants = iota(index_i);
  always_comb begin
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        state_o[x+5*y] = moved[x+5*y] ^ (~moved[(x+1)%5+5*y] & moved[(x+2)%5+5*y]);
      end
    end
    for (int unsigned j = 0; j < 7; j++) begin
      state_o[0][(1<<j)-1] = state_o[0][(1<<j)-1] ^ constants[j];
    end
  end

endmodule
