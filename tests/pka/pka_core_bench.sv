// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// cry_pka_core with a memory of instructions that the test fills, and constants that no test reads.
module pka_core_bench
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits      = 256,
  parameter int unsigned Lanes        = 1,
  parameter int unsigned RandomCycles = 64,
  parameter int unsigned MaxCycles    = 4096
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,

  input  logic       code_we_i,
  input  code_addr_t code_waddr_i,
  input  word_t      code_wdata_i,

  input  logic               in_valid_i,
  output logic               in_ready_o,
  input  row_addr_t          in_row_i,
  input  logic [RowBits-1:0] in_data_i,

  input  logic       start_valid_i,
  output logic       start_ready_o,
  input  logic       known_i,
  input  code_addr_t entry_i,
  input  result_t    results_i,
  input  logic       zero_i,

  input  logic               rnd_valid_i,
  output logic               rnd_ready_o,
  input  logic [RowBits-1:0] rnd_data_i,

  output logic       done_valid_o,
  input  logic       done_ready_i,
  output logic [2:0] done_status_o,
  output logic       done_last_o,
  output result_t    done_index_o,
  input  row_addr_t  out_row_i,
  output logic [RowBits-1:0] out_data_o,

  // What the core does in this cycle
  output logic       issue_o,
  output code_addr_t pc_o,
  output logic       we_o,
  output row_addr_t  waddr_o,
  output logic [RowBits-1:0] wdata_o
);

  typedef logic [RowBits-1:0] row_t;

  logic       code_re, row_re;
  code_addr_t code_addr;
  word_t      code;
  fill_t      fill_row;
  row_addr_t  [1:0] raddr;
  row_t       [1:0] rdata;
  status_e    status;

  assign done_status_o = status;
  assign issue_o       = u_core.issue;
  assign pc_o          = u_core.pc;

  cry_pka_core #(
    .RowBits(RowBits), .Lanes(Lanes), .RandomCycles(RandomCycles), .MaxCycles(MaxCycles)
  ) u_core (
    .clk_i, .rst_ni, .clear_i, .in_valid_i, .in_ready_o, .in_row_i, .in_data_i,
    .start_valid_i, .start_ready_o, .known_i, .entry_i, .results_i, .zero_i,
    .rnd_valid_i, .rnd_ready_o, .rnd_data_i,
    .done_valid_o, .done_ready_i, .done_last_o, .done_index_o,
    .done_status_o(status),
    .out_row_i, .out_data_o,
    .code_re_o    (code_re),
    .code_addr_o  (code_addr),
    .code_i       (code),
    .fill_row_o   (fill_row),
    .fill_data_i  ((fill_row.extra | (fill_row.number >= row_addr_t'(data_rows(RowBits))))
                   ? {RowBits / 8{fill_row.number}} : '0),
    .row_we_o     (we_o),
    .row_waddr_o  (waddr_o),
    .row_wdata_o  (wdata_o),
    .row_re_o     (row_re),
    .row_raddr_a_o(raddr[0]),
    .row_raddr_b_o(raddr[1]),
    .row_a_i      (rdata[0]),
    .row_b_i      (rdata[1])
  );

  cry_pka_ram #(.Width(40), .Depth(CodeWords)) u_code (
    .clk_i, .we_i(code_we_i), .waddr_i(code_waddr_i), .wdata_i(code_wdata_i),
    .re_i(code_re), .raddr_i(code_addr), .rdata_o(code)
  );

  for (genvar i = 0; i < 2; i++) begin : gen_rows
    cry_pka_ram #(.Width(RowBits), .Depth(Rows)) u_ram (
      .clk_i, .we_i(we_o), .waddr_i(waddr_o), .wdata_i(wdata_o),
      .re_i(row_re), .raddr_i(raddr[i]), .rdata_o(rdata[i])
    );
  end

endmodule
