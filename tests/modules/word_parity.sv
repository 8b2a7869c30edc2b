// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A word beside its parity, with an alarm.
module word_parity (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       load_i,  // take the word
  input  logic [7:0] word_i,
  output logic [7:0] word_o,
  output logic       fault_o  // the parity is wrong
);

  logic [7:0] word_q;
  logic parity_q;

  assign word_o = word_q;
  assign fault_o = ^{word_q, parity_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q   <= 8'hA5;
      parity_q <= 1'b0;
    end else if (load_i) begin
      word_q   <= word_i;
      parity_q <= ^word_i;
    end
  end

endmodule
