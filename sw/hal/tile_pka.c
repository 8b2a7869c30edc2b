// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_pka.h"

#include <string.h>

#include "wipe.h"

enum { Number = 32, Uncompressed = 4, Hash = 64 };

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

// A number behind the zeros that stand in front of it for the engine.
static void put(const curve_t *on, uint8_t *to, const uint8_t *number) {
  memset(to, 0, on->zeros);
  memcpy(to + on->zeros, number, on->number);
}

// The bytes of a private key as the engine has them: where they are, unless zeros stand in front.
static const uint8_t *for_engine(tile_pka_t *pka, const curve_t *on, const uint8_t *key) {
  if (on->zeros == 0) {
    return key;
  }
  put(on, pka->key, key);
  return pka->key;
}

// Appends numbers to the message, at once if the engine has them as they are.
static void append(tile_pka_t *pka, const curve_t *on, const uint8_t *numbers, unsigned count) {
  uint8_t *to = pka->message + pka->len;
  pka->len += count * room_of(on);
  if (on->zeros == 0) {
    memcpy(to, numbers, count * on->number);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    put(on, to + i * room_of(on), numbers + i * on->number);
  }
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

// What a job reads and writes.
typedef struct {
  const uint8_t *from;
  uint32_t len;
  uint8_t *to;
} data_t;

// Runs a job of the curve's engine; of a key for `target` that is what is left of the result. The
// job says that the key has `key_bytes`, if not 0.
static cryptile_status_t run_saying(tile_pka_t *pka, const curve_t *on, unsigned mode,
                                    const tile_private_t *key, uint8_t key_bytes,
                                    const data_t *data, const target_t *target) {
  tile_job_t job = {.opcode = on->opcode,
                    .mode = (uint8_t)mode,
                    .key_bytes = key_bytes,
                    .slot = TileNoSlot,
                    .unwrap_slot = TileNoSlot,
                    .src = tile_address(data->from),
                    .len = data->len,
                    .tag = tile_address(data->to)};
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
  if (key != NULL && key->bytes != NULL) {
    job.key = tile_address(for_engine(pka, on, key->bytes));
  } else if (key != NULL) {
    job.slot = key->slot;
    job.generation = key->generation;
  }
  const cryptile_status_t status = cry_tile_run(pka->ring, &job, pka->limit);
  if (on->zeros != 0) {
    wipe(pka->key, sizeof(pka->key));
  }
  return status;
}

// The same, of the whole message, for the result. Numbers of RFC 7748 and RFC 8032 are as P-256's,
// whose engine is theirs.
static cryptile_status_t run_on(tile_pka_t *pka, const curve_t *on, unsigned mode,
                                const tile_private_t *key, const target_t *target) {
  const uint8_t key_bytes = key != NULL && on->says_key ? (uint8_t)room_of(on) : 0;
  const data_t data = {.from = pka->message, .len = pka->len, .to = pka->result};
  return run_saying(pka, on, mode, key, key_bytes, &data, target);
}

// Hands out numbers of the result, from the one that `from` counts, and zeroizes them there; or
// zeros. Told of their alignment the compiler zeroizes without a call.
static cryptile_status_t finish(tile_pka_t *pka, const curve_t *on, cryptile_status_t status,
                                uint8_t *to, unsigned from, unsigned count) {
  if (status != CRYPTILE_OK) {
    memset(to, 0, count * on->number);
    return status;
  }
  uint8_t *result = __builtin_assume_aligned(pka->result + from * room_of(on), 16);
  for (unsigned i = 0; i < count; i++) {
    memcpy(to + i * on->number, result + i * room_of(on) + on->zeros, on->number);
  }
  wipe(result, count * room_of(on));
  return CRYPTILE_OK;
}

// Forgets the message, and what a job that failed may have left of a result.
static cryptile_status_t forget(tile_pka_t *pka, cryptile_status_t status) {
  wipe(pka->message, pka->len);
  pka->len = 0;
  if (status != CRYPTILE_OK) {
    wipe(pka->result, sizeof(pka->result));
  }
  return status;
}

// Of a verification, for the number of the result, which must be that of the signature: that is
// checked in the engine, too, and here once more, as an upset may have ended its program early. A
// signature that is not right is refused as a bad key is: what is public has no other error.
static cryptile_status_t verdict(tile_pka_t *pka, const curve_t *on, cryptile_status_t status,
                                 const uint8_t *signature) {
  if (status == CRYPTILE_OK && memcmp(pka->result + on->zeros, signature, on->number) != 0) {
    status = CRYPTILE_ERR_FAULT;
  }
  wipe(pka->result, room_of(on));
  return status == CRYPTILE_ERR_KEY ? CRYPTILE_ERR_AUTH : status;
}

// --- X25519 -------------------------------------------------------------------------------------

cryptile_status_t cry_tile_x25519(tile_pka_t *pka, const tile_private_t *key,
                                  const uint8_t peer_key[32], uint8_t secret[32]) {
  append(pka, &kP256, peer_key, 1);
  const cryptile_status_t status = run_on(pka, &kP256, TilePkaX25519, key, NULL);
  return forget(pka, finish(pka, &kP256, status, secret, 0, 1));
}

cryptile_status_t cry_tile_x25519_to_slot(tile_pka_t *pka, const tile_private_t *key,
                                          const uint8_t peer_key[32], unsigned slot,
                                          const tile_slot_use_t *use) {
  const target_t target = {.slot = slot, .use = use};
  append(pka, &kP256, peer_key, 1);
  return forget(pka, run_on(pka, &kP256, TilePkaX25519, key, &target));
}

cryptile_status_t cry_tile_x25519_generate(tile_pka_t *pka, uint8_t private_key[32],
                                           uint8_t public_key[32]) {
  cryptile_status_t status = run_on(pka, &kP256, TilePkaX25519Keygen, NULL, NULL);
  status = finish(pka, &kP256, status, private_key, 0, 1);
  return forget(pka, finish(pka, &kP256, status, public_key, 1, 1));
}

// A key of a curve of RFC 7748 or RFC 8032, by one of the modes.
static cryptile_status_t generate25519_in_slot(tile_pka_t *pka, unsigned mode, unsigned slot,
                                               const tile_slot_use_t *use, uint8_t *public_key) {
  const target_t target = {.slot = slot, .use = use};
  const cryptile_status_t status = run_on(pka, &kP256, mode, NULL, &target);
  return forget(pka, finish(pka, &kP256, status, public_key, 0, 1));
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

static cryptile_status_t ecdh(tile_pka_t *pka, const curve_t *on, const tile_private_t *key,
                              const uint8_t *peer_key, const target_t *target) {
  if (peer_key[0] != Uncompressed) {
    return CRYPTILE_ERR_KEY;
  }
  append(pka, on, peer_key + 1, 2);
  return run_on(pka, on, on->ecdh, key, target);
}

static cryptile_status_t ecdh_to_memory(tile_pka_t *pka, const curve_t *on,
                                        const tile_private_t *key, const uint8_t *peer_key,
                                        uint8_t *secret) {
  return forget(pka, finish(pka, on, ecdh(pka, on, key, peer_key, NULL), secret, 0, 1));
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
  return finish(pka, on, status, point + 1, from, 2);
}

static cryptile_status_t public_key_of(tile_pka_t *pka, const curve_t *on,
                                       const tile_private_t *key, uint8_t *point) {
  const cryptile_status_t status = run_on(pka, on, on->public_key, key, NULL);
  return forget(pka, finish_point(pka, on, status, 0, point));
}

static cryptile_status_t generate(tile_pka_t *pka, const curve_t *on, uint8_t *private_key,
                                  uint8_t *point) {
  cryptile_status_t status = run_on(pka, on, on->generate, NULL, NULL);
  status = finish(pka, on, status, private_key, 0, 1);
  return forget(pka, finish_point(pka, on, status, 1, point));
}

static cryptile_status_t generate_in_slot(tile_pka_t *pka, const curve_t *on, unsigned slot,
                                          const tile_slot_use_t *use, uint8_t *point) {
  const target_t target = {.slot = slot, .use = use};
  const cryptile_status_t status = run_on(pka, on, on->generate, NULL, &target);
  return forget(pka, finish_point(pka, on, status, 0, point));
}

static cryptile_status_t ecdsa_sign(tile_pka_t *pka, const curve_t *on, const tile_private_t *key,
                                    const uint8_t *digest, uint8_t *signature) {
  append(pka, on, digest, 1);
  const cryptile_status_t status = run_on(pka, on, on->sign, key, NULL);
  return forget(pka, finish(pka, on, status, signature, 0, 2));
}

static cryptile_status_t ecdsa_verify(tile_pka_t *pka, const curve_t *on, const uint8_t *point,
                                      const uint8_t *digest, const uint8_t *signature) {
  if (point[0] != Uncompressed) {
    return CRYPTILE_ERR_AUTH;
  }
  append(pka, on, point + 1, 2);
  append(pka, on, digest, 1);
  append(pka, on, signature, 2);
  const cryptile_status_t status = run_on(pka, on, on->verify, NULL, NULL);
  return forget(pka, verdict(pka, on, status, signature));
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

// What a job reads and writes in the message: what jobs hand on is written where the next one reads
// it.
static data_t within(tile_pka_t *pka, size_t from, uint32_t len, size_t to) {
  return (data_t){.from = pka->message + from, .len = len, .to = pka->message + to};
}

static cryptile_status_t run_ed25519(tile_pka_t *pka, unsigned mode, const data_t *data) {
  return run_saying(pka, &kP256, mode, NULL, 0, data, NULL);
}

// SHA-512 of what `head` says, and of what the caller signs behind it.
static cryptile_status_t hash(tile_pka_t *pka, const data_t *head, const uint8_t *rest,
                              size_t len) {
  if (len > UINT32_MAX - sizeof(pka->message)) {
    return CRYPTILE_ERR_LENGTH;
  }
  pka->pieces[0] = (tile_piece_t){.address = tile_address(head->from), .len = head->len};
  pka->pieces[1] = (tile_piece_t){.address = tile_address(len != 0 ? rest : pka->message),
                                  .len = (uint32_t)len,
                                  .flags = TilePieceLast};
  const tile_job_t job = {.opcode = TileSha2,
                          .mode = TileSha2Sha512,
                          .slot = TileNoSlot,
                          .unwrap_slot = TileNoSlot,
                          .src_list = true,
                          .src = tile_address(pka->pieces),
                          .len = head->len + (uint32_t)len,
                          .tag = tile_address(head->to)};
  return cry_tile_run(pka->ring, &job, pka->limit);
}

// The hash of a seed to where the message begins, its first half a private key, and the public key.
static cryptile_status_t expand(tile_pka_t *pka, const uint8_t seed[32], uint8_t *public_key) {
  const data_t of_seed = within(pka, Number, Number, 0);
  const data_t of_key = {.from = pka->message, .to = public_key};
  const tile_private_t key = {.bytes = pka->message, .slot = TileNoSlot};
  memcpy(pka->message + Number, seed, Number);
  const cryptile_status_t status = hash(pka, &of_seed, NULL, 0);
  return status == CRYPTILE_OK
             ? run_saying(pka, &kP256, TilePkaEd25519Public, &key, 0, &of_key, NULL)
             : status;
}

cryptile_status_t cry_tile_ed25519_public_key(tile_pka_t *pka, const uint8_t seed[32],
                                              uint8_t public_key[32]) {
  pka->len = Hash;
  const cryptile_status_t status = expand(pka, seed, pka->result);
  return forget(pka, finish(pka, &kP256, status, public_key, 0, 1));
}

// The message is the engine's: private key, nonce, challenge and R; behind it A.
static cryptile_status_t sign(tile_pka_t *pka, const uint8_t seed[32], const uint8_t *message,
                              size_t len) {
  enum { Nonce = Number, Challenge = Nonce + Hash, R = Challenge + Hash, A = R + Number };
  const data_t of_nonce =
      within(pka, Nonce, Number, Nonce);  // of the other half of the seed's hash
  const data_t of_point = within(pka, Nonce, Hash, R);
  const data_t of_challenge = within(pka, R, 2 * Number, Challenge);
  const data_t of_signature = {.from = pka->message, .len = A, .to = pka->result};
  pka->len = A + Number;
  cryptile_status_t status = expand(pka, seed, pka->message + A);
  if (status == CRYPTILE_OK) {
    status = hash(pka, &of_nonce, message, len);
  }
  if (status == CRYPTILE_OK) {
    status = run_ed25519(pka, TilePkaEd25519Commit, &of_point);
  }
  if (status == CRYPTILE_OK) {
    status = hash(pka, &of_challenge, message, len);
  }
  return status == CRYPTILE_OK ? run_ed25519(pka, TilePkaEd25519Sign, &of_signature) : status;
}

cryptile_status_t cry_tile_ed25519_sign(tile_pka_t *pka, const uint8_t seed[32],
                                        const uint8_t *message, size_t len, uint8_t signature[64]) {
  const cryptile_status_t status = sign(pka, seed, message, len);
  return forget(pka, finish(pka, &kP256, status, signature, 0, 2));
}

cryptile_status_t cry_tile_ed25519_generate_in_slot(tile_pka_t *pka, unsigned slot,
                                                    const tile_slot_use_t *use,
                                                    uint8_t public_key[32]) {
  return generate25519_in_slot(pka, TilePkaEd25519Keygen, slot, use, public_key);
}

// The nonce stays with the key in `nonce_slot`, for one signature. The message is the engine's:
// challenge and R; behind it A.
static cryptile_status_t sign_in_slot(tile_pka_t *pka, const tile_private_t *key,
                                      unsigned nonce_slot, const uint8_t public_key[32],
                                      const uint8_t *message, size_t len) {
  enum { R = Hash, A = R + Number };
  const tile_slot_use_t once = {.opcode = TilePka,
                                .modes = 1u << TilePkaEd25519SignOnce,
                                .key_len = 2 * Number,
                                .encrypt = true,
                                .counted = true,
                                .uses = 1};
  const target_t target = {.slot = nonce_slot, .use = &once};
  const tile_private_t held = {.slot = (int16_t)nonce_slot};
  const data_t of_point = within(pka, 0, 0, R);
  const data_t of_challenge = within(pka, R, 2 * Number, 0);
  const data_t of_signature = {.from = pka->message, .len = A, .to = pka->result};
  memcpy(pka->message + A, public_key, Number);
  pka->len = A + Number;
  cryptile_status_t status =
      run_saying(pka, &kP256, TilePkaEd25519Nonce, key, Number, &of_point, &target);
  if (status != CRYPTILE_OK) {
    return status;
  }
  status = hash(pka, &of_challenge, message, len);
  if (status != CRYPTILE_OK) {
    // Or who has the queue could have a signature of it later.
    status = forget(pka, status);
    const cryptile_status_t ended = cry_tile_end_key(pka, nonce_slot);
    return ended == CRYPTILE_OK ? status : ended;
  }
  return run_saying(pka, &kP256, TilePkaEd25519SignOnce, &held, 2 * Number, &of_signature, NULL);
}

cryptile_status_t cry_tile_ed25519_sign_in_slot(tile_pka_t *pka, const tile_private_t *key,
                                                unsigned nonce_slot, const uint8_t public_key[32],
                                                const uint8_t *message, size_t len,
                                                uint8_t signature[64]) {
  cryptile_status_t status = CRYPTILE_ERR_PARAM;
  if (key->bytes == NULL && (unsigned)key->slot != nonce_slot) {
    status = sign_in_slot(pka, key, nonce_slot, public_key, message, len);
  }
  return forget(pka, finish(pka, &kP256, status, signature, 0, 2));
}

// The message: R, then the engine's: A, challenge and signature.
cryptile_status_t cry_tile_ed25519_verify(tile_pka_t *pka, const uint8_t public_key[32],
                                          const uint8_t *message, size_t len,
                                          const uint8_t signature[64]) {
  enum { A = Number, Challenge = A + Number, Signature = Challenge + Hash };
  const data_t of_challenge = within(pka, 0, 2 * Number, Challenge);
  const data_t of_point = {.from = pka->message + A, .len = 3 * Number + Hash, .to = pka->result};
  memcpy(pka->message, signature, Number);
  memcpy(pka->message + A, public_key, Number);
  memcpy(pka->message + Signature, signature, 2 * Number);
  pka->len = Signature + 2 * Number;
  cryptile_status_t status = hash(pka, &of_challenge, message, len);
  if (status == CRYPTILE_OK) {
    status = run_ed25519(pka, TilePkaEd25519Verify, &of_point);
    status = verdict(pka, &kP256, status, signature);
  }
  return forget(pka, status);
}
