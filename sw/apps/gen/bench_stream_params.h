// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the bench_stream program.
#ifndef CRYPTILE_APPS_GEN_BENCH_STREAM_PARAMS_H
#define CRYPTILE_APPS_GEN_BENCH_STREAM_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { BenchStreamMagic = 0x4d525453 };  // "STRM"
enum { BenchStreamVersion = 1 };
enum { BenchStreamMaxCounts = 16 };
enum { BenchStreamMaxBytes = 4194304 };

// Of `paths`, a bit each.
enum {
  BenchStreamPoll = 1u << 0,
  BenchStreamSleep = 1u << 1,
  BenchStreamAsm = 1u << 2,
  BenchStreamC = 1u << 3,
  BenchStreamPaths = 4
};

// Of `algs`, a bit each: those of the engine that is built in, and of the library.
enum {
  BenchStreamChacha20 = 1u << 0,
  BenchStreamChacha20Poly1305 = 1u << 1,
  BenchStreamAes128Ctr = 1u << 2,
  BenchStreamCopy = 1u << 3,
  BenchStreamAlgs = 4
};

typedef struct {
  uint32_t magic;                        // 0x0 BenchStreamMagic
  uint32_t version;                      // 0x4 BenchStreamVersion
  uint32_t paths;                        // 0x8 bits
  uint32_t algs;                         // 0xc bits
  uint32_t count;                        // 0x10 sizes given, 1 to BenchStreamMaxCounts
  uint32_t bytes[BenchStreamMaxCounts];  // 0x14 each a multiple of 64, up to BenchStreamMaxBytes
} bench_stream_params_t;

static_assert(sizeof(bench_stream_params_t) == 0x54, "layout");

// Exit codes of the program's own.
enum { BenchStreamExitFailed = 1, BenchStreamExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_GEN_BENCH_STREAM_PARAMS_H
