// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "machine.h"

#include <algorithm>

namespace {

using Wide = unsigned __int128;

constexpr uint64_t kFoldBy = 38;  // 2^256 mod 2^256 - 38

// The modulus of kind mont, and -1 / p mod 2^64.
#if PKA_ROW_BITS == 256
constexpr Row kPrime = {{~0ULL, 0xFFFFFFFF, 0, 0xFFFFFFFF00000001}};
constexpr uint64_t kQuotient = 1;
#elif PKA_ROW_BITS == 512
constexpr Row kPrime = {};
constexpr uint64_t kQuotient = 0;
#elif PKA_ROW_BITS == 576
constexpr Row kPrime = {{~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, 0x1FF}};
constexpr uint64_t kQuotient = 1;
#else
constexpr Row kPrime = {{0xFFFFFFFF, 0xFFFFFFFF00000000, ~0ULL - 1, ~0ULL, ~0ULL, ~0ULL}};
constexpr uint64_t kQuotient = 0x100000001;
#endif

constexpr uint8_t kChoiceDigit = 128, kChoiceNegative = 1, kChoiceLess = 2, kChoiceNoting = 6;

// d = a + b + carry; returns the carry out.
bool sum(Row &d, const Row &a, const Row &b, bool carry) {
  Wide rest = carry;
  for (unsigned n = 0; n < kLimbs; n++) {
    rest += static_cast<Wide>(a.limb[n]) + b.limb[n];
    d.limb[n] = static_cast<uint64_t>(rest);
    rest >>= 64;
  }
  return rest != 0;
}

// d = a - b - borrow; returns the borrow out.
bool difference(Row &d, const Row &a, const Row &b, bool borrow) {
  for (unsigned n = 0; n < kLimbs; n++) {
    const Wide rest = static_cast<Wide>(a.limb[n]) - b.limb[n] - borrow;
    d.limb[n] = static_cast<uint64_t>(rest);
    borrow = (rest >> 64) != 0;
  }
  return borrow;
}

// The modulus is subtracted once, if it can be; `over` is what stands above the row.
Row reduced(const Row &value, bool over, const Row &modulus) {
  Row less;
  const bool below = difference(less, value, modulus, false);
  return (!below || over) ? less : value;
}

// a b, by so many limbs of b.
void product(uint64_t (&out)[2 * kLimbs], const Row &a, const Row &b, unsigned limbs) {
  for (unsigned i = 0; i < kLimbs; i++)
    out[i] = 0;
  for (unsigned j = 0; j < limbs; j++) {
    Wide rest = 0;
    for (unsigned i = 0; i < kLimbs; i++) {
      rest += static_cast<Wide>(a.limb[i]) * b.limb[j] + out[i + j];
      out[i + j] = static_cast<uint64_t>(rest);
      rest >>= 64;
    }
    out[j + kLimbs] = static_cast<uint64_t>(rest);
  }
  for (unsigned i = limbs + kLimbs; i < 2 * kLimbs; i++)
    out[i] = 0;
}

// The multiplier takes each pair of limbs of a square once, doubled: the lower one from the first
// copy, the higher one from the second; `fast` the other way round.
void square(uint64_t (&out)[2 * kLimbs], const Row &a, const Row &b) {
  for (uint64_t &limb : out)
    limb = 0;
  const auto add = [&out](unsigned at, Wide value) {
    for (; value != 0; at++) {
      value += out[at];
      out[at] = static_cast<uint64_t>(value);
      value >>= 64;
    }
  };
  for (unsigned i = 0; i < kLimbs; i++) {
    for (unsigned j = i; j < kLimbs; j++) {
      const Wide one = static_cast<Wide>(a.limb[kRich ? j : i]) * b.limb[kRich ? i : j];
      for (unsigned times = i == j ? 1 : 2; times > 0; times--)
        add(i + j, one);
    }
  }
}

// value modulo 2^256, plus 38 times what is above; what stands above that goes into `over`.
Row folded(const uint64_t (&value)[2 * kLimbs], uint64_t &over) {
  Row found;
  Wide rest = 0;
  for (unsigned n = 0; n < kLimbs; n++) {
    rest += static_cast<Wide>(value[n + kLimbs]) * kFoldBy + value[n];
    found.limb[n] = static_cast<uint64_t>(rest);
    rest >>= 64;
  }
  over = static_cast<uint64_t>(rest);
  return found;
}

// The row at a limb of a product.
Row row_at(const uint64_t (&wide)[2 * kLimbs], unsigned at) {
  Row found;
  std::copy(wide + at, wide + at + kLimbs, found.limb);
  return found;
}

Row multiplied(const Word &word, const Row &modulus, const uint64_t (&wide)[2 * kLimbs]) {
  uint64_t over = 0;
  if (word.imm == kFold) {
    Row found = folded(wide, over);
    if (word.op != kMul1) {
      uint64_t again[2 * kLimbs] = {};
      std::copy(found.limb, found.limb + kLimbs, again);
      again[kLimbs] = over;
      found = folded(again, over);
    }
    return reduced(found, over != 0, modulus);
  }
  // Montgomery: with a multiple of the prime each lower limb becomes zero.
  Row rest = {};
  uint64_t top = 0;
  for (unsigned n = 0; n < kLimbs; n++) {
    const Wide low = static_cast<Wide>(rest.limb[0]) + wide[n];
    const uint64_t quotient = static_cast<uint64_t>(low) * kQuotient;
    Wide carry = static_cast<Wide>(quotient) * kPrime.limb[0] + static_cast<uint64_t>(low);
    carry = (carry >> 64) + (low >> 64);
    for (unsigned m = 1; m < kLimbs; m++) {
      carry += static_cast<Wide>(quotient) * kPrime.limb[m] + rest.limb[m];
      rest.limb[m - 1] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    carry += top;
    rest.limb[kLimbs - 1] = static_cast<uint64_t>(carry);
    top = static_cast<uint64_t>(carry >> 64);
  }
  Row found;
  const bool above = sum(found, rest, row_at(wide, kLimbs), false);
  return reduced(found, ((top + above) & 1) != 0, modulus);
}

End multiply(const Setup &setup, const Word &word, State &state) {
  if (word.imm > kMont || (word.imm == kFold && !kFolds) || (word.imm != kRaw && !kModular) ||
      (word.op == kMul1 && word.imm != kFold))
    return End::kFault;
  const Row &a = state.rows[0][word.a], &b = state.rows[1][word.op == kSqr ? word.a : word.b];
  uint64_t wide[2 * kLimbs];
  if (word.op == kSqr && a != b)
    square(wide, a, b);
  else
    product(wide, a, b, word.op == kMul1 ? 1 : kLimbs);
  if (word.op == kMull) {
    state.rows[0][word.d] = state.rows[1][word.d] = row_at(wide, 0);
  } else if (word.imm == kRaw) {
    for (auto &rows : state.rows) {
      rows[word.d & ~1U] = row_at(wide, 0);
      rows[word.d | 1U] = row_at(wide, kLimbs);
    }
  } else {
    const Row found = multiplied(word, setup.modulus(state.modulus), wide);
    state.rows[0][word.d] = state.rows[1][word.d] = found;
  }
  return End::kNone;
}

// `over` is what stands above the row.
Row half(const Row &value, bool over) {
  Row found;
  for (unsigned n = 0; n < kLimbs; n++) {
    const uint64_t above = n + 1 < kLimbs ? value.limb[n + 1] : static_cast<uint64_t>(over);
    found.limb[n] = value.limb[n] >> 1 | above << 63;
  }
  return found;
}

bool chosen(State &state, uint8_t choice, const Row &a, const Row &b) {
  if (choice & kChoiceDigit)
    return choice == (kChoiceDigit | state.digit);
  if (choice == kChoiceNoting) {
    state.held.odd = a.limb[0] & 1;
    state.held.taken = state.held.odd && state.carry;
  }
  if (choice == kChoiceLess)
    state.held.parity = (a.limb[0] ^ (state.held.odd ? b.limb[0] : 0)) & 1;
  if (choice == kChoiceNoting || choice == kChoiceLess)
    return state.held.taken;
  return choice == kChoiceNegative ? state.negative : state.carry;
}

void recode(State &state, const Row &a) {
  const unsigned top = a.limb[kLimbs - 1] >> 58;
  const unsigned low = (top & 31) ^ (top & 32 ? 31 : 0);
  state.digit = static_cast<uint8_t>((low + 1) >> 1);
  state.negative = (top & 32) != 0;
}

// gcd: a step towards the greatest common divisor of a and b.
Row gcd_step(Held &held, const Row &a) {
  held.odd = a.limb[0] & 1;
  Row found;
  held.taken = difference(found, a, held.odd ? held.number : Row{}, false);
  if (held.taken) {
    difference(found, held.number, a, false);
    held.number = a;
  }
  return half(found, false);
}

// What a step makes of a and another number, of which half is taken; whether it is below zero.
bool distance(Row &d, const Held &held, const Row &a, const Row &b) {
  const Row other = held.odd ? b : Row{};
  return held.taken ? difference(d, other, a, false) : difference(d, a, other, false);
}

// Half of such a number modulo n; below: it is less than zero.
Row halved(Row found, bool below, bool odd, const Row &n) {
  bool above = below;  // bit kRowBits
  for (unsigned times = odd ? 1 : below ? 2 : 0; times > 0; times--)
    above ^= sum(found, found, n, false);
  return half(found, above);
}

// cof: what that step did, to a and v, modulo n.
Row cof_step(Held &held, const Row &a, const Row &n) {
  Row found;
  const bool below = distance(found, held, a, held.cofactor);
  if (held.taken)
    held.cofactor = a;
  return halved(found, below, found.limb[0] & 1, n);
}

// cofr: the same of a and b; whether the number is odd was noted.
Row cofr_step(const Held &held, const Row &a, const Row &b, const Row &n) {
  Row found;
  const bool below = distance(found, held, a, b);
  return halved(found, below, held.parity, n);
}

void operate(const Setup &setup, const Word &word, State &state) {
  const Row a = state.rows[0][word.row_a(state.digit)], b = state.rows[1][word.b];
  Row d = {};
  switch (word.op) {
    case kHold:
      state.held.number = a;
      return;
    case kPick:
      if ((state.digit ^ word.imm) % kBlock / 2 == 0)
        state.held.number = state.digit & 1 ? b : a;
      return;
    case kGcd:
      d = gcd_step(state.held, a);
      break;
    case kCof:
      d = cof_step(state.held, a, setup.modulus(word.imm));
      break;
    case kGcdr:
      distance(d, state.held, a, b);
      d = half(d, false);
      break;
    case kCofr:
      d = cofr_step(state.held, a, b, setup.modulus(word.imm));
      break;
    case kPush:
      sum(d, a, a, false);
      state.digit = static_cast<uint8_t>((state.digit << 1 | a.limb[kLimbs - 1] >> 63) & 31);
      break;
    case kGet:
      d = a;
      break;
    case kPut:
      d = state.held.number;
      break;
    case kMod:
      state.modulus = word.imm;
      return;
    case kDig:
      recode(state, a);
      return;
    case kCon:
      if (word.imm < setup.extras.size())
        d = setup.extras[word.imm];
      break;
    case kSel:
      d = chosen(state, word.imm, a, b) ? a : b;
      break;
    case kAdd: {
      const bool over = sum(d, a, b, false);
      d = reduced(d, over, setup.modulus(state.modulus));
      break;
    }
    case kSub:
      if (difference(d, a, b, false))
        sum(d, d, setup.modulus(state.modulus), false);
      break;
    case kAddx:
      state.carry = sum(d, a, b, (word.imm & 1) && state.carry);
      break;
    case kSubx:
      state.carry = difference(d, a, b, (word.imm & 1) && state.carry);
      break;
    case kHalf: {
      const bool over = (a.limb[0] & 1) ? sum(d, a, b, false) : (d = a, false);
      d = half(d, over);
      state.carry = d.limb[0] & 1;
      break;
    }
    default:
      for (unsigned n = 0; n < kLimbs; n++)
        d.limb[n] = word.op == kXor ? a.limb[n] ^ b.limb[n] : a.limb[n] & b.limb[n];
  }
  state.rows[0][word.d] = state.rows[1][word.d] = d;
}

constexpr uint32_t kInnermost = 1;

// Whether all levels are there, of bits that say which are; and one more.
template <unsigned kLevels>
bool full(uint32_t levels) {
  return levels & 1U << (kLevels - 1);
}

template <unsigned kLevels>
void deeper(uint32_t &levels) {
  levels = (levels << 1 | 1) & ((1U << kLevels) - 1);
}

template <unsigned kLevels>
void push(uint32_t (&values)[kLevels], uint32_t value) {
  for (unsigned n = kLevels - 1; n > 0; n--)
    values[n] = values[n - 1];
  values[0] = value;
}

template <unsigned kLevels>
void pop(uint32_t (&values)[kLevels]) {
  for (unsigned n = 0; n + 1 < kLevels; n++)
    values[n] = values[n + 1];
  values[kLevels - 1] = 0;
}

End flow(const Setup &setup, const Word &word, State &state) {
  const uint32_t target = static_cast<uint32_t>(word.a) << 8 | word.b;
  constexpr uint32_t kCodeWords = 4096;
  switch (word.op) {
    case kHalt:
      return End::kHalted;
    case kLoop:
      if (full<kDepth>(state.loops))
        return End::kFault;
      push(state.first, state.pc);
      push(state.left, target);
      deeper<kDepth>(state.loops);
      return End::kNone;
    case kNext:
      if (!(state.loops & kInnermost))
        return End::kFault;
      if (state.left[0] > 1) {
        state.pc = state.first[0];
        state.left[0]--;
      } else {
        pop(state.first);
        pop(state.left);
        state.loops >>= 1;
      }
      return End::kNone;
    case kCall:
      if (full<kCallDepth>(state.calls) || target >= kCodeWords)
        return End::kFault;
      push(state.back, state.pc);
      deeper<kCallDepth>(state.calls);
      state.pc = target;
      return End::kNone;
    case kRet:
      if (!(state.calls & kInnermost))
        return End::kFault;
      state.pc = state.back[0];
      pop(state.back);
      state.calls >>= 1;
      return End::kNone;
    default: {  // kRnd
      Row drawn;
      for (unsigned n = 0; n < kWords; n++, state.random++) {
        const auto part = setup.random_word(state.random);
        for (unsigned m = 0; m < 2 && 2 * n + m < kLimbs; m++)
          drawn.limb[2 * n + m] = part[m];
      }
      state.rows[0][word.d] = state.rows[1][word.d] = drawn;
      return End::kNone;
    }
  }
}

bool is_mul(uint8_t op) {
  return op >= kMul && op <= kMull;
}

bool is_alu(uint8_t op) {
  return (op >= kMod && op <= kHalf) || op >= kCon;
}

}  // namespace

bool Word::known(size_t moduli) const {
  if (kModular ? op == kMull : op == kMod || op == kAdd || op == kSub)
    return false;
  if ((op == kMod || op == kCof || op == kCofr) && imm >= moduli)
    return false;
  if (op == kSel && (imm == kChoiceLess || imm == kChoiceNoting))
    return kSteps;
  return op <= kCon || (kRich && op <= kPut) || (kSteps && (op == kGcdr || op == kCofr));
}

bool Word::reads_a() const {
  return (op >= kDig && op <= kMull) || (op >= kHold && op <= kPick) || op == kGcdr || op == kCofr;
}

bool Word::reads_b() const {
  return (op >= kAdd && op <= kMull) || op == kPick || op == kGcdr || op == kCofr;
}

unsigned Word::row_a(uint8_t digit) const {
  return op == kGet ? a - a % kBlock + digit % kBlock : a;
}

bool Word::writes(unsigned row) const {
  if (is_mul(op) && op != kMull && imm == kRaw)
    return (row | 1U) == (d | 1U);
  const bool none =
      op == kMod || op == kDig || op == kHold || op == kPick || (op < kMod && op != kRnd);
  return !none && row == d;
}

const Row &Setup::modulus(unsigned number) const {
  static constexpr Row kNone = {};
  return number < moduli.size() ? moduli[number] : kNone;
}

std::array<uint64_t, 2> Setup::random_word(unsigned number) const {
  if (number < random.size())
    return random[number];
  const uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15;
  return {mixed, ~mixed};
}

std::vector<uint8_t> Setup::released(const State &state, unsigned copy) const {
  std::vector<uint8_t> bytes;
  for (unsigned n = 0; n < results; n++) {
    const Row &row = state.rows[copy][result + n];
    std::vector<uint8_t> number(16 * kWords);
    for (unsigned at = 0; at < 8 * kLimbs; at++)
      number[at] = static_cast<uint8_t>(row.limb[at / 8] >> 8 * (at % 8));
    if (big_endian)
      std::reverse(number.begin(), number.end());
    bytes.insert(bytes.end(), number.begin(), number.end());
  }
  return bytes;
}

bool State::same_place(const State &o) const {
  return modulus == o.modulus && pc == o.pc && std::equal(first, first + kDepth, o.first) &&
         std::equal(left, left + kDepth, o.left) && std::equal(back, back + kCallDepth, o.back) &&
         loops == o.loops && calls == o.calls && random == o.random && digit == o.digit &&
         negative == o.negative && carry == o.carry && held == o.held;
}

End step(const Setup &setup, State &state) {
  if (state.pc >= setup.code.size())
    return End::kFault;
  const Word &word = setup.code[state.pc++];
  if (!word.known(setup.moduli.size()))
    return End::kFault;
  if (is_mul(word.op))
    return multiply(setup, word, state);
  if (!is_alu(word.op))
    return flow(setup, word, state);
  operate(setup, word, state);
  return End::kNone;
}

End step_with_upset(Setup &setup, State &state, unsigned bit) {
  Word &word = setup.code.at(state.pc);
  const Word right = word;
  reinterpret_cast<uint8_t *>(&word)[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
  const End end = step(setup, state);
  word = right;
  return end;
}
