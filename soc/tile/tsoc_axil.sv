// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Device bus to AXI4-Lite with 32-bit data: the access is held until its response.
module tsoc_axil (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Device bus; address and data are connected directly
  input  logic        req_i,
  input  logic        we_i,
  output logic        ack_o,
  output logic        err_o,

  // AXI4-Lite manager; responses are always accepted
  output logic        awvalid_o,
  input  logic        awready_i,
  output logic        wvalid_o,
  input  logic        wready_i,
  input  logic        bvalid_i,
  input  logic [1:0]  bresp_i,
  output logic        arvalid_o,
  input  logic        arready_i,
  input  logic        rvalid_i,
  input  logic [1:0]  rresp_i
);

  // What the subordinate has taken of the access.
  logic aw_taken_q, w_taken_q, ar_taken_q;

  assign awvalid_o = req_i && we_i && !aw_taken_q;
  assign wvalid_o  = req_i && we_i && !w_taken_q;
  assign arvalid_o = req_i && !we_i && !ar_taken_q;
  assign ack_o     = req_i && (we_i ? bvalid_i : rvalid_i);
  assign err_o     = we_i ? bresp_i[1] : rresp_i[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_taken_q <= 1'b0;
      w_taken_q  <= 1'b0;
      ar_taken_q <= 1'b0;
    end else begin
      aw_taken_q <= !ack_o && (aw_taken_q || (awvalid_o && awready_i));
      w_taken_q  <= !ack_o && (w_taken_q || (wvalid_o && wready_i));
      ar_taken_q <= !ack_o && (ar_taken_q || (arvalid_o && arready_i));
    end
  end

  logic unused;
  assign unused = ^{bresp_i[0], rresp_i[0]};

endmodule
