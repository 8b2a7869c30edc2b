// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The four functions that the compiler may call by itself. Where both ends are aligned they work on
// 16 bytes at a time, then on words.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) word_t;

// Built with -fno-tree-loop-distribute-patterns, or the loops would become calls to themselves.

// Copies from the first byte on. Reads are ahead of writes, so `to` may begin before `from` and
// overlap it.
static inline void *forwards(void *to, const void *from, size_t len) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if ((((uintptr_t)d | (uintptr_t)s) & 3) == 0) {
    word_t *dw = to;
    const word_t *sw = from;
    for (; len >= 16; len -= 16, dw += 4, sw += 4) {
      word_t w0 = sw[0], w1 = sw[1], w2 = sw[2], w3 = sw[3];
      dw[0] = w0;
      dw[1] = w1;
      dw[2] = w2;
      dw[3] = w3;
    }
    for (; len >= 4; len -= 4) {
      *dw++ = *sw++;
    }
    d = (uint8_t *)dw;
    s = (const uint8_t *)sw;
  }
  while (len-- != 0) {
    *d++ = *s++;
  }
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t len) {
  return forwards(to, from, len);
}

void *memmove(void *to, const void *from, size_t len) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if ((uintptr_t)d - (uintptr_t)s >= len) {
    return forwards(to, from, len);  // not memcpy(), whose operands may not overlap
  }
  while (len-- != 0) {
    d[len] = s[len];
  }
  return to;
}

void *memset(void *to, int value, size_t len) {
  uint8_t *d = to;
  word_t word = (uint8_t)value * 0x01010101u;
  if (((uintptr_t)d & 3) == 0) {
    word_t *dw = to;
    for (; len >= 16; len -= 16, dw += 4) {
      dw[0] = dw[1] = dw[2] = dw[3] = word;
    }
    for (; len >= 4; len -= 4) {
      *dw++ = word;
    }
    d = (uint8_t *)dw;
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
