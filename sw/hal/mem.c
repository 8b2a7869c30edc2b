// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The four functions that the compiler may call by itself. Where both ends are aligned they work on
// the processor's words, those that write on four at a time. Else a 64-bit processor copies four
// bytes at a time, as public keys stand behind a byte; images for 32 bits are to be small.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uintptr_t __attribute__((may_alias)) word_t;

enum { Word = sizeof(word_t), Block = 4 * Word };

static inline bool aligned(uintptr_t address) {
  return address % Word == 0;
}

// Built with -fno-tree-loop-distribute-patterns, or the loops would become calls to themselves.

// Copies from the first byte on. Reads are ahead of writes, so `to` may begin before `from` and
// overlap it.
static inline void *forwards(void *to, const void *from, size_t len) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if (aligned((uintptr_t)d | (uintptr_t)s)) {
    word_t *dw = to;
    const word_t *sw = from;
    for (; len >= Block; len -= Block, dw += 4, sw += 4) {
      word_t w0 = sw[0], w1 = sw[1], w2 = sw[2], w3 = sw[3];
      dw[0] = w0;
      dw[1] = w1;
      dw[2] = w2;
      dw[3] = w3;
    }
    for (; len >= Word; len -= Word) {
      *dw++ = *sw++;
    }
    d = (uint8_t *)dw;
    s = (const uint8_t *)sw;
  }
  for (; Word == 8 && len >= 4; len -= 4, d += 4, s += 4) {
    uint8_t b0 = s[0], b1 = s[1], b2 = s[2], b3 = s[3];
    d[0] = b0;
    d[1] = b1;
    d[2] = b2;
    d[3] = b3;
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
  word_t word = (uint8_t)value * ((word_t)-1 / UINT8_MAX);  // in each byte
  if (aligned((uintptr_t)d)) {
    word_t *dw = to;
    for (; len >= Block; len -= Block, dw += 4) {
      dw[0] = dw[1] = dw[2] = dw[3] = word;
    }
    for (; len >= Word; len -= Word) {
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
  if (aligned((uintptr_t)x | (uintptr_t)y)) {
    const word_t *xw = a;
    const word_t *yw = b;
    for (; len >= Word && *xw == *yw; len -= Word) {
      xw++;
      yw++;
    }
    x = (const uint8_t *)xw;  // where they differ, by bytes
    y = (const uint8_t *)yw;
  }
  for (; len != 0; len--, x++, y++) {
    if (*x != *y) {
      return *x - *y;
    }
  }
  return 0;
}
