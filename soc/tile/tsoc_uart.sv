// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// UART with the registers of a 16550A (one byte each), without a serial line: a byte written is
// valid on tx_* in the same cycle, a byte accepted on rx_* is stored until it is read. Line
// settings and modem lines are stored and have no effect. Accesses are answered in the cycle of the
// request.
module tsoc_uart (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Device bus
  input  logic       req_i,
  input  logic       we_i,
  input  logic [2:0] addr_i,
  input  logic [7:0] wdata_i,
  output logic [7:0] rdata_o,
  output logic       irq_o,  // level

  // Sent bytes, one cycle each
  output logic       tx_valid_o,
  output logic [7:0] tx_data_o,
  // Received bytes
  input  logic       rx_valid_i,
  output logic       rx_ready_o,
  input  logic [7:0] rx_data_i
);

  localparam logic [2:0] RegData    = 3'd0;  // RBR, THR, divisor low
  localparam logic [2:0] RegEnable  = 3'd1;  // IER, divisor high
  localparam logic [2:0] RegIdent   = 3'd2;  // IIR, FCR
  localparam logic [2:0] RegLine    = 3'd3;
  localparam logic [2:0] RegModem   = 3'd4;
  localparam logic [2:0] RegStatus  = 3'd5;
  localparam logic [2:0] RegScratch = 3'd7;

  localparam logic [3:0] IdentNone  = 4'h1;
  localparam logic [3:0] IdentEmpty = 4'h2;
  localparam logic [3:0] IdentData  = 4'h4;

  logic [15:0] divisor_q;
  logic [7:0]  line_q, scratch_q, rx_q;
  logic [4:0]  modem_q;
  logic [3:0]  enable_q, ident;
  logic        fifo_q, rx_full_q, empty_irq_q, divisor_access;

  assign divisor_access = line_q[7];
  assign tx_valid_o     = req_i && we_i && (addr_i == RegData) && !divisor_access;
  assign tx_data_o      = wdata_i;
  assign rx_ready_o     = !rx_full_q;

  always_comb begin
    ident = IdentNone;
    if (enable_q[0] && rx_full_q)        ident = IdentData;
    else if (enable_q[1] && empty_irq_q) ident = IdentEmpty;
  end
  assign irq_o = !ident[0];

  always_comb begin
    unique case (addr_i)
      RegData:    rdata_o = divisor_access ? divisor_q[7:0] : rx_q;
      RegEnable:  rdata_o = divisor_access ? divisor_q[15:8] : {4'h0, enable_q};
      RegIdent:   rdata_o = {{2{fifo_q}}, 2'b00, ident};
      RegLine:    rdata_o = line_q;
      RegModem:   rdata_o = {3'b000, modem_q};
      RegStatus:  rdata_o = {7'b0110000, rx_full_q};  // nothing is ever left to send
      RegScratch: rdata_o = scratch_q;
      default:    rdata_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      divisor_q   <= '0;
      line_q      <= '0;
      scratch_q   <= '0;
      modem_q     <= '0;
      enable_q    <= '0;
      fifo_q      <= 1'b0;
      rx_q        <= '0;
      rx_full_q   <= 1'b0;
      empty_irq_q <= 1'b0;
    end else begin
      if (rx_valid_i && rx_ready_o) begin
        rx_q      <= rx_data_i;
        rx_full_q <= 1'b1;
      end
      if (tx_valid_o) empty_irq_q <= 1'b1;
      if (req_i && we_i) begin
        unique case (addr_i)
          RegData: if (divisor_access) divisor_q[7:0] <= wdata_i;
          RegEnable: begin
            if (divisor_access) begin
              divisor_q[15:8] <= wdata_i;
            end else begin
              enable_q <= wdata_i[3:0];
              if (wdata_i[1] && !enable_q[1]) empty_irq_q <= 1'b1;
            end
          end
          RegIdent: begin
            fifo_q <= wdata_i[0];
            if (wdata_i[1]) rx_full_q <= 1'b0;
          end
          RegLine:    line_q    <= wdata_i;
          RegModem:   modem_q   <= wdata_i[4:0];
          RegScratch: scratch_q <= wdata_i;
          default: ;
        endcase
      end else if (req_i) begin
        if ((addr_i == RegData) && !divisor_access)          rx_full_q   <= 1'b0;
        if ((addr_i == RegIdent) && (ident == IdentEmpty))   empty_irq_q <= 1'b0;
      end
    end
  end

endmodule
