// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/dispatch.h"

#include <stdbool.h>

enum {
  SYSTEM_CALL = 258,
  KEY_BASE_BEHAVIOR = 3,  // value: bit 0 says that I, M and A are as user space wants them
  KEY_IMA_EXT_0 = 4,      // value: a bit for each extension
};

// The builds that this program has, from src/cryptile/export/dispatch.py.
extern const size_t cryptile_dispatch_builds;
extern const uint64_t cryptile_dispatch_needs[];  // bits of KEY_IMA_EXT_0
extern const char *const cryptile_dispatch_names[];

// Eight times the number of the chosen build: where entry points find it in their tables.
size_t cryptile_dispatch_offset;

// Descriptors such as cryptile_sha256 are objects of the first build, to be overwritten with those
// of the chosen one. For each there is a record of words: its address, its size, and the address of
// its counterpart in each build. The linker gathers the records of what is linked.
enum { OBJECT, SIZE, SOURCES };
extern uintptr_t __start_cryptile_dispatch_objects[], __stop_cryptile_dispatch_objects[];

__attribute__((weak)) long cryptile_dispatch_hwprobe(cryptile_hwprobe_t *pairs, size_t count) {
  register cryptile_hwprobe_t *a0 __asm__("a0") = pairs;
  register size_t a1 __asm__("a1") = count;
  register size_t a2 __asm__("a2") = 0;  // no set of cores: all that are online
  register void *a3 __asm__("a3") = NULL;
  register unsigned long a4 __asm__("a4") = 0;
  register long a7 __asm__("a7") = SYSTEM_CALL;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
  return (long)a0;
}

// The extensions that all cores have, as far as is known.
static uint64_t extensions(void) {
  cryptile_hwprobe_t pairs[] = {{.key = KEY_BASE_BEHAVIOR}, {.key = KEY_IMA_EXT_0}};
  if (cryptile_dispatch_hwprobe(pairs, 2) != 0) {
    return 0;
  }
  bool known = pairs[0].key == KEY_BASE_BEHAVIOR && (pairs[0].value & 1) != 0 &&
               pairs[1].key == KEY_IMA_EXT_0;
  return known ? pairs[1].value : 0;
}

static void take_objects(size_t build) {
  uintptr_t *record = __start_cryptile_dispatch_objects;
  for (; record < __stop_cryptile_dispatch_objects; record += SOURCES + cryptile_dispatch_builds) {
    uint8_t *to = (uint8_t *)record[OBJECT];
    const uint8_t *from = (const uint8_t *)record[SOURCES + build];
    for (size_t n = 0; n < record[SIZE]; n++) {
      to[n] = from[n];
    }
  }
}

__attribute__((constructor(101))) void cryptile_dispatch_init(void) {
  uint64_t have = extensions();
  size_t chosen = 0;
  for (size_t n = 1; n < cryptile_dispatch_builds; n++) {
    if ((cryptile_dispatch_needs[n] & ~have) == 0) {
      chosen = n;
    }
  }
  if (chosen != 0) {
    take_objects(chosen);
    cryptile_dispatch_offset = sizeof(void *) * chosen;
  }
}

const char *cryptile_dispatch_name(void) {
  return cryptile_dispatch_names[cryptile_dispatch_offset / sizeof(void *)];
}
