// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Checks the rules of AXI4 that a manager must keep, seen from outside, and the subordinate's answers.
// Simulation only.
//
// Parameters: IdWidth and DataWidth of the port.
`ifndef SYNTHESIS
module cry_axi_protocol_checker #(
  parameter int unsigned IdWidth   = 2,
  parameter int unsigned DataWidth = 128
) (
  input logic                   clk_i,
  input logic                   rst_ni,
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

  // High from the first cycle after reset on: a copy, because reset itself is asynchronous.
  logic run_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else         run_q <= 1'b1;
  end

  function automatic logic within_4k(logic [11:0] offset, logic [7:0] len);
    return (32'(offset) + (32'(len) + 32'd1) * WordBytes) <= 32'd4096;
  endfunction

  // Lengths of the bursts whose data is still to come. Stricter than AXI: data comes with its address or
  // after it.
  logic [7:0]  lens[$];
  int unsigned words_q, writes_q, reads_q;

  // verilator lint_off BLKSEQ
  always @(posedge clk_i) begin
    if (!run_q) begin
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

  default clocking cb @(posedge clk_i);
  endclocking
  default disable iff (!run_q);

  AwStable_A: assert property (awvalid_i && !awready_i |=>
    awvalid_i && $stable(awid_i) && $stable(awaddr_i) && $stable(awlen_i));
  WStable_A: assert property (wvalid_i && !wready_i |=>
    wvalid_i && $stable(wdata_i) && $stable(wstrb_i) && $stable(wlast_i));
  ArStable_A: assert property (arvalid_i && !arready_i |=>
    arvalid_i && $stable(arid_i) && $stable(araddr_i) && $stable(arlen_i));
  AwWithin4K_A: assert property (awvalid_i |-> within_4k(awaddr_i[11:0], awlen_i));
  ArWithin4K_A: assert property (arvalid_i |-> within_4k(araddr_i[11:0], arlen_i));
  AwAligned_A: assert property (awvalid_i |-> (awaddr_i % WordBytes) == 0);
  ArAligned_A: assert property (arvalid_i |-> (araddr_i % WordBytes) == 0);

  HandshakesKnown_A: assert property (!$isunknown({
    awvalid_i, awready_i, wvalid_i, wready_i, bvalid_i, bready_i, arvalid_i, arready_i, rvalid_i, rready_i
  }));
  AwKnown_A: assert property (awvalid_i |-> !$isunknown({awid_i, awaddr_i, awlen_i}));
  WKnown_A:  assert property (wvalid_i |-> !$isunknown({wdata_i, wstrb_i, wlast_i}));
  ArKnown_A: assert property (arvalid_i |-> !$isunknown({arid_i, araddr_i, arlen_i}));

endmodule
`endif
