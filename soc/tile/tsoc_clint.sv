// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Core-local interrupts of one hart with the SiFive CLINT's register map: MSIP at 0x0, MTIMECMP at
// 0x4000, MTIME at 0xBFF8; accesses of 32 or 64 bits, answered in the cycle of the request.
module tsoc_clint
  import tsoc_pkg::*;
#(
  parameter int unsigned Divider = 10  // cycles per step of MTIME
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Device bus
  input  logic        req_i,
  input  access_t     access_i,
  output logic [63:0] rdata_o,
  output logic        software_irq_o,  // level: MSIP
  output logic        timer_irq_o,     // level: MTIME >= MTIMECMP
  output logic [63:0] mtime_o          // MTIME
);

  localparam logic [12:0] MsipWord     = 13'h0000;
  localparam logic [12:0] MtimecmpWord = 13'h0800;
  localparam logic [12:0] MtimeWord    = 13'h17FF;
  localparam int unsigned CountWidth   = $clog2(Divider);

  logic [63:0]           mtime_q, mtimecmp_q, bit_enable;
  logic                  msip_q, write, step;
  logic [CountWidth-1:0] count_q;
  logic [12:0]           word;

  assign word  = access_i.addr[15:3];
  assign write = req_i && access_i.we;
  assign step  = count_q == CountWidth'(Divider - 1);

  for (genvar i = 0; i < 8; i++) begin : gen_bit_enable
    assign bit_enable[8*i+:8] = {8{access_i.strb[i]}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q    <= '0;
      mtime_q    <= '0;
      mtimecmp_q <= '1;
      msip_q     <= 1'b0;
    end else begin
      count_q <= step ? '0 : count_q + CountWidth'(1);
      if (write && (word == MtimeWord)) begin
        mtime_q <= (mtime_q & ~bit_enable) | (access_i.wdata & bit_enable);
      end else if (step) begin
        mtime_q <= mtime_q + 64'd1;
      end
      if (write && (word == MtimecmpWord)) begin
        mtimecmp_q <= (mtimecmp_q & ~bit_enable) | (access_i.wdata & bit_enable);
      end
      if (write && (word == MsipWord) && access_i.strb[0]) msip_q <= access_i.wdata[0];
    end
  end

  always_comb begin
    unique case (word)
      MsipWord:     rdata_o = 64'(msip_q);
      MtimecmpWord: rdata_o = mtimecmp_q;
      MtimeWord:    rdata_o = mtime_q;
      default:      rdata_o = '0;
    endcase
  end

  assign software_irq_o = msip_q;
  assign timer_irq_o    = mtime_q >= mtimecmp_q;
  assign mtime_o        = mtime_q;

  logic unused;
  assign unused = ^{access_i.addr[31:16], access_i.addr[2:0], access_i.size};

endmodule
