// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Memory to stream: reads the data of descriptors in bursts, and packs the bytes into beats.
//
//   - A burst ends at a multiple of BurstLen bus words, so that none crosses 4 KiB. It is requested
//     when the FIFO has room for all of it, so that read data is always accepted.
//   - Bytes follow without gaps from descriptor to descriptor until one ends a section or a packet;
//     then the beat ends, short if need be.
//   - The status of a descriptor is issued when its last word has been packed. After an error
//     response the stream stops before the word, the status reports it, and error_o is high with
//     the status handshake.
//   - stop_i issues no more reads and drops all but the beat that is valid on the stream.
module cry_axi_dma_read
  import cry_axi_dma_pkg::*;
#(
  parameter  int unsigned DataWidth = 128,  // bits of a bus word, 64 or 128
  parameter  int unsigned BurstLen  = 16,   // most words in a burst, a power of two
  // Words in flight from memory, a power of two of at least BurstLen
  parameter  int unsigned Depth     = 64
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 stop_i,        // level
  output logic                 active_o,      // a descriptor is in work or a read is outstanding
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

  // Reads; read data is always accepted
  output logic                 ar_valid_o,
  input  logic                 ar_ready_i,
  output logic [31:0]          ar_addr_o,
  output logic [7:0]           ar_len_o,  // words less 1
  input  logic                 r_valid_i,
  input  logic [DataWidth-1:0] r_data_i,
  input  logic [1:0]           r_resp_i,

  // AXI4-Stream
  output logic                 tvalid_o,
  input  logic                 tready_i,
  output logic [127:0]         tdata_o,
  output logic [15:0]          tkeep_o,
  output logic                 tlast_o
);

  localparam int unsigned WordBytes  = DataWidth / 8;
  localparam int unsigned WordShift  = $clog2(WordBytes);
  localparam int unsigned BurstBytes = BurstLen * WordBytes;
  localparam int unsigned BurstShift = $clog2(BurstBytes);
  localparam int unsigned CountWidth = $clog2(Depth) + 1;

  // Read requests
  logic                  info_ready, info_valid, info_pop;
  desc_t                 info;
  logic [1:0]            info_count;
  logic [31:0]           addr_q, left_q;
  logic                  asking_q, ask, word_pop;
  logic [BurstShift:0]   room, bytes;   // up to the end of the block; in this burst
  logic [CountWidth-1:0] free_q, beats;

  assign room  = (BurstShift + 1)'(BurstBytes) - {1'b0, addr_q[BurstShift-1:0]};
  assign bytes = (left_q < 32'(room)) ? left_q[BurstShift:0] : room;
  assign beats = CountWidth'(({1'b0, bytes} + (BurstShift + 2)'(addr_q[WordShift-1:0]) +
                              (BurstShift + 2)'(WordBytes - 1)) >> WordShift);
  assign ask   = asking_q && !stop_i && (!ar_valid_o || ar_ready_i) && (free_q >= beats);

  assign desc_ready_o = !asking_q && info_ready && !stop_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asking_q   <= 1'b0;
      addr_q     <= '0;
      left_q     <= '0;
      free_q     <= CountWidth'(Depth);
      ar_valid_o <= 1'b0;
      ar_addr_o  <= '0;
      ar_len_o   <= '0;
    end else begin
      if (stop_i) begin
        asking_q <= 1'b0;
      end else if (desc_valid_i && desc_ready_o) begin
        asking_q <= desc_i.length != '0;
        addr_q   <= desc_i.addr;
        left_q   <= desc_i.length;
      end else if (ask) begin
        asking_q <= left_q != 32'(bytes);
        addr_q   <= addr_q + 32'(bytes);
        left_q   <= left_q - 32'(bytes);
      end
      free_q <= free_q - (ask ? beats : '0) + CountWidth'(word_pop);
      if (ask) begin
        ar_valid_o <= 1'b1;
        ar_addr_o  <= {addr_q[31:WordShift], WordShift'(0)};
        ar_len_o   <= 8'(beats - CountWidth'(1));
      end else if (ar_ready_i) begin
        ar_valid_o <= 1'b0;
      end
    end
  end

  logic [1:0] unused_info_faults;  // unprotected: it has none
  cry_fifo #(
    .T(desc_t),
    .Depth(2)
  ) u_info (
    .clk_i,
    .rst_ni,
    .flush_i    (stop_i),
    .in_valid_i (desc_valid_i && desc_ready_o),
    .in_ready_o (info_ready),
    .in_data_i  (desc_i),
    .out_valid_o(info_valid),
    .out_ready_i(info_pop),
    .out_data_o (info),
    .count_o    (info_count),
    .corrected_o(unused_info_faults[1]),
    .detected_o (unused_info_faults[0])
  );

  // Answers
  logic                  word_valid, word_in_ready;
  logic [DataWidth-1:0]  word;
  logic [1:0]            word_resp;
  logic [CountWidth-1:0] word_count;

  logic [1:0] unused_words_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [DataWidth+1:0]),
    .Depth(Depth)
  ) u_words (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (r_valid_i),
    .in_ready_o (word_in_ready),
    .in_data_i  ({r_resp_i, r_data_i}),
    .out_valid_o(word_valid),
    .out_ready_i(word_pop),
    .out_data_o ({word_resp, word}),
    .count_o    (word_count),
    .corrected_o(unused_words_faults[1]),
    .detected_o (unused_words_faults[0])
  );

  // Packing
  typedef enum logic [1:0] {
    StIdle,
    StMove,
    StFlush,   // the last bytes of a section leave as a beat of their own
    StStatus
  } state_e;

  state_e               state_d, state_q;
  desc_t                desc_q;
  error_e               error_d, error_q;
  logic [31:0]          togo_d, togo_q;        // bytes of the descriptor that are not packed
  logic [WordShift-1:0] start_d, start_q;      // first byte of it in the next word
  logic [3:0]           fill_d, fill_q;        // bytes that wait for their beat
  logic [127:0]         part_d, part_q, turned, merged;
  logic [4:0]           count, sum;
  logic                 free, ends, word_last, emit, emit_last;
  logic [4:0]           emit_bytes;

  function automatic logic [15:0] keep_of(logic [4:0] bytes_kept);
    logic [15:0] keep;
    for (int unsigned i = 0; i < 16; i++) keep[i] = bytes_kept > 5'(i);
    return keep;
  endfunction

  assign free      = !tvalid_o || tready_i;
  assign count     = (togo_q < 32'(WordBytes) - 32'(start_q)) ? togo_q[4:0]
                                                              : 5'(WordBytes) - 5'(start_q);
  assign sum       = 5'(fill_q) + count;
  assign word_last = togo_q == 32'(count);
  assign ends      = word_last && (desc_q.section || desc_q.packet);

  // The word is rotated so that its first byte follows the bytes that wait; bytes beyond 15 wrap
  // around to byte 0.
  logic [3:0] turn;
  assign turn = fill_q - 4'(start_q);
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      turned[8*i+:8] = 8'(128'(word) >> {4'(i) - turn, 3'd0});
      merged[8*i+:8] = (5'(i) < 5'(fill_q)) ? part_q[8*i+:8] : turned[8*i+:8];
    end
  end

  always_comb begin
    state_d    = state_q;
    error_d    = error_q;
    togo_d     = togo_q;
    start_d    = start_q;
    fill_d     = fill_q;
    part_d     = part_q;
    info_pop   = 1'b0;
    word_pop   = 1'b0;
    emit       = 1'b0;
    emit_bytes = '0;
    emit_last  = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (info_valid) begin
          info_pop = 1'b1;
          error_d  = ErrorNone;
          togo_d   = info.length;
          start_d  = info.addr[WordShift-1:0];
          if (info.length != '0) begin
            state_d = StMove;
          end else if (info.packet || (info.section && (fill_q != '0))) begin
            state_d = StFlush;
          end else begin
            state_d = StStatus;
          end
        end
      end
      StMove: begin
        if (word_valid && (error_of(word_resp) != ErrorNone)) begin
          error_d = error_of(word_resp);
          state_d = StStatus;
        end else if (word_valid && (free || ((sum < 5'd16) && !ends))) begin
          word_pop   = 1'b1;
          togo_d     = togo_q - 32'(count);
          start_d    = '0;
          emit       = (sum >= 5'd16) || ends;
          emit_bytes = (sum >= 5'd16) ? 5'd16 : sum;
          emit_last  = ends && desc_q.packet && (sum <= 5'd16);
          part_d     = (sum >= 5'd16) ? turned : merged;
          fill_d     = (ends && (sum < 5'd16)) ? '0 : sum[3:0];
          if (ends && (sum > 5'd16)) state_d = StFlush;
          else if (word_last)        state_d = StStatus;
        end
      end
      StFlush: begin
        if (free) begin
          emit       = 1'b1;
          emit_bytes = 5'(fill_q);
          emit_last  = desc_q.packet;
          fill_d     = '0;
          state_d    = StStatus;
        end
      end
      default: if (status_ready_i) state_d = StIdle;
    endcase
    if (stop_i) begin
      state_d  = StIdle;
      fill_d   = '0;
      emit     = 1'b0;
      word_pop = word_valid;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      desc_q  <= '0;
      error_q <= ErrorNone;
      togo_q  <= '0;
      start_q <= '0;
      fill_q  <= '0;
      part_q  <= '0;
    end else begin
      state_q <= state_d;
      error_q <= error_d;
      togo_q  <= togo_d;
      start_q <= start_d;
      fill_q  <= fill_d;
      part_q  <= part_d;
      if (info_pop) desc_q <= info;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tvalid_o <= 1'b0;
      tdata_o  <= '0;
      tkeep_o  <= '0;
      tlast_o  <= 1'b0;
    end else if (free) begin
      tvalid_o <= emit;
      tlast_o  <= emit_last;
      tkeep_o  <= keep_of(emit_bytes);
      for (int unsigned i = 0; i < 16; i++) begin
        // Bytes that are not kept may be a neighbour's: they do not leave.
        if (emit_bytes <= 5'(i))         tdata_o[8*i+:8] <= '0;
        else if (state_q == StFlush)     tdata_o[8*i+:8] <= part_q[8*i+:8];
        else                             tdata_o[8*i+:8] <= merged[8*i+:8];
      end
    end
  end

  assign status_valid_o = (state_q == StStatus) && !stop_i;
  assign status_o       = '{
    self:  desc_q.self,
    moved: desc_q.length - togo_q,
    error: error_q,
    irq:   desc_q.irq
  };
  assign error_o      = status_valid_o && status_ready_i && (error_q != ErrorNone);
  assign error_code_o = error_q;
  assign error_at_o   = desc_q.self;
  assign active_o     = asking_q || info_valid || (state_q != StIdle) || ar_valid_o ||
                        (free_q != CountWidth'(Depth));

  logic unused;
  assign unused = ^{info_count, word_in_ready, word_count, desc_q.addr};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(AnswersHaveRoom_A, r_valid_i |-> word_in_ready)
  `CRY_ASSERT(StreamStable_A,
    (tvalid_o && !tready_i) |=> (tvalid_o && $stable(tdata_o) && $stable(tkeep_o) &&
    $stable(tlast_o)))

endmodule
