// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

#include "tile.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "Vcry_tile.h"
#include "Vcry_tile___024root.h"
#include "axil.h"
#include "fail.h"
#include "tile_regs.h"

namespace {

// Lanes need 128 cycles behind their last job to wipe keys: rtl/shell/tile/README.md.
constexpr uint64_t kLinger = 256;
constexpr unsigned kCoalesceUnit = 16;

constexpr uint32_t queue_register(unsigned queue, size_t offset) {
  return offsetof(tile_t, QUEUE) + queue * sizeof(tile_queue__stride1000_t) + offset;
}

}  // namespace

Tile::Tile(const Options &options, AxiMemory::Access access)
    : memory_(options, std::move(access)),
      most_still_(options.most_still),
      tamper_at_(options.tamper_at),
      faults_from_(options.faults_from),
      linger_(kLinger) {
  const char *name = "tile";
  context_.commandArgs(1, &name);
  rtl_ = std::make_unique<Vcry_tile>(&context_, name);
  if (options.rbg_base != 0)
    generator_ = std::make_unique<Generator>(&context_, options);
  rtl_->rootp->cry_tile__DOT__engine_detected__VforceVal = 1;
  rtl_->rst_ni = 0;
  rtl_->rnd_valid_i = 0;
  rtl_->rnd_forget_i = 0;
  for (int i = 0; i < 4; i++)
    edge();
  rtl_->rst_ni = 1;
  for (uint64_t i = 0; i < kLinger; i++)
    edge();
  const uint32_t id = read(offsetof(tile_t, ID));
  if (id != TILE__ID__MAGIC_reset)
    fail("register ID reads 0x%08x", id);
  queues_ = (read(offsetof(tile_t, SIZES)) & TILE__SIZES__QUEUES_bm) >> TILE__SIZES__QUEUES_bp;
}

Tile::~Tile() = default;

void Tile::edge() {
  memory_.drive(*rtl_);
  rtl_->tamper_i = tamper_at_ != 0 && cycles_ == tamper_at_;
  rtl_->rootp->cry_tile__DOT__engine_detected__VforceEn =
      faults_from_ != 0 && cycles_ >= faults_from_;
  if (generator_) {
    generator_->low(rtl_->tamper_i);
    rtl_->rnd_valid_i = generator_->offers(rtl_->rnd_i);
    rtl_->rnd_forget_i = generator_->forgets();
  }
  rtl_->clk_i = 0;
  rtl_->eval();
  const bool moved = rtl_->rst_ni && memory_.take(*rtl_);
  const bool takes = rtl_->rnd_ready_o;
  rtl_->clk_i = 1;
  rtl_->eval();
  if (generator_)
    generator_->high(takes);
  cycles_++;
  still_ = moved ? 0 : still_ + 1;
}

void Tile::step() {
  if (asleep_) {
    generator_->step();
    return;
  }
  edge();
  if (still_ < linger_ || still_ % linger_ != 0)
    return;
  asleep_ = !works();
  if (!asleep_ && still_ > most_still_)
    fail("the tile is at work, and has moved nothing for %llu cycles",
         static_cast<unsigned long long>(still_));
}

bool Tile::works() {
  for (unsigned queue = 0; queue < queues_; queue++) {
    const uint32_t status = read(queue_register(queue, offsetof(tile_queue__stride1000_t, STATUS)));
    if ((status & TILE_QUEUE__STATUS__IDLE_bm) == 0)
      return true;
  }
  return (read(offsetof(tile_t, CONTROL)) & TILE__CONTROL__RESET_bm) != 0;
}

// Completions that are counted, and not told yet, are told by time: the clock goes on for that.
void Tile::note_wait(uint32_t offset, uint32_t value) {
  for (unsigned queue = 0; queue < queues_; queue++)
    if (offset == queue_register(queue, offsetof(tile_queue__stride1000_t, COALESCE)))
      linger_ = std::max<uint64_t>(
          linger_, kLinger + kCoalesceUnit * (value >> TILE_QUEUE__COALESCE__TIMEOUT_bp));
}

uint32_t Tile::read(uint32_t offset) {
  return axil_read(*rtl_, offset, [this] { edge(); });
}

void Tile::write(uint32_t offset, uint32_t value) {
  note_wait(offset, value);
  asleep_ = false;
  axil_write(*rtl_, offset, value, [this] { edge(); });
  still_ = 0;
}

uint32_t Tile::read_generator(uint32_t offset) {
  return generator_->read(offset, [this] { edge(); });
}

void Tile::write_generator(uint32_t offset, uint32_t value) {
  generator_->write(offset, value, [this] { edge(); });
}

uint32_t Tile::interrupts() const {
  return rtl_->irq_o | static_cast<uint32_t>(rtl_->error_irq_o) << queues_;
}
