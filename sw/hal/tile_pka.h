// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Public-key algorithms by the tile: X25519 (RFC 7748), key agreement (SP 800-56A) and
// signatures (FIPS 186-5) on P-256, P-384 and P-521, Ed25519 (RFC 8032). Formats are those of the
// library (cryptile/p256.h, p384.h, p521.h, curve25519.h), so that either can take what the other
// has made. P-384 and P-521 have engines of their own, TilePka384 and TilePka521, all others
// TilePka.
//
//   static tile_pka_t pka;
//   cry_tile_pka_use(&pka, &ring, limit);
//   const tile_private_t key = {.slot = 3};
//   status = cry_tile_p256_sign(&pka, &key, digest, signature);
//
// What holds for every function of tile.h holds here. In addition, for every function but
// cry_tile_pka_use():
// - Each is one job or some, run by cry_tile_run(): the queue must be empty, the tile's random bit
//   generator must be running but for verification, and a job takes up to `limit` cycles.
// - Aliasing: outputs may overlap inputs in any way; they are written last. No buffer is handed to
//   the tile but `pka`, the key and the message of Ed25519: the queue's windows must reach these.
// - What was secret in `pka` is zeroized before a function returns. After CRYPTILE_ERR_TIMEOUT it
//   must be left alone until cry_tile_abort() returns CRYPTILE_OK.
// - Returns CRYPTILE_OK; CRYPTILE_ERR_KEY: an invalid private key, a key slot that refuses, or
//   a public key that is no point; CRYPTILE_ERR_FAULT: no random bits, or a check of the engine
//   failed; and as cry_tile_run(). The outputs are zeroized then.
#ifndef CRYPTILE_HAL_TILE_PKA_H
#define CRYPTILE_HAL_TILE_PKA_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"
#include "tile.h"

// A private key of 32 bytes, for P-384 of 48, for P-521 of 66: in memory, or in a key slot whose
// use has the mode.
typedef struct {
  const uint8_t *bytes;  // null: it is in the slot
  int16_t slot;
  uint8_t generation;  // of the slot's key; 0: any
} tile_private_t;

// A queue and room for what its jobs read and write. The members are private.
typedef struct {
  _Alignas(64) uint8_t message[400];
  _Alignas(64) uint8_t result[240];
  _Alignas(64) uint8_t key[80];  // with zeros in front, where the engine wants them
  _Alignas(16) tile_piece_t pieces[2];
  tile_ring_t *ring;
  uint32_t limit;
  uint32_t len;  // of the message that is there
} tile_pka_t;

// Takes the queue for all that follows. `limit`: cycles that a job may take, with its wait for
// random bits; the longest take 61,000 alone, those of P-384 218,000, those of P-521 636,000.
void cry_tile_pka_use(tile_pka_t *pka, tile_ring_t *ring, uint32_t limit);

// As cryptile_x25519(), with the coordinate `peer_key`; with 9 that is the public key.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_x25519(tile_pka_t *pka, const tile_private_t *key,
                                                      const uint8_t peer_key[32],
                                                      uint8_t secret[32]);

// Makes a key of X25519, of the engine's random bits. The private one is as they were drawn: who
// uses it sets the bits that RFC 7748, 5 says.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_x25519_generate(tile_pka_t *pka,
                                                               uint8_t private_key[32],
                                                               uint8_t public_key[32]);

// As cryptile_p256_ecdh().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_ecdh(tile_pka_t *pka, const tile_private_t *key,
                                                         const uint8_t peer_key[65],
                                                         uint8_t secret[32]);

// As cry_tile_x25519() and cry_tile_p256_ecdh(), but the secret goes into key slot `slot` of the
// queue and nowhere else, as a key for what `use` says: whole (`key_len` 32), for another engine,
// without `unwrap_only`. `key` is in a slot with `unwrap_only`. Whoever knows the other private key
// knows the secret, too. See "Keys that are made" in the tile's README.
//
// In addition: CRYPTILE_ERR_PARAM: no such use, or the key is not in a slot; CRYPTILE_ERR_KEY: also
// a slot that takes no key of the queue, or a queue that was opened without `make_keys`. The slot
// stays as it was.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_x25519_to_slot(tile_pka_t *pka,
                                                              const tile_private_t *key,
                                                              const uint8_t peer_key[32],
                                                              unsigned slot,
                                                              const tile_slot_use_t *use);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_ecdh_to_slot(tile_pka_t *pka,
                                                                 const tile_private_t *key,
                                                                 const uint8_t peer_key[65],
                                                                 unsigned slot,
                                                                 const tile_slot_use_t *use);

// Ends the key of slot `slot`: another one takes its place, which nobody knows and which may do
// nothing. For who can make keys and cannot clear slots: one at a queue, or of a sealed tile.
// Returns in addition as cry_tile_x25519_to_slot().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_end_key(tile_pka_t *pka, unsigned slot);

// Makes a key of X25519 in key slot `slot` of the queue, which nobody sees. `use` has `opcode`
// TilePka, `key_len` 32 and mode TilePkaX25519, with `unwrap_only` to agree on keys in slots alone.
// Returns in addition as cry_tile_x25519_to_slot().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_x25519_generate_in_slot(tile_pka_t *pka,
                                                                       unsigned slot,
                                                                       const tile_slot_use_t *use,
                                                                       uint8_t public_key[32]);

// As cryptile_p256_public_key().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_public_key(tile_pka_t *pka,
                                                               const tile_private_t *key,
                                                               uint8_t public_key[65]);

// Makes a key, of the engine's random bits.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_generate(tile_pka_t *pka,
                                                             uint8_t private_key[32],
                                                             uint8_t public_key[65]);

// Makes a key in key slot `slot` of the queue, which nobody sees, for what `use` says: modes of
// P-256 (`opcode` TilePka, `key_len` 32), with `unwrap_only` to agree on keys in slots alone.
// Returns in addition as cry_tile_x25519_to_slot().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                                     const tile_slot_use_t *use,
                                                                     uint8_t public_key[65]);

// Signs a hash, or the first 32 bytes of a longer one. The nonce is the engine's, a random one.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_sign(tile_pka_t *pka, const tile_private_t *key,
                                                         const uint8_t digest[32],
                                                         uint8_t signature[64]);

// Checks a signature. CRYPTILE_ERR_AUTH: it is not right, or the public key is no point;
// CRYPTILE_ERR_FAULT, too: it seemed right, but what the engine has computed is not its r.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p256_verify(tile_pka_t *pka,
                                                           const uint8_t public_key[65],
                                                           const uint8_t digest[32],
                                                           const uint8_t signature[64]);

// The same with P-384. A hash has 48 bytes, or the first 48 of it count; a secret in a slot has 48
// (`key_len`), as does a key that is made there (`opcode` TilePka384).
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_ecdh(tile_pka_t *pka, const tile_private_t *key,
                                                         const uint8_t peer_key[97],
                                                         uint8_t secret[48]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_ecdh_to_slot(tile_pka_t *pka,
                                                                 const tile_private_t *key,
                                                                 const uint8_t peer_key[97],
                                                                 unsigned slot,
                                                                 const tile_slot_use_t *use);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_public_key(tile_pka_t *pka,
                                                               const tile_private_t *key,
                                                               uint8_t public_key[97]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_generate(tile_pka_t *pka,
                                                             uint8_t private_key[48],
                                                             uint8_t public_key[97]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                                     const tile_slot_use_t *use,
                                                                     uint8_t public_key[97]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_sign(tile_pka_t *pka, const tile_private_t *key,
                                                         const uint8_t digest[48],
                                                         uint8_t signature[96]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p384_verify(tile_pka_t *pka,
                                                           const uint8_t public_key[97],
                                                           const uint8_t digest[48],
                                                           const uint8_t signature[96]);

// The same with P-521, but for secrets in slots, which no other engine has a use for: they have 80
// bytes there. A hash is a number of 66 bytes, with zeros in front of a shorter one; one of more
// than 521 bits is refused (CRYPTILE_ERR_KEY; CRYPTILE_ERR_AUTH by verification). A key that is
// made in a slot has `key_len` 80 and `opcode` TilePka521; one that is written there has 14 zeros
// in front.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p521_ecdh(tile_pka_t *pka, const tile_private_t *key,
                                                         const uint8_t peer_key[133],
                                                         uint8_t secret[66]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p521_public_key(tile_pka_t *pka,
                                                               const tile_private_t *key,
                                                               uint8_t public_key[133]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p521_generate(tile_pka_t *pka,
                                                             uint8_t private_key[66],
                                                             uint8_t public_key[133]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p521_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                                     const tile_slot_use_t *use,
                                                                     uint8_t public_key[133]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p521_sign(tile_pka_t *pka, const tile_private_t *key,
                                                         const uint8_t digest[66],
                                                         uint8_t signature[132]);
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_p521_verify(tile_pka_t *pka,
                                                           const uint8_t public_key[133],
                                                           const uint8_t digest[66],
                                                           const uint8_t signature[132]);

// As cryptile_ed25519_public(), of a seed in memory.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_ed25519_public_key(tile_pka_t *pka,
                                                                  const uint8_t seed[32],
                                                                  uint8_t public_key[32]);

// Signs a message with a seed in memory. The tile makes the hashes, too, and reads the message
// two times: it must stay as it is meanwhile, or the signatures of two messages under one nonce
// give the key away.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_ed25519_sign(tile_pka_t *pka, const uint8_t seed[32],
                                                            const uint8_t *message, size_t len,
                                                            uint8_t signature[64]);

// Makes an Ed25519 key in key slot `slot` of the queue, which nobody sees: of random bits, with no
// seed. `use` has `opcode` TilePka, `key_len` 32, and to sign mode TilePkaEd25519Nonce and
// `unwrap_only`, else TilePkaEd25519Public. Returns in addition as cry_tile_x25519_to_slot().
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_ed25519_generate_in_slot(tile_pka_t *pka,
                                                                        unsigned slot,
                                                                        const tile_slot_use_t *use,
                                                                        uint8_t public_key[32]);

// Signs a message with a key in a slot, which has `unwrap_only` and the mode TilePkaEd25519Nonce: a
// key of cry_tile_ed25519_generate_in_slot(), or the first 32 bytes of a seed's hash (RFC
// 8032, 5.1.5). The nonce is the engine's, a random one, so that each signature of a message is
// another one. It stays with the key in key slot `nonce_slot`, whose key it replaces, serves once,
// and is of no use behind that; who takes the key back ends what is in `nonce_slot`, too. If the
// message cannot be hashed cry_tile_end_key() ends the nonce; if that fails, its error is returned.
// `public_key` must be the key's, or the signature is not valid; it gives nothing away.
// Returns in addition as cry_tile_x25519_to_slot(), of `nonce_slot`, which is not the key's.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_ed25519_sign_in_slot(
    tile_pka_t *pka, const tile_private_t *key, unsigned nonce_slot, const uint8_t public_key[32],
    const uint8_t *message, size_t len, uint8_t signature[64]);

// Checks a signature, as RFC 8032 without the cofactor. CRYPTILE_ERR_AUTH: it is not right, or the
// public key is no point; CRYPTILE_ERR_FAULT, too: what the engine has computed is not its R.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_ed25519_verify(tile_pka_t *pka,
                                                              const uint8_t public_key[32],
                                                              const uint8_t *message, size_t len,
                                                              const uint8_t signature[64]);

#endif  // CRYPTILE_HAL_TILE_PKA_H
