// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Small memory, one write port and one asynchronous read port, without reset: LUT memory on an
// FPGA. Written data can be read from the next cycle on.
//
// With protection its words are codewords (cry_code_pkg):
//   - A word keeps an upset until it is written again: what is read is corrected, not what is
//     stored.
//   - No two bits of a word of 8 bits or more may always be equal: synthesis could merge them, and
//     an upset of the one flip-flop would be two wrong bits.
//   - Codes of shorter words have such bits; these words are in flip-flops that synthesis does not
//     merge (cry_flop_kept). So are those of a memory that is a copy of another (Copy).
module cry_ram
  import cry_protect_pkg::*;
#(
  parameter  int unsigned Width   = 32,           // bits of a word
  parameter  int unsigned Depth   = 4,            // words, a power of two
  parameter  protect_e    Protect = ProtectNone,  // level of protection
  parameter  bit          Copy    = 1'b0,         // another memory is written alike; up to 120 bits
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,

  input  logic                 we_i,     // writes wdata_i at the next clock edge
  input  logic [AddrWidth-1:0] waddr_i,  // word address
  input  logic [Width-1:0]     wdata_i,  // data without check bits

  input  logic [AddrWidth-1:0] raddr_i,  // word address
  output logic [Width-1:0]     rdata_o,  // combinational on raddr_i; corrected

  input  logic                 used_i,       // the word at raddr_i is valid: enables reports
  output logic                 corrected_o,  // at least one codeword of the word is corrected
  output logic                 detected_o    // rdata_o is wrong
);

  // Long words are cut into codewords of up to 120 bits of data.
  localparam int unsigned Parts     = (Protect == ProtectNone) ? 1 : (Width + 119) / 120;
  localparam int unsigned PartWidth = (Width + Parts - 1) / Parts;
  localparam int unsigned CodeWidth = PartWidth + cry_code_pkg::check_width(PartWidth, Protect);
  localparam bit          Kept      = (Protect != ProtectNone) && ((Width < 8) || Copy);

  logic [Parts*PartWidth-1:0]      wdata, rdata;
  logic [Parts-1:0][CodeWidth-1:0] encoded, stored, right;
  logic [Parts-1:0]                correctable, wrong;

  assign wdata   = (Parts * PartWidth)'(wdata_i);
  assign rdata_o = rdata[Width-1:0];

  for (genvar p = 0; p < Parts; p++) begin : gen_part
    cry_code_enc #(.Width(PartWidth), .Protect(Protect)) u_enc (
      .data_i(wdata[PartWidth*p+:PartWidth]), .codeword_o(encoded[p])
    );
    cry_code_dec #(.Width(PartWidth), .Protect(Protect)) u_dec (
      .codeword_i(stored[p]), .codeword_o(right[p]), .correctable_o(correctable[p]),
      .wrong_o(wrong[p])
    );
    assign rdata[PartWidth*p+:PartWidth] = right[p][PartWidth-1:0];
  end

  if (Kept) begin : gen_kept
    logic [Depth-1:0][CodeWidth-1:0] words;
    for (genvar w = 0; w < Depth; w++) begin : gen_word
      for (genvar b = 0; b < CodeWidth; b++) begin : gen_bit
        cry_flop_kept #(.EnReset(1'b0)) u_bit (
          .clk_i, .rst_ni(1'b1), .en_i(we_i && (waddr_i == AddrWidth'(w))), .d_i(encoded[0][b]),
          .q_o(words[w][b])
        );
      end
    end
    assign stored = words[raddr_i];
  end else begin : gen_memory
    logic [Parts*CodeWidth-1:0] mem[Depth];
    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= encoded;
    end
    assign stored = mem[raddr_i];
  end

  assign corrected_o = used_i && (|correctable);
  assign detected_o  = used_i && (|wrong);

  logic unused;
  assign unused = ^{right, rdata};

endmodule
