// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Routes the core's data accesses to instruction memory, TCDM or peripherals.
//
// OBI-like: gnt_o is combinational, and every granted access is answered with rvalid_o in the next
// cycle. An address without a subordinate is granted, and answered with err_o and zero. The
// subordinates are connected to the core's address, data and enables directly; only their requests
// are decoded here.
module mcu_data_demux #(
  parameter int unsigned ImemSize = mcu_map_pkg::ImemSize  // bytes, a power of two
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

  // Instruction memory
  output logic        imem_req_o,
  input  logic        imem_gnt_i,
  input  logic [31:0] imem_rdata_i,

  // TCDM
  output logic        tcdm_req_o,
  input  logic        tcdm_gnt_i,
  input  logic [31:0] tcdm_rdata_i,
  input  logic        tcdm_err_i,

  // Peripherals
  output logic        periph_req_o,
  input  logic        periph_gnt_i,
  input  logic [31:0] periph_rdata_i,
  input  logic        periph_err_i
);

  localparam int unsigned ImemWidth = $clog2(ImemSize);

  typedef enum logic [1:0] {
    SlaveNone,
    SlaveImem,
    SlaveTcdm,
    SlavePeriph
  } slave_e;

  slave_e slave_d, slave_q;
  logic   valid_q;

  always_comb begin
    slave_d = SlaveNone;
    if (addr_i[31:ImemWidth] == '0)           slave_d = SlaveImem;
    // The TCDM checks further.
    else if (addr_i[31:24] == mcu_map_pkg::TcdmBase[31:24]) slave_d = SlaveTcdm;
    else if (mcu_map_pkg::is_in(addr_i, mcu_map_pkg::PeriphBase, mcu_map_pkg::PeriphSize)) begin
      slave_d = SlavePeriph;
    end
  end

  assign imem_req_o   = req_i & (slave_d == SlaveImem);
  assign tcdm_req_o   = req_i & (slave_d == SlaveTcdm);
  assign periph_req_o = req_i & (slave_d == SlavePeriph);

  always_comb begin
    unique case (slave_d)
      SlaveImem:   gnt_o = req_i & imem_gnt_i;
      SlaveTcdm:   gnt_o = req_i & tcdm_gnt_i;
      SlavePeriph: gnt_o = req_i & periph_gnt_i;
      default:     gnt_o = req_i;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slave_q <= SlaveNone;
      valid_q <= 1'b0;
    end else begin
      if (gnt_o) slave_q <= slave_d;
      valid_q <= gnt_o;
    end
  end

  assign rvalid_o = valid_q;

  always_comb begin
    unique case (slave_q)
      SlaveImem: begin
        rdata_o = imem_rdata_i;
        err_o   = 1'b0;
      end
      SlaveTcdm: begin
        rdata_o = tcdm_rdata_i;
        err_o   = valid_q & tcdm_err_i;
      end
      SlavePeriph: begin
        rdata_o = periph_rdata_i;
        err_o   = valid_q & periph_err_i;
      end
      default: begin
        rdata_o = '0;
        err_o   = valid_q;
      end
    endcase
  end

  // The low bits choose inside the slaves.
  logic unused_addr;
  assign unused_addr = ^addr_i[ImemWidth-1:0];

endmodule
