// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Boot ROM: passes the hart's number in a0 and the address of a device tree (0x8200_0000) in a1, as
// OpenSBI and Linux require, and jumps to the start of memory. Combinational.
module tsoc_boot_rom (
  input  logic [7:0]  addr_i,  // byte address
  output logic [63:0] rdata_o  // little-endian
);

  always_comb begin
    unique case (addr_i[7:3])
      5'd0:    rdata_o = {32'h0410_0593, 32'hF140_2573};  // csrr a0, mhartid; li a1, 0x41
      5'd1:    rdata_o = {32'h0010_0293, 32'h0195_9593};  // slli a1, a1, 25;  li t0, 1
      5'd2:    rdata_o = {32'h0002_8067, 32'h01F2_9293};  // slli t0, t0, 31;  jr t0
      default: rdata_o = '0;                              // an illegal instruction
    endcase
  end

  logic unused;
  assign unused = ^addr_i[2:0];

endmodule
