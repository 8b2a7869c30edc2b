// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Data register of this engine, without reset. Latency: one cycle.
//
//   ProtectNone     plain register
//   ProtectDetect   four parities per word, as cry_reg_ecc
//   ProtectCorrect  four parities per word (word_check), and eight more, each over one nibble of
//                   all words: a wrong bit is where a wrong word parity and a wrong nibble parity
//                   cross. That takes two additions per bit where a Hamming code takes three, and
//                   one gate to locate the bit
module cry_chacha20poly1305_reg
  import cry_chacha20poly1305_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter  int unsigned Width   = 128,          // bits
  parameter  protect_e    Protect = ProtectNone,  // level of protection
  localparam int unsigned Words   = (Width + 31) / 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  en_i,  // loads d_i at the next clock edge
  input  logic [Width-1:0]      d_i,   // next value
  // Corrected value; a wrong bit is written back at the next edge
  output logic [Width-1:0]      q_o,
  output logic [Words-1:0][3:0] checks_o,     // word_check of each word, as stored
  output logic                  corrected_o,  // one bit is wrong
  output logic                  detected_o    // q_o is wrong
);

  if (Protect == ProtectCorrect) begin : gen_grid
    logic [Width-1:0]      data_q;
    logic [Words-1:0][3:0] word_q, word_d, word_wrong;
    logic [7:0]            nibble_q, nibble_d, nibble_wrong;
    word_t [Words-1:0]     given, stored, right;

    assign given  = (32 * Words)'(d_i);
    assign stored = (32 * Words)'(data_q);

    always_comb begin
      nibble_d     = '0;
      nibble_wrong = nibble_q;
      for (int unsigned w = 0; w < Words; w++) begin
        word_d[w]     = word_check(given[w]);
        word_wrong[w] = word_q[w] ^ word_check(stored[w]);
        for (int unsigned n = 0; n < 8; n++) begin
          nibble_d[n]     ^= ^given[w][4*n+:4];
          nibble_wrong[n] ^= ^stored[w][4*n+:4];
        end
      end
      for (int unsigned w = 0; w < Words; w++) begin
        for (int unsigned n = 0; n < 8; n++) begin
          right[w][4*n+:4] = stored[w][4*n+:4] ^ ({4{nibble_wrong[n]}} & word_wrong[w]);
        end
      end
    end

    assign corrected_o = (word_wrong != '0) | (nibble_wrong != '0);
    assign detected_o  = ((word_wrong & (word_wrong - (4 * Words)'(1))) != '0) |
                         ((nibble_wrong & (nibble_wrong - 8'd1)) != '0);
    if (32 * Words != Width) begin : gen_rest
      logic unused_rest;
      assign unused_rest = ^right[Words-1][31:Width%32];
    end
    assign q_o      = Width'(right);
    assign checks_o = word_q;

    logic unused_rst_n;
    assign unused_rst_n = rst_ni;
    // Written at every clock: that is as cheap as to hold.
    always_ff @(posedge clk_i) begin
      data_q   <= en_i ? d_i : q_o;
      word_q   <= en_i ? word_d : word_q ^ ({4 * Words{nibble_wrong == '0}} & word_wrong);
      nibble_q <= en_i ? nibble_d : nibble_q ^ ({8{word_wrong == '0}} & nibble_wrong);
    end
  end else begin : gen_plain
    logic [Width-1:0]  unused_raw;
    word_t [Words-1:0] stored;
    assign stored = (32 * Words)'(q_o);
    always_comb begin
      for (int unsigned w = 0; w < Words; w++) checks_o[w] = word_check(stored[w]);
    end
    cry_reg_ecc #(
      .Width(Width), .EnReset(1'b0), .Protect(Protect)
    ) u_reg (
      .clk_i, .rst_ni, .en_i, .d_i,
      .inject_i(1'b0),
      .q_o,
      .raw_o   (unused_raw),
      .corrected_o,
      .detected_o
    );
  end

endmodule
