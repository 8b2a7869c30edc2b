// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measures an engine behind DMA against software on the stream SoC, and prints records (record.h).
// What to measure is in the parameter blob, see gen/bench_stream_params.h.
//
// cycles: clock cycles of the system for one message, from the first instruction of the call to its
// return, key, nonce and descriptors included. Message and result lie in the memory behind AXI4. Up
// to 4096 bytes the engine's result is compared with the library's.
#include <string.h>

#include "axis_engine.h"
#include "chacha20/chacha20.h"
#include "cryptile/aead.h"
#include "cycles.h"
#include "gen/bench_stream_params.h"
#include "host.h"
#include "record.h"

typedef enum { PathPoll, PathSleep, PathAsm, PathC } path_t;
typedef enum { AlgChacha20, AlgAead, AlgAesCtr, AlgCopy } alg_t;

static uint8_t *const kSource = (uint8_t *)STREAM_MEM_BASE;
static uint8_t *const kResult = (uint8_t *)(STREAM_MEM_BASE + BenchStreamMaxBytes);
static uint8_t *const kExpected = (uint8_t *)(STREAM_MEM_BASE + 2 * BenchStreamMaxBytes);
static uint8_t *const kTag = (uint8_t *)(STREAM_MEM_BASE + 3 * BenchStreamMaxBytes);
enum { MaxCompared = 4096 };

static const uint32_t kKey[8] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
                                 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c};
static const uint32_t kNonce[3] = {0x09000000, 0x4a000000, 0x00000000};
static uint32_t overhead;  // of reading the clock twice
static bool failed;

static uint32_t elapsed(uint32_t start) {
  return soc_cycles() - start - overhead;
}

static axis_job_t job_of(alg_t alg, uint32_t len) {
  axis_job_t job = {.key = kKey, .key_bytes = 32, .src = kSource, .dst = kResult, .len = len};
  switch (alg) {
    case AlgChacha20:
      job.mode = ModeChaCha20Poly1305Chacha20;
      memcpy(&job.iv[1], kNonce, sizeof(kNonce));
      job.iv[0] = 1;
      break;
    case AlgAead:
      job.mode = ModeChaCha20Poly1305Chacha20Poly1305;
      memcpy(&job.iv[0], kNonce, sizeof(kNonce));
      job.tag = kTag;
      break;
    case AlgAesCtr:
      job.mode = 2;
      job.key_bytes = 16;
      memcpy(&job.iv[0], kNonce, sizeof(kNonce));
      break;
    default:
      job.key_bytes = 16;
      break;
  }
  return job;
}

static cryptile_status_t software(alg_t alg, path_t path, uint32_t len, uint8_t *out,
                                  uint8_t tag[16]) {
  if (alg == AlgAead) {
    const cryptile_aead_params_t params = {.key = (const uint8_t *)kKey,
                                           .key_len = 32,
                                           .nonce = (const uint8_t *)kNonce,
                                           .nonce_len = 12,
                                           .tag_len = 16};
    return cryptile_aead_encrypt(&cryptile_chacha20_poly1305, &params, NULL, 0, kSource, len, out,
                                 tag);
  }
  cryptile_chacha20_ctx_t stream;
  cry_chacha20_init(&stream, (const uint8_t *)kKey, (const uint8_t *)kNonce, 1);
  if (path == PathC) {
    cry_chacha20_blocks_c(stream.state, kSource, out, len / CHACHA20_BLOCK);
  } else {
    cry_chacha20_blocks(stream.state, kSource, out, len / CHACHA20_BLOCK);
  }
  return CRYPTILE_OK;
}

static void check(alg_t alg, uint32_t len) {
  uint8_t tag[16];
  const uint8_t *expected = kExpected;
  if (len > MaxCompared || alg == AlgAesCtr) {
    return;
  }
  if (alg == AlgCopy) {
    expected = kSource;
  } else if (software(alg, PathAsm, len, kExpected, tag) != CRYPTILE_OK) {
    failed = true;
  }
  if (memcmp(kResult, expected, len) != 0 || (alg == AlgAead && memcmp(kTag, tag, 16) != 0)) {
    failed = true;
    cry_console_text("wrong result\n");
  }
}

static void measure(alg_t alg, path_t path, uint32_t len) {
  static const char *const kAlgs[] = {"chacha20", "chacha20-poly1305", "aes-128-ctr", "copy"};
  static const char *const kPaths[] = {"poll", "sleep", "asm", "c"};
  uint8_t tag[16];
  cryptile_status_t status;
  // Twelve cycles a byte and more are the C routine's; a late engine is slower than any.
  const uint32_t kLimit = 100000 + 64 * len;
  uint32_t start = soc_cycles();
  if (path == PathAsm || path == PathC) {
    status = software(alg, path, len, kResult, tag);
  } else {
    axis_job_t job = job_of(alg, len);
    status = cry_axis_engine_start(&job);
    if (status == CRYPTILE_OK) {
      status = path == PathPoll ? cry_axis_engine_wait(kLimit) : cry_axis_engine_sleep(kLimit);
    }
  }
  uint32_t cycles = elapsed(start);
  if (status != CRYPTILE_OK) {
    failed = true;
    cry_console_text("status ");
    cry_console_decimal((uint32_t)-status);
    cry_console_text("\n");
  }
  record_begin("cycles");
  record_text("way", kPaths[path]);
  record_text("alg", kAlgs[alg]);
  record_number("bytes", len);
  record_end(cycles);
  if (path == PathPoll || path == PathSleep) {
    check(alg, len);
  }
}

static bool can(alg_t alg, path_t path) {
  if (path == PathC) {
    return alg == AlgChacha20;
  }
  if (path == PathAsm) {
    return alg == AlgChacha20 || alg == AlgAead;
  }
  uint32_t engine = (AXIS_REG(FEATURES) & AXIS__FEATURES__ENGINE_bm) >> AXIS__FEATURES__ENGINE_bp;
  static const uint8_t kEngine[] = {EngineChaCha20Poly1305, EngineChaCha20Poly1305, EngineAes,
                                    EngineCopy};
  return engine == kEngine[alg];
}

static bool valid(const bench_stream_params_t *params, size_t len) {
  if (len != sizeof(*params) || params->magic != BenchStreamMagic ||
      params->version != BenchStreamVersion || params->count == 0 ||
      params->count > BenchStreamMaxCounts) {
    return false;
  }
  for (uint32_t i = 0; i < params->count; i++) {
    if (params->bytes[i] % CHACHA20_BLOCK != 0 || params->bytes[i] > BenchStreamMaxBytes) {
      return false;
    }
  }
  return true;
}

int main(void) {
  static bench_stream_params_t params;
  if (!valid(&params, cry_host_params(&params, sizeof(params)))) {
    return BenchStreamExitBadBlob;
  }
  for (int i = 0; i < 2; i++) {
    overhead = 0;
    uint32_t start = soc_cycles();
    overhead = elapsed(start);
  }
  for (uint32_t i = 0; i < MaxCompared / 4; i++) {
    ((uint32_t *)kSource)[i] = i * 0x9e3779b9u;
  }
  for (unsigned alg = 0; alg < BenchStreamAlgs; alg++) {
    for (unsigned path = 0; path < BenchStreamPaths; path++) {
      for (uint32_t i = 0; i < params.count; i++) {
        if ((params.algs >> alg & 1) != 0 && (params.paths >> path & 1) != 0 &&
            can((alg_t)alg, (path_t)path)) {
          measure((alg_t)alg, (path_t)path, params.bytes[i]);
        }
      }
    }
  }
  return failed ? BenchStreamExitFailed : 0;
}
