// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Binary floating point (IEEE 754) as RISC-V has it: formats, rounding modes, flags.
package tsoc_divsqrt_pkg;

  typedef enum logic {
    Single = 1'b0,  // binary32, NaN-boxed in 64 bits
    Double = 1'b1   // binary64
  } format_e;

  // As in instructions and frm
  typedef enum logic [2:0] {
    RoundNearestEven  = 3'd0,
    RoundTowardZero   = 3'd1,
    RoundDown         = 3'd2,
    RoundUp           = 3'd3,
    RoundNearestAway  = 3'd4  // ties away from zero (RMM)
  } rounding_e;

  // As in fflags
  typedef struct packed {
    logic invalid;
    logic divide_by_zero;
    logic overflow;
    logic underflow;
    logic inexact;
  } flags_t;

  localparam int unsigned Precision = 53;  // bits of the largest significand, the leading one too

  // Exponents without bias, of normalised operands and of quotients of such
  typedef logic signed [12:0] exponent_t;

  // An operand. Exponent and significand are of a finite one that is not zero:
  // (-1)^sign * significand / 2^52 * 2^exponent, with the top bit of the significand set.
  typedef struct packed {
    logic                 sign;
    logic                 zero;
    logic                 infinite;
    logic                 nan;
    logic                 signaling;  // a NaN that is not quiet
    exponent_t            exponent;
    logic [Precision-1:0] significand;
  } operand_t;

  // Quotients and roots: a bit before the binary point and 55 behind it. That is a significand of
  // either format, a leading zero, a bit to round by, and a bit to make their number even.
  localparam int unsigned FractionBits = 55;
  typedef logic [FractionBits:0] digits_t;

  // All bits but the sign; of a single they are the low 31.
  typedef logic [62:0] magnitude_t;

  function automatic exponent_t bias(format_e format);
    return (format == Double) ? 13'sd1023 : 13'sd127;
  endfunction

  function automatic magnitude_t infinity(format_e format);
    return (format == Double) ? 63'h7ff0_0000_0000_0000 : 63'h7f80_0000;
  endfunction

  function automatic magnitude_t canonical_nan(format_e format);
    return (format == Double) ? 63'h7ff8_0000_0000_0000 : 63'h7fc0_0000;
  endfunction

  // Adds the sign and boxes: the bits above a narrower format are ones.
  function automatic logic [63:0] with_sign(format_e format, logic sign, magnitude_t magnitude);
    return (format == Double) ? {sign, magnitude} : {32'hffff_ffff, sign, magnitude[30:0]};
  endfunction

endpackage
