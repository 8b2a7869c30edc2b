// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Routes the core's data accesses to instruction memory, local memory, peripherals, the AXI4-Lite
// registers of DMA and engine, or the memory behind AXI4.
//
//   - OBI-like: answers are in order, from the next cycle on; an access is granted when the one
//     before is answered, at the earliest in that cycle.
//   - An access to the AXI4-Lite registers waits until the core's writes to memory have been
//     answered: descriptors are in memory before the DMA is started.
//   - An address without a subordinate is granted, and answered with err_o and zero.
//   - The subordinates are connected to the core's address, data and enables directly; only their
//     requests are decoded here.
module stream_data_demux #(
  // Bytes, powers of two
  parameter int unsigned ImemSize  = stream_map_pkg::ImemSize,
  parameter int unsigned LocalSize = stream_map_pkg::LocalSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // From the core
  input  logic        req_i,
  output logic        gnt_o,
  input  logic [31:0] addr_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,  // with rvalid_o

  // Instruction memory, local memory, peripherals: answer in the next cycle
  output logic        imem_req_o,
  input  logic        imem_gnt_i,
  input  logic [31:0] imem_rdata_i,
  output logic        local_req_o,
  input  logic [31:0] local_rdata_i,
  output logic        periph_req_o,
  input  logic [31:0] periph_rdata_i,
  input  logic        periph_err_i,

  // AXI4-Lite registers (stream_core_axil)
  output logic        axil_req_o,
  input  logic        axil_gnt_i,
  input  logic        axil_rvalid_i,
  input  logic [31:0] axil_rdata_i,

  // Memory behind AXI4 (stream_core_axi)
  output logic        axi_req_o,
  input  logic        axi_gnt_i,
  input  logic        axi_rvalid_i,
  input  logic [31:0] axi_rdata_i,
  input  logic        axi_err_i,
  input  logic        axi_idle_i  // no write response is outstanding
);

  localparam int unsigned ImemWidth  = $clog2(ImemSize);
  localparam int unsigned LocalWidth = $clog2(LocalSize);
  localparam logic [31:0] LocalBase  = stream_map_pkg::LocalBase;
  localparam logic [31:0] AxilBase   = stream_map_pkg::DmaBase;  // both register blocks
  localparam logic [31:0] AxilSize   = stream_map_pkg::DmaSize + stream_map_pkg::AxisSize;

  typedef enum logic [2:0] {
    SlaveNone,
    SlaveImem,
    SlaveLocal,
    SlavePeriph,
    SlaveAxil,
    SlaveAxi
  } slave_e;

  slave_e slave_d, slave_q;
  logic   open_q, answered, ready;

  always_comb begin
    slave_d = SlaveNone;
    // The upper half is memory's, which checks further.
    if (addr_i[31] == stream_map_pkg::MemBase[31])                  slave_d = SlaveAxi;
    else if (addr_i[31:ImemWidth] == '0)                           slave_d = SlaveImem;
    else if (addr_i[31:LocalWidth] == LocalBase[31:LocalWidth])    slave_d = SlaveLocal;
    else if (stream_map_pkg::is_in(addr_i, stream_map_pkg::PeriphBase,
                                   stream_map_pkg::PeriphSize))    slave_d = SlavePeriph;
    else if (stream_map_pkg::is_in(addr_i, AxilBase, AxilSize))    slave_d = SlaveAxil;
  end

  assign ready        = req_i && (!open_q || answered);
  assign imem_req_o   = ready && (slave_d == SlaveImem);
  assign local_req_o  = ready && (slave_d == SlaveLocal);
  assign periph_req_o = ready && (slave_d == SlavePeriph);
  assign axil_req_o   = ready && (slave_d == SlaveAxil) && axi_idle_i;
  assign axi_req_o    = ready && (slave_d == SlaveAxi);

  always_comb begin
    unique case (slave_d)
      SlaveImem: gnt_o = imem_req_o && imem_gnt_i;
      SlaveAxil: gnt_o = axil_req_o && axil_gnt_i;
      SlaveAxi:  gnt_o = axi_req_o && axi_gnt_i;
      default:   gnt_o = ready;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slave_q <= SlaveNone;
      open_q  <= 1'b0;
    end else begin
      if (gnt_o) slave_q <= slave_d;
      if (gnt_o)         open_q <= 1'b1;
      else if (answered) open_q <= 1'b0;
    end
  end

  always_comb begin
    answered = open_q;
    rdata_o  = '0;
    err_o    = 1'b0;
    unique case (slave_q)
      SlaveImem:   rdata_o = imem_rdata_i;
      SlaveLocal:  rdata_o = local_rdata_i;
      SlavePeriph: begin
        rdata_o = periph_rdata_i;
        err_o   = open_q && periph_err_i;
      end
      SlaveAxil: begin
        answered = open_q && axil_rvalid_i;
        rdata_o  = axil_rdata_i;
      end
      SlaveAxi: begin
        answered = open_q && axi_rvalid_i;
        rdata_o  = axi_rdata_i;
        err_o    = answered && axi_err_i;
      end
      default: err_o = open_q;
    endcase
  end

  assign rvalid_o = answered;

  // The low bits choose inside the slaves.
  logic unused;
  assign unused = ^{addr_i[ImemWidth-1:0], LocalBase};

endmodule
