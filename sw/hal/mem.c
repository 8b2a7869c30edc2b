// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The four functions that the compiler may call by itself. Word loops where both ends are aligned.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) word_t;

// Built with -fno-tree-loop-distribute-patterns, or the loops would become calls to themselves.

void *memcpy(void *restrict to, const void *restrict from, size_t len) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if ((((uintptr_t)d | (uintptr_t)s) & 3) == 0) {
    for (; len >= 4; len -= 4, d += 4, s += 4) {
      *(word_t *)d = *(const word_t *)s;
    }
  }
  while (len-- != 0) {
    *d++ = *s++;
  }
  return to;
}

void *memmove(void *to, const void *from, size_t len) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if ((uintptr_t)d - (uintptr_t)s >= len) {
    return memcpy(to, from, len);
  }
  while (len-- != 0) {
    d[len] = s[len];
  }
  return to;
}

void *memset(void *to, int value, size_t len) {
  uint8_t *d = to;
  uint32_t word = (uint8_t)value * 0x01010101u;
  if (((uintptr_t)d & 3) == 0) {
    for (; len >= 4; len -= 4, d += 4) {
      *(word_t *)d = word;
    }
  }
  while (len-- != 0) {
    *d++ = (uint8_t)value;
  }
  return to;
}

int memcmp(const void *a, const void *b, size_t len) {
  const uint8_t *x = a;
  const uint8_t *y = b;
  for (; len != 0; len--, x++, y++) {
    if (*x != *y) {
      return *x - *y;
    }
  }
  return 0;
}
