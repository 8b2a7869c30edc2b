// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Stops the clock of a block that is idle: clk_o runs in each cycle in which busy_i is high, and
// for Linger cycles behind it and behind reset, in which the block comes to rest and is wiped.
// No cycle is lost: a block that is busy in a cycle has the edge that ends it.
//
// While a protected block sleeps, one cycle in 64 has an edge, so that its registers heal: an upset
// that they correct is gone, and no longer reported, after that time.
module cry_idle_gate
  import cry_protect_pkg::*;
#(
  parameter bit          Gate    = 1'b1,        // 1'b0: clk_o is clk_i
  parameter int unsigned Linger  = 128,         // cycles, up to 448
  parameter protect_e    Protect = ProtectNone  // level of protection of its registers
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic busy_i,       // level, from registers: it has half a cycle
  output logic clk_o,        // the block's clock
  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  if (Gate) begin : gen_gate
    localparam bit Heal = Protect != ProtectNone;

    localparam int unsigned Width  = (Linger > 192) ? 9 : 8;
    localparam int unsigned Asleep = (1 << Width) - 64;

    if (Linger > Asleep) begin : gen_too_long
      $error("cry_idle_gate: the counter ends before Linger");
    end

    // Counts up from the last busy cycle; then, asleep, the last 64 numbers again.
    logic [Width-1:0] rest_d, rest_q;
    logic             run;

    always_comb begin
      rest_d = rest_q + 1'b1;
      if (rest_q == '1) rest_d = Heal ? Width'(Asleep) : '1;
      if (busy_i)       rest_d = '0;
    end
    assign run = busy_i || (rest_q < Width'(Linger)) || (Heal && (rest_q == '1));

    cry_reg_tmr #(.Width(Width), .Protect(Protect)) u_rest (
      .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .d_i(rest_d), .q_o(rest_q),
      .corrected_o, .detected_o
    );

    cry_clock_gate #(.Protect(Protect)) u_gate (.clk_i, .en_i(run), .clk_o);
  end else begin : gen_none
    logic unused;
    assign unused      = ^{rst_ni, busy_i};
    assign clk_o       = clk_i;
    assign corrected_o = 1'b0;
    assign detected_o  = 1'b0;
  end

endmodule
