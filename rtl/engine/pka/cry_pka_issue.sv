// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Whether the instruction that the memory puts out can issue in this cycle (timing.py has the same
// in Python). It waits for
//   - the multiplier, if it is a multiplication and limbs of the one before are still selected;
//   - multiplications that are to write a row which it reads or writes; OpMod and OpHalt for all;
//   - the port to write, if it is the ALU's and a multiplication writes in the next cycle;
//   - the digit, if that says which row it reads and is made in this cycle.
module cry_pka_issue
  import cry_pka_isa_pkg::*;
#(
  parameter int unsigned Pending = 2  // multiplications that have not written, at most
) (
  input  logic clk_i,   // clock
  input  logic rst_ni,  // asynchronous reset
  input  logic clear_i,  // forgets multiplications

  input  logic  valid_i,  // an instruction is there
  input  word_t word_i,   // it
  input  logic  digit_i,  // the digit is made in this cycle
  output logic  issue_o,  // it issues

  input  logic mul_ready_i,   // a multiplication can issue
  input  logic mul_low_i,     // one writes the lower of its rows in the next cycle
  input  logic mul_ending_i,  // one writes its row, or the upper one, in the next cycle

  output row_addr_t mul_row_o,  // the row that it writes then
  output logic      lost_o      // nobody waits for it: after an upset alone
);

  typedef struct packed {
    logic      valid;
    logic      pair;  // two rows, of which it is one
    row_addr_t row;
  } pending_t;

  // Those that have not written, the oldest in element 0.
  pending_t [Pending-1:0] pending_q, pending_d;
  pending_t       added;

  typedef logic [$clog2(Pending)-1:0] index_t;
  index_t free;  // where one more goes, behind those that are there

  logic mul, alu, all, get, wait_mul;
  assign mul = is_mul(word_i.op);
  assign alu = is_alu(word_i.op);
  assign all = word_i.op inside {OpHalt, OpMod};
  assign get = word_i.op == OpGet;  // of a block of rows

  assign added.valid = issue_o & mul;
  assign added.pair  = mul & (word_i.op != OpMull) & (word_i.imm == KindRaw);
  assign added.row   = word_i.d;

  function automatic logic hit(logic used, row_addr_t row, logic pair, pending_t item);
    return used & item.valid & (row[7:1] == item.row[7:1]) &
           (pair | item.pair | (row[0] == item.row[0]));
  endfunction

  always_comb begin
    wait_mul = 1'b0;
    for (int unsigned i = 0; i < Pending; i++) begin
      wait_mul |= (all & pending_q[i].valid)
                  | hit(reads_a(word_i.op), word_i.a, 1'b0, pending_q[i])
                  | (get & pending_q[i].valid & (word_i.a[7:4] == pending_q[i].row[7:4]))
                  | hit(reads_b(word_i.op), word_i.b, 1'b0, pending_q[i])
                  | hit(writes(word_i.op), word_i.d, added.pair, pending_q[i]);
    end
  end

  assign issue_o = valid_i & !wait_mul & !(mul & !mul_ready_i) & !(get & digit_i) &
                   !(alu & (mul_low_i | mul_ending_i));

  // Otherwise all later ones, too, would be waited for one too early, and their rows read as they
  // were.
  assign lost_o = mul_ending_i & !pending_q[0].valid;

  assign mul_row_o = pending_q[0].pair ? {pending_q[0].row[7:1], mul_ending_i}
                                       : pending_q[0].row;

  always_comb begin
    pending_d = mul_ending_i ? {pending_t'(0), pending_q[Pending-1:1]} : pending_q;
    free      = index_t'(pending_d[0].valid);
    for (int unsigned i = 1; i < Pending - 1; i++) free += index_t'(pending_d[i].valid);
    if (added.valid) pending_d[free] = added;
    if (clear_i) pending_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= '0;
    else         pending_q <= pending_d;
  end

endmodule
