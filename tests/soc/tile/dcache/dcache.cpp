// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Plays core and manager around CVA6's data cache (tb_dcache) and checks every byte that is loaded.
//
//   dcache stress WRITES SEED    random loads, stores, atomics, flushes beside so many bursts
//   dcache exact SEED            lines that are lost when others are written
//   dcache cost                  cycles of 4 KiB into lines cached or not, and of loads beside
//   dcache idle CYCLES SEED      random play of the core alone; a hash of all answers, by cycle
//
// Every value that is stored in a byte is told apart from its last 127 by its writer. Memory logs
// the values of each byte in their order. A load may return a value that was in memory when the
// load began or later, or the core's own, still buffered one. A value of the manager counts as
// hidden until its burst is answered: until then the cache may have the one before it.

#include <verilated.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "Vtb_dcache.h"

namespace {

constexpr uint64_t kMemory = 0x80000000, kUncached = 0xc0000000, kOffset = 0x0fffffff;
constexpr uint64_t kNever = ~uint64_t{0};
constexpr size_t kBytes = 1 << 17;
constexpr uint64_t kSets = 8, kTags = 10;  // of the lines in play: more than the cache has ways
constexpr uint64_t kHang = 400000;         // cycles; the core backs off from failed reservations

struct Value {
  uint8_t value;
  uint64_t seen_by;  // from this cycle on no look-up finds an older one
};

struct Byte {
  std::deque<Value> past;      // in the order of memory
  uint64_t first = 0;          // number of past[0]
  std::deque<uint8_t> own;     // stored by the core, not in memory
  uint64_t last_own = kNever;  // number of the core's last store in memory
  uint64_t loaded = 0;         // number of the newest value that the load unit has seen
  uint8_t next_core = 0, next_tile = 0;
};

struct Load {
  uint64_t addr = 0;
  uint64_t began = 0;
  uint64_t least[8];  // number of the oldest value that may be seen
  bool own[8];        // a store of the core was buffered
  bool killed = false;
};

struct Burst {
  uint64_t addr;
  std::vector<uint16_t> strobes;
  size_t sent = 0;
};

struct Phase {
  unsigned load[2], store, amo, flush, disable, burst, kill, uncached, gap;  // per mille
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {
    current = this;
    dut_ = new Vtb_dcache(&context_);
    dut_->clk_i = 0;
    dut_->rst_ni = 0;
    dut_->enable_i = 1;
    dut_->b_ready_i = 1;
    dut_->eval();
    dut_->rst_ni = 1;
    for (int i = 0; i < 600; i++)
      cycle();
  }

  ~Bench() {
    dut_->final();
    delete dut_;
  }

  void stress(uint64_t writes);
  void idle(uint64_t cycles);
  void exact();
  void cost();

  uint64_t read(uint64_t addr) const {
    uint64_t word;
    memcpy(&word, &memory_[addr & (kBytes - 1) & ~7ull], 8);
    return word;
  }

  void write(uint64_t addr, uint64_t data, uint8_t strb) {
    bool conditional = conditional_ == (addr & (kBytes - 1)) && data == dut_->amo_data_i;
    if (conditional && read(addr) != reserved_)
      fail("a store-conditional succeeds behind another's write", addr, read(addr) & 0xff);
    for (unsigned i = 0; i < 8; i++)
      if (strb >> i & 1)
        perform((addr & (kBytes - 1) & ~7ull) + i, static_cast<uint8_t>(data >> 8 * i));
  }

  static Bench *current;

 private:
  bool chance(unsigned per_mille) {
    return random_() % 1000 < per_mille;
  }

  [[noreturn]] void fail(const char *what, uint64_t addr, unsigned got) {
    std::printf("cycle %llu: %s at %llx: got %02x\n", static_cast<unsigned long long>(now_), what,
                static_cast<unsigned long long>(addr), got);
    const Byte &byte = bytes_[addr & (kBytes - 1)];
    for (const Value &value : byte.past)
      std::printf(" %02x", value.value);
    std::printf("\n");
    std::exit(1);
  }

  // Inputs are set, outputs valid: then the edge.
  void settle() {
    dut_->eval();
  }
  void edge() {
    dut_->clk_i = 1;
    dut_->eval();
    dut_->clk_i = 0;
    now_++;
  }
  void cycle() {
    settle();
    edge();
  }

  void perform(uint64_t at, uint8_t value) {
    memory_[at] = value;
    Byte &byte = bytes_[at];
    uint64_t seen_by = kNever;
    if (value & 0x80) {
      auto found = std::find(byte.own.begin(), byte.own.end(), value);
      if (found != byte.own.end()) {
        byte.own.erase(byte.own.begin(), found + 1);  // those before it were merged with it
        byte.last_own = byte.first + byte.past.size();
        seen_by = now_;
      }
    }
    byte.past.push_back({value, seen_by});
    while (byte.past.size() > 100) {
      byte.past.pop_front();
      byte.first++;
    }
  }

  void see(uint64_t at, uint8_t value) {
    Byte &byte = bytes_[at];
    for (auto i = byte.past.rbegin(); i != byte.past.rend(); ++i) {
      if (i->value == value) {
        i->seen_by = std::min(i->seen_by, now_);
        return;
      }
    }
  }

  uint64_t any_addr() {
    uint64_t tag = random_() % kTags, set = random_() % kSets;
    return tag << 12 | set << 4 | (random_() & 15);
  }

  void begin_load(Load &load, uint64_t addr, unsigned port);
  void check(const Load &load, unsigned port, uint64_t data);
  void play_load(unsigned port, const Phase &phase);
  void after_load(unsigned port);
  void keep_answers();
  void new_burst();
  void drive_tile(const Phase &phase);
  void after_tile();
  Phase new_phase();
  uint64_t fill(uint64_t from, uint64_t size);
  uint64_t write_lines(uint64_t from, unsigned lines, uint64_t *loads);

  VerilatedContext context_;
  Vtb_dcache *dut_;
  std::mt19937_64 random_;
  uint64_t now_ = 0;
  std::vector<uint8_t> memory_ = std::vector<uint8_t>(kBytes);
  std::vector<Byte> bytes_ = std::vector<Byte>(kBytes);

  // Of a port: an address that is asked for, a load whose tag is to be sent, one that is waited for
  bool asks_[2] = {}, tags_[2] = {}, waits_[2] = {};
  uint64_t ask_addr_[2] = {};
  Load load_[2];
  uint64_t loads_ = 0, killed_ = 0, stores_ = 0, atomics_ = 0, failed_ = 0, flushes_ = 0;
  uint64_t bursts_ = 0, answered_ = 0, stores_done_ = 0;
  // What the last load-reserved gave, and where the store-conditional is that is under way.
  uint64_t reserved_ = 0, conditional_ = kNever;

  std::deque<Burst> to_send_, to_write_, to_answer_;
  bool aw_ = false, w_ = false;

  // The other manager does nothing before this cycle, in which the play ends
  uint64_t idle_until_ = 0;
  uint64_t hash_ = 14695981039346656037u;
};

Bench *Bench::current;

// What a look-up in this cycle may find.
void Bench::begin_load(Load &load, uint64_t addr, unsigned port) {
  load = Load{};
  load.addr = addr;
  load.began = now_;
  for (unsigned i = 0; i < 8; i++) {
    const Byte &byte = bytes_[((addr & ~7ull) + i) & (kBytes - 1)];
    uint64_t least = byte.first;
    bool uncached = addr >= kUncached;
    for (size_t k = byte.past.size(); k-- > 0;) {
      if (uncached || byte.past[k].seen_by <= now_) {
        least = byte.first + k;
        break;
      }
    }
    // A store of the core may be forwarded until it has left the write buffer.
    bool forwarded = byte.last_own != kNever && byte.last_own >= byte.first && !uncached &&
                     stores_done_ <= byte.past[byte.last_own - byte.first].seen_by;
    load.least[i] = forwarded ? std::min(least, byte.last_own) : least;
    if (port == 1 && !uncached && !forwarded)
      load.least[i] = std::max(load.least[i], byte.loaded);
    load.own[i] = !byte.own.empty() && !uncached;
    // Behind a buffered store only it, or what comes after it.
    if (load.own[i])
      load.least[i] = byte.first + byte.past.size();
  }
}

void Bench::check(const Load &load, unsigned port, uint64_t data) {
  for (unsigned i = 0; i < 8; i++) {
    uint64_t at = ((load.addr & ~7ull) + i) & (kBytes - 1);
    Byte &byte = bytes_[at];
    uint8_t got = static_cast<uint8_t>(data >> 8 * i);
    bool found = std::find(byte.own.begin(), byte.own.end(), got) != byte.own.end();
    for (size_t k = byte.past.size(); k-- > 0 && !found;) {
      uint64_t number = byte.first + k;
      if (number < load.least[i])
        break;
      found = byte.past[k].value == got;
      if (found && port == 1 && load.addr < kUncached)
        byte.loaded = std::max(byte.loaded, number);
    }
    if (!found && byte.past.empty())
      found = got == 0;
    if (!found)
      fail("stale byte", load.addr + i - (load.addr & 7), got);
  }
}

void Bench::play_load(unsigned port, const Phase &phase) {
  if (!asks_[port] && chance(phase.load[port])) {
    asks_[port] = true;
    bool uncached = chance(phase.uncached);
    ask_addr_[port] = any_addr() + (uncached ? kUncached : kMemory);
  }
  unsigned bit = 1u << port;
  dut_->load_req_i = (dut_->load_req_i & ~bit) | (asks_[port] ? bit : 0);
  dut_->load_index_i[port] = ask_addr_[port] & 0xfff & ~7ull;
  dut_->load_tag_valid_i = (dut_->load_tag_valid_i & ~bit) | (tags_[port] ? bit : 0);
  dut_->load_tag_i[port] = load_[port].addr >> 12;
  dut_->load_size_i[port] = 3;
  bool kill = (tags_[port] || waits_[port]) && chance(phase.kill);
  load_[port].killed = load_[port].killed || kill;
  dut_->load_kill_i = (dut_->load_kill_i & ~bit) | (kill ? bit : 0);
  if (kill)
    dut_->load_tag_valid_i |= bit;
}

void Bench::after_load(unsigned port) {
  unsigned bit = 1u << port;
  if (tags_[port])
    waits_[port] = true;
  tags_[port] = false;
  if (dut_->load_rvalid_o & bit) {
    if (!waits_[port])
      fail("answer to no load", 0, 0);
    if (load_[port].killed)
      killed_++;
    else
      check(load_[port], port, dut_->load_data_o[port]);
    loads_++;
    waits_[port] = false;
  }
  if (asks_[port] && (dut_->load_gnt_o & bit)) {
    if (waits_[port])
      fail("a load is taken while one waits", 0, 0);
    begin_load(load_[port], ask_addr_[port], port);
    asks_[port] = false;
    tags_[port] = true;
  }
}

void Bench::new_burst() {
  Burst burst;
  uint64_t tag = random_() % kTags, set = random_() % kSets;
  size_t words = 1 + random_() % (kSets - set);
  burst.addr = (random_() & 1 ? kUncached : kMemory) + (tag << 12 | set << 4);
  burst.strobes.assign(words, 0xffff);
  if (random_() & 1)
    burst.strobes.front() &= static_cast<uint16_t>(0xffff << (random_() & 15));
  if (random_() & 1)
    burst.strobes.back() &= static_cast<uint16_t>(0xffff >> (random_() & 15));
  to_send_.push_back(burst);
}

// Addresses and words go their own ways; words never before the address is offered.
void Bench::drive_tile(const Phase &phase) {
  if (to_send_.empty() && to_answer_.size() < 24 && chance(phase.burst)) {
    new_burst();
    bursts_++;
  }
  if (!aw_ && !to_send_.empty()) {
    aw_ = true;
    to_write_.push_back(to_send_.front());
    to_answer_.push_back(to_send_.front());
  }
  dut_->aw_valid_i = aw_;
  if (aw_) {
    dut_->aw_addr_i = to_send_.front().addr;
    dut_->aw_len_i = static_cast<uint8_t>(to_send_.front().strobes.size() - 1);
  }
  if (!w_ && !to_write_.empty() && !chance(phase.gap)) {
    w_ = true;
    Burst &burst = to_write_.front();
    uint64_t line = (burst.addr + 16 * burst.sent) & kOffset;
    for (unsigned i = 0; i < 16; i++) {
      Byte &byte = bytes_[line + i];
      uint8_t value = byte.next_tile;
      if (burst.strobes[burst.sent] >> i & 1)
        byte.next_tile = (byte.next_tile + 1) & 0x7f;
      reinterpret_cast<uint8_t *>(&dut_->w_data_i)[i] = value;
    }
    dut_->w_strb_i = burst.strobes[burst.sent];
    dut_->w_last_i = burst.sent + 1 == burst.strobes.size();
  }
  dut_->w_valid_i = w_;
  dut_->b_ready_i = !chance(phase.gap / 4);
}

void Bench::after_tile() {
  if (aw_ && dut_->aw_ready_o) {
    aw_ = false;
    to_send_.pop_front();
  }
  if (w_ && dut_->w_ready_o) {
    w_ = false;
    if (++to_write_.front().sent == to_write_.front().strobes.size())
      to_write_.pop_front();
  }
  if (dut_->b_valid_o && dut_->b_ready_i) {
    if (to_answer_.empty() || answered_ == bursts_)
      fail("an answer to no burst", 0, 0);
    const Burst &burst = to_answer_.front();
    for (size_t word = 0; word < burst.strobes.size(); word++)
      for (unsigned i = 0; i < 16; i++)
        if (burst.strobes[word] >> i & 1) {
          uint64_t at = ((burst.addr + 16 * word) & kOffset) + i;
          // The oldest of the manager's that was not answered.
          for (Value &value : bytes_[at].past) {
            if (!(value.value & 0x80) && value.seen_by == kNever) {
              value.seen_by = now_;
              break;
            }
          }
        }
    to_answer_.pop_front();
    answered_++;
  }
}

Phase Bench::new_phase() {
  static const unsigned kRates[] = {0, 20, 100, 300, 700, 1000};
  auto rate = [&](unsigned from, unsigned to) {
    return kRates[from + random_() % (to - from + 1)];
  };
  Phase phase;
  phase.load[0] = rate(0, 3);
  phase.load[1] = rate(1, 5);
  phase.store = rate(0, 4);
  phase.amo = random_() % 4 ? 0 : 10;
  phase.flush = random_() % 8 ? 0 : 3;
  phase.disable = random_() % 16 ? 0 : 3;
  phase.burst = idle_until_ ? 0 : rate(1, random_() % 4 ? 2 : 5);
  phase.kill = rate(0, 2);
  phase.uncached = rate(0, 2);
  phase.gap = rate(0, 4);
  dut_->latency_i = random_() % 3 ? random_() % 12 : random_() % 61;
  return phase;
}

// All that the core sees in this cycle.
void Bench::keep_answers() {
  auto keep = [&](uint64_t value) { hash_ = (hash_ ^ value) * 1099511628211u; };
  keep(dut_->load_gnt_o | dut_->load_rvalid_o << 2 | dut_->store_gnt_o << 4 | dut_->amo_ack_o << 5 |
       dut_->flush_ack_o << 6 | dut_->miss_o << 7 | dut_->stores_done_o << 8);
  for (unsigned port = 0; port < 2; port++)
    if (dut_->load_rvalid_o & 1u << port)
      keep(dut_->load_data_o[port]);
}

void Bench::idle(uint64_t cycles) {
  idle_until_ = now_ + cycles;
  stress(0);
  std::printf("hash %llu\n", (unsigned long long)hash_);
}

void Bench::stress(uint64_t writes) {
  Phase phase = new_phase();
  uint64_t left = 500, last = 0, last_at = now_;
  bool stores = false, amo = false, flush = false;
  uint64_t amo_addr = 0;
  unsigned stall = 0, tile_stall = 0;
  uint64_t reserved = kNever;
  while (idle_until_ ? now_ < idle_until_ : answered_ < writes) {
    if (left-- == 0) {
      phase = new_phase();
      left = 100 + random_() % 1000;
      stall = random_() % 2 ? 0 : random_() % 600;
      tile_stall = random_() % 2 ? 0 : random_() % 600;
    }
    dut_->stall_i = (chance(stall) ? 1 : 0) | (chance(stall) ? 2 : 0);
    dut_->tile_stall_i = chance(tile_stall) ? 2 : 0;
    for (unsigned port = 0; port < 2; port++)
      play_load(port, phase);

    // Stores; none while an atomic operation is under way, as in the core.
    if (!stores && !amo && chance(phase.store)) {
      stores = true;
      unsigned size = random_() % 4;
      uint64_t addr = any_addr() & ~((1ull << size) - 1);
      unsigned lane = addr & 7, be = ((1u << (1u << size)) - 1) << lane;
      uint64_t data = 0;
      for (unsigned i = 0; i < 8; i++) {
        Byte &byte = bytes_[(addr & ~7ull) + i];
        data |= static_cast<uint64_t>(0x80 | byte.next_core) << 8 * i;
        if (be >> i & 1)
          byte.next_core = (byte.next_core + 1) & 0x7f;
      }
      dut_->store_addr_i = addr + kMemory;
      dut_->store_data_i = data;
      dut_->store_be_i = be;
      dut_->store_size_i = size;
    }
    dut_->store_req_i = stores;

    // Atomics: swap, load-reserved, store-conditional.
    if (!amo && !stores && chance(phase.amo)) {
      amo = true;
      amo_addr = any_addr() & ~7ull;
      unsigned op = 3;
      if (reserved != kNever) {
        op = 2;
        amo_addr = reserved;
        reserved = kNever;
      } else if (random_() & 1) {
        op = 1;
        reserved = amo_addr;
      }
      conditional_ = op == 2 ? amo_addr : kNever;
      dut_->amo_op_i = op;
      dut_->amo_addr_i = amo_addr + kMemory;
      uint64_t data = 0;
      for (unsigned i = 0; i < 8 && op != 1; i++) {
        Byte &byte = bytes_[amo_addr + i];
        data |= static_cast<uint64_t>(0x80 | byte.next_core) << 8 * i;
        byte.next_core = (byte.next_core + 1) & 0x7f;
      }
      dut_->amo_data_i = data;
    }
    dut_->amo_req_i = amo;

    if (!flush && chance(phase.flush))
      flush = true;
    dut_->flush_i = flush;
    if (chance(phase.disable))
      dut_->enable_i = !dut_->enable_i;
    else if (phase.disable == 0)
      dut_->enable_i = 1;
    drive_tile(phase);
    settle();

    if (dut_->stores_done_o)
      stores_done_ = now_;
    keep_answers();
    for (unsigned port = 0; port < 2; port++)
      after_load(port);
    if (stores && dut_->store_gnt_o) {
      for (unsigned i = 0; i < 8; i++)
        if (dut_->store_be_i >> i & 1)
          bytes_[(dut_->store_addr_i & kOffset & ~7ull) + i].own.push_back(
              static_cast<uint8_t>(dut_->store_data_i >> 8 * i));
      stores = false;
      stores_++;
    }
    if (amo && dut_->amo_ack_o) {
      amo = false;
      atomics_++;
      if (dut_->amo_op_i == 2 && dut_->amo_result_o != 0)
        failed_++;
      if (dut_->amo_op_i == 1)
        reserved_ = dut_->amo_result_o;
      conditional_ = kNever;
      for (unsigned i = 0; i < 8 && dut_->amo_op_i != 1; i++)
        see(amo_addr + i, static_cast<uint8_t>(dut_->amo_data_i >> 8 * i));
    }
    if (flush && dut_->flush_ack_o) {
      flush = false;
      flushes_++;
    }
    after_tile();
    edge();
    if (loads_ + answered_ + stores_ + atomics_ != last) {
      last = loads_ + answered_ + stores_ + atomics_;
      last_at = now_;
    } else if (now_ - last_at > kHang) {
      fail("nothing goes on", 0, 0);
    }
  }
  std::printf(
      "cycles %llu\nbursts %llu\nloads %llu\nkilled %llu\nstores %llu\natomics %llu\n"
      "failed_sc %llu\nflushes %llu\n",
      (unsigned long long)now_, (unsigned long long)answered_, (unsigned long long)loads_,
      (unsigned long long)killed_, (unsigned long long)stores_, (unsigned long long)atomics_,
      (unsigned long long)failed_, (unsigned long long)flushes_);
}

// Loads memory, a word of each line, and returns how many lines the cache had not.
uint64_t Bench::fill(uint64_t from, uint64_t size) {
  uint64_t misses = 0;
  for (uint64_t addr = from; addr < from + size;) {
    asks_[1] = !tags_[1] && !waits_[1];
    ask_addr_[1] = kMemory + addr;
    Phase none{};
    play_load(1, none);
    settle();
    misses += dut_->miss_o;
    uint64_t before = loads_;
    after_load(1);
    edge();
    if (loads_ != before)
      addr += 16;
  }
  return misses;
}

void Bench::exact() {
  constexpr uint64_t kCache = 32 << 10;
  dut_->latency_i = 5;
  (void)fill(0, kCache);
  uint64_t again = fill(0, kCache), written = 0;
  std::vector<bool> lost(kCache / 16);
  Phase phase{};
  for (int i = 0; i < 100; i++) {
    Burst burst;
    burst.addr = (random_() & 1 ? kUncached : kMemory) + (random_() % (kCache / 16)) * 16;
    size_t words = 1 + random_() % 8;
    words = std::min<size_t>(words, (4096 - (burst.addr & 0xfff)) / 16);
    burst.strobes.assign(words, 0xffff);
    for (size_t k = 0; k < words; k++)
      lost[(burst.addr & kOffset) / 16 + k] = true;
    to_send_.push_back(burst);
    bursts_++;
    while (answered_ != bursts_) {
      drive_tile(phase);
      settle();
      after_tile();
      edge();
    }
  }
  for (bool one : lost)
    written += one;
  std::printf("again %llu\nwritten %llu\nlost %llu\n", (unsigned long long)again,
              (unsigned long long)written, (unsigned long long)fill(0, kCache));
}

// Cycles until so many lines, in bursts of 16, are answered; the core loads from a cached line of
// another set, as fast as it can, and its loads are counted.
uint64_t Bench::write_lines(uint64_t from, unsigned lines, uint64_t *loads) {
  for (unsigned line = 0; line < lines; line += 16) {
    Burst burst;
    burst.addr = kMemory + from + 16 * line;
    burst.strobes.assign(16, 0xffff);
    to_send_.push_back(burst);
    bursts_++;
  }
  uint64_t start = now_, before = loads_;
  Phase phase{};
  while (lines != 0 ? answered_ != bursts_ : now_ - start < *loads) {
    asks_[1] = true;
    ask_addr_[1] = kMemory + (1 << 16);
    play_load(1, phase);
    drive_tile(phase);
    settle();
    after_load(1);
    after_tile();
    edge();
  }
  uint64_t cycles = now_ - start, end = now_;
  if (lines != 0)
    *loads = loads_ - before;
  else
    cycles = loads_ - before;
  for (asks_[1] = false; tags_[1] || waits_[1] || now_ < end + 4;) {
    asks_[1] = false;
    play_load(1, phase);
    settle();
    after_load(1);
    edge();
  }
  return cycles;
}

void Bench::cost() {
  constexpr unsigned kLines = 256;
  for (unsigned latency : {0u, 10u, 50u}) {
    uint64_t loads = 0;
    dut_->latency_i = static_cast<uint8_t>(latency);
    (void)fill(0, 16 * kLines);
    (void)fill(1 << 16, 16);
    uint64_t cached = write_lines(0, kLines, &loads);
    uint64_t uncached_loads = 0;
    uint64_t uncached = write_lines(0, kLines, &uncached_loads);
    uint64_t window = cached;
    uint64_t alone = write_lines(0, 0, &window);
    std::printf("latency %u cached %llu uncached %llu loads %llu alone %llu\n", latency,
                (unsigned long long)cached, (unsigned long long)uncached, (unsigned long long)loads,
                (unsigned long long)alone);
  }
}

}  // namespace

double sc_time_stamp() {
  return 0;
}

extern "C" unsigned long long tsoc_memory_read(unsigned long long addr) {
  return Bench::current->read(addr);
}

extern "C" void tsoc_memory_write(unsigned long long addr, unsigned long long data, char strb) {
  Bench::current->write(addr, data, static_cast<uint8_t>(strb));
}

int main(int argc, char **argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "stress" && argc == 4) {
    Bench bench(std::strtoull(argv[3], nullptr, 0));
    bench.stress(std::strtoull(argv[2], nullptr, 0));
  } else if (what == "exact" && argc == 3) {
    Bench(std::strtoull(argv[2], nullptr, 0)).exact();
  } else if (what == "idle" && argc == 4) {
    Bench(std::strtoull(argv[3], nullptr, 0)).idle(std::strtoull(argv[2], nullptr, 0));
  } else if (what == "cost") {
    Bench(1).cost();
  } else {
    return 2;
  }
  return 0;
}
