// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

#include "generator.h"

#include <cstddef>
#include <utility>

#include "Vcry_rbg.h"
#include "axil.h"
#include "rbg_regs.h"

namespace {

constexpr uint32_t kLook = 256;  // cycles between two looks at its state
constexpr uint32_t kOff = 0;     // the source
constexpr uint32_t kAlarm = RBG__STATUS__ALARM_bm | RBG__STATUS__DRBG_ALARM_bm;

}  // namespace

Generator::Generator(VerilatedContext *context, const Options &options)
    : rtl_(std::make_unique<Vcry_rbg>(context, "rbg")), oscillators_(options.seed) {
  oscillators_.fail(static_cast<uint32_t>(options.rbg_fail));
  rtl_->clk_i = 0;
  rtl_->rst_ni = 0;
  rtl_->eval();
  rtl_->rst_ni = 1;
  rtl_->eval();
}

Generator::~Generator() = default;

void Generator::low(bool tamper) {
  if (!awake_)
    return;
  rtl_->wipe_i = tamper;
  rtl_->osc_i = static_cast<uint16_t>(oscillators_.step(rtl_->osc_enable_o));
  rtl_->clk_i = 0;
  rtl_->eval();
}

void Generator::high(bool taken) {
  if (!awake_)
    return;
  rtl_->rnd_ready_i = taken;
  rtl_->eval();
  rtl_->clk_i = 1;
  rtl_->eval();
}

bool Generator::offers(VlWide<4> &to) const {
  for (int i = 0; i < 4; i++)
    to[i] = rtl_->rnd_o[i];
  return rtl_->rnd_valid_o;
}

bool Generator::forgets() {
  return std::exchange(forgot_, false) || rtl_->rnd_forget_o;
}

void Generator::cycle() {
  low(false);
  high(false);
  forgot_ = forgot_ || rtl_->rnd_forget_o;
}

void Generator::step() {
  cycle();
  if (++steps_ % kLook == 0)
    look();
}

void Generator::look() {
  const uint32_t status = read(offsetof(rbg_t, STATUS), [this] { cycle(); });
  const uint32_t source = (status & RBG__STATUS__SOURCE_bm) >> RBG__STATUS__SOURCE_bp;
  starts_ = source != kOff && (status & (kAlarm | RBG__STATUS__SEEDED_bm)) == 0;
}

uint32_t Generator::read(uint32_t offset, const Edge &edge) {
  awake_ = true;
  return axil_read(*rtl_, offset, edge);
}

void Generator::write(uint32_t offset, uint32_t value, const Edge &edge) {
  awake_ = true;
  axil_write(*rtl_, offset, value, edge);
  starts_ = true;  // perhaps: it is looked at soon
}
