// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Which instruction is read next, from the one that the memory of instructions puts out now: loops,
// calls and returns take a cycle, as all instructions do.
module cry_pka_fetch
  import cry_pka_isa_pkg::*;
#(
  parameter int unsigned CallDepth = Calls  // how deep calls nest, at least 2
) (
  input  logic       clk_i,    // clock
  input  logic       rst_ni,   // asynchronous reset
  input  logic       start_i,  // a program begins
  input  code_addr_t entry_i,  // where

  input  logic        issue_i,   // the instruction issues in this cycle
  input  logic [7:0]  op_i,      // its code
  input  logic [15:0] target_i,  // a count of rounds, or an address

  output code_addr_t addr_o,  // of the instruction that is to be there in the next cycle
  output code_addr_t pc_o,    // of the one that is there now
  output logic       fault_o  // it nests too deep, ends what has not begun, or goes to nowhere
);

  typedef struct packed {
    code_addr_t  first;  // instruction of the body
    logic [15:0] left;   // rounds, with this one
  } loop_t;

  // The innermost of each is element 0.
  loop_t      [Loops-1:0] loops_q, loops_d;
  code_addr_t [CallDepth-1:0] calls_q, calls_d;
  logic [Loops-1:0] looping_q, looping_d;
  logic [CallDepth-1:0] calling_q, calling_d;
  code_addr_t pc_q, pc_d, next;

  assign next   = pc_q + 1'b1;
  assign addr_o = pc_d;
  assign pc_o   = pc_q;

  always_comb begin
    loops_d   = loops_q;
    calls_d   = calls_q;
    looping_d = looping_q;
    calling_d = calling_q;
    pc_d      = issue_i ? next : pc_q;
    fault_o   = 1'b0;

    unique case (op_i)
      OpLoop: begin
        fault_o = looping_q[Loops-1];
        if (issue_i) begin
          loops_d   = {loops_q[Loops-2:0], loop_t'{first: next, left: target_i}};
          looping_d = {looping_q[Loops-2:0], 1'b1};
        end
      end
      OpNext: begin
        fault_o = !looping_q[0];
        if (issue_i) begin
          if (loops_q[0].left > 16'd1) begin
            pc_d            = loops_q[0].first;
            loops_d[0].left = loops_q[0].left - 16'd1;
          end else begin
            loops_d   = {loop_t'(0), loops_q[Loops-1:1]};
            looping_d = {1'b0, looping_q[Loops-1:1]};
          end
        end
      end
      OpCall: begin
        fault_o = calling_q[CallDepth-1] | (target_i >= 16'(CodeWords));
        if (issue_i) begin
          pc_d      = code_addr_t'(target_i);
          calls_d   = {calls_q[CallDepth-2:0], next};
          calling_d = {calling_q[CallDepth-2:0], 1'b1};
        end
      end
      OpRet: begin
        fault_o = !calling_q[0];
        if (issue_i) begin
          pc_d      = calls_q[0];
          calls_d   = {code_addr_t'(0), calls_q[CallDepth-1:1]};
          calling_d = {1'b0, calling_q[CallDepth-1:1]};
        end
      end
      default: ;
    endcase

    if (start_i) begin
      pc_d      = entry_i;
      looping_d = '0;
      calling_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q      <= '0;
      loops_q   <= '0;
      calls_q   <= '0;
      looping_q <= '0;
      calling_q <= '0;
    end else begin
      pc_q      <= pc_d;
      loops_q   <= loops_d;
      calls_q   <= calls_d;
      looping_q <= looping_d;
      calling_q <= calling_d;
    end
  end

endmodule
