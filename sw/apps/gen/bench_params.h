// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the bench program.
#ifndef CRYPTILE_APPS_GEN_BENCH_PARAMS_H
#define CRYPTILE_APPS_GEN_BENCH_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { BenchMagic = 0x434e4542 };  // "BENC"
enum { BenchVersion = 1 };
enum { BenchMaxCounts = 8 };
enum { BenchMaxBlocks = 2048 };

// Of `paths`, a bit each.
enum {
  BenchCompact = 1u << 0,
  BenchTable = 1u << 1,
  BenchEnginePoll = 1u << 2,
  BenchEngineSleep = 1u << 3,
  BenchBitsliced = 1u << 4,
  BenchPaths = 5
};

typedef struct {
  uint32_t magic;                   // 0x0 BenchMagic
  uint32_t version;                 // 0x4 BenchVersion
  uint32_t paths;                   // 0x8 bits
  uint32_t modes;                   // 0xc bit 0 ecb, bit 1 cbc, bit 2 ctr
  uint32_t directions;              // 0x10 bit 0 encrypt, bit 1 decrypt
  uint32_t key_lens;                // 0x14 bit 0 128, bit 1 192, bit 2 256
  uint32_t count;                   // 0x18 numbers of blocks given, 1 to BenchMaxCounts
  uint32_t blocks[BenchMaxCounts];  // 0x1c each 1 to BenchMaxBlocks
} bench_params_t;

static_assert(sizeof(bench_params_t) == 0x3c, "layout");

// Exit codes of the program's own.
enum { BenchExitFailed = 1, BenchExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_GEN_BENCH_PARAMS_H
