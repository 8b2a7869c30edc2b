// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The core's data accesses to the memory behind AXI4: one bus word at a time.
//
// OBI-like: a granted write is answered by rvalid_o in the next cycle, a read when its data
// arrives. Writes are posted, up to four; a read of a bus word with a posted write waits for the
// write response.
module stream_core_axi #(
  parameter  int unsigned DataWidth = 128,  // bits of a bus word, 64 or 128
  localparam int unsigned WordBytes = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // From the core
  input  logic                 req_i,
  output logic                 gnt_o,
  input  logic                 we_i,
  input  logic [3:0]           be_i,
  input  logic [31:0]          addr_i,
  input  logic [31:0]          wdata_i,
  output logic                 rvalid_o,
  output logic [31:0]          rdata_o,
  output logic                 err_o,             // with rvalid_o: error response to a read
  output logic                 idle_o,            // no write response is outstanding
  output logic                 write_err_o,       // one cycle: error response to a write
  output logic [31:0]          write_err_addr_o,  // with write_err_o: its address

  // AXI4 write channels; responses are always accepted
  output logic                 awvalid_o,
  input  logic                 awready_i,
  output logic [31:0]          awaddr_o,
  output logic                 wvalid_o,
  input  logic                 wready_i,
  output logic [DataWidth-1:0] wdata_o,
  output logic [WordBytes-1:0] wstrb_o,
  input  logic                 bvalid_i,
  input  logic [1:0]           bresp_i,
  // AXI4 read channels; data is always accepted
  output logic                 arvalid_o,
  input  logic                 arready_i,
  output logic [31:0]          araddr_o,
  input  logic                 rvalid_i,
  input  logic [DataWidth-1:0] rdata_i,
  input  logic [1:0]           rresp_i
);

  localparam int unsigned WordShift  = $clog2(WordBytes);
  localparam int unsigned LaneWidth  = WordShift - 2;
  localparam int unsigned MaxWrites  = 4;
  localparam int unsigned CountWidth = $clog2(MaxWrites) + 1;

  // Writes without a response, the oldest at index 0: responses are in order.
  logic [MaxWrites-1:0][29:0] writes_q;
  logic [CountWidth-1:0]      count_q;
  logic                       hazard, can_write, can_read, write, read;
  logic                       reading_q, posted_q;
  logic [LaneWidth-1:0]       lane_q;

  always_comb begin
    hazard = 1'b0;
    for (int unsigned i = 0; i < MaxWrites; i++) begin
      if ((CountWidth'(i) < count_q) &&
          (writes_q[i][29:LaneWidth] == addr_i[31:WordShift])) hazard = 1'b1;
    end
  end

  assign can_write = !reading_q && (count_q != CountWidth'(MaxWrites)) &&
                     (!awvalid_o || awready_i) && (!wvalid_o || wready_i);
  assign can_read  = !reading_q && !hazard;
  assign gnt_o     = req_i && (we_i ? can_write : can_read);
  assign write     = gnt_o && we_i;
  assign read      = gnt_o && !we_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writes_q  <= '0;
      count_q   <= '0;
      reading_q <= 1'b0;
      posted_q  <= 1'b0;
      lane_q    <= '0;
      awvalid_o <= 1'b0;
      wvalid_o  <= 1'b0;
      arvalid_o <= 1'b0;
      awaddr_o  <= '0;
      araddr_o  <= '0;
      wdata_o   <= '0;
      wstrb_o   <= '0;
    end else begin
      posted_q <= write;
      count_q  <= count_q + CountWidth'(write) - CountWidth'(bvalid_i);
      for (int unsigned i = 0; i < MaxWrites; i++) begin
        if (write && (CountWidth'(i) == count_q - CountWidth'(bvalid_i))) begin
          writes_q[i] <= addr_i[31:2];
        end else if (bvalid_i && (i + 1 < MaxWrites)) begin
          writes_q[i] <= writes_q[(i+1)%MaxWrites];
        end
      end
      if (write) begin
        awvalid_o <= 1'b1;
        wvalid_o  <= 1'b1;
        awaddr_o  <= {addr_i[31:WordShift], WordShift'(0)};
        wdata_o   <= {DataWidth/32{wdata_i}};
        wstrb_o   <= WordBytes'(be_i) << {addr_i[WordShift-1:2], 2'b00};
      end else begin
        if (awready_i) awvalid_o <= 1'b0;
        if (wready_i)  wvalid_o  <= 1'b0;
      end
      if (read) begin
        reading_q <= 1'b1;
        arvalid_o <= 1'b1;
        araddr_o  <= {addr_i[31:WordShift], WordShift'(0)};
        lane_q    <= addr_i[2+:LaneWidth];
      end else begin
        if (arready_i) arvalid_o <= 1'b0;
        if (rvalid_i)  reading_q <= 1'b0;
      end
    end
  end

  assign rvalid_o         = posted_q || rvalid_i;
  assign rdata_o          = rdata_i[32*lane_q+:32];
  assign err_o            = rvalid_i && (rresp_i != '0);
  assign idle_o           = count_q == '0;
  assign write_err_o      = bvalid_i && (bresp_i != '0);
  assign write_err_addr_o = {writes_q[0], 2'b00};

  logic unused;
  assign unused = ^addr_i[1:0];

endmodule
