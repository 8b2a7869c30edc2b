// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the crypt_stream program.
#ifndef CRYPTILE_APPS_GEN_CRYPT_STREAM_PARAMS_H
#define CRYPTILE_APPS_GEN_CRYPT_STREAM_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { CryptStreamMagic = 0x53595243 };  // "CRYS"
enum { CryptStreamVersion = 2 };
enum { CryptStreamMaxBytes = 4194304 };
enum { CryptStreamMaxAad = 64 };

typedef struct {
  uint32_t magic;                  // 0x0 CryptStreamMagic
  uint32_t version;                // 0x4 CryptStreamVersion
  uint32_t mode;                   // 0x8 of the engine
  uint32_t tag_bytes;              // 0xc 16, or 0 without a tag
  uint32_t decrypt;                // 0x10 0 encrypt, 1 decrypt
  uint32_t sleep;                  // 0x14 wait for the engine asleep
  uint32_t shift_in;               // 0x18 bytes, up to 63, by which the buffers are moved
  uint32_t shift_out;              // 0x1c
  uint32_t key_bytes;              // 0x20
  uint32_t key[8];                 // 0x24
  uint32_t iv[4];                  // 0x44 as the engine's mode takes it
  uint32_t aad_len;                // 0x54
  uint8_t aad[CryptStreamMaxAad];  // 0x58
} crypt_stream_params_t;

static_assert(sizeof(crypt_stream_params_t) == 0x98, "layout");

// Exit codes of the program's own.
enum { CryptStreamExitBadBlob = 32, CryptStreamExitTooLong = 33 };

#endif  // CRYPTILE_APPS_GEN_CRYPT_STREAM_PARAMS_H
