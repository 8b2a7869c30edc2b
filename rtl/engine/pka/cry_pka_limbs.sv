// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keeps the limbs of a result, and folds the upper ones onto the lower ones: 38 times each is added
// four limbs below it. Rows of other than 256 bits are not folded.
//
// A limb is stored in the cycle in which it is final, the last two together. What a multiplication
// by one limb has in limb 4 is folded onto limb 0, and the carry out of that is left to the ALU, as
// that out of all limbs is. Of a product's lower row the last limb is stored alone.
module cry_pka_limbs
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter  int unsigned RowBits   = 256,  // bits of a row: 256, 384, 512 or 576
  localparam int unsigned Limbs     = RowBits / LimbBits,
  localparam int unsigned AheadBits = ahead_bits(RowBits)
) (
  input  logic        clk_i,    // clock
  input  logic        wipe_i,   // makes all registers zero, if column_i and the tags are
  input  tag_t        tag_i,    // of the product that is added to a column now
  input  tag_t        done_i,   // of the one that was added in the cycle before
  input  sum_t        column_i,             // the column
  input  logic signed [AheadBits-1:0] ahead_i,  // what Montgomery's reduction adds to the last limb

  output logic [Limbs-1:0][63:0] limbs_o,  // limb n in n modulo Limbs
  output logic [5:0]             carry_o   // out of the last fold; of Montgomery's, bit RowBits
);

  localparam int unsigned WideBits = 135;
  typedef logic signed [WideBits-1:0] wide_t;

  localparam int unsigned IndexWidth = $clog2(Limbs);

  typedef logic [IndexWidth-1:0] index_t;

  localparam index_t Top = index_t'(Limbs - 1);

  logic [Limbs-1:0][63:0] limbs_q, limbs_d;
  logic [5:0]             carry_q, carry_d;

  logic       store, last, fold, single, upper;
  logic [3:0] number;  // of the limb that is stored
  index_t     place;   // where
  reduce_e    reduce;
  wide_t      limb, onto, times32, times4, times2, below, sum, carry, total;
  logic       unused_carry;
  index_t     at;      // what it is folded onto

  assign store  = tag_i.valid & tag_i.start & (tag_i.column != '0);
  assign last   = done_i.valid & done_i.last;
  assign number = tag_i.column - 4'd1;
  assign upper  = number > 4'(Top);
  assign place  = index_t'(upper ? number - 4'(Limbs) : number);
  assign reduce = last ? done_i.reduce : tag_i.reduce;
  assign single = last & done_i.single;
  assign at     = !last ? index_t'(number[0]) : single ? '0 : Top - 1'b1;
  assign fold   = (RowBits == 256) & (reduce == ReduceFold) & (last | (store & upper));

  // What is to be stored, and what is added to it.
  always_comb begin
    limb = wide_t'({71'd0, column_i[63:0]});
    onto = '0;
    if (last) limb = single ? wide_t'({71'd0, column_i[127:64]}) : wide_t'(column_i);
    if (fold) onto = wide_t'({71'd0, limbs_q[at]});
    if (last & (reduce == ReduceFold) & !single) onto[127:64] = limbs_q[Top];
    if (last & (reduce == ReduceMont))           onto         = wide_t'(ahead_i) <<< 64;
  end

  // Times 38 or 1.
  assign times32 = fold ? limb << 5 : '0;
  assign times4  = fold ? limb << 2 : limb;
  assign times2  = fold ? limb << 1 : '0;
  assign below   = (fold & !single & (last | number[0])) ? wide_t'({129'd0, carry_q}) : '0;

  cry_pka_compress #(.Rows(5), .Width(WideBits)) u_tree (
    .rows_i({onto, times32, times4, times2, below}), .sum_o(sum), .carry_o(carry)
  );

  cry_pka_adder #(.Width(WideBits)) u_sum (
    .a_i(sum), .b_i(carry), .carry_i(1'b0), .sum_o(total), .carry_o(unused_carry)
  );

  always_comb begin
    limbs_d = limbs_q;
    carry_d = carry_q;
    if (store) begin
      limbs_d[place] = total[63:0];
      carry_d        = total[69:64];
    end
    if (last) begin
      if (single & !is_modular(RowBits)) begin
        limbs_d[Top] = column_i[63:0];
      end else if (single) begin
        limbs_d[0]   = total[63:0];
        limbs_d[Top] = column_i[63:0];
        carry_d      = total[69:64];
      end else begin
        limbs_d[Top-1] = total[63:0];
        limbs_d[Top]   = total[127:64];
        carry_d        = total[133:128];
      end
    end
    if (wipe_i) begin
      limbs_d = {Limbs{total[63:0]}};
      carry_d = total[69:64];
    end
  end

  // Without reset: wipe_i follows it.
  always_ff @(posedge clk_i) begin
    limbs_q <= limbs_d;
    carry_q <= carry_d;
  end

  assign limbs_o = limbs_q;
  assign carry_o = carry_q;

  logic unused;
  assign unused = ^{total[134], unused_carry, tag_i.last, tag_i.single, done_i.start,
                    done_i.column};

endmodule
