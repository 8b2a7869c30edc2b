// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Write side of the bus: bursts of data, and the statuses of descriptors of both channels. Channel
// 0 is memory to stream, 1 stream to memory.
//
// Statuses have priority on the address channel; write data follows in the order of the addresses.
// Each channel has one status in flight: store_busy_o is high from its acceptance to its response,
// and store_done_o or store_error_o in the last cycle.
module cry_axi_dma_store
  import cry_axi_dma_pkg::*;
#(
  parameter  int unsigned DataWidth = 128,  // bits of a bus word, 64 or 128
  localparam int unsigned WordBytes = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Statuses of each channel
  input  logic    [1:0]        status_valid_i,
  output logic    [1:0]        status_ready_o,
  input  status_t [1:0]        status_i,
  output logic    [1:0]        store_busy_o,   // a status is in flight
  output logic    [1:0]        store_done_o,   // one cycle: OKAY, and an interrupt is requested
  output logic    [1:0]        store_error_o,  // one cycle: error response
  output error_e               store_code_o,   // with store_error_o
  output logic    [1:0][31:0]  store_at_o,     // with store_error_o: address of the descriptor

  // Bursts of data
  input  logic                 burst_valid_i,
  output logic                 burst_ready_o,
  input  logic [31:0]          burst_addr_i,
  input  logic [7:0]           burst_len_i,    // words less 1
  input  logic                 word_valid_i,
  output logic                 word_ready_o,
  input  logic [DataWidth-1:0] word_data_i,
  input  logic [WordBytes-1:0] word_strb_i,
  output logic                 data_answer_o,  // write response of a burst of data, with b_resp_i

  // AXI4 write channels; responses are always accepted
  output logic                 aw_valid_o,
  input  logic                 aw_ready_i,
  output id_e                  aw_id_o,
  output logic [31:0]          aw_addr_o,
  output logic [7:0]           aw_len_o,
  output logic                 w_valid_o,
  input  logic                 w_ready_i,
  output logic [DataWidth-1:0] w_data_o,
  output logic [WordBytes-1:0] w_strb_o,
  output logic                 w_last_o,
  input  logic                 b_valid_i,
  input  id_e                  b_id_i,
  input  logic [1:0]           b_resp_i
);

  localparam int unsigned StatusOffset = 16;

  // Status of each channel, until it is answered.
  status_t [1:0] status_q;
  logic    [1:0] busy_q, wants_q, answered;

  assign status_ready_o = ~busy_q;
  assign answered[0]    = b_valid_i && (b_id_i == IdMm2s);
  assign answered[1]    = b_valid_i && (b_id_i == IdS2mm);
  assign data_answer_o  = b_valid_i && (b_id_i == IdData);
  assign store_busy_o   = busy_q;
  assign store_code_o   = error_of(b_resp_i);
  for (genvar c = 0; c < 2; c++) begin : gen_channel
    assign store_error_o[c] = answered[c] && (error_of(b_resp_i) != ErrorNone);
    assign store_done_o[c]  = answered[c] && (error_of(b_resp_i) == ErrorNone) && status_q[c].irq;
    assign store_at_o[c]    = status_q[c].self;
  end

  // Addresses
  logic             free, order_ready, order_valid, order_pop, load;
  logic [1:0]       take_status;
  id_e              load_id;
  logic [31:0]      load_addr;
  logic [7:0]       load_len, order_len;
  logic [IdWidth-1:0] order_id;
  logic [2:0]       order_count;

  // Data does not run ahead of its address, so a subordinate may wait for the address first.
  assign free           = (order_count < 3'd3) && (!aw_valid_o || aw_ready_i);
  assign take_status[0] = free && wants_q[0];
  assign take_status[1] = free && wants_q[1] && !wants_q[0];
  assign burst_ready_o  = free && (wants_q == '0);
  assign load           = (take_status != '0) || (burst_ready_o && burst_valid_i);

  always_comb begin
    if (wants_q[0]) begin
      load_id   = IdMm2s;
      load_addr = status_q[0].self + 32'(StatusOffset);
      load_len  = '0;
    end else if (wants_q[1]) begin
      load_id   = IdS2mm;
      load_addr = status_q[1].self + 32'(StatusOffset);
      load_len  = '0;
    end else begin
      load_id   = IdData;
      load_addr = burst_addr_i;
      load_len  = burst_len_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      wants_q    <= '0;
      status_q   <= '0;
      aw_valid_o <= 1'b0;
      aw_id_o    <= IdData;
      aw_addr_o  <= '0;
      aw_len_o   <= '0;
    end else begin
      for (int unsigned c = 0; c < 2; c++) begin
        if (status_valid_i[c] && status_ready_o[c]) begin
          busy_q[c]   <= 1'b1;
          wants_q[c]  <= 1'b1;
          status_q[c] <= status_i[c];
        end else begin
          if (take_status[c]) wants_q[c] <= 1'b0;
          if (answered[c])    busy_q[c]  <= 1'b0;
        end
      end
      if (load) begin
        aw_valid_o <= 1'b1;
        aw_id_o    <= load_id;
        aw_addr_o  <= load_addr;
        aw_len_o   <= load_len;
      end else if (aw_ready_i) begin
        aw_valid_o <= 1'b0;
      end
    end
  end

  // Data, in the order of the addresses
  logic [1:0] unused_order_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [IdWidth+7:0]),
    .Depth(4)
  ) u_order (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (aw_valid_o && aw_ready_i),
    .in_ready_o (order_ready),
    .in_data_i  ({aw_id_o, aw_len_o}),
    .out_valid_o(order_valid),
    .out_ready_i(order_pop),
    .out_data_o ({order_id, order_len}),
    .count_o    (order_count),
    .corrected_o(unused_order_faults[1]),
    .detected_o (unused_order_faults[0])
  );

  logic        of_data;
  logic [7:0]  word_q;  // of the burst
  logic [63:0] status_word;

  assign of_data     = order_id == IdData;
  assign status_word = (order_id == IdMm2s) ?
                       {status_q[0].moved, 1'b1, 29'd0, status_q[0].error} :
                       {status_q[1].moved, 1'b1, 29'd0, status_q[1].error};

  // The status is the lower half of its 16 bytes.
  assign w_valid_o    = order_valid && (!of_data || word_valid_i);
  assign w_data_o     = of_data ? word_data_i : DataWidth'(status_word);
  assign w_strb_o     = of_data ? word_strb_i : WordBytes'(8'hFF);
  assign w_last_o     = word_q == order_len;
  assign word_ready_o = order_valid && of_data && w_ready_i;
  assign order_pop    = w_valid_o && w_ready_i && w_last_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                     word_q <= '0;
    else if (order_pop)              word_q <= '0;
    else if (w_valid_o && w_ready_i) word_q <= word_q + 8'd1;
  end

  logic unused;
  assign unused = order_ready;  // there is room by order_count

endmodule
