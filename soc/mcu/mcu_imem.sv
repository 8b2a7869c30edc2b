// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Instruction memory with two ports on one single-port array: the core's fetches, and its data
// accesses (constants, self-loading code), which have priority.
//
// Grants are combinational, answers follow in the next cycle. A fetch outside the memory is granted
// and answered with instr_err_o and a zero word, which is an illegal instruction. The data side is
// decoded by the caller. The memory starts at address 0.
module mcu_imem #(
  parameter int unsigned Words = 16384  // 32-bit words, a power of two
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Fetches
  input  logic        instr_req_i,
  output logic        instr_gnt_o,
  input  logic [31:0] instr_addr_i,  // byte address
  output logic        instr_rvalid_o,
  output logic [31:0] instr_rdata_o,
  output logic        instr_err_o,

  // Data accesses
  input  logic        data_req_i,
  output logic        data_gnt_o,
  input  logic        data_we_i,
  input  logic [3:0]  data_be_i,
  input  logic [31:0] data_addr_i,  // byte address, inside the memory
  input  logic [31:0] data_wdata_i,
  output logic [31:0] data_rdata_o
);

  localparam int unsigned AddrWidth = $clog2(Words);

  logic        instr_in_range;
  logic        valid_q, err_q;
  logic [31:0] rdata;

  assign instr_in_range = instr_addr_i[31:AddrWidth+2] == '0;
  assign data_gnt_o     = data_req_i;
  assign instr_gnt_o    = instr_req_i & ~data_req_i;

  mcu_sram #(
    .Words(Words)
  ) u_sram (
    .clk_i,
    .req_i  (data_req_i | (instr_req_i & instr_in_range)),
    .we_i   (data_req_i & data_we_i),
    .be_i   (data_be_i),
    .addr_i (data_req_i ? data_addr_i[2+:AddrWidth] : instr_addr_i[2+:AddrWidth]),
    .wdata_i(data_wdata_i),
    .rdata_o(rdata)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      err_q   <= 1'b0;
    end else begin
      valid_q <= instr_gnt_o;
      err_q   <= instr_gnt_o & ~instr_in_range;
    end
  end

  assign instr_rvalid_o = valid_q;
  assign instr_err_o    = err_q;
  assign instr_rdata_o  = err_q ? '0 : rdata;
  assign data_rdata_o   = rdata;

  // Addresses are of words on the fetch side; the data side is in range by the caller's decoding.
  logic unused_addr;
  assign unused_addr = ^{instr_addr_i[1:0], data_addr_i[1:0], data_addr_i[31:AddrWidth+2]};

endmodule
