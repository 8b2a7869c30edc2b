// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A message of which a digest or a code is made: hash functions and MACs.
//
// Short messages wait in the context until their end, and are then computed in software. Longer
// ones go to the tile in whole blocks; what it has computed so far lies in the context. At least a
// byte is held back for the last part.
#ifndef CRYPTILE_PROVIDER_ABSORB_H
#define CRYPTILE_PROVIDER_ABSORB_H

#include "provider.h"

enum { AbsorbWaiting = 1024 };  // bytes that wait at most

typedef struct absorb absorb_t;

// What OpenSSL computes in place of the tile: one message, from its first byte on.
typedef struct {
  bool (*begin)(absorb_t *absorb);
  bool (*update)(absorb_t *absorb, const uint8_t *in, size_t len);
  bool (*final)(absorb_t *absorb, uint8_t *out, size_t len);
} absorb_software_t;

// First in a context. The first four are the owner's to set; the key lies elsewhere, and may be
// null. Without `tile` all is in software.
struct absorb {
  const provider_t *provider;
  const absorb_software_t *software;
  const tile_alg_t *tile;
  const uint8_t *key;
  size_t key_len;
  bool started;      // the tile has computed some of it
  bool in_software;  // OpenSSL computes all of it
  bool lost;         // some of it: there is no result until another one begins
  size_t fill;
  uint8_t state[TileContextBytes];
  uint8_t waiting[AbsorbWaiting];
};

// A new message; what was there of another is wiped. False: software was wanted, and fails.
bool absorb_begin(absorb_t *absorb);

// From here on OpenSSL computes it; false: the tile has begun with it, software fails, or it is
// lost.
bool absorb_to_software(absorb_t *absorb);

// Takes more of the message; false: it is lost, all of it.
bool absorb_update(absorb_t *absorb, const uint8_t *in, size_t len);

// Makes `len` bytes, the whole digest or code, and wipes the message; false: there is none.
bool absorb_final(absorb_t *absorb, uint8_t *out, size_t len);

#endif  // CRYPTILE_PROVIDER_ABSORB_H
