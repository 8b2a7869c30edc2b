// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Memory, one port to write and one to read, both synchronous. A word that is read in the cycle in
// which it is written is not defined; without reset. It stands for a macro.
module cry_pka_ram #(
  parameter  int unsigned Width = 256,  // bits of a word
  parameter  int unsigned Depth = 256,  // words, a power of two
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,    // clock
  input  logic                 we_i,     // writes wdata_i at the next clock edge
  input  logic [AddrWidth-1:0] waddr_i,  // word to write
  input  logic [Width-1:0]     wdata_i,  // its value
  input  logic                 re_i,     // reads the word at raddr_i at the next clock edge
  input  logic [AddrWidth-1:0] raddr_i,  // word to read
  output logic [Width-1:0]     rdata_o   // the word that was read last
);

  logic [Width-1:0] mem[Depth];
  logic [Width-1:0] rdata_q;

  assign rdata_o = rdata_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_q <= mem[raddr_i];
  end

endmodule
