// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// RSA's primitives (RFC 8017, 5) by the tile, of 2,048, 3,072 and 4,096 bits, on its engine
// TilePkaRsa. Padding is the caller's: what a signature or ciphertext is made of is a number below
// the modulus. Numbers are big-endian strings.
//
//   static tile_rsa_t rsa;
//   cry_tile_rsa_use(&rsa, &ring, limit);
//   status = cry_tile_rsa_private(&rsa, key, 256, number, result);
//
// A private key can lie in memory sealed, under a key in a slot: see cry_tile_rsa_private_sealed().
//
// What holds for every function of tile.h holds here. In addition, for every function but
// cry_tile_rsa_use():
// - Each is one job, run by cry_tile_run(): the queue must be empty, but for public operations the
//   tile's random bit generator must be running, and a job takes up to `limit` cycles.
// - Aliasing: outputs may overlap inputs in any way; they are written last. Alignment: any. No
//   buffer is handed to the tile but `rsa`, which is large: keep it off small stacks.
// - Constant time: cycles depend on `size` alone, on whether the exponent is 65537, and on whether
//   a sealed key is one. A refused job takes as long as another.
// - `rsa` is zeroized before a function returns, but for queue and limit. After
//   CRYPTILE_ERR_TIMEOUT it must be left alone until cry_tile_abort() returns CRYPTILE_OK.
// - Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH: `size` is not 256, 384 or 512, with nothing written;
//   CRYPTILE_ERR_KEY: the engine refuses key or number, or the tile the slot, see each;
//   CRYPTILE_ERR_FAULT: no random bits, or a check of the engine failed; and as cry_tile_run(). The
//   result is zeroized then.
#ifndef CRYPTILE_HAL_TILE_RSA_H
#define CRYPTILE_HAL_TILE_RSA_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"
#include "tile.h"

// Bytes of the longest modulus, and of a private key and a sealed one by those of its modulus.
enum { TileRsaMaxBytes = 512 };
#define TILE_RSA_KEY_BYTES(size)    ((size) / 2 * 7)
#define TILE_RSA_SEALED_BYTES(size) (TILE_RSA_KEY_BYTES(size) + 32)

// A queue and room for what its jobs read and write. The members are private.
typedef struct {
  _Alignas(64) uint8_t message[TILE_RSA_SEALED_BYTES(TileRsaMaxBytes) + TileRsaMaxBytes];
  _Alignas(64) uint8_t result[TILE_RSA_SEALED_BYTES(TileRsaMaxBytes)];
  tile_ring_t *ring;
  uint32_t limit;
} tile_rsa_t;

// Takes the queue for all that follows. `limit`: cycles that a job may take, with its wait for
// random bits; the longest, a private operation of 4,096 bits, takes 7,859,798 in the engine alone.
void cry_tile_rsa_use(tile_rsa_t *rsa, tile_ring_t *ring, uint32_t limit);

// number^d modulo the modulus, of `size` bytes as the number is. The key has
// TILE_RSA_KEY_BYTES(size) bytes: the modulus, then half as long p, q, d mod p - 1, d mod q - 1,
// 1 / q mod p. Its public exponent must be 65537: the engine checks the result by that. It lies in
// memory as it is: a queue with `no_clear_keys` has neither this nor cry_tile_rsa_seal().
//
// CRYPTILE_ERR_KEY: the modulus is even or has not all its bits, the number is not below it, the
// key is none, or 64 bytes of the result, from a multiple of 64 on, would be zeros.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_rsa_private(tile_rsa_t *rsa, const uint8_t *key,
                                                           size_t size, const uint8_t *number,
                                                           uint8_t *result);

// The same with a sealed key, of TILE_RSA_SEALED_BYTES(size) bytes, which cry_tile_rsa_seal() has
// made, or software (its format: rtl/engine/pka/README.md). The key is opened in the engine and
// does not leave it.
//
// The sealing key, of 16 bytes, is in key slot `slot`, whose use has `opcode` TilePkaRsa, `key_len`
// 16, `encrypt` and the modes that its queues may have: TilePkaRsaRsa2048Sealed and so on to use
// sealed keys, TilePkaRsaRsa2048Seal and so on to make them. Who may use one signs and decrypts
// what he likes.
//
// CRYPTILE_ERR_AUTH: it is no sealed key of this length, or sealed under another; CRYPTILE_ERR_KEY:
// as above, or the slot does not serve this.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_rsa_private_sealed(tile_rsa_t *rsa, unsigned slot,
                                                                  const uint8_t *sealed,
                                                                  size_t size,
                                                                  const uint8_t *number,
                                                                  uint8_t *result);

// Seals a private key under the key in `slot`: TILE_RSA_SEALED_BYTES(size) bytes, with a nonce of
// the engine's random bits. Whether the key is one shows when it is used.
//
// CRYPTILE_ERR_KEY: the slot does not serve this.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_rsa_seal(tile_rsa_t *rsa, unsigned slot,
                                                        const uint8_t *key, size_t size,
                                                        uint8_t *sealed);

// Makes a sealing key in key slot `slot` of the queue, which nobody sees, for the modes that `use`
// says (`opcode` TilePkaRsa, `key_len` 16): what it has sealed is lost when the slot is. See "Keys
// that are made" in the tile's README.
//
// CRYPTILE_ERR_PARAM: no such use; CRYPTILE_ERR_KEY: a slot that takes no key of the queue, or a
// queue that was opened without `make_keys`. The slot stays as it was.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_rsa_sealing_key(tile_rsa_t *rsa, unsigned slot,
                                                               const tile_slot_use_t *use);

// number^exponent modulo the modulus. 65537 is fastest: others take six to seven times as long.
//
// CRYPTILE_ERR_KEY: as above, but of the key; or the exponent is even or 1.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_rsa_public(tile_rsa_t *rsa, const uint8_t *modulus,
                                                          size_t size, uint64_t exponent,
                                                          const uint8_t *number, uint8_t *result);

#endif  // CRYPTILE_HAL_TILE_RSA_H
