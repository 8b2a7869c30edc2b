// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Selects the limbs of a multiplication's products, a pair in each cycle, by columns of the result,
// lowest first. The rows are there in the cycle behind start_i; the first pair is taken from them
// and the others from registers, so that the next rows can come with the last pair's cycle.
module cry_pka_select
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
  input  row_t    a_i,       // its rows, in the next cycle
  input  row_t    b_i,       // likewise

  output logic [64:0] a_o,  // limb of a, or twice that; combinational, as all that follows
  output logic [63:0] b_o,  // limb of b
  output tag_t        tag_o  // what goes along with their product
);

  logic       busy_q, busy_d, first_q;
  shape_e     shape_q;
  reduce_e    reduce_q;
  logic [2:0] column_q, column_d;
  logic [1:0] i_q, i_d;  // which limb of a
  logic [1:0] j;         // and of b
  row_t       a_q, b_q;

  logic [1:0] i_last;
  logic       column_end, last;

  always_comb begin
    unique case (shape_q)
      ShapeSquare: i_last = column_q[2:1];
      ShapeSingle: i_last = i_q;
      default:     i_last = (column_q > 3'd3) ? 2'd3 : column_q[1:0];
    endcase
  end

  assign j          = column_q[1:0] - i_q;
  assign column_end = i_q == i_last;
  assign last       = busy_q & column_end & (column_q == ((shape_q == ShapeSingle) ? 3'd3 : 3'd6));
  assign ready_o    = !busy_q | last;

  always_comb begin
    busy_d   = busy_q & !last;
    column_d = column_q;
    i_d      = i_q;
    if (start_i) begin
      busy_d   = 1'b1;
      column_d = '0;
      i_d      = '0;
    end else if (busy_q & !last) begin
      i_d = i_q + 2'd1;
      if (column_end) begin
        column_d = column_q + 3'd1;
        if (shape_q != ShapeSingle) i_d = (column_q > 3'd2) ? column_q[1:0] - 2'd2 : 2'd0;
      end
    end
    if (wipe_i) begin
      busy_d   = 1'b0;
      column_d = '0;
      i_d      = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      first_q  <= 1'b0;
      column_q <= '0;
      i_q      <= '0;
      shape_q  <= ShapeFull;
      reduce_q <= ReduceNone;
    end else begin
      busy_q   <= busy_d;
      first_q  <= start_i;
      column_q <= column_d;
      i_q      <= i_d;
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

  logic [63:0] limb;
  assign limb = first_q ? a_i[63:0] : a_q[64*i_q+:64];
  assign a_o  = ((shape_q == ShapeSquare) & (i_q != j)) ? {limb, 1'b0} : {1'b0, limb};
  assign b_o  = first_q ? b_i[63:0] : b_q[64*j+:64];

  logic start_column;  // the first product of a column: i is the least that it can be
  assign start_column = (shape_q == ShapeSingle) |
                        (i_q == ((column_q > 3'd3) ? column_q[1:0] + 2'd1 : 2'd0));

  assign tag_o.valid  = busy_q;
  assign tag_o.start  = busy_q & start_column;
  assign tag_o.last   = last;
  assign tag_o.column = busy_q ? column_q : '0;
  assign tag_o.reduce = busy_q ? reduce_q : ReduceNone;
  assign tag_o.single = busy_q & (shape_q == ShapeSingle);

endmodule
