// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Aligns CCM's associated data to blocks: its length, in 2 or 6 bytes, precedes its first byte.
//
// start_i loads the length. Then each beat completes a block of the bytes left over and the first
// bytes of the beat; tail_o requests one more block after the last beat, of the bytes left over.
// Bytes of a beat that are not kept must be zero.
module cry_aes_modes_ccm_aad
  import cry_aes_modes_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,  // drops the bytes left over
  input  logic         start_i,  // loads len_i
  input  logic [31:0]  len_i,    // bytes; stable to the end
  // A beat; not needed with tail_o
  input  logic [127:0] beat_i,
  input  logic [15:0]  keep_i,
  input  logic         last_i,       // last beat
  input  logic         fire_i,       // block_o is taken
  output logic [127:0] block_o,      // block to encrypt
  output logic         tail_o,       // block_o has bytes left over only: no beat is needed
  output logic         last_o,       // block_o is the last
  output logic         corrected_o,  // an upset was corrected
  output logic         detected_o    // an upset cannot be corrected
);

  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  logic [47:0] carry_q, carry_d;
  logic        tail_q, tail_d, long_len, left_over;
  logic [7:0]  len [4];
  logic        unused_keep;

  assign unused_keep = ^keep_i;

  for (genvar i = 0; i < 4; i++) begin : gen_len
    assign len[i] = len_i[31-8*i-:8];
  end

  assign long_len  = len_i >= 32'hFF00;
  assign left_over = long_len ? keep_i[10] : keep_i[14];
  assign tail_o    = tail_q;
  assign last_o    = tail_q | (last_i & !left_over);

  logic [127:0] beat;
  assign beat    = beat_i & {128{!tail_q}};
  assign block_o = long_len ? {beat[79:0], carry_q} : {beat[111:0], carry_q[15:0]};

  always_comb begin
    carry_d = carry_q;
    tail_d  = tail_q;
    if (fire_i) begin
      carry_d = long_len ? beat[127:80] : 48'(beat[127:112]);
      tail_d  = !tail_q & last_i & left_over;
    end
    if (start_i) begin
      carry_d = long_len ? {len[3], len[2], len[1], len[0], 16'hFEFF}
                         : {32'd0, len[3], len[2]};
      tail_d  = 1'b0;
    end
    if (clear_i) begin
      carry_d = '0;
      tail_d  = 1'b0;
    end
  end

  cry_reg_tmr #(.Width(49), .Protect(Control)) u_carry (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i({tail_d, carry_d}), .inject_i(1'b0),
    .q_o({tail_q, carry_q}), .corrected_o, .detected_o
  );

endmodule
