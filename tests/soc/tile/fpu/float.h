// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Division and square root as RISC-V has them, twice: in integers, all modes; and by this computer,
// which knows no ties away from zero. They are written apart from each other and from the RTL.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

enum Mode { kNearestEven, kTowardZero, kDown, kUp, kNearestAway };

enum Flag { kInexact = 1, kUnderflow = 2, kOverflow = 4, kDivideByZero = 8, kInvalid = 16 };

struct Operation {
  bool root, wide;  // square root of a; of doubles
  Mode mode;
  uint64_t a, b;  // a single is in the low half
};

struct Outcome {
  uint64_t bits;
  unsigned flags;
  bool operator==(const Outcome &other) const {
    return bits == other.bits && flags == other.flags;
  }
};

struct Format {
  int precision, least, most;  // bits; exponents of the least and most normal numbers
  uint64_t nan, infinity, sign;
};

constexpr Format kDouble = {53, -1022, 1023, 0x7ff8ull << 48, 0x7ffull << 52, 1ull << 63};
constexpr Format kSingle = {24, -126, 127, 0x7fc00000, 0x7f800000, 0x80000000};

// --- In integers ---

using Wide = unsigned __int128;

// What is between two multiples of a unit: nothing, less than half, half, more.
inline bool goes_up(Mode mode, bool negative, bool odd, bool half, bool rest) {
  switch (mode) {
    case kNearestEven:
      return half && (rest || odd);
    case kNearestAway:
      return half;
    case kDown:
      return negative && (half || rest);
    case kUp:
      return !negative && (half || rest);
    default:
      return false;
  }
}

struct Rounded {
  Wide value;  // in units
  bool inexact;
};

// Rounds number / 2^bits; `more` is something less than one.
inline Rounded round_at(Wide number, bool more, int bits, Mode mode, bool negative) {
  if (bits > 127) {  // below half a unit: numbers have no more than 127 bits
    more = more || number != 0;
    number = 0;
    bits = 127;
  }
  const Wide rest = number & ((Wide{1} << bits) - 1), middle = Wide{1} << (bits - 1);
  const Wide down = number >> bits;
  const bool half = rest >= middle, beside = more || (rest & (middle - 1)) != 0;
  return {down + goes_up(mode, negative, down & 1, half, beside), half || beside};
}

// Rounds (number + something less than one if `more`) * 2^exponent.
inline Outcome finish(const Format &format, Mode mode, bool negative, Wide number, bool more,
                      int exponent) {
  int length = 0;
  while (length < 128 && (number >> length) != 0)
    length++;
  const int top = exponent + length - 1;  // of the leading one
  const uint64_t sign = negative ? format.sign : 0;

  // Without a bound on exponents, for what counts as tiny
  const Rounded free = round_at(number, more, length - format.precision, mode, negative);
  const bool carried = (free.value >> format.precision) != 0;
  const bool tiny = top + carried < format.least;

  const int unit = (top < format.least ? format.least : top) - format.precision + 1;
  const Rounded fixed = round_at(number, more, unit - exponent, mode, negative);
  unsigned flags = (fixed.inexact ? kInexact : 0) | (tiny && fixed.inexact ? kUnderflow : 0);

  if (top + carried > format.most) {
    const bool infinite =
        mode == kNearestEven || mode == kNearestAway || mode == (negative ? kDown : kUp);
    return {sign | (format.infinity - !infinite), kOverflow | kInexact};
  }
  const uint64_t bits = static_cast<uint64_t>(fixed.value);
  const uint64_t leading = uint64_t{1} << (format.precision - 1);
  // The leading one counts as one of the exponent.
  return {
      sign | (bits + leading * static_cast<uint64_t>(unit + format.precision - 1 - format.least)),
      flags};
}

struct Number {
  bool negative, zero, infinite, nan, signaling;
  uint64_t significand;
  int exponent;  // significand * 2^exponent
};

inline Number take_apart(const Format &format, uint64_t bits) {
  const uint64_t leading = uint64_t{1} << (format.precision - 1);
  const uint64_t magnitude = bits & (format.sign - 1), fraction = bits & (leading - 1);
  const int biased = static_cast<int>(magnitude / leading);
  Number number = {};
  number.negative = (bits & format.sign) != 0;
  number.zero = magnitude == 0;
  number.infinite = magnitude == format.infinity;
  number.nan = magnitude > format.infinity;
  number.signaling = number.nan && (fraction & leading / 2) == 0;
  number.significand = biased == 0 ? fraction : fraction | leading;
  number.exponent = (biased == 0 ? 1 : biased) + format.least - format.precision;
  return number;
}

inline Outcome in_integers(const Operation &op) {
  const Format &format = op.wide ? kDouble : kSingle;
  const Number a = take_apart(format, op.a), b = take_apart(format, op.b);
  const Outcome invalid = {format.nan, kInvalid};
  if (op.root) {
    if (a.nan)
      return {format.nan, a.signaling ? kInvalid : 0u};
    if (a.zero)
      return {op.a, 0};
    if (a.negative)
      return invalid;
    if (a.infinite)
      return {format.infinity, 0};
    int exponent = a.exponent;
    Wide square = a.significand;
    while (square < Wide{1} << 120)
      square <<= 1, exponent--;
    if (exponent & 1)
      square <<= 1, exponent--;
    Wide root = static_cast<Wide>(std::sqrt(static_cast<long double>(square)));
    while (root * root > square)
      root--;
    while ((root + 1) * (root + 1) <= square)
      root++;
    return finish(format, op.mode, false, root, root * root != square, exponent / 2);
  }
  const bool negative = a.negative != b.negative;
  const uint64_t sign = negative ? format.sign : 0;
  if (a.nan || b.nan)
    return {format.nan, a.signaling || b.signaling ? kInvalid : 0u};
  if (a.infinite)
    return b.infinite ? invalid : Outcome{sign | format.infinity, 0};
  if (b.infinite)
    return {sign, 0};
  if (b.zero)
    return a.zero ? invalid : Outcome{sign | format.infinity, kDivideByZero};
  if (a.zero)
    return {sign, 0};
  int exponent = a.exponent - b.exponent;
  Wide dividend = a.significand;
  while (dividend < Wide{1} << 126)
    dividend <<= 1, exponent--;
  return finish(format, op.mode, negative, dividend / b.significand, dividend % b.significand != 0,
                exponent);
}

// --- By this computer ---

template <typename Float, typename Bits>
Outcome compute(const Operation &op, uint64_t nan) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const Bits raw[2] = {static_cast<Bits>(op.a), static_cast<Bits>(op.b)};
  Float in[2];
  std::memcpy(in, raw, sizeof in);
  volatile Float a = in[0], b = in[1], result;
  std::fesetround(modes[op.mode]);
  std::feclearexcept(FE_ALL_EXCEPT);
  if (op.root)
    result = std::sqrt(Float{a});
  else
    result = a / b;
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  const Float value = result;
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  const unsigned flags =
      (raised & FE_INEXACT ? kInexact : 0) | (raised & FE_UNDERFLOW ? kUnderflow : 0) |
      (raised & FE_OVERFLOW ? kOverflow : 0) | (raised & FE_DIVBYZERO ? kDivideByZero : 0) |
      (raised & FE_INVALID ? kInvalid : 0);
  return {value != value ? nan : bits, flags};
}

// Not for ties away from zero. Tininess is found after rounding on x86 as on RISC-V.
inline Outcome by_computer(const Operation &op) {
  return op.wide ? compute<double, uint64_t>(op, kDouble.nan)
                 : compute<float, uint32_t>(op, kSingle.nan);
}
