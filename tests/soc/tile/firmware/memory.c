// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Accesses of every size, atomic operations, and the two places of memory.

#include <stddef.h>
#include <stdint.h>

#include "test.h"

static uint64_t words[64] __attribute__((aligned(64)));

static volatile uint64_t *uncached(const volatile void *cached) {
  return (volatile uint64_t *)((uintptr_t)cached + UNCACHED);
}

static void sizes(void) {
  volatile uint8_t *const bytes = (volatile uint8_t *)words;
  for (size_t i = 0; i < sizeof words; i++)
    bytes[i] = (uint8_t)(7 * i);
  *(volatile uint16_t *)(bytes + 10) = 0xabcd;
  *(volatile uint32_t *)(bytes + 20) = 0x12345678;
  fence();
  for (size_t i = 0; i < sizeof words; i++) {
    uint8_t want = (uint8_t)(7 * i);
    if (i / 2 == 5)
      want = i % 2 ? 0xab : 0xcd;
    if (i / 4 == 5)
      want = (uint8_t)(0x12345678 >> 8 * (i % 4));
    CHECK(bytes[i] == want);
    CHECK(((volatile uint8_t *)uncached(words))[i] == want);
  }
  // The second place, written in parts.
  volatile uint8_t *const other = (volatile uint8_t *)uncached(words + 32);
  other[3] = 0x55;
  *(volatile uint32_t *)(other + 8) = 0x89abcdef;
  fence();
  forget_cached();
  CHECK(bytes[256 + 3] == 0x55 && *(volatile uint32_t *)(bytes + 264) == 0x89abcdef);
}

#define AMO(op, size, pointer, operand)                       \
  ({                                                          \
    uint64_t old_;                                            \
    __asm__ volatile("amo" op "." size " %0, %2, (%1)"        \
                     : "=r"(old_)                             \
                     : "r"(pointer), "r"((uint64_t)(operand)) \
                     : "memory");                             \
    old_;                                                     \
  })

// Every operation on both sizes, on cached and uncached memory, with signs that matter.
static void atomics(volatile uint64_t *word) {
  const uint64_t a = 0x80000000fffffff0, b = 0x0000000700000012;
#define CASE(op, size, mask, low, result)                                       \
  do {                                                                          \
    const int high_ = !(low);                                                   \
    *word = a;                                                                  \
    const uint64_t operand_ = high_ ? b >> 32 : b;                              \
    const uint64_t old_ = high_ ? a >> 32 : a;                                  \
    const uint64_t got_ = AMO(op, size, (uintptr_t)word + 4 * high_, operand_); \
    CHECK((got_ & (mask)) == (old_ & (mask)));                                  \
    const uint64_t x = old_ & (mask), y = operand_ & (mask);                    \
    (void)x;                                                                    \
    (void)y;                                                                    \
    const uint64_t want_ = (result) & (mask);                                   \
    const uint64_t rest_ = a & ~((uint64_t)(mask) << 32 * high_);               \
    CHECK(*word == (want_ << 32 * high_ | rest_));                              \
  } while (0)
#define EVERY(op, result)                \
  CASE(op, "d", UINT64_MAX, 1, result);  \
  CASE(op, "w", 0xffffffffu, 1, result); \
  CASE(op, "w", 0xffffffffu, 0, result)
  EVERY("swap", y);
  EVERY("add", x + y);
  EVERY("and", x & y);
  EVERY("or", x | y);
  EVERY("xor", x ^ y);
  EVERY("minu", x < y ? x : y);
  EVERY("maxu", x < y ? y : x);
  // In each of these words the old value is negative.
  EVERY("min", x);
  EVERY("max", y);
}

static void reservations(void) {
  uint64_t old, failed;
  words[0] = 5;
  // Nothing between: the store is done.
  __asm__ volatile("lr.d %0, (%2)\n\tsc.d %1, %3, (%2)"
                   : "=&r"(old), "=&r"(failed)
                   : "r"(words), "r"(6L)
                   : "memory");
  CHECK(old == 5 && failed == 0 && words[0] == 6);
  // The reservation is used up.
  __asm__ volatile("sc.d %0, %2, (%1)" : "=&r"(failed) : "r"(words), "r"(7L) : "memory");
  CHECK(failed != 0 && words[0] == 6);
  // Another place.
  __asm__ volatile("lr.w %0, (%2)\n\tsc.w %1, %4, (%3)"
                   : "=&r"(old), "=&r"(failed)
                   : "r"(words), "r"(words + 4), "r"(7L)
                   : "memory");
  CHECK(failed != 0 && words[4] != 7);
  // An upper half.
  words[1] = 0x1111111122222222;
  __asm__ volatile("lr.w %0, (%2)\n\tsc.w %1, %3, (%2)"
                   : "=&r"(old), "=&r"(failed)
                   : "r"((char *)words + 12), "r"(7L)
                   : "memory");
  CHECK(old == 0x11111111 && failed == 0 && words[1] == 0x0000000722222222);
}

int main(void) {
  sizes();
  atomics(words + 8);
  atomics(uncached(words + 9));
  reservations();
  return 0;
}
