// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// prim_ram_1r1w whose words are codewords (prim_code_pkg).
//
// Long words are cut into codewords of up to 120 bits of data; words of less than 8 bits are in
// flip-flops that synthesis does not merge (prim_flop_kept). No two bits of a longer word may always be
// equal: they could become one flip-flop. used_i: the word at raddr_i was written and
// counts. ProtectCorrect: rdata_o is right if one bit of each codeword is wrong; corrected_o is high
// while it is so. detected_o: rdata_o is wrong. A word keeps an upset until it is written again.
//
// Parameters: Width, bits of a word; Depth, words, a power of two; Protect, the level.
module tile_ram #(
  parameter  int unsigned Width = 32,
  parameter  int unsigned Depth = 4,
  parameter  prim_protect_pkg::protect_e Protect = prim_protect_pkg::ProtectNone,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  input  logic [AddrWidth-1:0] raddr_i,
  output logic [Width-1:0]     rdata_o,
  input  logic                 used_i,
  output logic                 corrected_o,
  output logic                 detected_o
);

  if (Protect == prim_protect_pkg::ProtectNone) begin : gen_none
    logic unused;
    assign unused = used_i;
    prim_ram_1r1w #(.Width(Width), .Depth(Depth)) u_ram (
      .clk_i, .we_i, .waddr_i, .wdata_i, .raddr_i, .rdata_o
    );
    assign corrected_o = 1'b0;
    assign detected_o  = 1'b0;
  end else begin : gen_code
    localparam int unsigned Parts     = (Width + 119) / 120;
    localparam int unsigned PartWidth = (Width + Parts - 1) / Parts;
    localparam int unsigned CodeWidth = PartWidth + prim_code_pkg::check_width(PartWidth, Protect);

    logic [Parts*PartWidth-1:0]      wdata, rdata;
    logic [Parts-1:0][CodeWidth-1:0] encoded, stored, right;
    logic [Parts-1:0]                correctable, wrong;

    assign wdata   = (Parts * PartWidth)'(wdata_i);
    assign rdata_o = rdata[Width-1:0];

    for (genvar p = 0; p < Parts; p++) begin : gen_part
      prim_code_enc #(.Width(PartWidth), .Protect(Protect)) u_enc (
        .data_i(wdata[PartWidth*p+:PartWidth]), .codeword_o(encoded[p])
      );
      prim_code_dec #(.Width(PartWidth), .Protect(Protect)) u_dec (
        .codeword_i(stored[p]), .codeword_o(right[p]), .correctable_o(correctable[p]),
        .wrong_o(wrong[p])
      );
      assign rdata[PartWidth*p+:PartWidth] = right[p][PartWidth-1:0];
    end

    // The code of a short word has equal bits. Synthesis would make one flip-flop of them, whose upset
    // is two wrong bits.
    if (Width < 8) begin : gen_kept
      logic [Depth-1:0][CodeWidth-1:0] words;
      for (genvar w = 0; w < Depth; w++) begin : gen_word
        for (genvar b = 0; b < CodeWidth; b++) begin : gen_bit
          prim_flop_kept #(.EnReset(1'b0)) u_bit (
            .clk_i, .rst_ni(1'b1), .en_i(we_i && (waddr_i == AddrWidth'(w))), .d_i(encoded[0][b]),
            .q_o(words[w][b])
          );
        end
      end
      assign stored = words[raddr_i];
    end else begin : gen_memory
      prim_ram_1r1w #(.Width(Parts * CodeWidth), .Depth(Depth)) u_ram (
        .clk_i, .we_i, .waddr_i, .wdata_i(encoded), .raddr_i, .rdata_o(stored)
      );
    end

    assign corrected_o = used_i && (|correctable);
    assign detected_o  = used_i && (|wrong);

    logic unused;
    assign unused = ^{right, rdata};
  end

endmodule
