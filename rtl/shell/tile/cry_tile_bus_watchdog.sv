// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Watches the memory: when it has neither taken nor answered anything for limit_i cycles, though it
// was asked, in either direction, dead_o is high until reset.
module cry_tile_bus_watchdog #(
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] limit_i,  // cycles; 0: it is not watched
  input  logic [1:0]  asked_i,  // reads, writes: the memory has something to take or to answer
  input  logic [1:0]  moves_i,  // reads, writes: it takes or answers something
  output logic        dead_o,   // level until reset

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [1:0][31:0] waited_d, waited_q;
  logic             dead_d, dead_q;

  always_comb begin
    dead_d = dead_q;
    for (int unsigned d = 0; d < 2; d++) begin
      waited_d[d] = (asked_i[d] && !moves_i[d] && !dead_q) ? waited_q[d] + 32'd1 : '0;
      if ((limit_i != '0) && (waited_q[d] >= limit_i)) dead_d = 1'b1;
    end
  end
  assign dead_o = dead_q;

  cry_reg_tmr #(
    .Width($bits({waited_q, dead_q})), .Protect(Protect)
  ) u_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({waited_d, dead_d}), .q_o({waited_q, dead_q}), .corrected_o, .detected_o
  );

endmodule
