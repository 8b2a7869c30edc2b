// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Quotients and square roots of floating-point numbers, exactly rounded, with all flags.
//
// Digit recurrence, binary and restoring, the same for both: the next digit is one if what it
// takes from the remainder is there. Two digits are found in a cycle.
//
//   quotient  a / b:    a digit takes b
//   root      sqrt(a):  a digit of weight w takes 2 q + w, with q the digits so far
//
// The remainder is doubled after each digit, which keeps it below 8.
//
// Latency, from the cycle of start_i to that of done_o: 31 cycles for double, 16 for single; 2 if
// an operand or the root's sign makes a digit superfluous (zero, infinity, NaN).
module tsoc_divsqrt
  import tsoc_divsqrt_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // An operation; when ready_o is high
  input  logic        start_i,     // it begins
  input  logic        root_i,      // square root of a_i; else a_i / b_i
  input  format_e     format_i,    // of operands and result
  input  rounding_e   rounding_i,  // mode
  input  logic [63:0] a_i,         // operands, NaN-boxed
  input  logic [63:0] b_i,
  input  logic        kill_i,      // the operation under way ends without a result; no start
  output logic        ready_o,     // none is under way; also in the cycle of done_o

  // Its result
  output logic        done_o,      // for one cycle, in which the others are valid
  output logic [63:0] result_o,    // boxed
  output flags_t      flags_o
);

  localparam int unsigned DigitsPerCycle = 2;

  typedef enum logic [1:0] {
    Idle,
    Prepare,  // operands are taken apart
    Digits,
    Round
  } state_e;

  state_e      state_q;
  logic        root_q, done_q;
  format_e     format_q;
  rounding_e   rounding_q;
  logic [63:0] a_q, b_q, result_q;
  flags_t      flags_q;

  // --- Operands ---

  operand_t a, b;

  tsoc_divsqrt_unpack u_a (
    .format_i (format_q),
    .bits_i   (a_q),
    .operand_o(a)
  );
  tsoc_divsqrt_unpack u_b (
    .format_i (format_q),
    .bits_i   (b_q),
    .operand_o(b)
  );

  // Results that need no digits
  logic        sign, special;
  logic [63:0] special_result;
  flags_t      special_flags;

  assign sign = a.sign ^ (b.sign && !root_q);

  always_comb begin
    logic invalid, infinite, zero;
    if (root_q) begin
      invalid  = a.nan ? a.signaling : (a.sign && !a.zero);
      infinite = a.infinite;
      zero     = a.zero;
      special  = a.nan || invalid || infinite || zero;
    end else begin
      invalid  = (a.nan || b.nan) ? (a.signaling || b.signaling)
                                  : ((a.infinite && b.infinite) || (a.zero && b.zero));
      infinite = a.infinite || b.zero;
      zero     = a.zero || b.infinite;
      special  = a.nan || b.nan || infinite || zero;
    end

    special_flags         = '0;
    special_flags.invalid = invalid;
    if (invalid || a.nan || (!root_q && b.nan)) begin
      special_result = with_sign(format_q, 1'b0, canonical_nan(format_q));
    end else begin
      special_result = with_sign(format_q, sign, infinite ? infinity(format_q) : '0);
      special_flags.divide_by_zero = !root_q && b.zero && !a.infinite;
    end
  end

  // --- Digits ---

  // Below 8, with the binary point where digits_t has it
  typedef logic [FractionBits+2:0] remainder_t;

  logic       sign_q;
  exponent_t  exponent_q;
  remainder_t remainder_q, remainder_d, divisor_q;
  digits_t    digits_q, digits_d, weight_q, weight_d;  // weight: of the next digit, one bit

  function automatic remainder_t aligned(logic [Precision-1:0] significand);
    return {2'b0, significand, {FractionBits + 1 - Precision{1'b0}}};
  endfunction

  always_comb begin
    remainder_d = remainder_q;
    digits_d    = digits_q;
    weight_d    = weight_q;
    for (int unsigned i = 0; i < DigitsPerCycle; i++) begin
      logic       less;
      remainder_t taken, left;
      taken        = root_q ? {1'b0, digits_d, 1'b0} | {2'b0, weight_d} : divisor_q;
      {less, left} = {1'b0, remainder_d} - {1'b0, taken};
      if (!less) begin
        remainder_d = left;
        digits_d   |= weight_d;
      end
      remainder_d = remainder_d << 1;
      weight_d    = weight_d >> 1;
    end
  end

  // A significand, a leading zero and a bit to round by: 55 digits, to be even 56, or 26.
  logic last;
  assign last = (format_q == Double) ? weight_d == '0 : weight_d[FractionBits-26];

  // --- Result ---

  logic [63:0] rounded;
  flags_t      rounded_flags;

  tsoc_divsqrt_round u_round (
    .format_i  (format_q),
    .rounding_i(rounding_q),
    .sign_i    (sign_q),
    .exponent_i(exponent_q),
    .digits_i  (digits_q),
    .more_i    (remainder_q != '0),
    .result_o  (rounded),
    .flags_o   (rounded_flags)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= Idle;
      done_q      <= 1'b0;
      root_q      <= 1'b0;
      format_q    <= Single;
      rounding_q  <= RoundNearestEven;
      a_q         <= '0;
      b_q         <= '0;
      sign_q      <= 1'b0;
      exponent_q  <= '0;
      remainder_q <= '0;
      divisor_q   <= '0;
      digits_q    <= '0;
      weight_q    <= '0;
      result_q    <= '0;
      flags_q     <= '0;
    end else begin
      done_q <= 1'b0;
      unique case (state_q)
        Idle: if (start_i) begin
          state_q    <= Prepare;
          root_q     <= root_i;
          format_q   <= format_i;
          rounding_q <= rounding_i;
          a_q        <= a_i;
          b_q        <= b_i;
        end
        Prepare: begin
          state_q     <= special ? Idle : Digits;
          done_q      <= special;
          result_q    <= special_result;
          flags_q     <= special_flags;
          sign_q      <= sign;
          // The root of a number with an odd exponent is that of twice its significand.
          exponent_q  <= root_q ? a.exponent >>> 1 : a.exponent - b.exponent;
          remainder_q <= aligned(a.significand) << (root_q && a.exponent[0]);
          divisor_q   <= aligned(b.significand);
          digits_q    <= '0;
          weight_q    <= digits_t'(1) << FractionBits;
        end
        Digits: begin
          if (last) state_q <= Round;
          remainder_q <= remainder_d;
          digits_q    <= digits_d;
          weight_q    <= weight_d;
        end
        default: begin  // Round
          state_q  <= Idle;
          done_q   <= 1'b1;
          result_q <= rounded;
          flags_q  <= rounded_flags;
        end
      endcase
      if (kill_i) begin
        state_q <= Idle;
        done_q  <= 1'b0;
      end
    end
  end

  assign ready_o  = state_q == Idle;
  assign done_o   = done_q;
  assign result_o = result_q;
  assign flags_o  = flags_q;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(StartsWhenReady_A, start_i |-> ready_o && !kill_i)
  `CRY_ASSERT(Weight_A, $onehot0(weight_q))
  `CRY_ASSERT_KNOWN(HandshakeKnown_A, {ready_o, done_o})
  `CRY_ASSERT_KNOWN_IF(ResultKnown_A, {result_o, flags_o}, done_o)

endmodule
