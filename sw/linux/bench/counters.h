// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The core's own counters, as a process reads them, and what is told of many calls. Firmware and
// kernel must let processes read them, as those of the cycle-true system do.
#ifndef CRYPTILE_LINUX_BENCH_COUNTERS_H
#define CRYPTILE_LINUX_BENCH_COUNTERS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MostRounds = 256 };

typedef struct {
  uint64_t cycles, instructions;
} counters_t;

// Instructions first: what lies between two readings of it has one of the cycles.
static inline counters_t counters_now(void) {
  counters_t now;
  __asm__ volatile("rdinstret %0\n\trdcycle %1"
                   : "=r"(now.instructions), "=r"(now.cycles)
                   :
                   : "memory");
  return now;
}

static inline counters_t counters_since(counters_t begin) {
  counters_t now = counters_now();
  return (counters_t){now.cycles - begin.cycles, now.instructions - begin.instructions};
}

static int counters_compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// Prints the medians of `rounds` calls, each of which did `batch` jobs: in hundredths of one job's.
static inline void counters_tell(const char *path, const char *alg, size_t bytes, unsigned batch,
                                 const counters_t *of, unsigned rounds) {
  static uint64_t cycles[MostRounds], instructions[MostRounds];
  for (unsigned i = 0; i < rounds; i++) {
    cycles[i] = of[i].cycles;
    instructions[i] = of[i].instructions;
  }
  qsort(cycles, rounds, sizeof(cycles[0]), counters_compare);
  qsort(instructions, rounds, sizeof(instructions[0]), counters_compare);
  const struct {
    const char *metric;
    uint64_t median;
  } rows[] = {{"cycles", cycles[rounds / 2]}, {"instructions", instructions[rounds / 2]}};
  for (unsigned i = 0; i < 2; i++) {
    printf("R %s path=%s alg=%s bytes=%zu batch=%u %llu\n", rows[i].metric, path, alg, bytes, batch,
           (unsigned long long)(rows[i].median * 100 / batch));
  }
}

#endif  // CRYPTILE_LINUX_BENCH_COUNTERS_H
