// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Upsets of the public-key engine during a job, and what becomes of each.
//
// usage: campaign SETUP TASK SEED COUNT
// SETUP is text: see read_setup. TASK is one of
//   registers  COUNT upsets, each of any bit of a register in any cycle of the job;
//   rows       every COUNTth, from number SEED on, of the upsets of the memory of rows that a
//              program reads: upsets of a bit between two accesses are one;
//   words      COUNT of the upsets of a bit of an instruction while it is carried out, or all:
//              another operation, other rows, by the program alone;
//   result     every upset of the rows of the result behind their last write;
//   check      COUNT upsets of registers and rows, and each once more by the RTL alone, with a line
//              for each that ends otherwise then.
// Prints a line for each result that came out and is another, and how many upsets ended how.
//
// How an upset is followed: by the RTL until it has gone, or is in values of the program alone; by
// the program's instructions to its end; and by the RTL again, if what gives the result was hit.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "engine.h"
#include "golden.h"

namespace {

constexpr unsigned kFlush =
    kLimbs * kLimbs + 10;       // cycles in which all that a multiplication holds is written
constexpr unsigned kLook = 16;  // cycles in which most upsets are gone
constexpr unsigned kMaxCycles = kRowBits == 256 ? 1U << 17 : kRowBits == 384 ? 1U << 18 : 1U << 20;
constexpr unsigned kPatience = kMaxCycles + 2000;

enum Status { kOk = 0, kFaultDetected = 4 };  // of jobs

uint64_t number(std::istream &in) {
  std::string word;
  if (!(in >> word)) {
    std::fprintf(stderr, "bad setup\n");
    std::exit(2);
  }
  return std::stoull(word, nullptr, 16);
}

Item item(std::istream &in) {
  Item words(number(in));
  for (uint32_t &word : words)
    word = static_cast<uint32_t>(number(in));
  return words;
}

// Hexadecimal numbers: first row and rows of the result, and whether it is big-endian; the row of
// errors, the first one of constants; instructions, each op d a b imm; constants and moduli by
// limbs; random words by halves; the job, parts of its key, and the beats of its message. All but
// single numbers have their count in front.
void read_setup(const char *path, Setup &setup, Job &job) {
  std::ifstream in(path);
  setup.result = static_cast<unsigned>(number(in));
  setup.results = static_cast<unsigned>(number(in));
  setup.big_endian = number(in);
  setup.error = static_cast<unsigned>(number(in));
  setup.constants = static_cast<unsigned>(number(in));
  setup.code.resize(number(in));
  for (Word &word : setup.code) {
    for (uint8_t *field : {&word.op, &word.d, &word.a, &word.b, &word.imm})
      *field = static_cast<uint8_t>(number(in));
  }
  for (auto *rows : {&setup.extras, &setup.moduli}) {
    rows->resize(number(in));
    for (Row &row : *rows) {
      for (uint64_t &limb : row.limb)
        limb = number(in);
    }
  }
  setup.random.resize(number(in));
  for (auto &word : setup.random)
    word = {number(in), number(in)};
  job.job = item(in);
  for (auto *items : {&job.key, &job.message}) {
    items->resize(number(in));
    for (Item &one : *items)
      one = item(in);
  }
}

class Campaign {
 public:
  Campaign(const Setup &setup, const Job &job)
      : setup_(setup), engine_(setup, job), golden_(setup, engine_) {
    for (const Register &reg : engine_.registers())
      bits_ += reg.bits;
    engine_.give_back(golden_.behind_halt);
    frame_ = engine_.part(Part::kFrame);
    State bad = golden_.states.back();
    bad.carry = true;
    engine_.put_rows(bad);
    refused_ = to_the_end(golden_.halt + 1);
  }

  void registers(uint64_t seed, unsigned count) {
    go_through(seed, count, [this](const Register &reg, unsigned bit, unsigned cycle) {
      note(after_flip(reg, bit, cycle), "register " + reg.name, bit, cycle);
    });
  }

  void rows(uint64_t seed, uint64_t step) {
    uint64_t next = seed;  // of all bits of all reads
    for (uint64_t n = 0; n < golden_.reads.size(); n++) {
      const Read &read = golden_.reads[n];
      if (next >= (n + 1) * kBits)
        continue;
      const State before = golden_.before(read.instruction);
      for (; next < (n + 1) * kBits; next += step) {
        covered_ += read.since;
        note(after_read(before, read, next % kBits), place(read.copy, read.row), next % kBits,
             read.cycle);
      }
    }
  }

  void words(uint64_t count) {
    const uint64_t all = uint64_t{golden_.instructions} * kWordBits;
    const uint64_t apart = all > count ? (all + count - 1) / count : 1;
    Setup upset = setup_;
    State state = golden_.states.front();
    uint64_t next = 0;  // of all bits of all words
    for (unsigned n = 0; n < golden_.instructions; n++) {
      for (; next < uint64_t{n + 1} * kWordBits; next += apart) {
        const unsigned bit = next % kWordBits;
        State other = state;
        const End end = step_with_upset(upset, other, bit);
        note(end == End::kNone ? finished(other, n + 1, frame_) : ended(end, other, frame_),
             "word " + std::to_string(state.pc), bit, golden_.first + n);
      }
      step(setup_, state);
    }
  }

  void result() {
    for (unsigned n = 0; n < setup_.results; n++) {
      const unsigned row = setup_.result + n;
      Engine::Kept now = golden_.at_begin;
      for (unsigned cycle = golden_.begin; cycle < golden_.end; cycle++) {
        for (unsigned bit = 0; cycle >= golden_.halt - kLastWrites && bit < 2 * kBits; bit++) {
          engine_.give_back(now);
          engine_.flip_row(bit / kBits, row, bit % kBits);
          note(to_the_end(cycle), place(bit / kBits, row), bit % kBits, cycle);
        }
        now = advanced(now);
      }
    }
  }

  void check(uint64_t seed, unsigned count) {
    const auto compare = [&](const Heard &one, const Heard &other, const std::string &where,
                             unsigned bit, unsigned cycle) {
      note(one, where, bit, cycle);
      if (one == other)
        return;
      std::printf("differs %s %u %u: %u, and %u\n", where.c_str(), bit, cycle, one.status,
                  other.status);
    };
    go_through(seed, count / 2, [&](const Register &reg, unsigned bit, unsigned cycle) {
      const Heard found = after_flip(reg, bit, cycle);
      engine_.give_back(ahead_.front());
      Engine::flip(reg, bit);
      compare(found, to_the_end(cycle), "register " + reg.name, bit, cycle);
    });
    std::mt19937_64 random(seed);
    std::map<unsigned, std::pair<const Read *, unsigned>> some;
    for (unsigned n = 0; n < count / 2; n++) {
      const Read &read = golden_.reads[random() % golden_.reads.size()];
      some[read.cycle] = {&read, static_cast<unsigned>(random() % kBits)};
    }
    Engine::Kept now = golden_.at_begin;
    for (unsigned cycle = golden_.begin; cycle < golden_.halt; cycle++) {
      if (const auto found = some.find(cycle); found != some.end()) {
        const auto &[read, bit] = found->second;
        const Heard mine = after_read(golden_.before(read->instruction), *read, bit);
        engine_.give_back(now);
        engine_.flip_row(read->copy, read->row, bit);
        compare(mine, to_the_end(cycle), place(read->copy, read->row), bit, cycle);
      }
      now = advanced(now);
    }
  }

  void print() const {
    std::printf("total %llu\n", static_cast<unsigned long long>(total_));
    for (const auto &[name, count] : ends_)
      std::printf("end %s %llu\n", name.c_str(), static_cast<unsigned long long>(count));
    std::printf("covered %llu\n", static_cast<unsigned long long>(covered_));
    std::printf("size %u %u %zu\n", bits_, golden_.end - golden_.first, golden_.reads.size());
  }

 private:
  static constexpr unsigned kBits = kRowBits;
  static constexpr unsigned kLastWrites = 8;  // cycles before halt in which the result is written

  static std::string place(unsigned copy, unsigned row) {
    return "row " + std::to_string(copy) + "/" + std::to_string(row);
  }

  Engine::Kept advanced(const Engine::Kept &kept) {
    engine_.give_back(kept);
    engine_.settle();
    engine_.edge();
    return engine_.keep();
  }

  // Draws upsets of registers and goes through them by cycle.
  template <typename F>
  void go_through(uint64_t seed, unsigned count, F each) {
    std::mt19937_64 random(seed);
    std::multimap<unsigned, unsigned> drawn;  // bits by cycle
    const unsigned cycles = golden_.end - golden_.first;
    for (unsigned n = 0; n < count; n++) {
      const unsigned cycle = golden_.first + static_cast<unsigned>(random() % cycles);
      drawn.emplace(cycle, static_cast<unsigned>(random() % bits_));
    }
    ahead_.assign(1, golden_.start);
    unsigned now = golden_.first;
    for (auto [cycle, bit] : drawn) {
      for (; now < cycle; now++) {
        if (ahead_.size() == 1)
          ahead_.push_back(advanced(ahead_.back()));
        ahead_.pop_front();
      }
      while (ahead_.size() <= kLook)
        ahead_.push_back(advanced(ahead_.back()));
      for (const Register &reg : engine_.registers()) {
        if (bit < reg.bits) {
          each(reg, bit, cycle);
          break;
        }
        bit -= reg.bits;
      }
    }
  }

  Heard after_flip(const Register &reg, unsigned bit, unsigned from) {
    engine_.give_back(ahead_.front());
    Engine::flip(reg, bit);
    for (unsigned cycle = from; cycle < from + kPatience; cycle++) {
      const unsigned passed = cycle - from;
      if (engine_.heard().done)
        return engine_.heard();
      const bool look = passed == 1 || passed == 2 || passed == 4 || passed == 8;
      if ((look || passed == kLook) && engine_.equals(ahead_[passed]))
        return golden_.heard;
      if (passed >= kFlush && engine_.runs()) {
        if (cycle < golden_.halt && engine_.part(Part::kWay) == way(cycle))
          return by_program(golden_.issued[cycle - golden_.first]);
        if (engine_.drained())
          return by_program(kElsewhere);
      }
      engine_.settle();
      engine_.edge();
    }
    return engine_.heard();
  }

  const std::vector<uint8_t> &way(unsigned cycle) const {
    return golden_.way[cycle - golden_.first];
  }

  static constexpr unsigned kElsewhere = ~0U;

  // From the RTL to the program: what has issued is carried out, multiplications by the RTL.
  Heard by_program(unsigned instruction) {
    const auto frame = engine_.part(Part::kFrame);
    const State before = engine_.state();
    unsigned left = engine_.pending();
    engine_.settle();
    bool last = engine_.ending();
    engine_.edge();
    State state = engine_.state();
    state.pc = before.pc;
    std::copy(before.first, before.first + kDepth, state.first);
    std::copy(before.left, before.left + kDepth, state.left);
    std::copy(before.back, before.back + kCallDepth, state.back);
    state.loops = before.loops;
    state.calls = before.calls;
    state.random = before.random;
    while (left > 0) {
      engine_.settle();
      if (engine_.multiplied()) {
        const Row value = engine_.written();
        state.rows[0][engine_.written_row()] = state.rows[1][engine_.written_row()] = value;
        left -= last;
      }
      last = engine_.ending();
      engine_.edge();
    }
    return finished(state, instruction, frame);
  }

  Heard after_read(State state, const Read &read, unsigned bit) {
    state.rows[read.copy][read.row].limb[bit / 64] ^= uint64_t{1} << bit % 64;
    return finished(state, read.instruction, frame_);
  }

  // The program to its end; an instruction's number is that of the one without upset here.
  Heard finished(State &state, unsigned instruction, const std::vector<uint8_t> &frame) {
    const bool known = instruction != kElsewhere;
    End found = End::kNone;
    for (unsigned n = 0; n < kMaxCycles && found == End::kNone; n++) {
      const unsigned at = instruction + n;
      if (known && n > 0 && at % Golden::kSpan == 0 && at / Golden::kSpan < golden_.states.size() &&
          golden_.is(state, at)) {
        if (frame == frame_)
          return golden_.heard;
      }
      found = step(setup_, state);
    }
    return ended(found, state, frame);
  }

  Heard ended(End end, const State &state, const std::vector<uint8_t> &frame) {
    if (end != End::kHalted)
      return Heard{std::vector<uint8_t>(golden_.heard.bytes.size()), true, kFaultDetected};
    engine_.give_back(golden_.behind_halt);
    engine_.put_part(Part::kFrame, frame);
    engine_.put_rows(state);
    return to_the_end(golden_.halt + 1);
  }

  Heard to_the_end(unsigned from) {
    for (unsigned cycle = from; cycle < from + kPatience && !engine_.heard().done; cycle++) {
      engine_.settle();
      engine_.edge();
    }
    return engine_.heard();
  }

  void note(const Heard &found, const std::string &where, unsigned bit, unsigned cycle) {
    total_++;
    if (found == golden_.heard) {
      ends_["same"]++;
    } else if (!found.done) {
      ends_["none"]++;
    } else if (found.status != kOk) {
      ends_["status-" + std::to_string(found.status)]++;
    } else {
      ends_["other"]++;
      std::printf("other ");
      for (uint8_t byte : found.bytes)
        std::printf("%02x", byte);
      std::printf(" %s %u %u\n", where.c_str(), bit, cycle - golden_.first);
    }
  }

  const Setup &setup_;
  Engine engine_;
  Golden golden_;
  unsigned bits_ = 0;
  std::vector<uint8_t> frame_;
  Heard refused_;  // the end of a job whose program refuses
  std::deque<Engine::Kept> ahead_;
  std::map<std::string, uint64_t> ends_;
  uint64_t total_ = 0, covered_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  Setup setup;
  Job job;
  read_setup(argv[1], setup, job);
  Campaign campaign(setup, job);
  const std::string task = argv[2];
  const uint64_t seed = std::stoull(argv[3]), count = std::stoull(argv[4]);
  if (task == "registers")
    campaign.registers(seed, static_cast<unsigned>(count));
  else if (task == "rows")
    campaign.rows(seed, count);
  else if (task == "words")
    campaign.words(count);
  else if (task == "result")
    campaign.result();
  else if (task == "check")
    campaign.check(seed, static_cast<unsigned>(count));
  else
    return 2;
  campaign.print();
}
