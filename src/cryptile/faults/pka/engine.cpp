// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "engine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vpka__Syms.h"
#include "verilated_syms.h"

namespace {

const std::string kTop = "TOP.cry_engine_flat.u_engine.";
constexpr unsigned kDataAt = 19;  // of a beat's bits: src/cryptile/jobs/port.py
constexpr unsigned kBeat = 16;    // bytes
constexpr unsigned kRunning = 5;  // cry_pka_core: StRun
constexpr unsigned kReset = 2;    // cycles

[[noreturn]] void missing(const std::string &what) {
  std::fprintf(stderr, "the model has no %s\n", what.c_str());
  std::exit(2);
}

bool begins(const std::string &text, const std::string &with) {
  return text.compare(0, with.size(), with) == 0;
}

// A register that is not named here steers instructions.
Part kind_of(const std::string &name) {
  static const char *const values[] = {
      "u_pka.gen_rows", "u_pka.u_core.written_q", "u_pka.u_core.gen_modulus.",
      "u_pka.u_core.carry_q", "u_pka.u_core.digit_q", "u_pka.u_core.negative_q",
      "u_pka.u_core.gen_mul.u_mul.a_q", "u_pka.u_core.gen_mul.u_mul.b_q",
      "u_pka.u_core.gen_mul.u_mul.triple_q", "u_pka.u_core.gen_mul.u_mul.sum_q",
      "u_pka.u_core.gen_mul.u_mul.carry_q", "u_pka.u_core.gen_mul.u_mul.u_column.",
      "u_pka.u_core.gen_mul.u_mul.u_limbs.", "u_pka.u_core.gen_mul.u_mul.u_select.a_q",
      "u_pka.u_core.gen_mul.u_mul.u_select.b_q", "u_pka.u_core.gen_mul.u_mul.u_sum.",
      "u_pka.u_core.gen_mul.u_mul.u_rest.", "u_pka.u_core.gen_held.u_held.",
      "u_pka.u_core.gen_steps.u_steps.",
      // How long the program has run: it is far from the bound, whatever bit flips.
      "u_pka.u_core.time_q"};
  static const char *const frame[] = {"u_pka.u_core.status_q",  "u_pka.u_core.bad_q",
                                      "u_pka.u_core.results_q", "u_pka.u_core.zero_q",
                                      "u_pka.u_core.index_q",   "u_pka.u_core.wiped_q"};
  for (const char *item : values) {
    if (begins(name, item))
      return Part::kValue;
  }
  for (const char *item : frame) {
    if (begins(name, item))
      return Part::kFrame;
  }
  return begins(name, "u_pka.") ? Part::kWay : Part::kFrame;
}

template <typename T>
void drive(T &port, const Item *item) {
  uint32_t words[sizeof(port) / 4 + 1] = {};
  for (size_t n = 0; item && n < item->size() && n < sizeof(port) / 4; n++)
    words[n] = (*item)[n];
  if constexpr (std::is_integral_v<T>)
    port = static_cast<T>(words[0]);
  else
    std::memcpy(&port, words, sizeof(port));
}

uint64_t number(const Register &reg) {
  uint64_t value = 0;
  std::memcpy(&value, reg.data, reg.bytes < 8 ? reg.bytes : 8);
  return value;
}

}  // namespace

Engine::Engine(const Setup &setup, const Job &job)
    : setup_(setup), job_(job), context_(new VerilatedContext) {
  Verilated::threadContextp(context_.get());
  context_->randReset(0);
  dut_.reset(new Vpka(context_.get(), "TOP"));
  collect();
  dut_->rst_ni = 0;
  for (unsigned n = 0; n < kReset; n++) {
    settle();
    edge();
  }
  dut_->rst_ni = 1;
}

Engine::~Engine() {
  dut_->final();
}

void Engine::collect() {
  for (const auto &[scope, content] : *context_->scopeNameMap()) {
    const std::string path = std::string(scope) + ".";
    if (!begins(path, kTop) || !content->varsp())
      continue;
    for (auto &[name, var] : *content->varsp()) {
      const std::string full = path.substr(kTop.size()) + name;
      auto *data = static_cast<uint8_t *>(var.datap());
      if (full == "u_pka.gen_rows[0].u_ram.mem" || full == "u_pka.gen_rows[1].u_ram.mem") {
        rows_[full[15] - '0'] = reinterpret_cast<Row *>(data);
      } else if (full.size() > 2 && full.compare(full.size() - 2, 2, "_q") == 0) {
        registers_.push_back({full, data, var.entBits(), var.entSize(), kind_of(full)});
      }
    }
  }
  if (!rows_[0] || !rows_[1])
    missing("memory of rows");
  wires_ = {wire("issue"),       wire("mul_ending"),
            wire("mul_valid"),   wire("row_we_o"),
            wire("row_waddr_o"), reinterpret_cast<const Row *>(wire("row_wdata_o"))};
  const std::string core = "u_pka.u_core.", fetch = core + "u_fetch.",
                    mul = core + "gen_mul.u_mul.";
  regs_.state = &find(core + "state_q");
  regs_.waits = &find(core + "rnd_q");
  regs_.steps = &find("u_steps.gen_correct.gen_copy[1].u_copy.copy_q");
  regs_.carry = &find(core + "carry_q");
  regs_.digit = &find(core + "digit_q");
  regs_.negative = &find(core + "negative_q");
  regs_.modulus = &find(core + "gen_modulus.modulus_q");
  regs_.pc = &find(fetch + "pc_q");
  regs_.loops = &find(fetch + "loops_q");
  regs_.calls = &find(fetch + "calls_q");
  regs_.looping = &find(fetch + "looping_q");
  regs_.calling = &find(fetch + "calling_q");
  regs_.pending = &find(core + "u_issue.pending_q");
  regs_.busy = &find(mul + "u_select.busy_q");
  const std::string tag = mul + (kRich ? "step" : "tag");
  regs_.tags = {&find(tag + "1_q"), &find(tag + "2_q"), &find(tag + "3_q")};
  if constexpr (kRich) {
    const std::string held = core + "gen_held.u_held.";
    regs_.held = {&find(held + "held_q"), &find(held + "cofactor_q"), &find(held + "odd_q"),
                  &find(held + "taken_q")};
  } else {
    const std::string steps = core + "gen_steps.u_steps.";
    regs_.held = {nullptr, nullptr, &find(steps + "odd_q"), &find(steps + "less_q")};
    regs_.parity = &find(steps + "parity_q");
  }
}

const Register &Engine::find(const std::string &name) const {
  for (const Register &reg : registers_) {
    if (reg.name == name)
      return reg;
  }
  missing(name);
}

const uint8_t *Engine::wire(const std::string &name) const {
  const VerilatedScope *scope = context_->scopeFind((kTop + "u_pka.u_core").c_str());
  const VerilatedVar *var = scope ? scope->varFind(name.c_str()) : nullptr;
  if (!var)
    missing(name);
  return static_cast<const uint8_t *>(var->datap());
}

Engine::Kept Engine::keep() const {
  Kept kept{std::vector<uint8_t>(sizeof(Vpka___024root)), taken_, heard_};
  std::memcpy(kept.model.data(), dut_->rootp, kept.model.size());
  return kept;
}

// The model has no pointers but to what stays where it is.
void Engine::give_back(const Kept &kept) {
  std::memcpy(static_cast<void *>(dut_->rootp), kept.model.data(), kept.model.size());
  taken_ = kept.taken;
  heard_ = kept.heard;
}

bool Engine::equals(const Kept &kept) const {
  return taken_ == kept.taken && heard_ == kept.heard &&
         std::memcmp(dut_->rootp, kept.model.data(), kept.model.size()) == 0;
}

void Engine::settle() {
  const auto &[job, key, beats, random] = taken_;
  const bool out_of_reset = dut_->rst_ni;
  dut_->job_valid_i = out_of_reset && job == 0;
  drive(dut_->job_i, dut_->job_valid_i ? &job_.job : nullptr);
  dut_->key_valid_i = job == 1 && key < job_.key.size();
  drive(dut_->key_i, dut_->key_valid_i ? &job_.key[key] : nullptr);
  dut_->src_valid_i = job == 1 && beats < job_.message.size();
  drive(dut_->src_i, dut_->src_valid_i ? &job_.message[beats] : nullptr);
  dut_->dst_ready_i = dut_->done_ready_i = 1;
  dut_->rnd_valid_i = 1;
  const auto word = setup_.random_word(random);
  std::memcpy(&dut_->rnd_i, word.data(), sizeof(dut_->rnd_i));
  dut_->clk_i = 0;
  dut_->eval();
}

void Engine::edge() {
  taken_[0] += dut_->job_valid_i && dut_->job_ready_o;
  taken_[1] += dut_->key_valid_i && dut_->key_ready_o;
  taken_[2] += dut_->src_valid_i && dut_->src_ready_o;
  taken_[3] += dut_->rnd_ready_o;
  if (dut_->dst_valid_o && !heard_.done) {
    uint8_t beat[kBeat];
    for (unsigned n = 0; n < kBeat; n++) {
      const unsigned at = kDataAt + 8 * n;
      const uint64_t both =
          dut_->dst_o[at / 32] |
          (at / 32 + 1 < sizeof(dut_->dst_o) / 4 ? uint64_t{dut_->dst_o[at / 32 + 1]} << 32 : 0);
      beat[n] = static_cast<uint8_t>(both >> at % 32);
    }
    heard_.bytes.insert(heard_.bytes.end(), beat, beat + kBeat);
  }
  if (dut_->done_valid_o && !heard_.done) {
    heard_.done = true;
    heard_.status = dut_->done_status_o;
  }
  dut_->clk_i = 1;
  dut_->eval();
}

void Engine::flip(const Register &reg, unsigned bit) {
  reg.data[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
}

void Engine::flip_row(unsigned copy, unsigned row, unsigned bit) {
  rows_[copy][row].limb[bit / 64] ^= uint64_t{1} << bit % 64;
}

std::vector<uint8_t> Engine::part(Part which) const {
  std::vector<uint8_t> bytes;
  for (const Register &reg : registers_) {
    if (reg.part == which)
      bytes.insert(bytes.end(), reg.data, reg.data + reg.bytes);
  }
  return bytes;
}

void Engine::put_part(Part which, const std::vector<uint8_t> &bytes) {
  const uint8_t *next = bytes.data();
  for (const Register &reg : registers_) {
    if (reg.part == which) {
      std::memcpy(reg.data, next, reg.bytes);
      next += reg.bytes;
    }
  }
}

void Engine::put_rows(const State &state) {
  for (unsigned copy = 0; copy < 2; copy++)
    std::memcpy(rows_[copy], state.rows[copy], sizeof(state.rows[copy]));
  regs_.carry->data[0] = state.carry;
}

bool Engine::idle() const {
  return taken_[0] == 0;
}

bool Engine::runs() const {
  const bool partly_drawn = number(*regs_.steps) & (kWords == 2   ? 1
                                                    : kWords == 3 ? 3
                                                                  : 7);  // cry_pka_engine: steps_t
  return number(*regs_.state) == kRunning && !number(*regs_.waits) && !partly_drawn;
}

bool Engine::drained() const {
  constexpr unsigned kValid = kRich ? 6 : 9;  // of a tag: step_t, tag_t
  bool busy = number(*regs_.busy) || pending();
  for (const Register *tag : regs_.tags)
    busy |= number(*tag) >> kValid & 1;
  return !busy;
}

unsigned Engine::pending() const {
  constexpr unsigned kItem = 10;  // bits: cry_pka_issue: pending_t, its highest one `valid`
  const uint64_t all = number(*regs_.pending);
  unsigned found = 0;
  for (unsigned at = kItem - 1; at < regs_.pending->bits; at += kItem)
    found += all >> at & 1;
  return found;
}

Row Engine::written() const {
  return *wires_.data;
}

State Engine::state() const {
  State found = {};
  for (unsigned copy = 0; copy < 2; copy++)
    std::memcpy(found.rows[copy], rows_[copy], sizeof(found.rows[copy]));
  found.modulus = static_cast<uint8_t>(number(*regs_.modulus));
  found.pc = static_cast<uint32_t>(number(*regs_.pc));
  const uint64_t loops = number(*regs_.loops), calls = number(*regs_.calls);
  for (unsigned n = 0; n < kDepth; n++) {
    found.left[n] = loops >> 28 * n & 0xFFFF;
    found.first[n] = loops >> (28 * n + 16) & 0xFFF;
    found.back[n] = calls >> 12 * n & 0xFFF;
  }
  found.loops = static_cast<uint32_t>(number(*regs_.looping));
  found.calls = static_cast<uint32_t>(number(*regs_.calling));
  found.random = taken_[3];
  found.digit = static_cast<uint8_t>(number(*regs_.digit));
  found.negative = number(*regs_.negative);
  found.carry = number(*regs_.carry);
  const auto &[held, cofactor, odd, taken] = regs_.held;
  if constexpr (kRich) {
    std::memcpy(&found.held.number, held->data, sizeof(Row));
    std::memcpy(&found.held.cofactor, cofactor->data, sizeof(Row));
  }
  found.held.odd = number(*odd);
  found.held.taken = number(*taken);
  if constexpr (!kRich)
    found.held.parity = number(*regs_.parity);
  return found;
}
