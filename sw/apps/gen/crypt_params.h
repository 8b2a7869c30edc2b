// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.
// Parameter blob of the crypt program, which the host hands over through its mailbox.
#ifndef CRYPTILE_APPS_GEN_CRYPT_PARAMS_H
#define CRYPTILE_APPS_GEN_CRYPT_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { CryptMagic = 0x50595243 };  // "CRYP"
enum { CryptVersion = 1 };
enum { CryptMaxChunk = 32768 };  // of bytes moved at a time

// Of `impl`.
enum {
  CryptImplCompact = 0,
  CryptImplTable = 1,
  CryptImplEnginePoll = 2,
  CryptImplEngineSleep = 3,
  CryptImplBitsliced = 4
};

typedef struct {
  uint32_t magic;      // 0x0 CryptMagic
  uint32_t version;    // 0x4 CryptVersion
  uint32_t impl;       // 0x8
  uint32_t mode;       // 0xc cryptile_cipher_mode_t
  uint32_t direction;  // 0x10 0 encrypt, 1 decrypt
  uint32_t padding;    // 0x14 0 none, 1 pkcs7
  uint32_t key_len;    // 0x18 bytes: 16, 24, 32
  uint32_t chunk;      // 0x1c bytes moved at a time: a multiple of 16, up to CryptMaxChunk
  uint8_t key[32];     // 0x20 zeros behind a shorter key
  uint8_t iv[16];      // 0x40 ECB: ignored
} crypt_params_t;

static_assert(sizeof(crypt_params_t) == 0x50, "layout");

// Exit codes of the program's own.
enum { CryptExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_GEN_CRYPT_PARAMS_H
