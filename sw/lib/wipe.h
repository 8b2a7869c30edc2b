// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Zeroing that the compiler may not remove.
#ifndef CRYPTILE_LIB_WIPE_H
#define CRYPTILE_LIB_WIPE_H

#include <stddef.h>
#include <string.h>

static inline void wipe(void *memory, size_t len) {
  memset(memory, 0, len);
  // Claims to read the memory, so the memset above has a user.
  __asm__ volatile("" : : "r"(memory) : "memory");
}

#endif  // CRYPTILE_LIB_WIPE_H
