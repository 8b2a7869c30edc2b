// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Fetch addresses: walks the segments of a job (IV, key, source) in wide reads of four words,
// without a bubble between them. An unaligned segment starts with a prefix access of its first word
// only.
//
// Protocol: an access is offered with read_valid_o until read_ready_i; its address and lanes are
// stable. flush_i takes the offer back: of an access that has begun then, the address stays until
// start_i, and the lanes do not; cry_hwpe_tcdm keeps those.
module cry_hwpe_fetch
  import cry_hwpe_pkg::*;
#(
  parameter int unsigned AddrWidth  = 32,  // address bits that count: see cry_hwpe_shell
  parameter logic [15:0] NoIvModes  = '0,  // by mode: needs no IV, unless the context is saved
  parameter logic [15:0] NoKeyModes = '0,  // by mode: needs no key
  parameter logic [15:0] TagModes   = '0   // by mode: needs its key for an empty message, too
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       start_i,    // one cycle: begins with job_i
  input  logic       flush_i,    // one cycle: withdraws the access
  input  job_regs_t  job_i,      // the running job
  output logic       need_iv_o,  // the job reads an IV

  output logic       read_valid_o,  // an access is asked for
  input  logic       read_ready_i,  // its last lane is granted
  output word_addr_t read_addr_o,   // word address of the access
  output logic [3:0] read_lanes_o,  // words that are needed, one bit each
  output read_tag_t  read_tag_o     // what the access is part of
);

  localparam int unsigned CountWidth = AddrWidth - 2;  // of word addresses
  localparam logic [3:0]  LongKeyTail = 4'd8;          // bytes of the second beat of a 192-bit key

  // Which segments the job has.
  logic has_src, need_key;
  assign has_src   = job_i.len != '0;
  assign need_iv_o = !NoIvModes[job_i.mode] || job_i.ctx_save;
  assign need_key  = !NoKeyModes[job_i.mode] && (has_src || TagModes[job_i.mode]) &&
                     (job_i.key_len != 2'd3);

  segment_e segment_q, next_segment;
  always_comb begin
    next_segment = SegNone;
    if (has_src) next_segment = SegSrc;
    if (need_key && (start_i || (segment_q == SegIv))) next_segment = SegKey;
    if (need_iv_o && start_i) next_segment = SegIv;
    if (!start_i && (segment_q == SegSrc)) next_segment = SegNone;
  end

  // The current segment: its next word, and whether that is the only one of a prefix access.
  word_addr_t addr_q, addr_d, counted;
  logic [1:0] offset, next_offset;
  logic       prefix_q, next_segment_fire;
  logic       key_tail_q;   // the second beat of a long key
  logic       last, advance;
  logic [3:0] bytes;        // of the last beat, 0 for 16

  assign advance           = read_valid_o && read_ready_i;
  assign next_segment_fire = start_i || (advance && last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                segment_q <= SegNone;
    else if (flush_i)           segment_q <= SegNone;
    else if (next_segment_fire) segment_q <= next_segment;
  end

  // One multiplexer: SegNone stands for counting.
  segment_e addr_sel;
  assign addr_sel = next_segment_fire ? next_segment : SegNone;

  always_comb begin
    counted                  = addr_q;
    counted[CountWidth-1:0] += prefix_q ? CountWidth'(1) : CountWidth'(NumLanes);
    unique case (addr_sel)
      SegIv:   addr_d = job_i.iv[31:2];
      SegKey:  addr_d = job_i.key[31:2];
      SegSrc:  addr_d = job_i.src[31:2];
      default: addr_d = counted;
    endcase
  end

  always_comb begin
    unique case (next_segment)
      SegIv:   next_offset = job_i.iv[1:0];
      SegKey:  next_offset = job_i.key[1:0];
      default: next_offset = job_i.src[1:0];
    endcase
    unique case (segment_q)
      SegIv:   offset = job_i.iv[1:0];
      SegKey:  offset = job_i.key[1:0];
      default: offset = job_i.src[1:0];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (next_segment_fire || advance) begin
      addr_q     <= addr_d;
      prefix_q   <= next_segment_fire && (next_offset != '0);
      key_tail_q <= !next_segment_fire && !prefix_q;
    end
  end

  // Beats of the message: counted up, from the complement of the full ones, which is cheaper than
  // down. The present beat is the last if it is the only full one, with no bytes behind, or those
  // bytes.
  logic [27:0] beats_q;
  logic        src_last;
  always_ff @(posedge clk_i) begin
    if (start_i)                                            beats_q <= ~job_i.len[31:4];
    else if (advance && !prefix_q && (segment_q == SegSrc)) beats_q <= beats_q + 28'd1;
  end
  assign src_last = (&beats_q[27:1]) && (beats_q[0] || (job_i.len[3:0] == '0));

  always_comb begin
    unique case (segment_q)
      SegKey:  last = (job_i.key_len == '0) || key_tail_q;
      SegSrc:  last = src_last;
      default: last = 1'b1;
    endcase
    if (prefix_q) last = 1'b0;
  end

  // Words that the last beat needs beside the one that the realigner holds: none to four.
  logic [4:0] last_bytes;
  logic [2:0] last_words;
  always_comb begin
    unique case (segment_q)
      SegKey:  bytes = job_i.key_len[0] ? LongKeyTail : 4'd0;
      SegSrc:  bytes = job_i.len[3:0];
      default: bytes = 4'd0;
    endcase
    last_bytes = {bytes == '0, bytes} + 5'(offset);
    last_words = last_bytes[4:2] + 3'(last_bytes[1:0] != '0) - 3'(offset != '0);
    for (int unsigned i = 0; i < NumLanes; i++) begin
      read_lanes_o[i] = !last || (last_words > 3'(i));
    end
    if (prefix_q) read_lanes_o = 4'b1000;
  end

  assign read_valid_o = segment_q != SegNone;
  assign read_addr_o  = addr_q;
  assign read_tag_o   = '{segment: segment_q, offset: offset, prefix: prefix_q, last: last,
                          tail: read_lanes_o[3]};

  // Fields of a job that do not matter here.
  logic unused;
  assign unused = ^{job_i.dst, job_i.decrypt};

endmodule
