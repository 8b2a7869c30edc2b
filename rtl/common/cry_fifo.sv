// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Valid/ready FIFO in LUT memory (cry_ram).
//
// Latency from write to read: one cycle. Throughput: one word in and one out per cycle; a full FIFO
// accepts no word in the cycle in which one leaves. in_ready_o does not depend on out_ready_i, nor
// out_valid_o on in_valid_i. With protection the pointers are a cry_reg_tmr and the words
// codewords.
module cry_fifo
  import cry_protect_pkg::*;
#(
  parameter  type         T       = logic [31:0],  // word
  parameter  int unsigned Depth   = 4,             // words, a power of two
  parameter  protect_e    Protect = ProtectNone,   // level of protection
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               flush_i,  // empties the FIFO; a word accepted in this cycle is lost

  // Write side
  input  logic               in_valid_i,
  output logic               in_ready_o,
  input  T                   in_data_i,

  // Read side
  output logic               out_valid_o,
  input  logic               out_ready_i,
  output T                   out_data_o,

  output logic [AddrWidth:0] count_o,  // words stored

  output logic               corrected_o,  // upset in a pointer or the word read, corrected
  output logic               detected_o    // likewise, not correctable
);

  typedef struct packed {
    logic [AddrWidth:0] write;  // one bit more than an address, to tell full from empty
    logic [AddrWidth:0] read;
  } pointers_t;

  pointers_t  at_q, at_d;
  logic       push, pop;
  logic [1:0] corrected, detected;

  assign count_o     = at_q.write - at_q.read;
  assign in_ready_o  = !count_o[AddrWidth];
  assign out_valid_o = count_o != '0;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_comb begin
    at_d.write = at_q.write + (AddrWidth + 1)'(push);
    at_d.read  = at_q.read + (AddrWidth + 1)'(pop);
    if (flush_i) at_d = '0;
  end

  cry_reg_tmr #(
    .Width($bits(pointers_t)), .Protect(Protect)
  ) u_pointers (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(at_d), .q_o(at_q), .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  cry_ram #(
    .Width($bits(T)), .Depth(Depth), .Protect(Protect)
  ) u_ram (
    .clk_i,
    .we_i   (push),
    .waddr_i(at_q.write[AddrWidth-1:0]),
    .wdata_i(in_data_i),
    .raddr_i(at_q.read[AddrWidth-1:0]),
    .rdata_o(out_data_o),
    .used_i (out_valid_o),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

endmodule
