// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Assertions on an AXI4 port: the manager's rules, and that a response follows each request.
// Simulation only.
//
// Stricter than AXI4: bursts are of whole, aligned bus words, and write data is accepted with its
// address or after it.
`ifndef SYNTHESIS
module cry_axi_protocol_checker #(
  parameter int unsigned IdWidth   = 2,   // bits of an ID
  parameter int unsigned DataWidth = 128  // bits of a bus word
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  // Write address, write data and write response channels
  input logic                   awvalid_i,
  input logic                   awready_i,
  input logic [IdWidth-1:0]     awid_i,
  input logic [31:0]            awaddr_i,
  input logic [7:0]             awlen_i,
  input logic                   wvalid_i,
  input logic                   wready_i,
  input logic [DataWidth-1:0]   wdata_i,
  input logic [DataWidth/8-1:0] wstrb_i,
  input logic                   wlast_i,
  input logic                   bvalid_i,
  input logic                   bready_i,
  // Read address and read data channels
  input logic                   arvalid_i,
  input logic                   arready_i,
  input logic [IdWidth-1:0]     arid_i,
  input logic [31:0]            araddr_i,
  input logic [7:0]             arlen_i,
  input logic                   rvalid_i,
  input logic                   rready_i,
  input logic                   rlast_i
);

  localparam int unsigned WordBytes = DataWidth / 8;

  `CRY_ASSERT_RUN

  function automatic logic within_4k(logic [11:0] offset, logic [7:0] len);
    return (32'(offset) + (32'(len) + 32'd1) * WordBytes) <= 32'd4096;
  endfunction

  // Lengths of the bursts whose data is outstanding.
  logic [7:0]  lens[$];
  int unsigned words_q, writes_q, reads_q;

  // verilator lint_off BLKSEQ
  always @(posedge clk_i) begin
    if (!assert_run_q) begin
      lens     = {};
      words_q  = 0;
      writes_q = 0;
      reads_q  = 0;
    end else begin
      if (awvalid_i && awready_i) lens.push_back(awlen_i);
      if (arvalid_i && arready_i) reads_q++;
      if (wvalid_i && wready_i) begin
        DataHasAddress_A: assert (lens.size() != 0);
        LastIsExact_A: assert (wlast_i == (words_q == 32'(lens[0])));
        words_q = wlast_i ? 0 : words_q + 1;
        if (wlast_i) begin
          void'(lens.pop_front());
          writes_q++;
        end
      end
      if (bvalid_i && bready_i) begin
        WriteWasMade_A: assert (writes_q != 0);
        writes_q--;
      end
      if (rvalid_i && rready_i && rlast_i) begin
        ReadWasAsked_A: assert (reads_q != 0);
        reads_q--;
      end
    end
  end
  // verilator lint_on BLKSEQ

  `CRY_ASSERT(AwStable_A, awvalid_i && !awready_i |=>
    awvalid_i && $stable(awid_i) && $stable(awaddr_i) && $stable(awlen_i))
  `CRY_ASSERT(WStable_A, wvalid_i && !wready_i |=>
    wvalid_i && $stable(wdata_i) && $stable(wstrb_i) && $stable(wlast_i))
  `CRY_ASSERT(ArStable_A, arvalid_i && !arready_i |=>
    arvalid_i && $stable(arid_i) && $stable(araddr_i) && $stable(arlen_i))
  `CRY_ASSERT(AwWithin4K_A, awvalid_i |-> within_4k(awaddr_i[11:0], awlen_i))
  `CRY_ASSERT(ArWithin4K_A, arvalid_i |-> within_4k(araddr_i[11:0], arlen_i))
  `CRY_ASSERT(AwAligned_A, awvalid_i |-> (awaddr_i % WordBytes) == 0)
  `CRY_ASSERT(ArAligned_A, arvalid_i |-> (araddr_i % WordBytes) == 0)

  `CRY_ASSERT_KNOWN(AwHandshakeKnown_A, {awvalid_i, awready_i})
  `CRY_ASSERT_KNOWN(WHandshakeKnown_A, {wvalid_i, wready_i})
  `CRY_ASSERT_KNOWN(BHandshakeKnown_A, {bvalid_i, bready_i})
  `CRY_ASSERT_KNOWN(ArHandshakeKnown_A, {arvalid_i, arready_i})
  `CRY_ASSERT_KNOWN(RHandshakeKnown_A, {rvalid_i, rready_i})
  `CRY_ASSERT_KNOWN_IF(AwKnown_A, {awid_i, awaddr_i, awlen_i}, awvalid_i)
  `CRY_ASSERT_KNOWN_IF(WKnown_A, {wdata_i, wstrb_i, wlast_i}, wvalid_i)
  `CRY_ASSERT_KNOWN_IF(ArKnown_A, {arid_i, araddr_i, arlen_i}, arvalid_i)

endmodule
`endif
