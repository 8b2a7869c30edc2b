// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_pka.h"

#include <string.h>

#include "wipe.h"

enum { Number = 32, Uncompressed = 4, Hash = 64 };
enum { HalfOfSeed, Nonce, Challenge };  // hashes of Ed25519

// An engine of a curve of SP 800-186, 3.2.1: its opcode, bytes of a number, zeros that stand in
// front of one for the engine, whether a job says how many its key has, and modes.
typedef struct {
  uint8_t opcode;
  uint8_t number;
  uint8_t zeros;
  bool says_key;
  uint8_t ecdh, sign, verify, public_key, generate;
} curve_t;

static const curve_t kP256 = {.opcode = TilePka,
                              .number = 32,
                              .ecdh = TilePkaP256Ecdh,
                              .sign = TilePkaP256Sign,
                              .verify = TilePkaP256Verify,
                              .public_key = TilePkaP256Public,
                              .generate = TilePkaP256Keygen};
static const curve_t kP384 = {.opcode = TilePka384,
                              .number = 48,
                              .says_key = true,
                              .ecdh = TilePka384P384Ecdh,
                              .sign = TilePka384P384Sign,
                              .verify = TilePka384P384Verify,
                              .public_key = TilePka384P384Public,
                              .generate = TilePka384P384Keygen};
static const curve_t kP521 = {.opcode = TilePka521,
                              .number = 66,
                              .zeros = 14,
                              .says_key = true,
                              .ecdh = TilePka521P521Ecdh,
                              .sign = TilePka521P521Sign,
                              .verify = TilePka521P521Verify,
                              .public_key = TilePka521P521Public,
                              .generate = TilePka521P521Keygen};

// Bytes of a number as the engine has it.
static uint32_t room_of(const curve_t *on) {
  return (uint32_t)on->zeros + on->number;
}

// Numbers for the engine; returns their bytes.
static uint32_t put(const curve_t *on, uint8_t *to, const uint8_t *numbers, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    memset(to + i * room_of(on), 0, on->zeros);
    memcpy(to + i * room_of(on) + on->zeros, numbers + i * on->number, on->number);
  }
  return count * room_of(on);
}

void cry_tile_pka_use(tile_pka_t *pka, tile_ring_t *ring, uint32_t limit) {
  memset(pka, 0, sizeof(*pka));
  pka->ring = ring;
  pka->limit = limit;
}

// Where a job leaves a key; null: nowhere.
typedef struct {
  unsigned slot;
  const tile_slot_use_t *use;
} target_t;

// Runs a job of the curve's engine, of `message`, of which `len` bytes are there, for `result`; of
// a key for `target` that is what is left. The job says that the key has `key_bytes`, if not 0.
static cryptile_status_t run_saying(tile_pka_t *pka, const curve_t *on, unsigned mode,
                                    const tile_private_t *key, uint8_t key_bytes, uint32_t len,
                                    const target_t *target) {
  tile_job_t job = {.opcode = on->opcode,
                    .mode = (uint8_t)mode,
                    .key_bytes = key_bytes,
                    .slot = TileNoSlot,
                    .unwrap_slot = TileNoSlot,
                    .src = tile_address(pka->message),
                    .len = len,
                    .tag = tile_address(pka->result)};
  if (key != NULL && key->bytes != NULL) {
    put(on, pka->key, key->bytes, 1);
    job.key = tile_address(pka->key);
  } else if (key != NULL) {
    job.slot = key->slot;
    job.generation = key->generation;
  }
  if (target != NULL) {
    if (target->slot >= TileAnySlot) {
      return CRYPTILE_ERR_PARAM;
    }
    job.unwrap_slot = (int16_t)target->slot;
    const cryptile_status_t status = cry_tile_wrapped_as(target->use, TileAnySlot, job.iv);
    if (status != CRYPTILE_OK) {
      return status;
    }
  }
  return cry_tile_run(pka->ring, &job, pka->limit);
}

// The same of one of NIST's curves.
static cryptile_status_t run_on(tile_pka_t *pka, const curve_t *on, unsigned mode,
                                const tile_private_t *key, uint32_t len, const target_t *target) {
  const uint8_t key_bytes = key != NULL && on->says_key ? (uint8_t)room_of(on) : 0;
  return run_saying(pka, on, mode, key, key_bytes, len, target);
}

// The same of a curve of RFC 7748 or RFC 8032, whose engine P-256's is, for memory.
static cryptile_status_t run(tile_pka_t *pka, unsigned mode, const tile_private_t *key,
                             uint32_t len) {
  return run_on(pka, &kP256, mode, key, len, NULL);
}

// Hands out bytes of the result, or zeros, and forgets all that was secret.
static cryptile_status_t finish(tile_pka_t *pka, cryptile_status_t status, uint8_t *to, size_t from,
                                size_t len) {
  if (status == CRYPTILE_OK) {
    memcpy(to, pka->result + from, len);
  } else {
    memset(to, 0, len);
  }
  return status;
}

static cryptile_status_t forget(tile_pka_t *pka, cryptile_status_t status) {
  wipe(pka->message, sizeof(pka->message));
  wipe(pka->result, sizeof(pka->result));
  wipe(pka->key, sizeof(pka->key));
  wipe(pka->hash, sizeof(pka->hash));
  return status;
}

// Of a verification, for `len` bytes of the result from `from` on, which must be those of the
// signature: that is checked in the engine, too, and here once more, as an upset may have ended its
// program early. A signature that is not right is refused as a bad key is: what is public has no
// other error.
static cryptile_status_t verdict(const tile_pka_t *pka, cryptile_status_t status, size_t from,
                                 const uint8_t *signature, size_t len) {
  if (status == CRYPTILE_OK && memcmp(pka->result + from, signature, len) != 0) {
    return CRYPTILE_ERR_FAULT;
  }
  return status == CRYPTILE_ERR_KEY ? CRYPTILE_ERR_AUTH : status;
}

cryptile_status_t cry_tile_x25519(tile_pka_t *pka, const tile_private_t *key,
                                  const uint8_t peer_key[32], uint8_t secret[32]) {
  memcpy(pka->message, peer_key, Number);
  const cryptile_status_t status = run(pka, TilePkaX25519, key, Number);
  return forget(pka, finish(pka, status, secret, 0, Number));
}

cryptile_status_t cry_tile_x25519_to_slot(tile_pka_t *pka, const tile_private_t *key,
                                          const uint8_t peer_key[32], unsigned slot,
                                          const tile_slot_use_t *use) {
  const target_t target = {.slot = slot, .use = use};
  memcpy(pka->message, peer_key, Number);
  return forget(pka, run_on(pka, &kP256, TilePkaX25519, key, Number, &target));
}

cryptile_status_t cry_tile_x25519_generate(tile_pka_t *pka, uint8_t private_key[32],
                                           uint8_t public_key[32]) {
  cryptile_status_t status = run(pka, TilePkaX25519Keygen, NULL, 0);
  status = finish(pka, status, private_key, 0, Number);
  return forget(pka, finish(pka, status, public_key, Number, Number));
}

// A key of a curve of RFC 7748 or RFC 8032, by one of the modes.
static cryptile_status_t generate25519_in_slot(tile_pka_t *pka, unsigned mode, unsigned slot,
                                               const tile_slot_use_t *use, uint8_t *public_key) {
  const target_t target = {.slot = slot, .use = use};
  const cryptile_status_t status = run_on(pka, &kP256, mode, NULL, 0, &target);
  return forget(pka, finish(pka, status, public_key, 0, Number));
}

cryptile_status_t cry_tile_end_key(tile_pka_t *pka, unsigned slot) {
  static const tile_slot_use_t kNone = {.opcode = TilePka, .key_len = Number, .encrypt = true};
  uint8_t public_key[Number];
  return generate25519_in_slot(pka, TilePkaX25519Keygen, slot, &kNone, public_key);
}

cryptile_status_t cry_tile_x25519_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                   const tile_slot_use_t *use,
                                                   uint8_t public_key[32]) {
  return generate25519_in_slot(pka, TilePkaX25519Keygen, slot, use, public_key);
}

// --- NIST's curves ------------------------------------------------------------------------------

// Hands out numbers of the result, from the one that `from` counts, or zeros.
static cryptile_status_t finish_numbers(tile_pka_t *pka, const curve_t *on,
                                        cryptile_status_t status, uint8_t *to, unsigned from,
                                        unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    status =
        finish(pka, status, to + i * on->number, (from + i) * room_of(on) + on->zeros, on->number);
  }
  return status;
}

static cryptile_status_t ecdh(tile_pka_t *pka, const curve_t *on, const tile_private_t *key,
                              const uint8_t *peer_key, const target_t *target) {
  if (peer_key[0] != Uncompressed) {
    return CRYPTILE_ERR_KEY;
  }
  const uint32_t len = put(on, pka->message, peer_key + 1, 2);
  return run_on(pka, on, on->ecdh, key, len, target);
}

static cryptile_status_t ecdh_to_memory(tile_pka_t *pka, const curve_t *on,
                                        const tile_private_t *key, const uint8_t *peer_key,
                                        uint8_t *secret) {
  return forget(pka, finish_numbers(pka, on, ecdh(pka, on, key, peer_key, NULL), secret, 0, 1));
}

static cryptile_status_t ecdh_to_slot(tile_pka_t *pka, const curve_t *on, const tile_private_t *key,
                                      const uint8_t *peer_key, unsigned slot,
                                      const tile_slot_use_t *use) {
  const target_t target = {.slot = slot, .use = use};
  return forget(pka, ecdh(pka, on, key, peer_key, &target));
}

// A public key with the byte that says how it is written.
static cryptile_status_t finish_point(tile_pka_t *pka, const curve_t *on, cryptile_status_t status,
                                      unsigned from, uint8_t *point) {
  point[0] = status == CRYPTILE_OK ? Uncompressed : 0;
  return finish_numbers(pka, on, status, point + 1, from, 2);
}

static cryptile_status_t public_key_of(tile_pka_t *pka, const curve_t *on,
                                       const tile_private_t *key, uint8_t *point) {
  const cryptile_status_t status = run_on(pka, on, on->public_key, key, 0, NULL);
  return forget(pka, finish_point(pka, on, status, 0, point));
}

static cryptile_status_t generate(tile_pka_t *pka, const curve_t *on, uint8_t *private_key,
                                  uint8_t *point) {
  cryptile_status_t status = run_on(pka, on, on->generate, NULL, 0, NULL);
  status = finish_numbers(pka, on, status, private_key, 0, 1);
  return forget(pka, finish_point(pka, on, status, 1, point));
}

static cryptile_status_t generate_in_slot(tile_pka_t *pka, const curve_t *on, unsigned slot,
                                          const tile_slot_use_t *use, uint8_t *point) {
  const target_t target = {.slot = slot, .use = use};
  const cryptile_status_t status = run_on(pka, on, on->generate, NULL, 0, &target);
  return forget(pka, finish_point(pka, on, status, 0, point));
}

static cryptile_status_t ecdsa_sign(tile_pka_t *pka, const curve_t *on, const tile_private_t *key,
                                    const uint8_t *digest, uint8_t *signature) {
  const uint32_t len = put(on, pka->message, digest, 1);
  const cryptile_status_t status = run_on(pka, on, on->sign, key, len, NULL);
  return forget(pka, finish_numbers(pka, on, status, signature, 0, 2));
}

static cryptile_status_t ecdsa_verify(tile_pka_t *pka, const curve_t *on, const uint8_t *point,
                                      const uint8_t *digest, const uint8_t *signature) {
  if (point[0] != Uncompressed) {
    return CRYPTILE_ERR_AUTH;
  }
  uint32_t len = put(on, pka->message, point + 1, 2);
  len += put(on, pka->message + len, digest, 1);
  len += put(on, pka->message + len, signature, 2);
  const cryptile_status_t status = run_on(pka, on, on->verify, NULL, len, NULL);
  return forget(pka, verdict(pka, status, on->zeros, signature, on->number));
}

cryptile_status_t cry_tile_p256_ecdh(tile_pka_t *pka, const tile_private_t *key,
                                     const uint8_t peer_key[65], uint8_t secret[32]) {
  return ecdh_to_memory(pka, &kP256, key, peer_key, secret);
}

cryptile_status_t cry_tile_p256_ecdh_to_slot(tile_pka_t *pka, const tile_private_t *key,
                                             const uint8_t peer_key[65], unsigned slot,
                                             const tile_slot_use_t *use) {
  return ecdh_to_slot(pka, &kP256, key, peer_key, slot, use);
}

cryptile_status_t cry_tile_p256_public_key(tile_pka_t *pka, const tile_private_t *key,
                                           uint8_t public_key[65]) {
  return public_key_of(pka, &kP256, key, public_key);
}

cryptile_status_t cry_tile_p256_generate(tile_pka_t *pka, uint8_t private_key[32],
                                         uint8_t public_key[65]) {
  return generate(pka, &kP256, private_key, public_key);
}

cryptile_status_t cry_tile_p256_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                 const tile_slot_use_t *use,
                                                 uint8_t public_key[65]) {
  return generate_in_slot(pka, &kP256, slot, use, public_key);
}

cryptile_status_t cry_tile_p256_sign(tile_pka_t *pka, const tile_private_t *key,
                                     const uint8_t digest[32], uint8_t signature[64]) {
  return ecdsa_sign(pka, &kP256, key, digest, signature);
}

cryptile_status_t cry_tile_p256_verify(tile_pka_t *pka, const uint8_t public_key[65],
                                       const uint8_t digest[32], const uint8_t signature[64]) {
  return ecdsa_verify(pka, &kP256, public_key, digest, signature);
}

cryptile_status_t cry_tile_p384_ecdh(tile_pka_t *pka, const tile_private_t *key,
                                     const uint8_t peer_key[97], uint8_t secret[48]) {
  return ecdh_to_memory(pka, &kP384, key, peer_key, secret);
}

cryptile_status_t cry_tile_p384_ecdh_to_slot(tile_pka_t *pka, const tile_private_t *key,
                                             const uint8_t peer_key[97], unsigned slot,
                                             const tile_slot_use_t *use) {
  return ecdh_to_slot(pka, &kP384, key, peer_key, slot, use);
}

cryptile_status_t cry_tile_p384_public_key(tile_pka_t *pka, const tile_private_t *key,
                                           uint8_t public_key[97]) {
  return public_key_of(pka, &kP384, key, public_key);
}

cryptile_status_t cry_tile_p384_generate(tile_pka_t *pka, uint8_t private_key[48],
                                         uint8_t public_key[97]) {
  return generate(pka, &kP384, private_key, public_key);
}

cryptile_status_t cry_tile_p384_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                 const tile_slot_use_t *use,
                                                 uint8_t public_key[97]) {
  return generate_in_slot(pka, &kP384, slot, use, public_key);
}

cryptile_status_t cry_tile_p384_sign(tile_pka_t *pka, const tile_private_t *key,
                                     const uint8_t digest[48], uint8_t signature[96]) {
  return ecdsa_sign(pka, &kP384, key, digest, signature);
}

cryptile_status_t cry_tile_p384_verify(tile_pka_t *pka, const uint8_t public_key[97],
                                       const uint8_t digest[48], const uint8_t signature[96]) {
  return ecdsa_verify(pka, &kP384, public_key, digest, signature);
}

cryptile_status_t cry_tile_p521_ecdh(tile_pka_t *pka, const tile_private_t *key,
                                     const uint8_t peer_key[133], uint8_t secret[66]) {
  return ecdh_to_memory(pka, &kP521, key, peer_key, secret);
}

cryptile_status_t cry_tile_p521_public_key(tile_pka_t *pka, const tile_private_t *key,
                                           uint8_t public_key[133]) {
  return public_key_of(pka, &kP521, key, public_key);
}

cryptile_status_t cry_tile_p521_generate(tile_pka_t *pka, uint8_t private_key[66],
                                         uint8_t public_key[133]) {
  return generate(pka, &kP521, private_key, public_key);
}

cryptile_status_t cry_tile_p521_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                 const tile_slot_use_t *use,
                                                 uint8_t public_key[133]) {
  return generate_in_slot(pka, &kP521, slot, use, public_key);
}

cryptile_status_t cry_tile_p521_sign(tile_pka_t *pka, const tile_private_t *key,
                                     const uint8_t digest[66], uint8_t signature[132]) {
  return ecdsa_sign(pka, &kP521, key, digest, signature);
}

cryptile_status_t cry_tile_p521_verify(tile_pka_t *pka, const uint8_t public_key[133],
                                       const uint8_t digest[66], const uint8_t signature[132]) {
  return ecdsa_verify(pka, &kP521, public_key, digest, signature);
}

// --- Ed25519 ------------------------------------------------------------------------------------

// SHA-512 of `head` bytes of `message`, and of what the caller signs.
static cryptile_status_t hash(tile_pka_t *pka, unsigned which, uint32_t head, const uint8_t *rest,
                              size_t len) {
  if (len > UINT32_MAX - sizeof(pka->message)) {
    return CRYPTILE_ERR_LENGTH;
  }
  pka->pieces[0] = (tile_piece_t){.address = tile_address(pka->message), .len = head};
  pka->pieces[1] = (tile_piece_t){.address = tile_address(len != 0 ? rest : pka->message),
                                  .len = (uint32_t)len,
                                  .flags = TilePieceLast};
  const tile_job_t job = {.opcode = TileSha2,
                          .mode = TileSha2Sha512,
                          .slot = TileNoSlot,
                          .unwrap_slot = TileNoSlot,
                          .src_list = true,
                          .src = tile_address(pka->pieces),
                          .len = head + (uint32_t)len,
                          .tag = tile_address(pka->hash[which])};
  return cry_tile_run(pka->ring, &job, pka->limit);
}

// The seed's hash, and the public key as the result.
static cryptile_status_t expand(tile_pka_t *pka, const uint8_t seed[32]) {
  memcpy(pka->message, seed, Number);
  cryptile_status_t status = hash(pka, HalfOfSeed, Number, NULL, 0);
  if (status == CRYPTILE_OK) {
    const tile_private_t half = {.bytes = pka->hash[HalfOfSeed], .slot = TileNoSlot};
    status = run(pka, TilePkaEd25519Public, &half, 0);
  }
  return status;
}

cryptile_status_t cry_tile_ed25519_public_key(tile_pka_t *pka, const uint8_t seed[32],
                                              uint8_t public_key[32]) {
  const cryptile_status_t status = expand(pka, seed);
  return forget(pka, finish(pka, status, public_key, 0, Number));
}

// The hash of R, A and the message; R and A stand in front of the room for messages.
static cryptile_status_t challenge(tile_pka_t *pka, const uint8_t *point, const uint8_t *public_key,
                                   const uint8_t *message, size_t len) {
  memcpy(pka->message, point, Number);
  memcpy(pka->message + Number, public_key, Number);
  return hash(pka, Challenge, 2 * Number, message, len);
}

static cryptile_status_t sign(tile_pka_t *pka, const uint8_t seed[32], const uint8_t *message,
                              size_t len) {
  uint8_t public_key[Number], point[Number];
  cryptile_status_t status = expand(pka, seed);
  if (status != CRYPTILE_OK) {
    return status;
  }
  memcpy(public_key, pka->result, Number);
  memcpy(pka->message, pka->hash[HalfOfSeed] + Number, Number);
  status = hash(pka, Nonce, Number, message, len);
  if (status != CRYPTILE_OK) {
    return status;
  }
  memcpy(pka->message, pka->hash[Nonce], Hash);
  status = run(pka, TilePkaEd25519Commit, NULL, Hash);
  if (status != CRYPTILE_OK) {
    return status;
  }
  memcpy(point, pka->result, Number);
  status = challenge(pka, point, public_key, message, len);
  if (status != CRYPTILE_OK) {
    return status;
  }
  memcpy(pka->message, pka->hash[HalfOfSeed], Number);
  memcpy(pka->message + Number, pka->hash[Nonce], Hash);
  memcpy(pka->message + Number + Hash, pka->hash[Challenge], Hash);
  memcpy(pka->message + Number + 2 * Hash, point, Number);
  return run(pka, TilePkaEd25519Sign, NULL, 2 * Number + 2 * Hash);
}

cryptile_status_t cry_tile_ed25519_sign(tile_pka_t *pka, const uint8_t seed[32],
                                        const uint8_t *message, size_t len, uint8_t signature[64]) {
  const cryptile_status_t status = sign(pka, seed, message, len);
  return forget(pka, finish(pka, status, signature, 0, 2 * Number));
}

cryptile_status_t cry_tile_ed25519_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                    const tile_slot_use_t *use,
                                                    uint8_t public_key[32]) {
  return generate25519_in_slot(pka, TilePkaEd25519Keygen, slot, use, public_key);
}

// The nonce stays with the key in `nonce_slot`, for one signature.
static cryptile_status_t sign_in_slot(tile_pka_t *pka, const tile_private_t *key,
                                      unsigned nonce_slot, const uint8_t public_key[32],
                                      const uint8_t *message, size_t len) {
  const tile_slot_use_t once = {.opcode = TilePka,
                                .modes = 1u << TilePkaEd25519SignOnce,
                                .key_len = 2 * Number,
                                .encrypt = true,
                                .counted = true,
                                .uses = 1};
  const target_t target = {.slot = nonce_slot, .use = &once};
  uint8_t point[Number];
  cryptile_status_t status = run_saying(pka, &kP256, TilePkaEd25519Nonce, key, Number, 0, &target);
  if (status != CRYPTILE_OK) {
    return status;
  }
  memcpy(point, pka->result, Number);
  status = challenge(pka, point, public_key, message, len);
  if (status != CRYPTILE_OK) {
    // Or who has the queue could have a signature of it later.
    const cryptile_status_t ended = cry_tile_end_key(pka, nonce_slot);
    return ended == CRYPTILE_OK ? status : ended;
  }
  memcpy(pka->message, pka->hash[Challenge], Hash);
  memcpy(pka->message + Hash, point, Number);
  const tile_private_t held = {.slot = (int16_t)nonce_slot};
  return run_saying(pka, &kP256, TilePkaEd25519SignOnce, &held, 2 * Number, Hash + Number, NULL);
}

cryptile_status_t cry_tile_ed25519_sign_in_slot(tile_pka_t *pka, const tile_private_t *key,
                                                unsigned nonce_slot, const uint8_t public_key[32],
                                                const uint8_t *message, size_t len,
                                                uint8_t signature[64]) {
  cryptile_status_t status = CRYPTILE_ERR_PARAM;
  if (key->bytes == NULL && (unsigned)key->slot != nonce_slot) {
    status = sign_in_slot(pka, key, nonce_slot, public_key, message, len);
  }
  return forget(pka, finish(pka, status, signature, 0, 2 * Number));
}

cryptile_status_t cry_tile_ed25519_verify(tile_pka_t *pka, const uint8_t public_key[32],
                                          const uint8_t *message, size_t len,
                                          const uint8_t signature[64]) {
  cryptile_status_t status = challenge(pka, signature, public_key, message, len);
  if (status == CRYPTILE_OK) {
    memcpy(pka->message, public_key, Number);
    memcpy(pka->message + Number, pka->hash[Challenge], Hash);
    memcpy(pka->message + Number + Hash, signature, 2 * Number);
    status = run(pka, TilePkaEd25519Verify, NULL, 3 * Number + Hash);
    status = verdict(pka, status, 0, signature, Number);
  }
  return forget(pka, status);
}
