// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// TCDM access: shares the four ports between wide reads and wide writes, in turns when both want
// them.
//
// A wide access is one word in each of its lanes; lane i takes the word at address + i (the one
// word of a prefix read is taken by lane 3). Each lane is granted on its own; a lane that has its
// grant waits until the access is complete. The lanes that still wait are kept here, so that they
// stay asked for whatever becomes of read_lanes_i; address and data are the caller's to keep. Once
// stop_i is high, no new access starts.
//
// Latency: requests are combinational from read_valid_i and write_valid_i; a granted read's data is
// on tcdm_r_data_i in the next cycle, which answer_o marks.
module cry_hwpe_tcdm
  import cry_hwpe_pkg::*;
#(
  parameter int unsigned AddrWidth = 32  // address bits that count: see cry_hwpe_shell
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             stop_i,   // level: no new access starts
  output logic             idle_o,   // nothing asked for, nothing to be answered
  output logic             error_o,  // an access granted in the cycle before was refused

  input  logic             read_valid_i,   // a wide read is asked for
  output logic             read_ready_o,   // its last lane is granted
  input  word_addr_t       read_addr_i,    // word address of lane 0
  input  logic [3:0]       read_lanes_i,   // lanes that are read
  input  logic             read_prefix_i,  // lane 3 takes the word at read_addr_i
  output logic [3:0]       answer_o,       // lanes whose data is on tcdm_r_data_i

  input  logic             write_valid_i,  // a wide write is asked for
  output logic             write_ready_o,  // its last lane is granted
  input  word_addr_t       write_addr_i,   // word address of lane 0
  input  logic [127:0]     write_data_i,   // words of the four lanes
  input  logic [15:0]      write_be_i,     // bytes written; a lane without is not asked for

  output logic [3:0]       tcdm_req_o,      // request, held until granted
  input  logic [3:0]       tcdm_gnt_i,      // request accepted in this cycle
  output logic [3:0][31:0] tcdm_add_o,      // byte address, of a word
  output logic [3:0]       tcdm_wen_o,      // 1 reads, 0 writes
  output logic [3:0][3:0]  tcdm_be_o,       // bytes written
  output logic [3:0][31:0] tcdm_data_o,     // word written
  input  logic [3:0]       tcdm_r_valid_i,  // one cycle after a granted read
  input  logic [3:0]       tcdm_err_i       // one cycle after a grant: refused by the bus
);

  // Who has the ports; while an access is incomplete it keeps them.
  logic       open_q;       // an access was asked for and is not complete
  logic       write_sel, write_sel_q;
  logic [3:0] waiting_q;    // its lanes that have no grant yet
  logic [3:0] lanes, grants, waiting;
  logic       active, complete;

  always_comb begin
    if (open_q)                             write_sel = write_sel_q;
    else if (read_valid_i && write_valid_i) write_sel = !write_sel_q;
    else                                    write_sel = write_valid_i;
  end

  always_comb begin
    lanes = read_lanes_i;
    if (write_sel) begin
      for (int unsigned i = 0; i < NumLanes; i++) lanes[i] = |write_be_i[4*i +: 4];
    end
  end

  assign active     = open_q || (!stop_i && (read_valid_i || write_valid_i));
  assign tcdm_req_o = open_q ? waiting_q : (lanes & {4{active}});
  assign grants     = tcdm_req_o & tcdm_gnt_i;
  assign waiting    = tcdm_req_o & ~tcdm_gnt_i;
  assign complete   = active && (waiting == '0);

  assign read_ready_o  = complete && !write_sel;
  assign write_ready_o = complete && write_sel;

  logic [3:0] answer_q;   // lanes granted a read in the cycle before
  logic [3:0] checked_q;  // lanes granted anything in the cycle before

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q      <= 1'b0;
      write_sel_q <= 1'b0;
      waiting_q   <= '0;
      answer_q    <= '0;
      checked_q   <= '0;
    end else begin
      open_q    <= active && !complete;
      waiting_q <= waiting;
      answer_q  <= write_sel ? '0 : grants;
      checked_q <= grants;
      if (active) write_sel_q <= write_sel;
    end
  end

  assign answer_o = answer_q;
  assign error_o  = |(checked_q & tcdm_err_i);
  assign idle_o   = !open_q && (checked_q == '0);

  // Lane addresses: the line of four words that the first word is in, or the next line.
  word_addr_t       addr;
  logic [27:0]      line, next_line;

  localparam int unsigned LineWidth = AddrWidth - 4;
  always_comb begin
    addr      = write_sel ? write_addr_i : read_addr_i;
    line      = addr[29:2];
    next_line = line;
    next_line[LineWidth-1:0] += LineWidth'(1);
  end

  always_comb begin
    for (int unsigned i = 0; i < NumLanes; i++) begin
      automatic logic [1:0] step;
      automatic logic [2:0] word;
      step = ((i == NumLanes - 1) && !write_sel && read_prefix_i) ? 2'd0 : 2'(i);
      word = {1'b0, addr[1:0]} + {1'b0, step};
      tcdm_add_o[i] = {word[2] ? next_line : line, word[1:0], 2'b00};
    end
  end

  assign tcdm_wen_o  = {4{!write_sel}};
  assign tcdm_be_o   = write_be_i | {16{!write_sel}};
  assign tcdm_data_o = write_data_i;

  `CRY_ASSERT_RUN
  for (genvar i = 0; i < 4; i++) begin : gen_lane_assert
    // A request stays, unchanged, until it is granted.
    `CRY_ASSERT(Hold_A,
      tcdm_req_o[i] && !tcdm_gnt_i[i] |=> tcdm_req_o[i] && $stable(tcdm_add_o[i]) &&
      $stable(tcdm_wen_o[i]) && $stable(tcdm_be_o[i]))
    `CRY_ASSERT(HoldData_A,
      tcdm_req_o[i] && !tcdm_gnt_i[i] && !tcdm_wen_o[i] |=> $stable(tcdm_data_o[i]))
    // The memory keeps its side: a granted read is answered in the next cycle.
    `CRY_ASSERT(Answer_A, answer_q[i] |-> tcdm_r_valid_i[i])
  end

  // The answer's time is known from the grant.
  logic unused;
  assign unused = ^tcdm_r_valid_i;

endmodule
