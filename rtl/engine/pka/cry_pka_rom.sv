// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Programs and constants: nobody can load others, nor read keys by them. What is behind the end of
// the programs is no instruction, so that who gets there stops with a fault.
module cry_pka_rom
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits = 256,  // bits of a row: 256, 384, 512 or 576
  parameter int unsigned Lanes   = CompactLanes  // products in a cycle: CompactLanes or FastLanes
) (
  input  logic       clk_i,         // clock
  input  logic [3:0] program_i,     // program_e
  output logic       known_o,       // there is such a program; combinational, as are the next ones
  output code_addr_t entry_o,       // its first instruction
  output result_t    results_o,     // rows of its result, less one
  output logic       zero_o,        // if it is one, it may be zero
  output row_addr_t  result_row_o,  // the first of them, the same for all

  input  logic       code_re_i,    // reads the instruction at code_addr_i at the next clock edge
  input  code_addr_t code_addr_i,  // its address
  output word_t      code_o,       // the instruction that was read last

  input  fill_t              row_i,   // a row of the memory of rows, or a constant that none has
  output logic [RowBits-1:0] value_o  // what it holds before a program, or zero; combinational
);

  word_t code_q, code_d;
  assign code_o = code_q;

  if (Lanes == FastLanes) begin : gen_fast256
    assign known_o      = cry_pka_fast256_pkg::is_program(program_i);
    assign entry_o      = cry_pka_fast256_pkg::entry_of(program_i);
    assign results_o    = cry_pka_fast256_pkg::results_of(program_i);
    assign zero_o       = cry_pka_fast256_pkg::zero_of(program_i);
    assign result_row_o = cry_pka_fast256_pkg::RowResult;
    assign code_d       = cry_pka_fast256_pkg::code_at(code_addr_i);
    assign value_o      = cry_pka_fast256_pkg::constant_of(row_i.extra, row_i.number);
  end else if (RowBits == 256) begin : gen_256
    assign known_o      = cry_pka_program256_pkg::is_program(program_i);
    assign entry_o      = cry_pka_program256_pkg::entry_of(program_i);
    assign results_o    = cry_pka_program256_pkg::results_of(program_i);
    assign zero_o       = cry_pka_program256_pkg::zero_of(program_i);
    assign result_row_o = cry_pka_program256_pkg::RowResult;
    assign code_d       = cry_pka_program256_pkg::code_at(code_addr_i);
    assign value_o      = cry_pka_program256_pkg::constant_of(row_i.extra, row_i.number);
  end else if (RowBits == 384) begin : gen_384
    assign known_o      = cry_pka_program384_pkg::is_program(program_i);
    assign entry_o      = cry_pka_program384_pkg::entry_of(program_i);
    assign results_o    = cry_pka_program384_pkg::results_of(program_i);
    assign zero_o       = cry_pka_program384_pkg::zero_of(program_i);
    assign result_row_o = cry_pka_program384_pkg::RowResult;
    assign code_d       = cry_pka_program384_pkg::code_at(code_addr_i);
    assign value_o      = cry_pka_program384_pkg::constant_of(row_i.extra, row_i.number);
  end else if (RowBits == 512) begin : gen_512
    assign known_o      = cry_pka_program512_pkg::is_program(program_i);
    assign entry_o      = cry_pka_program512_pkg::entry_of(program_i);
    assign results_o    = cry_pka_program512_pkg::results_of(program_i);
    assign zero_o       = cry_pka_program512_pkg::zero_of(program_i);
    assign result_row_o = cry_pka_program512_pkg::RowResult;
    assign code_d       = cry_pka_program512_pkg::code_at(code_addr_i);
    assign value_o      = cry_pka_program512_pkg::constant_of(row_i.extra, row_i.number);
  end else begin : gen_576
    assign known_o      = cry_pka_program576_pkg::is_program(program_i);
    assign entry_o      = cry_pka_program576_pkg::entry_of(program_i);
    assign results_o    = cry_pka_program576_pkg::results_of(program_i);
    assign zero_o       = cry_pka_program576_pkg::zero_of(program_i);
    assign result_row_o = cry_pka_program576_pkg::RowResult;
    assign code_d       = cry_pka_program576_pkg::code_at(code_addr_i);
    assign value_o      = cry_pka_program576_pkg::constant_of(row_i.extra, row_i.number);
  end

  always_ff @(posedge clk_i) begin
    if (code_re_i) code_q <= code_d;
  end

endmodule
