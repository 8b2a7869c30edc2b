// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What OpSel notes of a step of an inverse, for OpGcdr and OpCofr: whether a row is odd, and less
// than another one. Then the ALU (cry_pka_alu) takes the difference of two rows one way or the
// other, or the first one alone. Of OpCofr it is noted before, too, whether that is odd.
module cry_pka_steps #(
  parameter int unsigned RowBits = 256  // bits of a row
) (
  input  logic               clk_i,      // clock
  input  logic               rst_ni,     // asynchronous reset
  input  logic               wipe_i,     // forgets all
  input  logic               note_i,     // of the rows a and b: a is odd, and less
  input  logic               parity_i,   // what of them is halved is odd
  input  logic               borrow_i,   // a - b borrows
  input  logic               odd_i,      // row a is odd
  input  logic [RowBits-1:0] row_i,      // row b
  input  logic               step_i,     // OpGcdr or OpCofr is carried out in the next cycle
  output logic [RowBits-1:0] row_o,      // what the ALU has for row b
  output logic               less_o,     // a was odd, and less
  output logic               parity_o,   // what is halved is odd
  output logic               turned_o    // the ALU takes b - a
);

  logic odd_q, odd_d, less_q, less_d, parity_q;
  logic alone_q, turned_q;  // of what is carried out: row a is all; see turned_o

  assign odd_d  = note_i ? odd_i : odd_q;
  assign less_d = note_i ? odd_i & borrow_i : less_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      odd_q    <= 1'b0;
      less_q   <= 1'b0;
      parity_q <= 1'b0;
      alone_q  <= 1'b0;
      turned_q <= 1'b0;
    end else begin
      odd_q    <= odd_d & !wipe_i;
      less_q   <= less_d & !wipe_i;
      parity_q <= (parity_i ? odd_i ^ (odd_q & row_i[0]) : parity_q) & !wipe_i;
      alone_q  <= step_i & !odd_d;
      turned_q <= step_i & less_d;
    end
  end

  assign row_o    = row_i & {RowBits{!alone_q}};
  assign less_o   = less_q;
  assign parity_o = parity_q;
  assign turned_o = turned_q;

endmodule
