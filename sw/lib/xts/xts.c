// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/xts.h"

#include <stdbool.h>
#include <string.h>

#include "aes/aes.h"
#include "bytes.h"
#include "equal.h"
#include "overlap.h"
#include "wipe.h"
#include "wipe/wiped.h"

enum { Block = 16, ChunkBlocks = 8 };

typedef struct {
  aes_key_t data_key;
  aes_key_t tweak_key;
  uint8_t direction;
  bool ready;
} state_t;

_Static_assert(sizeof(state_t) <= sizeof(cryptile_xts_ctx_t), "the context is too small");

// Blocks as words in the order of memory, aligned for the AES.
typedef union {
  uint64_t align;
  uint32_t words[4 * ChunkBlocks];
  uint8_t bytes[Block * ChunkBlocks];
} chunk_t;

static WORK cryptile_status_t init(cryptile_xts_ctx_t *ctx, cryptile_direction_t direction,
                                   const uint8_t *key, size_t key_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  state_t *s = (state_t *)ctx->state;
  s->ready = false;
  if (key == NULL || (key_len != 32 && key_len != 64) ||
      (direction != CRYPTILE_ENCRYPT && direction != CRYPTILE_DECRYPT)) {
    return CRYPTILE_ERR_PARAM;
  }
  const size_t half = key_len / 2;
  if (equal(key, key + half, half)) {
    return CRYPTILE_ERR_KEY;
  }
  cry_aes_set_key(&s->data_key, direction, key, (unsigned)half);
  cry_aes_set_key(&s->tweak_key, CRYPTILE_ENCRYPT, key + half, (unsigned)half);
  s->direction = (uint8_t)direction;
  s->ready = true;
  return CRYPTILE_OK;
}

// Multiplies by x in GF(2^128), bits in the order of IEEE 1619.
static void next_tweak(uint32_t next[4], const uint32_t tweak[4]) {
  const uint32_t reduction = 0x87 & (0 - (order32_le(tweak[3]) >> 31));
  uint32_t carry = 0;
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t word = order32_le(tweak[i]);
    next[i] = order32_le(word << 1 | carry);
    carry = word >> 31;
  }
  next[0] ^= order32_le(reduction);
}

static void add(chunk_t *text, const chunk_t *tweaks, size_t len) {
  for (size_t i = 0; i < len / 4; i++) {
    text->words[i] ^= tweaks->words[i];
  }
}

// Works on whole blocks and moves the tweak on.
static void whole_blocks(const state_t *s, uint32_t tweak[4], const uint8_t *in, uint8_t *out,
                         size_t len) {
  chunk_t tweaks, text;
  while (len != 0) {
    const size_t part = len < sizeof text ? len : sizeof text;
    for (size_t i = 0; i < part / 4; i += 4) {
      memcpy(tweaks.words + i, tweak, Block);
      next_tweak(tweak, tweak);
    }
    memcpy(text.bytes, in, part);
    add(&text, &tweaks, part);
    cry_aes_ecb(&s->data_key, (cryptile_direction_t)s->direction, text.bytes, text.bytes, part);
    add(&text, &tweaks, part);
    memcpy(out, text.bytes, part);
    in += part;
    out += part;
    len -= part;
  }
}

// Works on the last whole block and the `extra` bytes behind it (ciphertext stealing): on the
// block, then on those bytes with what the block gives beside them. Encryption takes the tweaks in
// order.
static void steal(const state_t *s, const uint32_t tweak[4], const uint8_t *in, uint8_t *out,
                  size_t extra) {
  uint32_t tweaks[2][4];
  uint8_t block[Block], behind[Block];
  const bool decrypts = s->direction == CRYPTILE_DECRYPT;
  memcpy(tweaks[decrypts], tweak, Block);
  next_tweak(tweaks[!decrypts], tweak);
  memcpy(behind, in + Block, extra);
  whole_blocks(s, tweaks[0], in, block, Block);
  memcpy(out + Block, block, extra);
  memcpy(block, behind, extra);
  whole_blocks(s, tweaks[1], block, out, Block);
}

static WORK cryptile_status_t crypt(const cryptile_xts_ctx_t *ctx, const uint8_t tweak[16],
                                    const uint8_t *in, uint8_t *out, size_t len) {
  if (ctx == NULL || tweak == NULL || in == NULL || out == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  const state_t *s = (const state_t *)ctx->state;
  if (!s->ready) {
    return CRYPTILE_ERR_STATE;
  }
  if (len < CRYPTILE_XTS_MIN_BYTES || len > CRYPTILE_XTS_MAX_BYTES) {
    return CRYPTILE_ERR_LENGTH;
  }
  uint32_t current[4];
  cry_aes_encrypt_block(&s->tweak_key, tweak, (uint8_t *)current);
  in = overlap_settle(in, out, len);
  const size_t extra = len % Block;
  const size_t whole = len - extra - (extra != 0 ? (size_t)Block : 0);
  whole_blocks(s, current, in, out, whole);
  if (extra != 0) {
    steal(s, current, in + whole, out + whole, extra);
  }
  return CRYPTILE_OK;
}

// The context is wiped with the stack.
static WORK cryptile_status_t whole_unit(cryptile_direction_t direction, const uint8_t *key,
                                         size_t key_len, const uint8_t tweak[16], const uint8_t *in,
                                         uint8_t *out, size_t len) {
  cryptile_xts_ctx_t ctx;
  cryptile_status_t status = init(&ctx, direction, key, key_len);
  return status == CRYPTILE_OK ? crypt(&ctx, tweak, in, out, len) : status;
}

void cryptile_xts_wipe(cryptile_xts_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

#if HAVE_CRY_AES_ZKN_CTR_ASM
enum { KeyStack = STACK(176, 320), CryptStack = STACK(736, 992) };
#else
enum { KeyStack = STACK(512, 896), CryptStack = STACK(880, 1536) };
#endif
enum { UnitStack = sizeof(cryptile_xts_ctx_t) + STACK(64, 112) };

cryptile_status_t cryptile_xts_init(cryptile_xts_ctx_t *ctx, cryptile_direction_t direction,
                                    const uint8_t *key, size_t key_len) {
  return WIPED(init(ctx, direction, key, key_len), KeyStack);
}

cryptile_status_t cryptile_xts_crypt(const cryptile_xts_ctx_t *ctx, const uint8_t tweak[16],
                                     const uint8_t *in, uint8_t *out, size_t len) {
  return WIPED(crypt(ctx, tweak, in, out, len), CryptStack);
}

cryptile_status_t cryptile_xts(cryptile_direction_t direction, const uint8_t *key, size_t key_len,
                               const uint8_t tweak[16], const uint8_t *in, uint8_t *out,
                               size_t len) {
  return WIPED(whole_unit(direction, key, key_len, tweak, in, out, len), UnitStack + CryptStack);
}
