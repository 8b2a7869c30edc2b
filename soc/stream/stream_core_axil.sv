// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The core's data accesses to two AXI4-Lite register blocks of 4 KiB each, whose address and write
// data are the core's.
//
// OBI-like: the grant is the block's ready, and rvalid_o its response; one access at a time. Both
// blocks respond OKAY to every access.
module stream_core_axil (
  input  logic             clk_i,
  input  logic             rst_ni,

  // From the core
  input  logic             req_i,
  output logic             gnt_o,
  input  logic             we_i,
  input  logic             sel_i,  // number of the block
  output logic             rvalid_o,
  output logic [31:0]      rdata_o,

  // AXI4-Lite of each block; responses are always accepted
  output logic [1:0]       awvalid_o,
  input  logic [1:0]       awready_i,
  output logic [1:0]       wvalid_o,
  input  logic [1:0]       wready_i,
  input  logic [1:0]       bvalid_i,
  output logic [1:0]       arvalid_o,
  input  logic [1:0]       arready_i,
  input  logic [1:0]       rvalid_i,
  input  logic [1:0][31:0] rdata_i
);

  logic sel_q;

  always_comb begin
    awvalid_o        = '0;
    wvalid_o         = '0;
    arvalid_o        = '0;
    awvalid_o[sel_i] = req_i && we_i;
    wvalid_o[sel_i]  = req_i && we_i;
    arvalid_o[sel_i] = req_i && !we_i;
  end

  assign gnt_o = req_i && (we_i ? awready_i[sel_i] : arready_i[sel_i]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    sel_q <= 1'b0;
    else if (gnt_o) sel_q <= sel_i;
  end

  assign rvalid_o = (bvalid_i != '0) || (rvalid_i != '0);
  assign rdata_o  = rdata_i[sel_q];

  // The blocks take address and data together.
  logic unused;
  assign unused = ^wready_i;

endmodule
