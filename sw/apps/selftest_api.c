// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "selftest.h"
#include "selftest_vectors.h"

enum { MessageLen = sizeof(kPlain), GuardLen = 8, MaxShift = 4, Guard = 0xa5 };

static uint8_t area[MessageLen + 2 * CRYPTILE_BLOCK_SIZE + MaxShift + 2 * GuardLen];
static uint8_t unaligned[MessageLen + MaxShift];

static cryptile_cipher_params_t params_of(unsigned mode, unsigned key,
                                          cryptile_direction_t direction) {
  return (cryptile_cipher_params_t){.mode = (cryptile_cipher_mode_t)mode,
                                    .direction = direction,
                                    .padding = CRYPTILE_PAD_NONE,
                                    .key = kKeys[key],
                                    .key_len = 16 + 8 * key,
                                    .iv = kIvs[mode]};
}

static bool guards_intact(const uint8_t *start, size_t len) {
  for (size_t i = 0; i < GuardLen; i++) {
    if (start[-1 - (int)i] != Guard || start[len + i] != Guard) {
      return false;
    }
  }
  return true;
}

// Every mode, key length and direction, disjoint and in place, at four alignments.
static void known_answers(const cryptile_cipher_impl_t *impl) {
  for (unsigned i = 0; i < 3 * 3 * 2 * 2; i++) {
    unsigned mode = i % 3;
    unsigned key = i / 3 % 3;
    cryptile_direction_t direction = (cryptile_direction_t)(i / 9 % 2);
    bool in_place = i / 18 != 0;
    unsigned shift = i % MaxShift;
    const uint8_t *from = direction == CRYPTILE_ENCRYPT ? kPlain : kCipher[mode][key];
    const uint8_t *to = direction == CRYPTILE_ENCRYPT ? kCipher[mode][key] : kPlain;
    uint8_t *out = area + GuardLen + shift;
    const uint8_t *in = unaligned + MaxShift - shift;
    size_t out_len;
    cryptile_cipher_params_t params = params_of(mode, key, direction);
    memset(area, Guard, sizeof(area));
    if (in_place) {
      in = memcpy(out, from, MessageLen);
    } else {
      memcpy(unaligned + MaxShift - shift, from, MessageLen);
    }
    CHECK(cryptile_cipher_crypt(impl, &params, in, MessageLen, out, MessageLen, &out_len) ==
          CRYPTILE_OK);
    CHECK(out_len == MessageLen);
    CHECK(memcmp(out, to, MessageLen) == 0);
    CHECK(guards_intact(out, MessageLen));
  }
}

static void fips_197(const cryptile_cipher_impl_t *impl) {
  for (unsigned key = 0; key < 3; key++) {
    cryptile_cipher_params_t params = {
        .mode = CRYPTILE_ECB, .key = kFipsKey, .key_len = 16 + 8 * key};
    uint8_t out[CRYPTILE_BLOCK_SIZE];
    size_t out_len;
    CHECK(cryptile_cipher_crypt(impl, &params, kFipsPlain, 16, out, 16, &out_len) == CRYPTILE_OK);
    CHECK(memcmp(out, kFipsCipher[key], 16) == 0);
    params.direction = CRYPTILE_DECRYPT;
    CHECK(cryptile_cipher_crypt(impl, &params, kFipsCipher[key], 16, out, 16, &out_len) ==
          CRYPTILE_OK);
    CHECK(memcmp(out, kFipsPlain, 16) == 0);
  }
}

// Pieces of 1, 2, 3, ... bytes.
static void chunks(const cryptile_cipher_impl_t *impl) {
  for (unsigned mode = 0; mode < 3; mode++) {
    static cryptile_cipher_ctx_t ctx;
    cryptile_cipher_params_t params = params_of(mode, 0, CRYPTILE_ENCRYPT);
    size_t written = 0;
    size_t out_len;
    CHECK(cryptile_cipher_init(&ctx, impl, &params) == CRYPTILE_OK);
    for (size_t at = 0, len = 1; at < MessageLen; at += len, len++) {
      if (len > MessageLen - at) {
        len = MessageLen - at;
      }
      CHECK(cryptile_cipher_update(&ctx, kPlain + at, len, area + written, sizeof(area) - written,
                                   &out_len) == CRYPTILE_OK);
      written += out_len;
    }
    CHECK(cryptile_cipher_final(&ctx, area + written, sizeof(area) - written, &out_len) ==
          CRYPTILE_OK);
    CHECK(written + out_len == MessageLen);
    CHECK(memcmp(area, kCipher[mode][0], MessageLen) == 0);
  }
}

// The lengths next to a multiple of a block: 0, 1, 15, 16, 17, 31, ...
static size_t next_length(size_t len) {
  return len + (len % CRYPTILE_BLOCK_SIZE == 1 ? CRYPTILE_BLOCK_SIZE - 2 : 1);
}

// CTR of any length, and the carry through the whole counter.
static void partial_blocks(const cryptile_cipher_impl_t *impl) {
  static const uint8_t kWrap[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  static const uint8_t kZero[2 * CRYPTILE_BLOCK_SIZE];
  cryptile_cipher_params_t params = params_of(CRYPTILE_CTR, 0, CRYPTILE_ENCRYPT);
  size_t out_len;
  for (size_t len = 0; len <= 33; len = next_length(len)) {
    uint8_t *out = area + GuardLen;
    memset(area, Guard, sizeof(area));
    CHECK(cryptile_cipher_crypt(impl, &params, kPlain, len, out, len, &out_len) == CRYPTILE_OK);
    CHECK(out_len == len);
    CHECK(memcmp(out, kCipher[CRYPTILE_CTR][0], len) == 0);
    CHECK(guards_intact(out, len));
  }
  // Behind the last counter value comes zero: the second block is the encryption of zeros.
  uint8_t expected[CRYPTILE_BLOCK_SIZE];
  params.iv = kWrap;
  CHECK(cryptile_cipher_crypt(impl, &params, kZero, 32, area, 32, &out_len) == CRYPTILE_OK);
  params = params_of(CRYPTILE_ECB, 0, CRYPTILE_ENCRYPT);
  CHECK(cryptile_cipher_crypt(impl, &params, kZero, 16, expected, 16, &out_len) == CRYPTILE_OK);
  CHECK(memcmp(area + 16, expected, 16) == 0);
}

static void padding(const cryptile_cipher_impl_t *impl) {
  cryptile_cipher_params_t params = params_of(CRYPTILE_CBC, 2, CRYPTILE_ENCRYPT);
  params.padding = CRYPTILE_PAD_PKCS7;
  for (size_t len = 0; len <= 32; len = next_length(len)) {
    size_t padded;
    size_t out_len;
    params.direction = CRYPTILE_ENCRYPT;
    CHECK(cryptile_cipher_crypt(impl, &params, kPlain, len, area, sizeof(area), &padded) ==
          CRYPTILE_OK);
    CHECK(padded == (len / 16 + 1) * 16);
    params.direction = CRYPTILE_DECRYPT;
    CHECK(cryptile_cipher_crypt(impl, &params, area, padded, area, sizeof(area), &out_len) ==
          CRYPTILE_OK);
    CHECK(out_len == len);
    CHECK(memcmp(area, kPlain, len) == 0);
  }
  // The plain text of this block ends in 0x2a: no padding.
  size_t out_len = 1;
  params.direction = CRYPTILE_DECRYPT;
  CHECK(cryptile_cipher_crypt(impl, &params, kCipher[CRYPTILE_CBC][2], 16, area, sizeof(area),
                              &out_len) == CRYPTILE_ERR_PADDING);
  CHECK(out_len == 0);
}

static void errors(const cryptile_cipher_impl_t *impl) {
  static cryptile_cipher_ctx_t ctx;
  cryptile_cipher_params_t params = params_of(CRYPTILE_CBC, 0, CRYPTILE_ENCRYPT);
  size_t out_len;
  CHECK(cryptile_cipher_crypt(impl, &params, kPlain, 15, area, sizeof(area), &out_len) ==
        CRYPTILE_ERR_LENGTH);
  CHECK(cryptile_cipher_crypt(impl, &params, kPlain, 32, area, 31, &out_len) ==
        CRYPTILE_ERR_LENGTH);
  params.key_len = 20;
  CHECK(cryptile_cipher_init(&ctx, impl, &params) == CRYPTILE_ERR_PARAM);
  CHECK(cryptile_cipher_update(&ctx, kPlain, 16, area, 16, &out_len) == CRYPTILE_ERR_STATE);
  params = params_of(CRYPTILE_CTR, 0, CRYPTILE_ENCRYPT);
  CHECK(cryptile_cipher_init(&ctx, impl, &params) == CRYPTILE_OK);
  CHECK(cryptile_cipher_update(&ctx, kPlain, 5, area, 0, &out_len) == CRYPTILE_OK);
  CHECK(cryptile_cipher_final(&ctx, area, 5, &out_len) == CRYPTILE_OK);
  // The context is wiped.
  const uint8_t *bytes = (const uint8_t *)&ctx;
  uint8_t any = 0;
  for (size_t i = 0; i < sizeof(ctx); i++) {
    any |= bytes[i];
  }
  CHECK(any == 0);
  CHECK(cryptile_cipher_final(&ctx, area, 5, &out_len) == CRYPTILE_ERR_STATE);
}

void test_api(const cryptile_cipher_impl_t *impl) {
  static const struct {
    const char *name;
    void (*run)(const cryptile_cipher_impl_t *impl);
  } kTests[] = {
      {"FIPS 197", fips_197}, {"SP 800-38A", known_answers},
      {"chunks", chunks},     {"partial blocks", partial_blocks},
      {"padding", padding},   {"errors", errors},
  };
  for (size_t i = 0; i < sizeof(kTests) / sizeof(kTests[0]); i++) {
    test_begin(kTests[i].name, impl->name);
    kTests[i].run(impl);
  }
}
