// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "host.h"

#include "io.h"
#include "mcu.h"

enum { CommandRead = 1, CommandWrite = 2, CommandParams = 3 };

static size_t call(uint32_t command, uintptr_t buffer, size_t len) {
  MCU_REG(HOST.ARG0) = buffer;
  MCU_REG(HOST.ARG1) = len;
  io_write_barrier();
  MCU_REG(HOST.CMD) = command;
  size_t result = MCU_REG(HOST.RESULT);
  io_read_barrier();
  return result;
}

size_t cry_host_read(void *buffer, size_t len) {
  return call(CommandRead, (uintptr_t)buffer, len);
}

void cry_host_write(const void *buffer, size_t len) {
  (void)call(CommandWrite, (uintptr_t)buffer, len);
}

size_t cry_host_params(void *buffer, size_t len) {
  return call(CommandParams, (uintptr_t)buffer, len);
}
