// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Stream to memory: spreads beats over the bytes of descriptors, and gathers bus words into bursts.
//
//   - A beat fills the descriptor's bytes from any address on, and continues in the next descriptor
//     if it does not fit.
//   - A burst ends at a multiple of BurstLen bus words, so that none crosses 4 KiB; it is offered
//     when all its words are in the FIFO.
//   - A packet that ends early ends its descriptor with the bytes moved so far, and the descriptors
//     up to the one that ends a packet with none. A packet that is longer than its descriptors is
//     taken to its end: the last of them gets ErrorOverflow, which does not end the chain.
//   - The status of a descriptor is issued when its writes have been answered. After an error
//     response error_o is high with the status handshake.
module cry_axi_dma_write
  import cry_axi_dma_pkg::*;
#(
  parameter  int unsigned DataWidth = 128,  // bits of a bus word, 64 or 128
  parameter  int unsigned BurstLen  = 16,   // most words in a burst, a power of two
  // Words in the FIFO, a power of two: two bursts for full throughput
  parameter  int unsigned Depth     = 64,
  localparam int unsigned WordBytes = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 stop_i,        // level: drops all that is not in the FIFO
  input  logic                 discard_i,     // level: takes and drops the stream
  output logic                 active_o,      // a descriptor is in work or a write is outstanding
  output logic                 error_o,       // one cycle
  output error_e               error_code_o,  // with error_o
  output logic [31:0]          error_at_o,    // with error_o: address of the descriptor

  // Descriptors, in order
  input  logic                 desc_valid_i,
  output logic                 desc_ready_o,
  input  desc_t                desc_i,
  // Their statuses, in order
  output logic                 status_valid_o,
  input  logic                 status_ready_i,
  output status_t              status_o,

  // AXI4-Stream
  input  logic                 tvalid_i,
  output logic                 tready_o,
  input  logic [127:0]         tdata_i,
  input  logic [15:0]          tkeep_i,
  input  logic                 tlast_i,

  // Bursts
  output logic                 burst_valid_o,
  input  logic                 burst_ready_i,
  output logic [31:0]          burst_addr_o,
  output logic [7:0]           burst_len_o,  // words less 1
  // Words of the bursts, in order
  output logic                 word_valid_o,
  input  logic                 word_ready_i,
  output logic [DataWidth-1:0] word_data_o,
  output logic [WordBytes-1:0] word_strb_o,
  input  logic                 b_valid_i,  // a burst is answered
  input  logic [1:0]           b_resp_i    // with b_valid_i
);

  localparam int unsigned WordShift  = $clog2(WordBytes);
  localparam int unsigned BlockWidth = $clog2(BurstLen);
  localparam int unsigned MaxPending = 15;

  // Spreading
  typedef enum logic [2:0] {
    StIdle,
    StMove,
    StFlush,    // bytes of the last chunk
    StDiscard,  // rest of a packet
    StDrain,    // until all writes are answered
    StStatus
  } state_e;

  state_e       state_d, state_q;
  desc_t        desc_q;
  error_e       error_d, error_q;
  logic [31:0]  addr_d, addr_q, left_d, left_q;
  logic [3:0]   skip_d, skip_q;             // bytes of the beat that are written already
  logic         skipping_d, skipping_q;     // descriptors of a packet that ended
  logic         discard_d, discard_q;       // after the flush
  logic [127:0] part_d, part_q, turned, merged;
  logic [15:0]  strb_d, strb_q, now_strb;   // bytes of the chunk
  logic [4:0]   present, count, sum;
  logic         consumed, packet_end, filled, ends;
  logic         chunk_free, chunk_push;
  logic [15:0]  chunk_push_strb;
  logic         drained, bus_error;

  cry_byte_align u_align (
    .data_i(tdata_i), .keep_i(tkeep_i), .skip_i(skip_q), .at_i(addr_q[3:0]),
    .bound_i(1'b1), .left_i(left_q), .part_i(part_q), .strb_i(strb_q),
    .present_o(present), .count_o(count), .sum_o(sum), .consumed_o(consumed),
    .filled_o(filled), .turned_o(turned), .merged_o(merged), .strb_o(now_strb)
  );
  assign packet_end = consumed && tlast_i;
  assign ends       = packet_end || filled;

  logic move;
  assign move = (state_q == StMove) && tvalid_i && (error_q == ErrorNone) && !stop_i &&
                (chunk_free || ((sum < 5'd16) && !ends));

  logic accept;  // a descriptor is taken
  logic flush;   // the last chunk leaves
  assign accept = (state_q == StIdle) && desc_valid_i;
  assign flush  = (state_q == StFlush) && chunk_free;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: begin
        if (accept && skipping_q)                  state_d = StStatus;
        else if (accept && (desc_i.length != '0)) state_d = StMove;
        else if (accept)                          state_d = desc_i.packet ? StDiscard : StStatus;
      end
      StMove: begin
        if (move && ends && (sum > 5'd16))        state_d = StFlush;
        else if (move && ends)                    state_d = discard_d ? StDiscard : StDrain;
        else if (!move && (error_q != ErrorNone)) state_d = StDrain;
      end
      StFlush:   if (flush) state_d = discard_q ? StDiscard : StDrain;
      StDiscard: if (tvalid_i && tlast_i) state_d = StDrain;
      StDrain:   if (drained) state_d = StStatus;
      default:   if (status_ready_i) state_d = StIdle;
    endcase
    if (stop_i) state_d = StIdle;
  end

  // What packets do beside descriptors.
  always_comb begin
    error_d    = bus_error ? error_of(b_resp_i) : error_q;
    skipping_d = skipping_q;
    discard_d  = discard_q;
    if (accept) begin
      error_d = ErrorNone;
      if (skipping_q) skipping_d = !desc_i.packet;
    end else if (move) begin
      discard_d = desc_q.packet && !packet_end;
      if (ends) skipping_d = packet_end && !desc_q.packet;
    end else if ((state_q == StDiscard) && tvalid_i && (present != '0)) begin
      if (error_d == ErrorNone) error_d = ErrorOverflow;
    end
    if (stop_i) skipping_d = 1'b0;
  end

  // The chunk that is being filled, and where the next byte goes.
  always_comb begin
    addr_d = addr_q;
    left_d = left_q;
    skip_d = skip_q;
    part_d = part_q;
    strb_d = strb_q;
    if (accept) begin
      addr_d = desc_i.addr;
      left_d = desc_i.length;
      strb_d = '0;
    end else if (move) begin
      addr_d = addr_q + 32'(count);
      left_d = left_q - 32'(count);
      skip_d = consumed ? '0 : skip_q + count[3:0];
      part_d = (sum >= 5'd16) ? turned : merged;
      strb_d = (sum >= 5'd16) ? ~(16'hFFFF << (sum - 5'd16)) : now_strb;
    end else if ((state_q == StDiscard) && tvalid_i) begin
      skip_d = '0;
    end
    if (stop_i) skip_d = '0;
  end

  assign chunk_push_strb = (state_q == StFlush) ? strb_q : now_strb;
  assign chunk_push      = !stop_i && (flush || (move &&
                           ((sum >= 5'd16) || (ends && (now_strb != '0)))));

  assign tready_o     = discard_i || (state_q == StDiscard) || (move && consumed);
  assign desc_ready_o = (state_q == StIdle) && !stop_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StIdle;
      desc_q     <= '0;
      error_q    <= ErrorNone;
      addr_q     <= '0;
      left_q     <= '0;
      skip_q     <= '0;
      skipping_q <= 1'b0;
      discard_q  <= 1'b0;
      part_q     <= '0;
      strb_q     <= '0;
    end else begin
      state_q    <= state_d;
      error_q    <= error_d;
      addr_q     <= addr_d;
      left_q     <= left_d;
      skip_q     <= skip_d;
      skipping_q <= skipping_d;
      discard_q  <= discard_d;
      part_q     <= part_d;
      strb_q     <= strb_d;
      if (desc_valid_i && desc_ready_o) desc_q <= desc_i;
    end
  end

  // A chunk of 16 bytes, on its way to the FIFO as one word or two.
  logic         chunk_q, chunk_done, half, half_q;
  logic [27:0]  chunk_addr_q;
  logic [127:0] chunk_data_q;
  logic [15:0]  chunk_strb_q;
  logic         word_push, word_take, word_in_ready;
  logic [31:0]  word_addr;

  assign chunk_free = !chunk_q || chunk_done;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chunk_q      <= 1'b0;
      chunk_addr_q <= '0;
      chunk_data_q <= '0;
      chunk_strb_q <= '0;
      half_q       <= 1'b0;
    end else begin
      if (stop_i)          chunk_q <= 1'b0;
      else if (chunk_push) chunk_q <= 1'b1;
      else if (chunk_done) chunk_q <= 1'b0;
      if (chunk_push) begin
        // While bytes are flushed the address is already behind them.
        chunk_addr_q <= (state_q == StFlush) ? 28'((addr_q - 32'd1) >> 4) : addr_q[31:4];
        chunk_data_q <= (state_q == StFlush) ? part_q : merged;
        chunk_strb_q <= chunk_push_strb;
      end
      if (chunk_push || stop_i) half_q <= 1'b0;
      else if (word_take)       half_q <= 1'b1;
    end
  end

  if (DataWidth == 128) begin : gen_wide
    assign half       = 1'b0;
    assign chunk_done = word_take;
    assign word_addr  = {chunk_addr_q, 4'd0};
  end else begin : gen_narrow
    assign half       = half_q || (chunk_strb_q[7:0] == '0);
    assign chunk_done = word_take && (half || (chunk_strb_q[15:8] == '0));
    assign word_addr  = {chunk_addr_q, half, 3'd0};
  end

  // Bursts: of the words in the FIFO the last open_q are not offered yet.
  logic                burst_push, burst_in_ready, block_end;
  logic [BlockWidth:0] open_q;
  logic [31:0]         open_addr_q;
  logic [3:0]          pending_q;
  logic                can_close;

  assign can_close  = burst_in_ready && (pending_q != 4'(MaxPending));
  assign block_end  = &word_addr[WordShift+:BlockWidth];
  assign word_push  = chunk_q && !stop_i && (!block_end || can_close);
  assign word_take  = word_push && word_in_ready;
  assign burst_push = (word_take && block_end) ||
                      ((stop_i || ((state_q == StDrain) && !chunk_q)) &&
                       (open_q != '0) && can_close);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q      <= '0;
      open_addr_q <= '0;
      pending_q   <= '0;
    end else begin
      if (burst_push)     open_q <= '0;
      else if (word_take) open_q <= open_q + 1'b1;
      if (word_take && (open_q == '0)) open_addr_q <= word_addr;
      pending_q <= pending_q + 4'(burst_push) - 4'(b_valid_i);
    end
  end

  assign drained   = !chunk_q && (open_q == '0) && (pending_q == '0);
  assign bus_error = b_valid_i && (error_of(b_resp_i) != ErrorNone);

  logic [31:0]          close_addr;
  logic [BlockWidth:0]  close_words;
  logic [$clog2(Depth):0] word_count;
  logic [2:0]           burst_count;
  assign close_addr  = (open_q == '0) ? word_addr : open_addr_q;
  assign close_words = open_q + (BlockWidth + 1)'(word_take);

  logic [BlockWidth-1:0] burst_words;

  logic [1:0] unused_bursts_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [BlockWidth+31:0]),
    .Depth(4)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (burst_push),
    .in_ready_o (burst_in_ready),
    .in_data_i  ({close_addr, BlockWidth'(close_words - 1'b1)}),
    .out_valid_o(burst_valid_o),
    .out_ready_i(burst_ready_i),
    .out_data_o ({burst_addr_o, burst_words}),
    .count_o    (burst_count),
    .corrected_o(unused_bursts_faults[1]),
    .detected_o (unused_bursts_faults[0])
  );

  assign burst_len_o = 8'(burst_words);

  logic [1:0] unused_words_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [DataWidth+WordBytes-1:0]),
    .Depth(Depth)
  ) u_words (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (word_push),
    .in_ready_o (word_in_ready),
    .in_data_i  ({half ? chunk_data_q[127-:DataWidth] : chunk_data_q[0+:DataWidth],
                  half ? chunk_strb_q[15-:WordBytes] : chunk_strb_q[0+:WordBytes]}),
    .out_valid_o(word_valid_o),
    .out_ready_i(word_ready_i),
    .out_data_o ({word_data_o, word_strb_o}),
    .count_o    (word_count),
    .corrected_o(unused_words_faults[1]),
    .detected_o (unused_words_faults[0])
  );

  assign status_valid_o = (state_q == StStatus) && !stop_i;
  assign status_o       = '{
    self:  desc_q.self,
    moved: desc_q.length - left_q,
    error: error_q,
    irq:   desc_q.irq
  };
  assign error_o        = status_valid_o && status_ready_i &&
                          ((error_q == ErrorSlave) || (error_q == ErrorDecode));
  assign error_code_o   = error_q;
  assign error_at_o     = desc_q.self;
  assign active_o       = (state_q != StIdle) || !drained;

  logic unused;
  assign unused = ^{word_count, burst_count, half_q, desc_q.addr, desc_q.section};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(KeepContiguous_A, tvalid_i |-> ((tkeep_i & (tkeep_i + 16'd1)) == '0))
  `CRY_ASSERT(AnswerIsAwaited_A, b_valid_i |-> (pending_q != '0))

endmodule
