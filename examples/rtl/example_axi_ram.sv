// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Memory of a test bench behind AXI4: one burst of each direction at a time, of whole words at
// rising addresses; upper bits of addresses do not count.
module example_axi_ram #(
  parameter int unsigned Words = 256  // of 16 bytes, a power of two
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Write channels
  input  logic         awvalid_i,
  output logic         awready_o,
  input  logic [31:0]  awaddr_i,
  input  logic         wvalid_i,
  output logic         wready_o,
  input  logic [127:0] wdata_i,
  input  logic [15:0]  wstrb_i,
  input  logic         wlast_i,
  output logic         bvalid_o,
  input  logic         bready_i,
  // Read channels
  input  logic         arvalid_i,
  output logic         arready_o,
  input  logic [31:0]  araddr_i,
  input  logic [7:0]   arlen_i,
  output logic         rvalid_o,
  input  logic         rready_i,
  output logic [127:0] rdata_o,
  output logic         rlast_o
);

  localparam int unsigned Width = $clog2(Words);

  logic [127:0]     mem [Words];
  logic [Width-1:0] read_q, write_q;
  logic [7:0]       left_q;
  logic             writes_q;

  assign arready_o = !rvalid_o;
  assign rdata_o   = mem[read_q];
  assign rlast_o   = left_q == '0;
  assign awready_o = !writes_q && !bvalid_o;
  assign wready_o  = writes_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_o <= 1'b0;
      bvalid_o <= 1'b0;
      writes_q <= 1'b0;
      read_q   <= '0;
      write_q  <= '0;
      left_q   <= '0;
    end else begin
      if (arvalid_i && arready_o) begin
        rvalid_o <= 1'b1;
        read_q   <= araddr_i[4+:Width];
        left_q   <= arlen_i;
      end else if (rvalid_o && rready_i) begin
        rvalid_o <= !rlast_o;
        read_q   <= read_q + 1'b1;
        left_q   <= left_q - 8'd1;
      end
      if (awvalid_i && awready_o) begin
        writes_q <= 1'b1;
        write_q  <= awaddr_i[4+:Width];
      end else if (wvalid_i && wready_o) begin
        writes_q <= !wlast_i;
        write_q  <= write_q + 1'b1;
      end
      if (wvalid_i && wready_o && wlast_i) bvalid_o <= 1'b1;
      else if (bready_i)                   bvalid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 16; i++) begin
      if (wvalid_i && wready_o && wstrb_i[i]) mem[write_q][8*i+:8] <= wdata_i[8*i+:8];
    end
  end

endmodule
