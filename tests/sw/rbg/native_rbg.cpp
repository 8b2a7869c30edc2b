// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "native_rbg.h"

#include <cstring>
#include <memory>

#include "Vcry_rbg.h"
#include "oscillators.h"

namespace {

constexpr int kRandomCycles = 1 << 16;  // cry_random_engine waits

// The last one stays until the end: it has outlived the simulator's own objects then.
Vcry_rbg *rbg = nullptr;
std::unique_ptr<Oscillators> oscillators;
uint64_t now;
bool oscillating;  // in the cycle before

void tick() {
  now++;
  if (rbg->osc_enable_o || oscillating)
    rbg->osc_i = static_cast<uint16_t>(oscillators->step(rbg->osc_enable_o));
  oscillating = rbg->osc_enable_o;
  rbg->clk_i = 0;
  rbg->eval();
  rbg->clk_i = 1;
  rbg->eval();
}

// Has the inputs that were set take effect.
void settle() {
  rbg->clk_i = 0;
  rbg->eval();
}

void wait(int cycles) {
  while (cycles-- > 0)
    tick();
}

}  // namespace

extern "C" {

int native_rbg_access;  // cycles that an access costs the core, beside those of the bus

// Resets it, with oscillators as new.
void native_rbg_reset(uint64_t seed) {
  delete rbg;
  rbg = new Vcry_rbg;
  native_rbg_access = 5;
  oscillators = std::make_unique<Oscillators>(seed);
  now = 0;
  oscillating = false;
  rbg->osc_i = static_cast<uint16_t>(oscillators->step(false));
  rbg->rst_ni = 1;
  settle();
  rbg->rst_ni = 0;
  wait(4);
  rbg->rst_ni = 1;
}

void native_rbg_fail(uint32_t lanes) {
  oscillators->fail(lanes);
}

void native_rbg_allow_read(bool allowed) {
  rbg->read_allowed_i = allowed;
}

uint32_t rbg_load(size_t offset) {
  wait(native_rbg_access);
  rbg->s_axil_araddr_i = static_cast<uint8_t>(offset);
  rbg->s_axil_arvalid_i = 1;
  rbg->s_axil_rready_i = 1;
  settle();
  while (!rbg->s_axil_arready_o)
    tick();
  tick();
  rbg->s_axil_arvalid_i = 0;
  settle();
  while (!rbg->s_axil_rvalid_o)
    tick();
  const uint32_t value = rbg->s_axil_rdata_o;
  tick();
  return value;
}

void rbg_store(size_t offset, uint32_t value) {
  wait(native_rbg_access);
  rbg->s_axil_awaddr_i = static_cast<uint8_t>(offset);
  rbg->s_axil_wdata_i = value;
  rbg->s_axil_wstrb_i = 15;
  rbg->s_axil_awvalid_i = 1;
  rbg->s_axil_wvalid_i = 1;
  rbg->s_axil_bready_i = 1;
  settle();
  while (!rbg->s_axil_awready_o)
    tick();
  tick();
  rbg->s_axil_awvalid_i = 0;
  rbg->s_axil_wvalid_i = 0;
  settle();
  while (!rbg->s_axil_bvalid_o)
    tick();
  tick();
}

uint64_t rbg_now(void) {
  return now;
}

bool native_rbg_take(uint8_t block[16]) {
  settle();
  for (int waited = 0; !rbg->rnd_valid_o; waited++) {
    if (waited == kRandomCycles)
      return false;
    tick();
    settle();
  }
  std::memcpy(block, rbg->rnd_o.data(), 16);
  rbg->rnd_ready_i = 1;
  tick();
  rbg->rnd_ready_i = 0;
  return true;
}

bool native_rbg_alarm(void) {
  return rbg->alarm_o;
}
}
