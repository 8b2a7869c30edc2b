// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A core's data port to register blocks on AXI4-Lite, whose address and write data are the core's.
// One access at a time: the next one begins when the last is answered.
module example_axil #(
  parameter int unsigned NumBlocks = 2,  // blocks
  localparam int unsigned SelWidth = NumBlocks > 1 ? $clog2(NumBlocks) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Core: granted, and answered later
  input  logic                       req_i,
  output logic                       gnt_o,
  input  logic                       we_i,
  input  logic [SelWidth-1:0]        sel_i,      // which block
  output logic                       rvalid_o,
  output logic [31:0]                rdata_o,
  output logic                       err_o,      // with rvalid_o
  // Blocks: answers are always taken
  output logic [NumBlocks-1:0]       awvalid_o,
  input  logic [NumBlocks-1:0]       awready_i,
  output logic [NumBlocks-1:0]       wvalid_o,
  input  logic [NumBlocks-1:0]       wready_i,
  input  logic [NumBlocks-1:0]       bvalid_i,
  input  logic [NumBlocks-1:0][1:0]  bresp_i,
  output logic [NumBlocks-1:0]       arvalid_o,
  input  logic [NumBlocks-1:0]       arready_i,
  input  logic [NumBlocks-1:0]       rvalid_i,
  input  logic [NumBlocks-1:0][31:0] rdata_i,
  input  logic [NumBlocks-1:0][1:0]  rresp_i
);

  logic                aw_done_q, w_done_q, aw_done, w_done;
  logic [SelWidth-1:0] sel_q;

  always_comb begin
    awvalid_o        = '0;
    wvalid_o         = '0;
    arvalid_o        = '0;
    awvalid_o[sel_i] = req_i && we_i && !aw_done_q;
    wvalid_o[sel_i]  = req_i && we_i && !w_done_q;
    arvalid_o[sel_i] = req_i && !we_i;
  end

  assign aw_done  = aw_done_q || awready_i[sel_i];
  assign w_done   = w_done_q || wready_i[sel_i];
  assign gnt_o    = req_i && (we_i ? aw_done && w_done : arready_i[sel_i]);
  assign rvalid_o = bvalid_i[sel_q] || rvalid_i[sel_q];
  assign rdata_o  = rdata_i[sel_q];
  assign err_o    = bvalid_i[sel_q] ? bresp_i[sel_q][1] : rresp_i[sel_q][1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      sel_q     <= '0;
    end else if (req_i) begin
      aw_done_q <= we_i && aw_done && !gnt_o;
      w_done_q  <= we_i && w_done && !gnt_o;
      sel_q     <= sel_i;
    end
  end

  logic unused;
  always_comb begin
    unused = 1'b0;
    for (int unsigned i = 0; i < NumBlocks; i++) unused ^= bresp_i[i][0] ^ rresp_i[i][0];
  end

endmodule
