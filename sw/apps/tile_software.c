// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_software.h"

#include "cryptile.h"

// The hash function of a mode, or of its HMAC.
static const cryptile_hash_alg_t *hash_of(const tile_alg_t *alg) {
#define ROW(engine, mode, name) \
  case (engine) << 8 | (mode):  \
    return &cryptile_##name;
  switch (alg->opcode << 8 | alg->mode) {
    TILE_HASHES(ROW)
    default:
      return NULL;
  }
#undef ROW
}

bool tile_software_has(const tile_alg_t *alg) {
  switch (alg->family) {
    case TileEcb:
    case TileCbc:
    case TileCtr:
    case TileGcm:
    case TileCcm:
    case TileCmac:
    case TileXts:
    case TileAead:
    case TileAead16:
    case TileStream:
    case TileXof:
    case TileCxof:
      return true;
    case TileKmac:
      return alg->mode < 10;
    case TileHash:
    case TileHmac:
      return hash_of(alg) != NULL;
    default:
      return false;
  }
}

static cryptile_status_t cipher(const tile_alg_t *alg, const tile_message_t *m) {
  size_t got;
  const cryptile_cipher_params_t params = {
      .mode = (cryptile_cipher_mode_t)alg->mode, .key = m->key, .key_len = m->key_len, .iv = m->iv};
  return cryptile_cipher_crypt(CRYPTILE_FASTEST, &params, m->in, m->len, m->out, m->len, &got);
}

static cryptile_status_t aead(const cryptile_aead_alg_t *alg, const tile_message_t *m) {
  const cryptile_aead_params_t params = {
      .key = m->key, .key_len = m->key_len, .nonce = m->iv, .nonce_len = m->iv_len, .tag_len = 16};
  return cryptile_aead_encrypt(alg, &params, m->aad, m->aad_len, m->in, m->len, m->out, m->tag);
}

static cryptile_status_t kmac(const tile_alg_t *alg, const tile_message_t *m) {
  cryptile_kmac_ctx_t ctx;
  cryptile_status_t status =
      cryptile_kmac_init(&ctx, alg->mode % 2 == 0 ? CRYPTILE_XOF_128 : CRYPTILE_XOF_256, m->key,
                         m->key_len, m->aad, m->aad_len);
  if (status == CRYPTILE_OK) {
    status = cryptile_kmac_update(&ctx, m->in, m->len);
  }
  return status == CRYPTILE_OK ? cryptile_kmac_final(&ctx, m->tag, alg->tag_bytes) : status;
}

static cryptile_status_t xof(const tile_alg_t *alg, const tile_message_t *m) {
  if (alg->opcode == TileKeccak) {
    return cryptile_shake(alg->mode % 2 == 0 ? CRYPTILE_XOF_128 : CRYPTILE_XOF_256, m->in, m->len,
                          m->tag, alg->tag_bytes);
  }
  cryptile_ascon_xof_t ctx;
  cryptile_status_t status = alg->family == TileCxof
                                 ? cryptile_ascon_cxof128_init(&ctx, m->aad, m->aad_len)
                                 : cryptile_ascon_xof128_init(&ctx);
  if (status == CRYPTILE_OK) {
    status = cryptile_ascon_xof_absorb(&ctx, m->in, m->len);
  }
  return status == CRYPTILE_OK ? cryptile_ascon_xof_squeeze(&ctx, m->tag, alg->tag_bytes) : status;
}

// The IV is the block counter, little-endian, then the nonce.
static cryptile_status_t stream(const tile_message_t *m) {
  const uint32_t counter =
      m->iv[0] | (uint32_t)m->iv[1] << 8 | (uint32_t)m->iv[2] << 16 | (uint32_t)m->iv[3] << 24;
  return cryptile_chacha20(m->key, m->iv + 4, counter, m->in, m->out, m->len);
}

cryptile_status_t tile_software(const tile_alg_t *alg, const tile_message_t *m) {
  switch (alg->family) {
    case TileEcb:
    case TileCbc:
    case TileCtr:
      return cipher(alg, m);
    case TileGcm:
      return aead(&cryptile_aes_gcm, m);
    case TileCcm:
      return aead(&cryptile_aes_ccm, m);
    case TileCmac:
      return cryptile_cmac(m->key, m->key_len, m->in, m->len, m->tag, alg->tag_bytes);
    case TileXts:
      return cryptile_xts(CRYPTILE_ENCRYPT, m->key, m->key_len, m->iv, m->in, m->out, m->len);
    case TileAead:
      return aead(&cryptile_chacha20_poly1305, m);
    case TileStream:
      return stream(m);
    case TileAead16:
      return aead(&cryptile_ascon_aead128, m);
    case TileXof:
    case TileCxof:
      return xof(alg, m);
    case TileKmac:
      return kmac(alg, m);
    case TileHash:
      return cryptile_hash(hash_of(alg), m->in, m->len, m->tag);
    case TileHmac:
      return cryptile_hmac(hash_of(alg), m->key, m->key_len, m->in, m->len, m->tag, alg->tag_bytes);
    default:
      return CRYPTILE_ERR_SUPPORT;
  }
}
