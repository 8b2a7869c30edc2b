// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

#include "axi_memory.h"

#include <cstring>
#include <utility>

#include "Vcry_tile.h"
#include "fail.h"

namespace {

// RRESP and BRESP of AXI4
constexpr uint8_t kOkay = 0;
constexpr uint8_t kSlvErr = 2;
constexpr uint8_t kDecErr = 3;

}  // namespace

AxiMemory::AxiMemory(const Options &options, Access access)
    : options_(options), access_(std::move(access)), random_(options.seed) {
}

bool AxiMemory::chance(uint64_t of, uint64_t in) {
  return of != 0 && random_() % in < of;
}

uint64_t AxiMemory::due() {
  uint64_t cycle = cycle_ + options_.latency + 1;
  while (chance(options_.stall_percent, 100))
    cycle++;
  return cycle;
}

uint8_t AxiMemory::begin() {
  if (!chance(options_.errors_per_million, 1000000))
    return kOkay;
  errors_++;
  return kSlvErr;
}

void AxiMemory::fetch() {
  const Read &read = reads_.front();
  const unsigned length = kWord * (read.last + 1);
  read_resp_ = begin();
  if (read_resp_ == kOkay && !access_(read.addr, line_, length, false))
    read_resp_ = kDecErr;
  if (read_resp_ != kOkay)
    memset(line_, 0, length);
  fetched_ = true;
}

void AxiMemory::store(const Vcry_tile &tile) {
  Write &write = writes_.front();
  uint8_t word[kWord];
  memcpy(word, &tile.m_axi_wdata_o, kWord);
  const unsigned strobes = tile.m_axi_wstrb_o;
  const uint64_t addr = write.addr + kWord * write_beat_;
  for (unsigned from = 0; from < kWord && write.resp == kOkay;) {
    unsigned to = from;
    while (to < kWord && (strobes >> to & 1) != 0)
      to++;
    if (to > from && !access_(addr + from, word + from, to - from, true))
      write.resp = kDecErr;
    from = to + 1;
  }
  const bool last = write_beat_ == write.last;
  if (last != static_cast<bool>(tile.m_axi_wlast_o))
    fail("WLAST is wrong in a burst to 0x%llx", static_cast<unsigned long long>(write.addr));
  write_beat_ = last ? 0 : write_beat_ + 1;
  if (last) {
    answers_.push_back({due(), write.resp});
    writes_.pop_front();
  }
}

void AxiMemory::drive(Vcry_tile &tile) {
  const auto moves = [this] { return !chance(options_.stall_percent, 100); };
  cycle_++;
  tile.m_axi_arready_i = moves();
  tile.m_axi_awready_i = moves();
  tile.m_axi_wready_i = !writes_.empty() && moves();
  tile.m_axi_rvalid_i = !reads_.empty() && reads_.front().due <= cycle_;
  if (tile.m_axi_rvalid_i) {
    if (!fetched_)
      fetch();
    memcpy(&tile.m_axi_rdata_i, line_ + kWord * read_beat_, kWord);
    tile.m_axi_rlast_i = read_beat_ == reads_.front().last;
    tile.m_axi_rresp_i = read_resp_;
  }
  tile.m_axi_bvalid_i = !answers_.empty() && answers_.front().due <= cycle_;
  if (tile.m_axi_bvalid_i)
    tile.m_axi_bresp_i = answers_.front().resp;
}

bool AxiMemory::take(const Vcry_tile &tile) {
  bool moved = false;
  if (tile.m_axi_wvalid_o && tile.m_axi_wready_i) {
    store(tile);
    moved = true;
  }
  if (tile.m_axi_arvalid_o && tile.m_axi_arready_i) {
    reads_.push_back({tile.m_axi_araddr_o, due(), tile.m_axi_arlen_o});
    moved = true;
  }
  if (tile.m_axi_awvalid_o && tile.m_axi_awready_i) {
    writes_.push_back({tile.m_axi_awaddr_o, tile.m_axi_awlen_o, begin()});
    moved = true;
  }
  if (tile.m_axi_rvalid_i && tile.m_axi_rready_o) {
    if (read_beat_++ == reads_.front().last) {
      read_beat_ = 0;
      fetched_ = false;
      reads_.pop_front();
    }
    moved = true;
  }
  if (tile.m_axi_bvalid_i && tile.m_axi_bready_o) {
    answers_.pop_front();
    moved = true;
  }
  return moved;
}
