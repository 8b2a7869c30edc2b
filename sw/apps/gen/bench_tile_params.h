// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the bench_tile program.
#ifndef CRYPTILE_APPS_GEN_BENCH_TILE_PARAMS_H
#define CRYPTILE_APPS_GEN_BENCH_TILE_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { BenchTileMagic = 0x434e4254 };  // "TBNC"
enum { BenchTileVersion = 1 };
enum { BenchTileMaxAlgs = 64 };
enum { BenchTileMaxSizes = 16 };
enum { BenchTileMaxBytes = 4194304 };

// Of `ways`, a bit each.
enum {
  BenchTileSingle = 1u << 0,
  BenchTileQueued = 1u << 1,
  BenchTileSoftware = 1u << 2
};

typedef struct {
  uint32_t magic;                     // 0x0 BenchTileMagic
  uint32_t version;                   // 0x4 BenchTileVersion
  uint32_t ways;                      // 0x8 bits
  uint32_t alg_count;                 // 0xc
  uint32_t size_count;                // 0x10
  uint32_t sizes[BenchTileMaxSizes];  // 0x14 bytes, each up to BenchTileMaxBytes
  char algs[BenchTileMaxAlgs][24];    // 0x54 as cry_tile_alg() knows them
} bench_tile_params_t;

static_assert(sizeof(bench_tile_params_t) == 0x654, "layout");

// Exit codes of the program's own.
enum { BenchTileExitFailed = 1, BenchTileExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_GEN_BENCH_TILE_PARAMS_H
