// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Fetch addresses: walks the segments of a job (IV, key, source) in wide reads of four words, without
// a bubble between them. An unaligned segment starts with a prefix access of its first word only.
//
// Protocol: an access is offered with read_valid_o until read_ready_i; its address and lanes are stable.
//
// Parameters: NoIvModes and NoKeyModes, one bit per mode that needs no IV (unless the context is to be
// saved) or no key.
module hwpe_fetch
  import hwpe_pkg::*;
#(
  parameter logic [15:0] NoIvModes  = '0,
  parameter logic [15:0] NoKeyModes = '0
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       start_i,
  input  logic       flush_i,
  input  job_regs_t  job_i,
  output logic       need_iv_o,    // the job reads an IV

  output logic       read_valid_o,
  input  logic       read_ready_i,
  output word_addr_t read_addr_o,
  output logic [3:0] read_lanes_o,
  output read_tag_t  read_tag_o
);

  // Which segments the job has.
  logic has_src, need_key;
  assign has_src   = job_i.len != '0;
  assign need_iv_o = !NoIvModes[job_i.mode] || job_i.ctx_save;
  assign need_key  = !NoKeyModes[job_i.mode] && has_src && (job_i.key_len != 2'd3);

  segment_e segment_q, next_segment;
  always_comb begin
    next_segment = SegNone;
    if (has_src) next_segment = SegSrc;
    if (need_key && (start_i || (segment_q == SegIv))) next_segment = SegKey;
    if (need_iv_o && start_i) next_segment = SegIv;
    if (!start_i && (segment_q == SegSrc)) next_segment = SegNone;
  end

  logic [31:0] next_ptr;
  logic [31:0] next_bytes;
  always_comb begin
    unique case (next_segment)
      SegIv:   next_ptr = job_i.iv;
      SegKey:  next_ptr = job_i.key;
      default: next_ptr = job_i.src;
    endcase
    unique case (next_segment)
      SegIv:   next_bytes = 32'd16;
      SegKey:  next_bytes = {26'd0, job_i.key_len[1], !job_i.key_len[1], job_i.key_len[0], 3'd0};
      default: next_bytes = job_i.len;
    endcase
  end

  // The current segment.
  word_addr_t  addr_q;
  logic [1:0]  offset_q;
  logic        prefix_q;
  logic [27:0] beats_q;  // full beats left
  logic [3:0]  bytes_q;  // and bytes behind them

  logic last;
  assign last = !prefix_q && ((beats_q == '0) || ((beats_q == 28'd1) && (bytes_q == '0)));

  logic advance;
  assign advance = read_valid_o && read_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      segment_q <= SegNone;
    end else if (flush_i) begin
      segment_q <= SegNone;
    end else if (start_i || (advance && last)) begin
      segment_q <= next_segment;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addr_q   <= '0;
      offset_q <= '0;
      prefix_q <= 1'b0;
      beats_q  <= '0;
      bytes_q  <= '0;
    end else if (start_i || (advance && last)) begin
      addr_q   <= next_ptr[31:2];
      offset_q <= next_ptr[1:0];
      prefix_q <= next_ptr[1:0] != '0;
      beats_q  <= next_bytes[31:4];
      bytes_q  <= next_bytes[3:0];
    end else if (advance) begin
      addr_q   <= addr_q + (prefix_q ? word_addr_t'(1) : word_addr_t'(NumLanes));
      prefix_q <= 1'b0;
      if (!prefix_q) beats_q <= beats_q - 28'd1;
    end
  end

  // Words that the last beat needs beside the one that the realigner holds: none to four.
  logic [4:0] last_bytes;
  logic [2:0] last_words;
  always_comb begin
    last_bytes = {bytes_q == '0, bytes_q} + 5'(offset_q);
    last_words = last_bytes[4:2] + 3'(last_bytes[1:0] != '0) - 3'(offset_q != '0);
    for (int unsigned i = 0; i < NumLanes; i++) begin
      read_lanes_o[i] = !last || (last_words > 3'(i));
    end
    if (prefix_q) read_lanes_o = 4'b1000;
  end

  assign read_valid_o = segment_q != SegNone;
  assign read_addr_o  = addr_q;
  assign read_tag_o   = '{segment: segment_q, offset: offset_q, prefix: prefix_q, last: last,
                          bytes: bytes_q};

  // Fields of a job that do not matter here.
  logic unused;
  assign unused = ^{job_i.dst, job_i.decrypt};

endmodule
