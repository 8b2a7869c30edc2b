// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Registers of which a netlist may be without some: one never changes, one is read by nothing, one
// by the next flip-flop alone and one by an output. For tests of the proof.
module needless #(
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectCorrect
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [1:0] data_i,
  output logic [1:0] data_o,
  output logic       fault_corrected_o
);

  logic [1:0] unread, inner;
  logic [3:0] corrected, unused_detected;
  logic       still;

  cry_reg_tmr #(.Width(1), .Protect(Protect)) u_still (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(still & data_i[0]), .inject_i(1'b0), .q_o(still),
    .corrected_o(corrected[0]), .detected_o(unused_detected[0])
  );
  cry_reg_tmr #(.Width(2), .Protect(Protect)) u_unread (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(unread + data_i), .inject_i(1'b0), .q_o(unread),
    .corrected_o(corrected[1]), .detected_o(unused_detected[1])
  );
  cry_reg_tmr #(.Width(2), .Protect(Protect)) u_inner (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(data_i), .inject_i(1'b0), .q_o(inner),
    .corrected_o(corrected[2]), .detected_o(unused_detected[2])
  );
  cry_reg_tmr #(.Width(2), .Protect(Protect)) u_outer (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(inner), .inject_i(1'b0), .q_o(data_o),
    .corrected_o(corrected[3]), .detected_o(unused_detected[3])
  );

  assign fault_corrected_o = |corrected;

endmodule
