// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// AXI4-Lite subordinate in front of a generated register block, which answers combinationally.
//
// A write is accepted when address and data are valid, a read in a cycle without a write: at most
// one access per cycle. Latency: the response is valid one cycle after the request. Every response
// is OKAY: the block reads as zero between its registers. awprot and arprot are not needed.
//
// At ProtectDetect bvalid and rvalid are corrected too: who waits for a lost response reads no
// alarm.
module cry_axi_lite_slave
  import cry_protect_pkg::*;
#(
  parameter int unsigned AddrWidth = 8,           // bits of a byte address
  parameter protect_e    Protect   = ProtectNone  // level of protection of its registers
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // AXI4-Lite, from the manager
  input  logic                 awvalid_i,
  output logic                 awready_o,
  input  logic [AddrWidth-1:0] awaddr_i,
  input  logic                 wvalid_i,
  output logic                 wready_o,
  input  logic [31:0]          wdata_i,
  input  logic [3:0]           wstrb_i,
  output logic                 bvalid_o,
  input  logic                 bready_i,
  output logic [1:0]           bresp_o,
  input  logic                 arvalid_i,
  output logic                 arready_o,
  input  logic [AddrWidth-1:0] araddr_i,
  output logic                 rvalid_o,
  input  logic                 rready_i,
  output logic [31:0]          rdata_o,
  output logic [1:0]           rresp_o,

  // Register block: one access in each cycle of req_o
  output logic                 req_o,
  output logic                 we_o,
  output logic [AddrWidth-1:0] addr_o,   // byte address of a word
  output logic [31:0]          wdata_o,
  output logic [31:0]          biten_o,  // bits to be written
  input  logic [31:0]          rdata_i,  // in the cycle of req_o

  output logic                 corrected_o,  // an upset is corrected
  output logic                 detected_o    // an upset is detected, not corrected
);

  logic write, read;
  logic bvalid_q, rvalid_q;

  assign write = awvalid_i && wvalid_i && (!bvalid_q || bready_i);
  assign read  = arvalid_i && !write && (!rvalid_q || rready_i);

  assign awready_o = write;
  assign wready_o  = write;
  assign arready_o = read;

  assign req_o   = write || read;
  assign we_o    = write;
  assign addr_o  = write ? {awaddr_i[AddrWidth-1:2], 2'b00} : {araddr_i[AddrWidth-1:2], 2'b00};
  assign wdata_o = wdata_i;
  for (genvar i = 0; i < 4; i++) begin : gen_biten
    assign biten_o[8*i+:8] = {8{wstrb_i[i]}};
  end

  // A response is replaced by the next one, or accepted.
  logic bvalid_d, rvalid_d;
  assign bvalid_d = write || (bvalid_q && !bready_i);
  assign rvalid_d = read || (rvalid_q && !rready_i);

  logic [1:0]  corrected, detected;
  logic [31:0] unused_raw;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  cry_reg_tmr #(
    .Width(2), .Protect((Protect == ProtectNone) ? ProtectNone : ProtectCorrect)
  ) u_valid (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({bvalid_d, rvalid_d}),
    .q_o({bvalid_q, rvalid_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );
  cry_reg_ecc #(
    .Width(32), .Protect(Protect)
  ) u_rdata (
    .clk_i, .rst_ni, .en_i(read), .inject_i(1'b0),
    .d_i(rdata_i),
    .q_o(rdata_o), .raw_o(unused_raw),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign bvalid_o = bvalid_q;
  assign rvalid_o = rvalid_q;
  assign bresp_o  = 2'b00;
  assign rresp_o  = 2'b00;

  // Registers are whole words.
  logic unused;
  assign unused = ^{awaddr_i[1:0], araddr_i[1:0], unused_raw};

  `CRY_ASSERT_RUN
  `CRY_ASSERT_KNOWN(WriteHandshakeKnown_A, {awready_o, wready_o, bvalid_o})
  `CRY_ASSERT_KNOWN(ReadHandshakeKnown_A, {arready_o, rvalid_o})
  `CRY_ASSERT_KNOWN_IF(BKnown_A, bresp_o, bvalid_o)
  `CRY_ASSERT_KNOWN_IF(RKnown_A, {rdata_o, rresp_o}, rvalid_o)

endmodule
