// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// FIFO of words that are zeroized once they are read: any of them may be part of a key.
//
// Latency from write to read: one cycle. One word in and one out per cycle. A word that was read is
// overwritten as soon as the memory's write port is free: with zeros in a cycle without a new word,
// or with a new word that takes its position. So are all words after a reset.
module cry_tile_lane_words #(
  parameter  int unsigned Width = 130,  // bits of a word
  parameter  int unsigned Depth = 64,   // words, a power of two
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               in_valid_i,  // a word
  output logic               in_ready_o,  // it is stored
  input  logic [Width-1:0]   in_data_i,   // the word

  output logic               out_valid_o,  // the oldest word
  input  logic               out_ready_i,  // it is taken
  output logic [Width-1:0]   out_data_o,   // the word

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [1:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  // What is from wipe_q to read_q was used and is to be overwritten.
  logic [AddrWidth:0]   write_q, read_q, wipe_q, wipe_d, count;
  logic [AddrWidth-1:0] write_place, wipe_place;
  logic                 push, pop, dirty, wipe, covered;

  assign write_place = write_q[AddrWidth-1:0];
  assign wipe_place  = wipe_q[AddrWidth-1:0];

  assign count       = write_q - read_q;
  assign in_ready_o  = !count[AddrWidth];
  assign out_valid_o = count != '0;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  assign dirty   = wipe_q != read_q;
  assign wipe    = dirty && !push;
  assign covered = dirty && push && (write_place == wipe_place);

  logic [AddrWidth:0] write_d, read_d;
  always_comb begin
    write_d = write_q;
    read_d  = read_q;
    wipe_d  = wipe_q;
    if (push)            write_d = write_q + 1'b1;
    if (pop)             read_d  = read_q + 1'b1;
    if (wipe || covered) wipe_d  = wipe_q + 1'b1;
  end

  cry_reg_tmr #(
    .Width($bits({write_q, read_q, wipe_q})),
    .ResVal((3 * (AddrWidth + 1))'(Depth)), .Protect(Protect)
  ) u_write_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({write_d, read_d, wipe_d}),
    .q_o({write_q, read_q, wipe_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  cry_ram #(
    .Width(Width),
    .Depth(Depth),
    .Protect(Protect)
  ) u_ram (
    .clk_i,
    .we_i   (push || wipe),
    .waddr_i(push ? write_place : wipe_place),
    .wdata_i(push ? in_data_i : '0),
    .raddr_i(read_q[AddrWidth-1:0]),
    .rdata_o(out_data_o),
    .used_i(out_valid_o),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  `CRY_ASSERT_RUN
  // A word that was not used is never wiped.
  `CRY_ASSERT(Behind_A, (AddrWidth + 1)'(write_q - wipe_q) <= (AddrWidth + 1)'(Depth))

endmodule
