// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A counter, tripled by hand; by default with a hole: the enable is registered once.
module counter_tmr #(
  parameter int unsigned Width    = 4,    // bits of the counter
  parameter bit          TripleEn = 1'b0  // the enable is tripled, too
) (
  input  logic             clk_i,       // clock
  input  logic             rst_ni,      // reset, active low
  input  logic             en_i,        // count, from the next cycle on
  output logic [Width-1:0] count_o,     // what was counted
  output logic             corrected_o  // copies of the count are not equal in this cycle
);

  logic en;
  logic [Width-1:0] count_a_q, count_b_q, count_c_q, voted, count_d;

  assign voted = (count_a_q & count_b_q) | (count_a_q & count_c_q) | (count_b_q & count_c_q);
  assign count_d = voted + Width'(en);
  assign count_o = voted;
  assign corrected_o = count_a_q != count_b_q || count_a_q != count_c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_a_q <= '0;
      count_b_q <= '0;
      count_c_q <= '0;
    end else begin
      count_a_q <= count_d;
      count_b_q <= count_d;
      count_c_q <= count_d;
    end
  end

  if (TripleEn) begin : gen_triple
    logic en_a_q, en_b_q, en_c_q;
    assign en = (en_a_q & en_b_q) | (en_a_q & en_c_q) | (en_b_q & en_c_q);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {en_a_q, en_b_q, en_c_q} <= '0;
      else {en_a_q, en_b_q, en_c_q} <= {3{en_i}};
    end
  end else begin : gen_single
    logic en_q;
    assign en = en_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) en_q <= 1'b0;
      else en_q <= en_i;
    end
  end

endmodule
