// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Takes an operand apart and normalises it, subnormal ones too. Combinational.
//
// A single that is not boxed, i.e. with a zero above bit 31, is the canonical NaN.
module tsoc_divsqrt_unpack
  import tsoc_divsqrt_pkg::*;
(
  input  format_e     format_i,   // of bits_i
  input  logic [63:0] bits_i,     // as in a register
  output operand_t    operand_o   // what it stands for
);

  localparam int unsigned CountWidth = $clog2(Precision);

  logic                  unboxed, ones, subnormal;
  logic [10:0]           biased;
  logic [Precision-2:0]  fraction;
  logic [Precision-1:0]  significand;
  logic [CountWidth-1:0] leading_zeros;

  // Fractions are aligned at the leading one.
  always_comb begin
    if (format_i == Double) begin
      unboxed  = 1'b0;
      biased   = bits_i[62:52];
      fraction = bits_i[51:0];
      ones     = &bits_i[62:52];
    end else begin
      unboxed  = !(&bits_i[63:32]);
      biased   = {3'b0, bits_i[30:23]};
      fraction = {bits_i[22:0], 29'b0};
      ones     = &bits_i[30:23];
    end
  end

  assign subnormal   = biased == '0;
  assign significand = {!subnormal, fraction};

  always_comb begin
    leading_zeros = '0;
    for (int unsigned i = 0; i < Precision; i++) begin
      if (significand[i]) leading_zeros = CountWidth'(Precision - 1 - i);
    end
  end

  assign operand_o = '{
    sign:        (format_i == Double) ? bits_i[63] : bits_i[31],
    zero:        !unboxed && subnormal && (fraction == '0),
    infinite:    !unboxed && ones && (fraction == '0),
    nan:         unboxed || (ones && (fraction != '0)),
    signaling:   !unboxed && ones && (fraction != '0) && !fraction[Precision-2],
    exponent:    $signed({2'b0, biased}) + $signed({12'b0, subnormal}) - bias(format_i)
                 - $signed({{13 - CountWidth{1'b0}}, leading_zeros}),
    significand: significand << leading_zeros
  };

endmodule
