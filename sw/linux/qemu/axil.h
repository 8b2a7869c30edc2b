// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// Accesses to registers by AXI4-Lite: one after the other, a few cycles each. `edge` is a cycle of
// whatever has that clock. What does not answer ends the simulation.
#pragma once

#include <cstdint>

#include "fail.h"

constexpr int kMostWait = 10000;  // cycles for an access to a register

// Reads 32 bits at a multiple of 4.
template <class Rtl, class Edge>
uint32_t axil_read(Rtl &rtl, uint32_t offset, Edge edge) {
  rtl.s_axil_araddr_i = offset;
  rtl.s_axil_arvalid_i = 1;
  rtl.s_axil_rready_i = 1;
  for (int wait = 0; wait < kMostWait; wait++) {
    rtl.clk_i = 0;
    rtl.eval();
    const bool asked = rtl.s_axil_arvalid_i && rtl.s_axil_arready_o;
    const bool answered = rtl.s_axil_rvalid_o;
    const uint32_t value = rtl.s_axil_rdata_o;
    edge();
    if (asked)
      rtl.s_axil_arvalid_i = 0;
    if (answered)
      return value;
  }
  fail("no answer to a read of the register at 0x%05x", offset);
}

// Writes 32 bits at a multiple of 4.
template <class Rtl, class Edge>
void axil_write(Rtl &rtl, uint32_t offset, uint32_t value, Edge edge) {
  rtl.s_axil_awaddr_i = offset;
  rtl.s_axil_awvalid_i = 1;
  rtl.s_axil_wdata_i = value;
  rtl.s_axil_wstrb_i = 15;
  rtl.s_axil_wvalid_i = 1;
  rtl.s_axil_bready_i = 1;
  for (int wait = 0; wait < kMostWait; wait++) {
    rtl.clk_i = 0;
    rtl.eval();
    const bool addressed = rtl.s_axil_awvalid_i && rtl.s_axil_awready_o;
    const bool taken = rtl.s_axil_wvalid_i && rtl.s_axil_wready_o;
    const bool answered = rtl.s_axil_bvalid_o;
    edge();
    if (addressed)
      rtl.s_axil_awvalid_i = 0;
    if (taken)
      rtl.s_axil_wvalid_i = 0;
    if (answered)
      return;
  }
  fail("no answer to a write of the register at 0x%05x", offset);
}
