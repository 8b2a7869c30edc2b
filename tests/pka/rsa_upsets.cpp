// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Upsets of a program of the public-key engine, instruction by instruction, and what comes out.
//
// usage: rsa_upsets SETUP KIND SEED COUNT FIRST
// SETUP is text: see main. KIND is one of
//   reads    a bit of a row in the copy that an instruction is to read it from
//   rows     a bit of any row of either copy
//   counter  a bit of the address of the next instruction
//   state    flag C, the digit, its sign, or a bit of what loops and calls keep
//   words    a bit of the next instruction, while it is carried out
// in front of one of the instructions from number FIRST on. Prints the instructions of a run, how
// many ended how, and where each was with which another result came out.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "machine.h"

namespace {

using Random = std::mt19937_64;

uint64_t number(std::istream &in) {
  std::string word;
  if (!(in >> word)) {
    std::fprintf(stderr, "bad setup\n");
    std::exit(2);
  }
  return std::stoull(word, nullptr, 16);
}

Row row_of(std::istream &in) {
  Row row;
  for (uint64_t &limb : row.limb)
    limb = number(in);
  return row;
}

void flip(Row &row, unsigned bit) {
  row.limb[bit / 64] ^= uint64_t{1} << bit % 64;
}

// What the engine does with a result: of several rows none is zero, and both copies are the same.
std::string ended(const Setup &setup, const State &state, const std::vector<uint8_t> &right) {
  if (state.carry)
    return "refused";
  for (unsigned n = 0; n < setup.results; n++) {
    const Row &one = state.rows[0][setup.result + n];
    if (one != state.rows[1][setup.result + n] || one == Row{})
      return "fault";
  }
  return setup.released(state, 0) == right ? "right" : "wrong";
}

// From an instruction that ended so on.
std::string followed(const Setup &setup, State &state, End end, uint64_t limit,
                     const std::vector<uint8_t> &right) {
  for (; end == End::kNone && limit > 0; limit--)
    end = step(setup, state);
  return end == End::kHalted ? ended(setup, state, right) : "fault";  // or MaxCycles
}

// Injects one, and says where; `end` becomes how the instruction ended, if it was carried out.
std::string upset(Setup &setup, const std::string &kind, State &state, Random &random, End &end) {
  const unsigned bit = static_cast<unsigned>(random() % kRowBits);
  if (kind == "words") {
    const unsigned at = bit % kWordBits;
    end = step_with_upset(setup, state, at);
    return "word " + std::to_string(at);
  }
  if (kind == "counter") {
    state.pc ^= 1U << bit % 12;
    return "counter";
  }
  if (kind == "state") {
    uint32_t *const words[] = {&state.first[0], &state.first[1], &state.left[0], &state.left[1],
                               &state.back[0],  &state.back[1],  &state.back[2]};
    const unsigned which = static_cast<unsigned>(random() % 12);
    if (which < 7)
      *words[which] ^= 1U << bit % (which == 2 || which == 3 ? 16 : 12);
    else if (which == 7)
      state.loops ^= 1U << bit % kDepth;
    else if (which == 8)
      state.calls ^= 1U << bit % kCallDepth;
    else if (which == 9)
      state.carry = !state.carry;
    else
      state.digit ^= static_cast<uint8_t>(1U << bit % 5);
    return "state " + std::to_string(which);
  }
  unsigned copy = static_cast<unsigned>(random() % 2);
  unsigned row = static_cast<unsigned>(random() % (setup.constants + 8));
  if (kind == "reads") {
    const Word &word = setup.code[state.pc];
    if (!word.reads_a())
      return "";
    copy &= word.reads_b() ? 1U : 0U;
    row = copy == 0 || word.op == kSqr ? word.a : word.b;
  }
  flip(state.rows[copy][row], bit);
  return "row " + std::to_string(copy) + "/" + std::to_string(row) + " " + std::to_string(bit);
}

}  // namespace

// SETUP has hexadecimal numbers: first row and rows of the result, the first row of constants, the
// first instruction; instructions, each op d a b imm; constants by limbs; random words by halves;
// rows, each its number and its limbs. All but the first four have their count in front.
int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  const std::string kind = argv[2];
  Random random(std::strtoull(argv[3], nullptr, 10));
  const uint64_t count = std::strtoull(argv[4], nullptr, 10);
  std::ifstream in(argv[1]);
  Setup setup;
  const auto begin = std::make_unique<State>();
  setup.result = static_cast<unsigned>(number(in));
  setup.results = static_cast<unsigned>(number(in));
  setup.constants = static_cast<unsigned>(number(in));
  begin->pc = static_cast<uint32_t>(number(in));
  setup.code.resize(number(in));
  for (Word &word : setup.code) {
    for (uint8_t *field : {&word.op, &word.d, &word.a, &word.b, &word.imm})
      *field = static_cast<uint8_t>(number(in));
  }
  setup.extras.resize(number(in));
  std::generate(setup.extras.begin(), setup.extras.end(), [&in] { return row_of(in); });
  setup.random.resize(number(in));
  for (auto &word : setup.random)
    word = {number(in), number(in)};
  for (uint64_t rows = number(in); rows > 0; rows--) {
    const uint64_t row = number(in);
    begin->rows[0][row] = begin->rows[1][row] = row_of(in);
  }

  const auto state = std::make_unique<State>(*begin);
  uint64_t length = 1;
  for (End end = step(setup, *state); end != End::kHalted; end = step(setup, *state), length++) {
    if (end == End::kFault)
      return 3;
  }
  const std::vector<uint8_t> right = setup.released(*state, 0);
  std::printf("length %llu\n", static_cast<unsigned long long>(length));
  if (ended(setup, *state, right) != "right")
    return 3;

  const uint64_t first = std::strtoull(argv[5], nullptr, 10);
  std::map<std::string, uint64_t> ends;
  std::vector<uint64_t> times(count);
  std::generate(times.begin(), times.end(),
                [&random, first, length] { return first + random() % (length - first); });
  std::sort(times.begin(), times.end());
  uint64_t now = 0;
  for (const uint64_t time : times) {
    for (; now < time; now++)
      step(setup, *begin);
    *state = *begin;
    End first = End::kNone;
    const std::string where = upset(setup, kind, *state, random, first);
    const std::string end = followed(setup, *state, first, 2 * length, right);
    ends[where.empty() ? "none" : end]++;
    if (end == "wrong")
      std::printf("at %llu address %u %s\n", static_cast<unsigned long long>(time), begin->pc,
                  where.c_str());
  }
  for (const auto &[name, number] : ends)
    std::printf("end %s %llu\n", name.c_str(), static_cast<unsigned long long>(number));
  return 0;
}
