// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Selects the limbs of a multiplication's products, four pairs in each cycle: all of a row by a
// limb of the other one, the lowest first. A square takes three cycles, of the two products of
// unlike limbs one, doubled:
//
//   lane        3           2           1           0
//   cycle 1  2 a3 a0     2 a2 a0     2 a1 a0       a0 a0
//   cycle 2  2 a3 a1     2 a2 a1       a1 a1
//   cycle 3  2 a3 a2       a2 a2                   a3 a3
//
// The rows are there in the cycle behind start_i; the first limbs are taken from them and the
// others from registers, so that the next rows can come with the last limbs' cycle.
module cry_pka_fast_select
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
(
  input  logic    clk_i,     // clock
  input  logic    rst_ni,    // asynchronous reset
  input  logic    wipe_i,    // forgets the multiplication, and takes the rows, which are zero
  input  logic    start_i,   // one begins; only with ready_o
  input  shape_e  shape_i,   // its products
  input  reduce_e reduce_i,  // its reduction
  output logic    ready_o,   // one can begin
  input  logic [255:0] a_i,  // its rows, in the next cycle
  input  logic [255:0] b_i,  // likewise

  output logic [FastLanes-1:0][64:0] a_o,    // limbs, or twice them; combinational, as what follows
  output logic [FastLanes-1:0][63:0] b_o,    // limbs
  output step_t                      step_o  // what goes along with their products
);

  logic    busy_q, busy_d, first_q, square, last;
  shape_e  shape_q;
  reduce_e reduce_q;
  logic [1:0] count_q, count_d, end_count;  // limb of b
  logic [FastLanes-1:0][63:0] a_q, b_q, row_a, row_b;

  assign square = shape_q == ShapeSquare;

  always_comb begin
    unique case (shape_q)
      ShapeSquare: end_count = 2'd2;
      ShapeSingle: end_count = 2'd0;
      default:     end_count = 2'd3;
    endcase
  end

  assign last    = busy_q & (count_q == end_count);
  assign ready_o = !busy_q | last;

  always_comb begin
    busy_d  = (busy_q & !last) | start_i;
    count_d = start_i ? '0 : (busy_q & !last) ? count_q + 1'b1 : count_q;
    if (wipe_i) begin
      busy_d  = 1'b0;
      count_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      first_q  <= 1'b0;
      count_q  <= '0;
      shape_q  <= ShapeFull;
      reduce_q <= ReduceNone;
    end else begin
      busy_q  <= busy_d;
      first_q <= start_i;
      count_q <= count_d;
      if (start_i) begin
        shape_q  <= shape_i;
        reduce_q <= reduce_i;
      end
    end
  end

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    if (first_q | wipe_i) begin
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  assign row_a = first_q ? a_i : a_q;
  assign row_b = first_q ? b_i : b_q;

  // A square has its row in both operands.
  always_comb begin
    for (int unsigned i = 0; i < FastLanes; i++) begin
      a_o[i] = {1'b0, row_a[i]};
      b_o[i] = row_b[count_q];
      if (square) begin
        if (2'(i) > count_q)      a_o[i] = {row_a[i], 1'b0};
        else if (2'(i) < count_q) a_o[i] = '0;
      end
    end
    if (square & (count_q == 2'd2)) begin
      a_o[0] = {1'b0, row_a[3]};
      b_o[0] = row_b[3];
    end
  end

  assign step_o.valid  = busy_q;
  assign step_o.first  = busy_q & (count_q == '0);
  assign step_o.last   = last;
  assign step_o.square = busy_q & square;
  assign step_o.single = busy_q & (shape_q == ShapeSingle);
  assign step_o.reduce = busy_q ? reduce_q : ReduceNone;

endmodule
