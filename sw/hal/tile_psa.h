// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile's public-key engines for PSA Crypto (cryptile/psa_engine.h): key agreement, signatures
// and public keys on P-256, P-384, P-521, X25519 and Ed25519, and verification by RSA, as
// tile_pka.h and tile_rsa.h have them.
//
//   static tile_pka_t pka;
//   static tile_rsa_t rsa;
//   status = cry_tile_open(&ring, &config);           // tile.h, with windows as said below
//   cry_tile_pka_use(&pka, &ring, limit);
//   cry_tile_rsa_use(&rsa, &ring, limit);
//   cryptile_psa_set_engine(cry_tile_psa_engine(&pka, &rsa));
//   cryptile_psa_set_random(cry_tile_random_source);  // tile_random.h
//   psa_sign_hash(...);
//
// What the tile was built without stays with the library: lengths of RSA but 2,048, 3,072 and 4,096
// bits, and all of an engine that is not there. What else fails, fails: without random bits, for
// instance, with PSA_ERROR_CORRUPTION_DETECTED, or the time being up, with
// PSA_ERROR_HARDWARE_FAILURE.
//
// Opaque keys, in key slots of the tile, which software never sees:
//
//   cry_tile_psa_hold(1u << 2 | 1u << 3, 4);
//   psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
//                            PSA_KEY_PERSISTENCE_VOLATILE,
//                            PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT));
//   psa_generate_key(&attributes, &key);
//
// They are of P-256, P-384, P-521, X25519 and Ed25519; others are PSA_ERROR_NOT_SUPPORTED. The tile
// lets one do what its PSA policy says, and nothing else: sign, or agree on secrets. An Ed25519
// signature is another one each time.
//
// The tile reads and writes `pka` and `rsa`, and reads private keys where the PSA layer has them,
// and the message of Ed25519: all of these must lie in windows of the queue.
#ifndef CRYPTILE_HAL_TILE_PSA_H
#define CRYPTILE_HAL_TILE_PSA_H

#include "cryptile/psa_engine.h"
#include "tile_pka.h"
#include "tile_rsa.h"

// Returns the tile's engine, which works through these from now on. Null: what goes through it
// stays with the library.
const cryptile_psa_engine_t *cry_tile_psa_engine(tile_pka_t *pka, tile_rsa_t *rsa);

// Opaque keys are made in `slots` (bit n: key slot n) from now on, and nonces of Ed25519 in
// `nonce_slot`, which is none of them; TileAnySlot: there is no Ed25519. All are in the `key_mask`
// of a queue that was opened with `make_keys`, nobody else uses them, and this runs where the page
// of the key slots can be reached. Keys that were made before keep their slots.
//
// psa_destroy_key() clears a slot, and of Ed25519 that of the nonces, too: who gives another one
// for them clears the one before. When the tile is sealed another key takes the place of the old
// one, which nobody knows and of which the tile gives the public key at most: that takes random
// bits, as to make one does.
void cry_tile_psa_hold(uint32_t slots, unsigned nonce_slot);

#endif  // CRYPTILE_HAL_TILE_PSA_H
