// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Messages through the engine that is fed by stores and loads. Of each its input has a head and the
// data, with the tag behind if it is to be opened; the output has the driver's answer and all that
// came, 16 bytes of tag behind.

#include <stdbool.h>

#include "gen/mcu_regs.h"
#include "gen/window_regs.h"
#include "host.h"
#include "test.h"
#include "window_engine.h"

enum { Most = 4096, ModeGcm = 3, Tag = 16 };

static const window_port_t kPort = {.shell = SOC_AXIS_BASE, .window = SOC_WINDOW_BASE};

static struct {
  uint32_t len, decrypt, iv[4];
  uint8_t key[16];
} head;

static uint8_t data[Most + Tag] __attribute__((aligned(8)));

// No access waits, whatever is there: a beat that nobody sent, one without room, and too narrow
// ones, which are errors.
static void bounds(uint32_t depth) {
  const uintptr_t in = SOC_WINDOW_BASE + offsetof(window_t, IN);
  const uintptr_t out = SOC_WINDOW_BASE + offsetof(window_t, OUT);
  CHECK(REG64(out) == 0 && REG64(out + 8) == 0);
  CHECK((MCU_REG(SOC_CTRL.ERROR) & 1) == 0);
  REG32(in + 8) = 1;
  CHECK(REG32(out) == 0);
  CHECK((MCU_REG(SOC_CTRL.ERROR) & 1) != 0);
  const uintptr_t state = SOC_WINDOW_BASE + offsetof(window_t, STATUS);
  CHECK(REG64(state) == (uint64_t)depth << WINDOW__STATUS__ROOM_bp);
  for (unsigned i = 0; i <= depth; i++) {
    REG64(in + 8) = i;
  }
  CHECK(REG64(state) == WINDOW__STATUS__LOST_bm);
}

int main(void) {
  window_engine_t engine;
  window_message_t message = {.src = data, .dst = data};
  CHECK(cry_window_open(&engine, kPort) == CRYPTILE_OK && engine.depth == 16);
  bounds(engine.depth);
  CHECK(cry_window_clear(&engine) == CRYPTILE_OK);
  CHECK(cry_window_run(&engine, &message) == CRYPTILE_ERR_KEY);
  CHECK(cry_window_key(&engine, ModeGcm, head.key, 8) == CRYPTILE_ERR_PARAM);
  // A mode that the engine has not.
  CHECK(cry_window_key(&engine, 15, head.key, 16) == CRYPTILE_OK);
  message.len = 100;
  CHECK(cry_window_run(&engine, &message) == CRYPTILE_ERR_SUPPORT);
  CHECK(cry_window_run(&engine, &message) == CRYPTILE_ERR_KEY);
  while (cry_host_read(&head, sizeof head) == sizeof head) {
    forget_cached();
    CHECK(head.len <= Most);
    const uint32_t given = head.len + (head.decrypt ? Tag : 0);
    CHECK(cry_host_read(data, given) == given);
    forget_cached();
    message.len = head.len;
    message.decrypt = head.decrypt != 0;
    message.tag = data + head.len;
    memcpy(message.iv, head.iv, sizeof head.iv);
    CHECK(cry_window_key(&engine, ModeGcm, head.key, sizeof head.key) == CRYPTILE_OK);
    const int32_t status = cry_window_run(&engine, &message);
    fence();
    cry_host_write(&status, sizeof status);
    cry_host_write(data, head.len + Tag);
  }
  return 0;
}
