// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Parameter blob of the crypt program. Little-endian words; packed in Python by
// cryptile.firmware_params. The host hands it over through its mailbox.
#ifndef CRYPTILE_APPS_CRYPT_PARAMS_H
#define CRYPTILE_APPS_CRYPT_PARAMS_H

#include <assert.h>
#include <stdint.h>

enum { CryptMagic = 0x50595243 };  // "CRYP"
enum { CryptVersion = 1 };

enum {
  CryptImplCompact = 0,
  CryptImplTable = 1,
  CryptImplEnginePoll = 2,
  CryptImplEngineSleep = 3,
  CryptImplBitsliced = 4
};

// A multiple of 16 bytes from 16 to this.
enum { CryptMaxChunk = 32768 };

typedef struct {
  uint32_t magic;      // 0x00 CryptMagic
  uint32_t version;    // 0x04 CryptVersion
  uint32_t impl;       // 0x08 CryptImpl...
  uint32_t mode;       // 0x0c cryptile_mode_t: 0 ECB, 1 CBC, 2 CTR
  uint32_t direction;  // 0x10 0 encrypt, 1 decrypt
  uint32_t padding;    // 0x14 0 none, 1 PKCS#7
  uint32_t key_len;    // 0x18 bytes: 16, 24, 32
  uint32_t chunk;      // 0x1c bytes moved at a time
  uint8_t key[32];     // 0x20 zeros behind a shorter key
  uint8_t iv[16];      // 0x40 ECB: ignored
} crypt_params_t;

static_assert(sizeof(crypt_params_t) == 0x50, "layout");

// The program's exit code: 0, or -cryptile_status_t (4: bad padding, 3: bad length, ...), or this:
// the blob makes no sense.
enum { CryptExitBadBlob = 32 };

#endif  // CRYPTILE_APPS_CRYPT_PARAMS_H
