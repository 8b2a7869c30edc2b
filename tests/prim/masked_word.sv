// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A counter in one word with parities, whose alarm is looked at only while the number is used: for
// tests of the proof. An upset of a word that counts while nobody looks is encoded again, as a
// wrong number with right parities.
//
// Parameters:
//   Counts  when: 0 while it is used, 1 while it is not, 2 while it is not, but from zero if it is
//           wrong
module masked_word #(
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectDetect,
  parameter int unsigned                Counts  = 0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       used_i,
  output logic       dst_valid_o,
  output logic [7:0] dst_o,
  output logic       fault_detected_o
);

  logic       detected, en, unused_corrected;
  logic [7:0] unused_raw, d;

  assign en = (Counts == 0) ? used_i : !used_i;
  assign d  = ((Counts == 2) & detected) ? 8'd0 : dst_o + 8'd1;

  cry_reg_ecc #(.Width(8), .Protect(Protect)) u_word (
    .clk_i, .rst_ni, .en_i(en), .d_i(d), .inject_i(1'b0), .q_o(dst_o), .raw_o(unused_raw),
    .corrected_o(unused_corrected), .detected_o(detected)
  );

  assign fault_detected_o = detected & used_i;
  assign dst_valid_o      = used_i & !fault_detected_o;

endmodule
