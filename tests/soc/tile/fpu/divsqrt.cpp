// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Gives the divider random operations, many of them at corners, and compares every result, its
// flags and its latency.
//
//   divsqrt OPERATIONS SEED
//
// Operations follow each other at once or after a pause; some are killed at any cycle.

// Here, not among the compiler's options: Verilator's own files are compiled as for other models.
#pragma GCC optimize("rounding-math", "no-math-errno")

#include <verilated.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "Vdiv_sqrt_top_mvp.h"
#include "float.h"

namespace {

constexpr unsigned kLatencyDouble = 31, kLatencySingle = 16, kLatencySpecial = 2;

class Random {
 public:
  explicit Random(uint64_t seed) : source_(seed) {
  }
  uint64_t bits() {
    return source_();
  }
  uint64_t bits(int count) {
    return count == 0 ? 0 : source_() >> (64 - count);
  }
  uint64_t below(uint64_t bound) {
    return source_() % bound;
  }
  bool one_in(uint64_t count) {
    return below(count) == 0;
  }
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<uint64_t>(most - least + 1)));
  }

 private:
  std::mt19937_64 source_;
};

// A format's numbers
class Corners {
 public:
  Corners(const Format &format, Random &random) : format_(format), random_(random) {
  }

  uint64_t any() {
    const uint64_t sign = random_.one_in(2) ? format_.sign : 0;
    switch (random_.below(6)) {
      case 0:
        return sign | (random_.bits() & (format_.sign - 1));
      case 1:
        return sign | special();
      case 2:  // of any length: subnormal or a little above
        return sign | random_.bits(random_.between(0, format_.precision + 1));
      default:
        return sign | of(fraction(), random_.between(format_.least - 2, format_.most + 1));
    }
  }

  // Operands whose quotient is at the ends of the exponents
  void quotient(uint64_t &a, uint64_t &b) {
    const uint64_t leading = uint64_t{1} << (format_.precision - 1);
    uint64_t over = fraction(), under = fraction();
    int exponent = random_.between(format_.least - format_.precision - 2, format_.least + 2);
    switch (random_.below(4)) {
      case 0:  // exact; half-way, if its last bit is the first that is cut off
      {
        const int length = random_.between(1, format_.precision - 1);
        const uint64_t divisor = random_.bits(format_.precision - length) | 1;
        over = normalised((random_.bits(length) | 1) * divisor);
        under = normalised(divisor);
        if (random_.one_in(2))
          exponent = format_.least - (format_.precision - length + 1) + (over < under);
        break;
      }
      case 1:  // next to a power of two; often to the least normal number
        under = (over ^ random_.below(8)) | leading;
        if (random_.one_in(2))
          exponent = format_.least;
        break;
      case 2:
        exponent = format_.most + random_.between(-1, 2);
        break;
      default:;
    }
    const int middle = random_.between(-20, 20);
    a = of(over, middle + (exponent + 1) / 2);
    b = of(under, middle + (exponent + 1) / 2 - exponent);
    if (random_.one_in(2))
      a |= format_.sign;
  }

  // A square, or a number beside one
  uint64_t square() {
    const uint64_t root = random_.bits(random_.between(1, (format_.precision + 1) / 2)) | 1;
    const uint64_t number = normalised(root * root);
    return of(number, random_.between(format_.least, format_.most)) + random_.below(3) - 1;
  }

 private:
  uint64_t special() {
    switch (random_.below(8)) {
      case 0:
        return 0;
      case 1:
        return format_.infinity;
      case 2:
        return format_.nan | random_.bits(10);
      case 3:  // signaling
        return format_.infinity | (random_.bits(10) + 1);
      case 4:
        return of(uint64_t{1} << (format_.precision - 1), 0);
      case 5:  // about the least normal number
        return (uint64_t{1} << (format_.precision - 1)) + random_.below(3) - 1;
      case 6:  // the largest ones
        return format_.infinity - 1 - random_.below(2);
      default:  // the least ones
        return 1 + random_.below(3);
    }
  }

  // A significand with its leading one: any, few ones, few zeros
  uint64_t fraction() {
    const uint64_t leading = uint64_t{1} << (format_.precision - 1);
    uint64_t bits = random_.bits(format_.precision - 1);
    if (!random_.one_in(3)) {
      bits = 0;
      for (uint64_t n = random_.below(4); n > 0; n--)
        bits |= uint64_t{1} << random_.below(static_cast<uint64_t>(format_.precision - 1));
      if (random_.one_in(2))
        bits ^= leading - 1;
    }
    return leading | bits;
  }

  uint64_t normalised(uint64_t number) const {
    while (number < uint64_t{1} << (format_.precision - 1))
      number <<= 1;
    return number;
  }

  // Of a significand and an exponent; at the ends what is there
  uint64_t of(uint64_t significand, int exponent) const {
    const uint64_t leading = uint64_t{1} << (format_.precision - 1);
    if (exponent > format_.most)
      return format_.infinity - 1;
    if (exponent < format_.least)
      return significand >> std::min(format_.least - exponent, 60);
    return (significand - leading) + leading * static_cast<uint64_t>(exponent - format_.least + 1);
  }

  const Format &format_;
  Random &random_;
};

class Bench {
 public:
  explicit Bench(uint64_t seed)
      : random_(seed), single_(kSingle, random_), double_(kDouble, random_) {
    dut_.Rst_RBI = 0;
    tick();
    dut_.Rst_RBI = 1;
    tick();
  }

  void run(uint64_t operations) {
    while (compared_ < operations)
      operation();
  }

  void report() const {
    std::printf("operations %" PRIu64 " cycles %" PRIu64 "\n", compared_, cycles_);
    std::printf("killed %" PRIu64 " at_once %" PRIu64 " unboxed %" PRIu64 "\n", killed_, at_once_,
                unboxed_);
    static const char *const flags[] = {"inexact", "underflow", "overflow", "divide_by_zero",
                                        "invalid"};
    for (int i = 0; i < 5; i++)
      std::printf("%s %" PRIu64 " ", flags[i], raised_[i]);
    std::printf("\nexact %" PRIu64 " subnormal %" PRIu64 " half_way %" PRIu64 " edge %" PRIu64 "\n",
                exact_, subnormal_, half_way_, edge_);
  }

 private:
  void tick() {
    context_.timeInc(1);
    dut_.Clk_CI = 0;
    dut_.eval();
    dut_.Clk_CI = 1;
    dut_.eval();
    cycles_++;
  }

  Operation choose() {
    Operation op = {};
    op.root = random_.one_in(3);
    op.wide = random_.one_in(2);
    op.mode = static_cast<Mode>(random_.below(5));
    Corners &corners = op.wide ? double_ : single_;
    op.a = corners.any(), op.b = corners.any();
    if (op.root && random_.one_in(2))
      op.a = corners.square();
    if (!op.root && !random_.one_in(3))
      corners.quotient(op.a, op.b);
    return op;
  }

  // A single in its box; or rarely in none, which makes it a NaN.
  uint64_t boxed(bool wide, uint64_t &bits) {
    if (wide)
      return bits;
    if (!random_.one_in(40))
      return bits | ~uint64_t{0} << 32;
    const uint64_t above = ~(uint64_t{1} << random_.between(32, 63)) >> 32 << 32;
    const uint64_t register_bits = bits | above;
    bits = kSingle.nan;
    unboxed_++;
    return register_bits;
  }

  void operation() {
    Operation op = choose();
    if (!random_.one_in(4)) {
      for (uint64_t pause = 1 + random_.below(3); pause > 0; pause--) {
        tick();
        if (dut_.Done_SO)
          fail(op, "done twice");
      }
    } else if (dut_.Done_SO) {
      at_once_++;
    }
    if (!dut_.Ready_SO)
      fail(op, "not ready");
    dut_.Div_start_SI = !op.root;
    dut_.Sqrt_start_SI = op.root;
    dut_.Operand_a_DI = boxed(op.wide, op.a);
    dut_.Operand_b_DI = op.root ? random_.bits() : boxed(op.wide, op.b);
    dut_.RM_SI = op.mode;
    dut_.Format_sel_SI = op.wide;
    tick();
    dut_.Div_start_SI = dut_.Sqrt_start_SI = 0;
    dut_.Operand_a_DI = dut_.Operand_b_DI = random_.bits();
    dut_.RM_SI = random_.below(5);
    dut_.Format_sel_SI = random_.below(2);

    const uint64_t kill_after = random_.one_in(32) ? random_.below(kLatencyDouble) : ~uint64_t{0};
    unsigned latency = 1;
    while (!dut_.Done_SO || latency > kill_after) {
      if (latency > kill_after) {
        dut_.Kill_SI = 1;
        tick();
        dut_.Kill_SI = 0;
        if (dut_.Done_SO)
          fail(op, "done though killed");
        killed_++;
        return;
      }
      if (dut_.Ready_SO || latency > kLatencyDouble)
        fail(op, "latency");
      tick();
      latency++;
    }
    compare(op, latency);
  }

  void compare(const Operation &op, unsigned latency) {
    const Format &format = op.wide ? kDouble : kSingle;
    const Outcome wanted = in_integers(op);
    if (op.mode != kNearestAway && !(by_computer(op) == wanted))
      fail(op, "the models differ", wanted, by_computer(op));
    const uint64_t box = op.wide ? 0 : ~uint64_t{0} << 32;
    const Outcome got = {dut_.Result_DO, dut_.Fflags_SO};
    if (!(got == Outcome{wanted.bits | box, wanted.flags}))
      fail(op, "wrong", wanted, got);
    const unsigned computed = op.wide ? kLatencyDouble : kLatencySingle;
    if (latency != (digits_needed(op) ? computed : kLatencySpecial))
      fail(op, "latency");
    if (!dut_.Ready_SO)
      fail(op, "done, not ready");

    compared_++;
    for (int i = 0; i < 5; i++)
      raised_[i] += wanted.flags >> i & 1;
    if (!digits_needed(op))
      return;
    const uint64_t magnitude = wanted.bits & (format.sign - 1);
    const uint64_t least = uint64_t{1} << (format.precision - 1);
    exact_ += wanted.flags == 0;
    subnormal_ += magnitude != 0 && magnitude < least;
    edge_ += magnitude == least && (wanted.flags & kInexact);
    // Half-way, and the even neighbour is the one nearer to zero: the modes to nearest part.
    Operation even = op, away = op;
    even.mode = kNearestEven, away.mode = kNearestAway;
    half_way_ += in_integers(even).bits != in_integers(away).bits;
  }

  static bool digits_needed(const Operation &op) {
    const Format &format = op.wide ? kDouble : kSingle;
    const Number a = take_apart(format, op.a), b = take_apart(format, op.b);
    const bool plain = !a.zero && !a.infinite && !a.nan;
    return plain && (op.root ? !a.negative : !b.zero && !b.infinite && !b.nan);
  }

  [[noreturn]] void fail(const Operation &op, const char *what, Outcome wanted = {},
                         Outcome got = {}) {
    std::fprintf(stderr,
                 "%s: %s of %s, mode %d: %016" PRIx64 " %016" PRIx64 ": wanted %016" PRIx64
                 " %02x, got %016" PRIx64 " %02x (operation %" PRIu64 ")\n",
                 what, op.root ? "root" : "quotient", op.wide ? "doubles" : "singles", op.mode,
                 op.a, op.b, wanted.bits, wanted.flags, got.bits, got.flags, compared_);
    std::exit(1);
  }

  VerilatedContext context_;
  Vdiv_sqrt_top_mvp dut_{&context_};
  Random random_;
  Corners single_, double_;
  uint64_t compared_ = 0, cycles_ = 0, killed_ = 0, at_once_ = 0, unboxed_ = 0;
  uint64_t raised_[5] = {}, exact_ = 0, subnormal_ = 0, half_way_ = 0, edge_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  Bench bench(std::strtoull(argv[2], nullptr, 0));
  bench.run(std::strtoull(argv[1], nullptr, 0));
  bench.report();
}
