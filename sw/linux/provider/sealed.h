// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ciphers with a sealed key (a token; the tile's manual, "Key slots"), which neither OpenSSL nor
// the kernel ever has: by the kernel's `paes` (AF_ALG). A process' own queue cannot take tokens:
// its KEY_MASK has no key that unwraps, as with that it could make keys for any queue.
#ifndef CRYPTILE_PROVIDER_SEALED_H
#define CRYPTILE_PROVIDER_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Most bytes of a token, of a mode's name, and of a message, whose pages fit into a job.
enum { SealedMost = 112, SealedMode = 8, SealedMessage = 1 << 16 };

// The members are private. All zero: there is no sealed key.
typedef struct {
  char mode[SealedMode];
  size_t len;
  uint8_t token[SealedMost];
  bool open;
  int file;
  pid_t owner;  // whose file it is: a child of fork() opens another
} sealed_t;

typedef enum { SealedDone, SealedRefused, SealedFailed } sealed_result_t;

// Keeps a token for a mode ("ctr") and length of key.
//
// Returns SealedDone; SealedRefused: it is none for that; SealedFailed: the kernel has no such
// algorithm now: no tile, or no wrapping key in it.
sealed_result_t sealed_set(sealed_t *sealed, const char *mode, size_t key_bytes,
                           const uint8_t *token, size_t len);

// Forgets it.
void sealed_drop(sealed_t *sealed);

// For a copy of a context: the same token, and a file of its own.
void sealed_copied(sealed_t *copy);

// Encrypts or decrypts `skip` bytes of zero, what comes of which is dropped, and behind them `len`
// bytes, SealedMessage in all at most. Input and output may overlap.
//
// Returns SealedDone; SealedRefused: the tile refuses the token, which is spoilt, of another tile,
// or not for this; SealedFailed: anything else. Unless it is SealedDone, `out` may be written.
sealed_result_t sealed_work(sealed_t *sealed, bool decrypt, const uint8_t *iv, size_t iv_len,
                            size_t skip, uint8_t *out, const uint8_t *in, size_t len);

#endif  // CRYPTILE_PROVIDER_SEALED_H
