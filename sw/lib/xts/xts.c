// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/xts.h"

#include <stdbool.h>
#include <string.h>

#include "aes/aes.h"
#include "equal.h"
#include "overlap.h"
#include "wipe.h"
#include "wipe/wiped.h"
#include "xts/xts_text.h"

typedef struct {
  aes_key_t data_key;
  aes_key_t tweak_key;
  uint8_t direction;
  bool ready;
} state_t;

_Static_assert(sizeof(state_t) <= sizeof(cryptile_xts_ctx_t), "the context is too small");

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
  cry_xts_text(&s->data_key, (cryptile_direction_t)s->direction, current, in, out, len);
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
enum { KeyStack = STACK(176, 320), CryptStack = STACK(784, 1056) };
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
