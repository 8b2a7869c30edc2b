// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Single-port memory with byte enables: inferred, so that a flow maps it to block RAM or to a
// generated macro.
//
// Latency: rdata_o is the word read in the cycle before; it is stable until the next read.
module mcu_sram #(
  parameter  int unsigned Words = 1024,  // 32-bit words
  localparam int unsigned AddrWidth = $clog2(Words)
) (
  input  logic                 clk_i,
  input  logic                 req_i,    // one access in each cycle
  input  logic                 we_i,     // write
  input  logic [3:0]           be_i,     // bytes to write
  input  logic [AddrWidth-1:0] addr_i,   // word address
  input  logic [31:0]          wdata_i,  // written where be_i is set
  output logic [31:0]          rdata_o   // one cycle after the read
);

  logic [31:0] mem [Words];

  always_ff @(posedge clk_i) begin
    if (req_i) begin
      if (we_i) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (be_i[i]) mem[addr_i][8*i+:8] <= wdata_i[8*i+:8];
        end
      end else begin
        rdata_o <= mem[addr_i];
      end
    end
  end

endmodule
