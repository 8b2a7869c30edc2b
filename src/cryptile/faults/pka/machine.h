// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Programs of the public-key engine, instruction by instruction and exact to the bit, as
// src/cryptile/pka/machine.py runs them, but each row is there twice, as in the RTL's memories: the
// first operand comes from one copy and the second from the other.
#ifndef MACHINE_H
#define MACHINE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

constexpr unsigned kRows = 256;
constexpr unsigned kRowBits = PKA_ROW_BITS;  // 256, 384, 512 or 576: see build.py
constexpr bool kRich = PKA_LANES > 1;        // multiplier `fast`, and instructions of its own
constexpr unsigned kLimbs = kRowBits / 64;
constexpr unsigned kWords = (kRowBits + 127) / 128;  // of either port, in a row
constexpr bool kFolds = kRowBits == 256;             // there are products of kind fold
constexpr unsigned kBlock = 16;                      // rows of a table that kGet reads
constexpr bool kModular = kRowBits != 512;           // there are moduli and sums modulo them
constexpr bool kSteps = kModular && !kRich;          // steps of an inverse take rows alone
constexpr unsigned kDepth = 2;                       // of loops
constexpr unsigned kCallDepth = kModular ? 2 : 3;    // of calls

struct Row {
  uint64_t limb[kLimbs];
  bool operator==(const Row &) const = default;
};

// Operations by their codes in catalog/pka.yaml.
enum Op : uint8_t {
  kHalt,
  kLoop,
  kNext,
  kCall,
  kRet,
  kRnd,
  kMod,
  kDig,
  kAdd,
  kSub,
  kAddx,
  kSubx,
  kXor,
  kAnd,
  kSel,
  kHalf,
  kMul,
  kSqr,
  kMul1,
  kMull,
  kCon,
  kHold,
  kGcd,
  kCof,
  kPush,
  kGet,
  kPick,
  kPut,
  kGcdr,
  kCofr
};
enum Kind : uint8_t { kRaw, kFold, kMont };

struct Word {
  uint8_t op, d, a, b, imm;
  bool reads_a() const;
  bool reads_b() const;                 // a square reads its operand by both ports
  unsigned row_a(uint8_t digit) const;  // which row it reads as a
  bool writes(unsigned row) const;
  bool known(size_t moduli) const;  // of so many
};

// What is beside rows for inverses and tables: see cry_pka_held.sv and cry_pka_steps.sv.
struct Held {
  Row number, cofactor;  // b and v, with `fast`
  bool odd, taken;       // what the last step found, or kSel noted
  bool parity;           // what kCofr halves is odd, as kSel noted
  bool operator==(const Held &) const = default;
};

struct State {
  Row rows[2][kRows];
  uint8_t modulus;  // its number
  uint32_t pc;
  uint32_t first[kDepth], left[kDepth];  // of loops, the innermost first
  uint32_t back[kCallDepth];             // of calls, likewise
  uint32_t loops, calls;                 // bit n: level n is there
  uint32_t random;                       // words taken
  uint8_t digit;
  bool negative, carry;
  Held held;

  // Whether all but the rows is the same.
  bool same_place(const State &other) const;
};

// What programs and random bits are, for all runs.
struct Setup {
  std::vector<Word> code;
  std::vector<Row> extras, moduli;
  std::vector<std::array<uint64_t, 2>> random;  // words of the random port, in order
  unsigned result, results;                     // first row of the result, and how many they are
  bool big_endian = true;                       // the result's numbers
  unsigned error, constants;  // the row of what checks found, and the first one of constants

  // The modulus of a number; zero if there is none.
  const Row &modulus(unsigned number) const;
  // The word of a number; behind the end any other.
  std::array<uint64_t, 2> random_word(unsigned number) const;
  // The result as it is given, of one copy of the rows.
  std::vector<uint8_t> released(const State &state, unsigned copy) const;
};

enum class End { kNone, kHalted, kFault };

// Carries out the next instruction.
End step(const Setup &setup, State &state);

// The same with one of its bits upset, all of its fields in a row.
constexpr unsigned kWordBits = 8 * sizeof(Word);
End step_with_upset(Setup &setup, State &state, unsigned bit);

#endif
