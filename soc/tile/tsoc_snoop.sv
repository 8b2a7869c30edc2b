// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Coherence of the core's data cache with what another manager writes.
//
// Each word that memory has performed is snooped as a line of the cache, and a write is answered
// when the cache holds none of its lines: what is visible after the answer (a completion record,
// an interrupt) implies that loads of the core see the data. A line is snooped a cycle after its
// word was written, so an answer comes no later than memory gives it, from a latency of 2 cycles
// on.
//
// Words of the manager are lines of the cache: 16 bytes.
module tsoc_snoop
  import tsoc_pkg::*;
#(
  parameter int unsigned MostWrites = 32  // bursts that memory has not answered
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Words that memory performs, in the order of the bursts
  input  logic        wrote_i,       // one cycle: a word
  input  logic [63:0] wrote_addr_i,  // its address
  input  logic        wrote_last_i,  // it is the last of its burst
  output logic        room_o,        // one more may be written

  // Answers: from memory, and to the manager
  input  logic        mem_b_valid_i,
  output logic        mem_b_ready_o,
  output logic        b_valid_o,
  input  logic        b_ready_i,

  // To the cache, which drops the line within two cycles from the one in which it is ready
  output logic        snoop_valid_o,
  input  logic        snoop_ready_i,
  output logic [63:0] snoop_addr_o
);

  localparam int unsigned Depth      = 16;
  localparam int unsigned CountWidth = $clog2(MostWrites + 1);

  logic                  last, pop, dropping_q, answer;
  logic [$clog2(Depth):0] count;
  logic [CountWidth-1:0] dropped_q;  // bursts whose lines are gone, not answered

  logic [1:0] unused_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [64:0]),
    .Depth(Depth)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (wrote_i),
    .in_ready_o (room_o),
    .in_data_i  ({wrote_last_i, wrote_addr_i}),
    .out_valid_o(snoop_valid_o),
    .out_ready_i(snoop_ready_i),
    .out_data_o ({last, snoop_addr_o}),
    .count_o    (count),
    .corrected_o(unused_faults[1]),
    .detected_o (unused_faults[0])
  );

  assign pop           = snoop_valid_o && snoop_ready_i;
  assign b_valid_o     = mem_b_valid_i && (dropped_q != '0);
  assign mem_b_ready_o = b_ready_i && (dropped_q != '0);
  assign answer        = b_valid_o && b_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dropping_q <= 1'b0;
      dropped_q  <= '0;
    end else begin
      dropping_q <= pop && last;
      dropped_q  <= dropped_q + CountWidth'(dropping_q) - CountWidth'(answer);
    end
  end

  logic unused;
  assign unused = ^count;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Room_A, wrote_i |-> room_o)
  `CRY_ASSERT(Most_A, dropped_q <= CountWidth'(MostWrites))

endmodule
