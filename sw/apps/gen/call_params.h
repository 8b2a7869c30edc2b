// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the call program, which calls routines of the library and measures them.
#ifndef CRYPTILE_APPS_GEN_CALL_PARAMS_H
#define CRYPTILE_APPS_GEN_CALL_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { CallMagic = 0x4c4c4143 };  // "CALL"
enum { CallVersion = 1 };
enum { CallMaxCalls = 256 };
enum { CallArenaBytes = 131072 };  // memory that the arguments of calls point into
enum { CallWords = 9 };

typedef struct {
  uint32_t magic;                           // 0x0 CallMagic
  uint32_t version;                         // 0x4 CallVersion
  uint32_t count;                           // 0x8 calls
  uint32_t data_len;                        // 0xc bytes of the arena that the input fills and the output gives back
  uint32_t calls[CallMaxCalls][CallWords];  // 0x10 each the address of the routine, then a0 to a7
} call_params_t;

static_assert(sizeof(call_params_t) == 0x2410, "layout");

// Exit codes of the program's own.
enum { CallExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_GEN_CALL_PARAMS_H
