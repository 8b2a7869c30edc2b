// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Parameter blob of the call program. Little-endian words; packed in Python by
// cryptile.bench.software.rtl_target.
#ifndef CRYPTILE_APPS_CALL_PARAMS_H
#define CRYPTILE_APPS_CALL_PARAMS_H

#include <stdint.h>

enum { CallMagic = 0x4c4c4143 };  // "CALL"
enum { CallMaxCalls = 256 };
enum { CallArenaBytes = 128 * 1024 };
enum { CallHeaderBytes = 12 };

typedef struct {
  uint32_t address;  // of the routine
  uint32_t args[8];  // a0 to a7
} call_t;

typedef struct {
  uint32_t magic;     // 0x00 CallMagic
  uint32_t count;     // 0x04 calls
  uint32_t data_len;  // 0x08 bytes of the arena that the input fills and the output gives back
  call_t calls[CallMaxCalls];
} call_params_t;

enum { CallExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_CALL_PARAMS_H
