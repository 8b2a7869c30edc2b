// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Reads the descriptors of one channel, one ahead of the descriptor in work.
//
// start_i starts a chain. After stop_i the chain is dropped, once an outstanding read has been
// answered. If a descriptor cannot be read, error_o reports its address in error_at_o.
module cry_axi_dma_fetch
  import cry_axi_dma_pkg::*;
#(
  parameter int unsigned DataWidth = 128  // bits of a bus word, 64 or 128
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 start_i,       // one cycle, while active_o is low
  input  logic [31:0]          head_i,        // with start_i: address of the first descriptor
  input  logic                 stop_i,        // level: drops the chain
  output logic                 active_o,      // a chain is in work
  output logic                 error_o,       // one cycle
  output error_e               error_code_o,  // with error_o
  output logic [31:0]          error_at_o,    // with error_o: address of the descriptor

  // Descriptors, in order
  output logic                 desc_valid_o,
  input  logic                 desc_ready_i,
  output desc_t                desc_o,

  // Reads of 16 bytes from ar_addr_o; read data is always accepted
  output logic                 ar_valid_o,
  input  logic                 ar_ready_i,
  output logic [31:0]          ar_addr_o,
  input  logic                 r_valid_i,
  input  logic [DataWidth-1:0] r_data_i,
  input  logic [1:0]           r_resp_i,
  input  logic                 r_last_i
);

  typedef enum logic [1:0] {
    StIdle,
    StAsk,
    StWait,
    StHold
  } state_e;

  state_e       state_d, state_q;
  logic [26:0]  self_d, self_q;     // in units of 32 bytes
  logic [127:0] words_d, words_q;
  error_e       error_d, error_q;

  if (DataWidth == 128) begin : gen_wide
    assign words_d = r_data_i;
  end else begin : gen_narrow
    assign words_d = {r_data_i, words_q[127:64]};
  end
  assign error_d = (error_q != ErrorNone) ? error_q : error_of(r_resp_i);

  // The descriptor's words.
  logic [31:0] next;
  logic        last;
  assign next   = words_q[31:0];
  assign last   = words_q[98];
  assign desc_o = '{
    self:    {self_q, 5'd0},
    addr:    words_q[63:32],
    length:  words_q[95:64],
    section: words_q[96],
    packet:  words_q[97],
    irq:     words_q[99]
  };

  always_comb begin
    state_d = state_q;
    self_d  = self_q;
    error_o = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (start_i && !stop_i) begin
          self_d  = head_i[31:5];
          state_d = StAsk;
        end
      end
      StAsk: if (ar_ready_i) state_d = StWait;
      StWait: begin
        if (r_valid_i && r_last_i) begin
          state_d = StHold;
          if (error_d != ErrorNone) begin
            state_d = StIdle;
            error_o = !stop_i;
          end
          if (stop_i) state_d = StIdle;
        end
      end
      StHold: begin
        if (stop_i) begin
          state_d = StIdle;
        end else if (desc_ready_i) begin
          self_d  = next[31:5];
          state_d = last ? StIdle : StAsk;
        end
      end
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      self_q  <= '0;
      words_q <= '0;
      error_q <= ErrorNone;
    end else begin
      state_q <= state_d;
      self_q  <= self_d;
      if (r_valid_i) words_q <= words_d;
      if (state_q == StAsk) error_q <= ErrorNone;
      else if (r_valid_i)   error_q <= error_d;
    end
  end

  assign active_o     = state_q != StIdle;
  assign error_code_o = error_d;
  assign error_at_o   = {self_q, 5'd0};
  assign desc_valid_o = (state_q == StHold) && !stop_i;
  assign ar_valid_o   = state_q == StAsk;
  assign ar_addr_o    = {self_q, 5'd0};

  // Descriptors lie on multiples of 32; the other control bits have no meaning.
  logic unused;
  assign unused = ^{head_i[4:0], next[4:0], words_q[127:100]};

endmodule
