// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_table.h"

#include "aes/aes_bulk.h"
#include "aes/aes_modes.h"
#include "aes/aes_sbox.h"
#include "wipe/wiped.h"

// A column is a word, row 0 in bits 7:0. A table maps a byte of the state to what it adds to a
// column: S-box and matrix in one. One table per row avoids rotates, which RV32I lacks.
#define X2(a) (((a) << 1 ^ ((a) >> 7) * 0x11bu) & 0xffu)
#define X4(a) X2(X2(a))
#define X8(a) X2(X4(a))
#define WORD(a, b, c, d) \
  ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define X3(s)    (X2(s) ^ (s))
#define ENC_0(s) WORD(X2(s), s, s, X3(s)),
#define ENC_1(s) WORD(X3(s), X2(s), s, s),
#define ENC_2(s) WORD(s, X3(s), X2(s), s),
#define ENC_3(s) WORD(s, s, X3(s), X2(s)),
#define X9(s)    (X8(s) ^ (s))
#define X11(s)   (X8(s) ^ X2(s) ^ (s))
#define X13(s)   (X8(s) ^ X4(s) ^ (s))
#define X14(s)   (X8(s) ^ X4(s) ^ X2(s))
#define DEC_0(s) WORD(X14(s), X9(s), X13(s), X11(s)),
#define DEC_1(s) WORD(X11(s), X14(s), X9(s), X13(s)),
#define DEC_2(s) WORD(X13(s), X11(s), X14(s), X9(s)),
#define DEC_3(s) WORD(X9(s), X13(s), X11(s), X14(s)),
#define BYTE(s)  (s),

const uint32_t cry_aes_table_enc[4][256] = {
    {AES_SBOX_LIST(ENC_0)}, {AES_SBOX_LIST(ENC_1)}, {AES_SBOX_LIST(ENC_2)}, {AES_SBOX_LIST(ENC_3)}};
const uint32_t cry_aes_table_dec[4][256] = {{AES_INV_SBOX_LIST(DEC_0)},
                                            {AES_INV_SBOX_LIST(DEC_1)},
                                            {AES_INV_SBOX_LIST(DEC_2)},
                                            {AES_INV_SBOX_LIST(DEC_3)}};
static const uint8_t kSbox[256] = {AES_SBOX_LIST(BYTE)};
const uint8_t cry_aes_table_inv_sbox[256] = {AES_INV_SBOX_LIST(BYTE)};

static uint32_t load_word(const uint8_t *p) {
  return WORD(p[0], p[1], p[2], p[3]);
}

static void store_word(uint8_t *p, uint32_t w) {
  p[0] = (uint8_t)w;
  p[1] = (uint8_t)(w >> 8);
  p[2] = (uint8_t)(w >> 16);
  p[3] = (uint8_t)(w >> 24);
}

static uint32_t byte_of(uint32_t w, unsigned i) {
  return w >> 8 * i & 0xff;
}

static uint32_t substitute(uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                           const uint8_t sbox[256]) {
  return WORD(sbox[byte_of(a, 0)], sbox[byte_of(b, 1)], sbox[byte_of(c, 2)], sbox[byte_of(d, 3)]);
}

// table[byte i of w]. By byte offset, because scaling and extracting are then one shift and one
// mask.
static inline uint32_t look_up(const uint32_t table[256], uint32_t w, unsigned i) {
  uint32_t offset = (i == 0 ? w << 2 : w >> (8 * i - 2)) & 0x3fc;
  return *(const uint32_t *)((const uint8_t *)table + offset);
}

// What a full round makes of the four bytes that come together in one column.
static inline uint32_t transform(uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                                 const uint32_t table[4][256]) {
  return look_up(table[0], a, 0) ^ look_up(table[1], b, 1) ^ look_up(table[2], c, 2) ^
         look_up(table[3], d, 3);
}

void cry_aes_table_expand_key(uint32_t *round_keys, unsigned rounds, const uint8_t *key) {
  unsigned key_words = rounds - 6;
  unsigned end = 4 * (rounds + 1);
  uint32_t rcon = 1;
  for (unsigned i = 0; i < key_words; i++) {
    round_keys[i] = load_word(key + 4 * i);
  }
  for (unsigned i = key_words, phase = 0; i < end; i++) {
    uint32_t t = round_keys[i - 1];
    if (phase == 0) {
      t = t >> 8 | t << 24;
      t = substitute(t, t, t, t, kSbox) ^ rcon;
      rcon = X2(rcon);
    } else if (key_words == 8 && phase == 4) {
      t = substitute(t, t, t, t, kSbox);
    }
    round_keys[i] = round_keys[i - key_words] ^ t;
    phase = phase + 1 == key_words ? 0 : phase + 1;
  }
}

void cry_aes_table_invert_key(uint32_t *round_keys, unsigned rounds) {
  for (unsigned i = 4; i < 4 * rounds; i++) {
    // The decryption tables hold InvMixColumns of the inverse S-box: S-box first leaves
    // InvMixColumns.
    uint32_t w = round_keys[i];
    w = substitute(w, w, w, w, kSbox);
    round_keys[i] = transform(w, w, w, w, cry_aes_table_dec);
  }
}

void cry_aes_table_encrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                           uint8_t out[16]) {
  const uint32_t *k = round_keys;
  uint32_t a = load_word(in) ^ k[0];
  uint32_t b = load_word(in + 4) ^ k[1];
  uint32_t c = load_word(in + 8) ^ k[2];
  uint32_t d = load_word(in + 12) ^ k[3];
  for (unsigned round = 1; round < rounds; round++) {
    k += 4;
    uint32_t na = transform(a, b, c, d, cry_aes_table_enc) ^ k[0];
    uint32_t nb = transform(b, c, d, a, cry_aes_table_enc) ^ k[1];
    uint32_t nc = transform(c, d, a, b, cry_aes_table_enc) ^ k[2];
    uint32_t nd = transform(d, a, b, c, cry_aes_table_enc) ^ k[3];
    a = na;
    b = nb;
    c = nc;
    d = nd;
  }
  k += 4;
  store_word(out, substitute(a, b, c, d, kSbox) ^ k[0]);
  store_word(out + 4, substitute(b, c, d, a, kSbox) ^ k[1]);
  store_word(out + 8, substitute(c, d, a, b, kSbox) ^ k[2]);
  store_word(out + 12, substitute(d, a, b, c, kSbox) ^ k[3]);
}

void cry_aes_table_decrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                           uint8_t out[16]) {
  const uint32_t *k = round_keys + 4 * rounds;
  uint32_t a = load_word(in) ^ k[0];
  uint32_t b = load_word(in + 4) ^ k[1];
  uint32_t c = load_word(in + 8) ^ k[2];
  uint32_t d = load_word(in + 12) ^ k[3];
  for (unsigned round = 1; round < rounds; round++) {
    k -= 4;
    uint32_t na = transform(a, d, c, b, cry_aes_table_dec) ^ k[0];
    uint32_t nb = transform(b, a, d, c, cry_aes_table_dec) ^ k[1];
    uint32_t nc = transform(c, b, a, d, cry_aes_table_dec) ^ k[2];
    uint32_t nd = transform(d, c, b, a, cry_aes_table_dec) ^ k[3];
    a = na;
    b = nb;
    c = nc;
    d = nd;
  }
  k -= 4;
  store_word(out, substitute(a, d, c, b, cry_aes_table_inv_sbox) ^ k[0]);
  store_word(out + 4, substitute(b, a, d, c, cry_aes_table_inv_sbox) ^ k[1]);
  store_word(out + 8, substitute(c, b, a, d, cry_aes_table_inv_sbox) ^ k[2]);
  store_word(out + 12, substitute(d, c, b, a, cry_aes_table_inv_sbox) ^ k[3]);
}

static cryptile_status_t set_key(cryptile_cipher_ctx_t *ctx, const uint8_t *key) {
  cry_aes_table_expand_key(ctx->key, ctx->rounds, key);
  if (modes_block_direction(ctx) == CRYPTILE_DECRYPT) {
    cry_aes_table_invert_key(ctx->key, ctx->rounds);
  }
  return CRYPTILE_OK;
}

#if HAVE_CRY_AES_TABLE_ENCRYPT_ASM

static void encrypt(const void *keys, unsigned rounds, const void *in, void *out, size_t blocks) {
  cry_aes_table_encrypt_asm(keys, rounds, in, out, blocks);
}

static void decrypt(const void *keys, unsigned rounds, const void *in, void *out, size_t blocks) {
  cry_aes_table_decrypt_asm(keys, rounds, in, out, blocks);
}

static void ctr(const void *keys, unsigned rounds, uint32_t counter[4], const void *in, void *out,
                size_t blocks) {
  cry_aes_table_ctr_asm(keys, rounds, counter, in, out, blocks);
}

static cryptile_status_t process(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                 size_t len) {
  const aes_bulk_impl_t impl = {.blocks = 1, .encrypt = encrypt, .decrypt = decrypt, .ctr = ctr};
  cry_aes_bulk_process(ctx, &impl, in, out, len);
  return CRYPTILE_OK;
}

#else

static cryptile_status_t process(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                 size_t len) {
  block_fn_t block = modes_block_direction(ctx) == CRYPTILE_DECRYPT ? cry_aes_table_decrypt
                                                                    : cry_aes_table_encrypt;
  return cry_modes_process(ctx, block, in, out, len);
}

#endif

const cryptile_cipher_impl_t cryptile_aes_table = {
    .name = "table",
    .constant_time = false,
    .key_stack = STACK(64, 144),
    .stack = STACK(368, 256),
    .cbc_decrypt_stack = STACK(496, 256),
    .long_stack = STACK(368, 256),
    .set_key = set_key,
    .process = process,
};
