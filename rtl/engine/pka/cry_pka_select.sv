// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Selects the limbs of a multiplication's products, a pair in each cycle, by columns of the result,
// lowest first. The rows are there in the cycle behind start_i; the first pair is taken from them
// and the others from registers, so that the next rows can come with the last pair's cycle.
module cry_pka_select
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits = 256  // bits of a row: 256, 384, 512 or 576
) (
  input  logic    clk_i,     // clock
  input  logic    rst_ni,    // asynchronous reset
  input  logic    wipe_i,    // forgets the multiplication, and takes the rows, which are zero
  input  logic    start_i,   // one begins; only with ready_o
  input  shape_e  shape_i,   // its products
  input  reduce_e reduce_i,  // its reduction
  output logic    ready_o,   // one can begin
  input  logic [RowBits-1:0] a_i,  // its rows, in the next cycle
  input  logic [RowBits-1:0] b_i,  // likewise

  output logic [64:0] a_o,  // limb of a, or twice that; combinational, as all that follows
  output logic [63:0] b_o,  // limb of b
  output tag_t        tag_o  // what goes along with their product
);

  localparam int unsigned Limbs       = RowBits / LimbBits;
  localparam int unsigned IndexWidth  = $clog2(Limbs);
  localparam int unsigned ColumnWidth = $clog2(2 * Limbs - 1);

  typedef logic [IndexWidth-1:0]  index_t;
  typedef logic [ColumnWidth-1:0] column_t;

  localparam index_t  Top        = index_t'(Limbs - 1);         // limb
  localparam column_t LastColumn = column_t'(2 * Limbs - 2);

  logic    busy_q, busy_d, first_q;
  shape_e  shape_q;
  reduce_e reduce_q;
  column_t column_q, column_d;
  index_t  i_q, i_d;  // which limb of a
  index_t  j;         // and of b
  logic [RowBits-1:0] a_q, b_q;

  logic low_columns;  // the lower row's are all
  assign low_columns = (shape_q == ShapeSingle) |
                       (!is_modular(RowBits) & (shape_q == ShapeLow));

  // The least limb that a column, and the one behind it, begins with.
  index_t i_first, i_next, i_last;
  logic   upper, column_end, last;

  assign upper   = column_q > column_t'(Top);
  assign i_first = upper ? index_t'(column_q) - Top : '0;
  assign i_next  = (column_q >= column_t'(Top)) ? index_t'(column_q) - Top + 1'b1 : '0;

  always_comb begin
    unique case (shape_q)
      ShapeSquare: i_last = index_t'(column_q >> 1);
      ShapeSingle: i_last = i_q;
      default:     i_last = upper ? Top : index_t'(column_q);
    endcase
  end

  assign j          = index_t'(column_q) - i_q;
  assign column_end = i_q == i_last;
  assign last       = busy_q & column_end &
                      (column_q == (low_columns ? column_t'(Top) : LastColumn));
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
      i_d = i_q + 1'b1;
      if (column_end) begin
        column_d = column_q + 1'b1;
        if (shape_q != ShapeSingle) i_d = i_next;
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

  logic start_column;  // the first product of a column
  assign start_column = (shape_q == ShapeSingle) | (i_q == i_first);

  assign tag_o.valid  = busy_q;
  assign tag_o.start  = busy_q & start_column;
  assign tag_o.last   = last;
  // Column 16 stands as 7: the limb below it, 15, has the place of limb 6.
  if (RowBits == 576) begin : gen_last
    assign tag_o.column = !busy_q ? '0 : (column_q == LastColumn) ? 4'd7 : 4'(column_q);
  end else begin : gen_all
    assign tag_o.column = busy_q ? 4'(column_q) : '0;
  end
  assign tag_o.reduce = busy_q ? reduce_q : ReduceNone;
  assign tag_o.single = busy_q & low_columns;

endmodule
