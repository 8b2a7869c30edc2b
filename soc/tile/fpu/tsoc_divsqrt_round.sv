// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Rounds a quotient or root to a format, with all flags of its finite operands. Combinational.
//
// RISC-V finds tininess after rounding; before would be the same. With u the last bit of a
// significand, the largest quotient a / b below 2 is (2 - u) / 1, and of 2 a / b with a < b it is
// 2 (b - u) / b, less than 2 - u. So no quotient below the least normal number is rounded up to
// that one in the format's precision. No root is tiny.
module tsoc_divsqrt_round
  import tsoc_divsqrt_pkg::*;
(
  input  format_e     format_i,    // of the result
  input  rounding_e   rounding_i,  // mode
  // The number: digits_i / 2^55 * 2^exponent_i, at least half of 2^exponent_i
  input  logic        sign_i,      // it is negative
  input  exponent_t   exponent_i,
  input  digits_t     digits_i,
  input  logic        more_i,      // and something less than the last digit
  output logic [63:0] result_o,    // boxed
  output flags_t      flags_o
);

  localparam int unsigned ShiftWidth = $clog2(FractionBits + 2);

  digits_t               digits, shifted, lost;
  exponent_t             biased, largest, below;
  logic                  subnormal, half, rest, away, overflow, infinite;
  logic [ShiftWidth-1:0] shift;
  logic [Precision-2:0]  fraction;
  magnitude_t            magnitude;

  // Normalised
  assign digits = digits_i[FractionBits] ? digits_i : digits_i << 1;
  assign biased = exponent_i + bias(format_i) - $signed({12'b0, !digits_i[FractionBits]});

  // Below the least normal number the exponent stays and the digits go right.
  assign subnormal = biased <= 0;
  assign below     = 13'sd1 - biased;
  always_comb begin
    shift = '0;
    if (subnormal) begin
      shift = (below > $signed(13'(FractionBits))) ? ShiftWidth'(FractionBits + 1)
                                                   : below[ShiftWidth-1:0];
    end
  end
  assign {shifted, lost} = {digits, digits_t'(0)} >> shift;

  // Formats do not have the leading one.
  logic unused;
  assign unused = shifted[FractionBits];

  // Fraction, at the least bits; the first bit that is cut off; whether anything follows that
  always_comb begin
    if (format_i == Double) begin
      {fraction, half} = shifted[54:2];
      rest             = |shifted[1:0];
    end else begin
      {fraction, half} = {29'b0, shifted[54:31]};
      rest             = |shifted[30:0];
    end
    rest |= (lost != '0) || more_i;
  end

  // The next number away from zero is taken.
  always_comb begin
    unique case (rounding_i)
      RoundNearestEven: away = half && (rest || fraction[0]);
      RoundNearestAway: away = half;
      RoundDown:        away = sign_i && (half || rest);
      RoundUp:          away = !sign_i && (half || rest);
      default:          away = 1'b0;
    endcase
  end

  // Exponent and fraction are one number: a carry out of the fraction goes to the exponent.
  always_comb begin
    if (format_i == Double) begin
      magnitude = {subnormal ? 11'b0 : biased[10:0], fraction};
    end else begin
      magnitude = {32'b0, subnormal ? 8'b0 : biased[7:0], fraction[22:0]};
    end
    magnitude += 63'(away);
  end

  assign largest  = (format_i == Double) ? 13'sd2047 : 13'sd255;
  assign overflow = (biased >= largest) || (magnitude == infinity(format_i));
  assign infinite = (rounding_i == RoundNearestEven) || (rounding_i == RoundNearestAway) ||
                    (rounding_i == (sign_i ? RoundDown : RoundUp));

  assign result_o = with_sign(format_i, sign_i,
                              !overflow ? magnitude : infinity(format_i) - 63'(!infinite));
  assign flags_o  = '{
    overflow:  overflow,
    underflow: subnormal && (half || rest),
    inexact:   overflow || half || rest,
    default:   1'b0
  };

endmodule
