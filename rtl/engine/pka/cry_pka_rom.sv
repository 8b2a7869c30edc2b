// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Programs and constants: nobody can load others, nor read keys by them. What is behind the end of
// the programs is no instruction, so that who gets there stops with a fault.
module cry_pka_rom
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
  import cry_pka_program_pkg::*;
(
  input  logic       clk_i,      // clock
  input  logic [3:0] program_i,  // program_e
  output logic       known_o,    // there is such a program; combinational, as are the next two
  output code_addr_t entry_o,    // its first instruction
  output result_t    results_o,  // rows of its result, less one

  input  logic       code_re_i,    // reads the instruction at code_addr_i at the next clock edge
  input  code_addr_t code_addr_i,  // its address
  output word_t      code_o,       // the instruction that was read last

  input  fill_t row_i,   // a row of the memory of rows, or a constant that none of them has
  output row_t  value_o  // what it holds before a program: a constant, or zero; combinational
);

  localparam int unsigned CodeWidth  = $clog2(NumWords);
  localparam int unsigned ConstWidth = $clog2(NumConstants);
  localparam int unsigned ExtraWidth = (NumExtras > 1) ? $clog2(NumExtras) : 1;

  assign known_o   = 32'(program_i) < NumPrograms;
  assign entry_o   = known_o ? Entries[program_i[$clog2(NumPrograms)-1:0]] : '0;
  assign results_o = known_o ? Results[program_i[$clog2(NumPrograms)-1:0]] : '0;

  word_t code_q;
  assign code_o = code_q;

  always_ff @(posedge clk_i) begin
    if (code_re_i) begin
      if (32'(code_addr_i) < NumWords) code_q <= Code[code_addr_i[CodeWidth-1:0]];
      else                             code_q <= '1;
    end
  end

  row_addr_t offset;
  assign offset = row_i.number - row_addr_t'(DataRows);

  always_comb begin
    value_o = '0;
    if (row_i.extra) begin
      if (32'(row_i.number) < NumExtras) value_o = Extras[row_i.number[ExtraWidth-1:0]];
    end else if (32'(row_i.number) >= DataRows && 32'(offset) < NumConstants) begin
      value_o = Constants[offset[ConstWidth-1:0]];
    end
  end

endmodule
