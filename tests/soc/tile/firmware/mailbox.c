// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Copies the host's input to its output, upside down byte by byte, through a buffer in cached
// memory. The host moves bytes past the cache. Between two blocks it asks the host to keep the
// state.

#include "host.h"
#include "test.h"

enum { CommandSave = 4 };

int main(void) {
  static uint8_t buffer[1000];
  uint8_t key;
  CHECK(cry_host_params(&key, 1) == 1);
  forget_cached();
  size_t got;
  uint32_t saves = 0;
  while ((got = cry_host_read(buffer, sizeof buffer)) != 0) {
    forget_cached();
    for (size_t i = 0; i < got; i++)
      buffer[i] ^= key;
    fence();
    cry_host_write(buffer, got);
    MCU_REG(HOST.CMD) = CommandSave;
    saves += MCU_REG(HOST.RESULT);
  }
  return (int)saves;
}
