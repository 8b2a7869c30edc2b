// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Reads cases from standard input, "alg key nonce aad text step" in hexadecimal ("-": empty), and
// prints ciphertext and tag of each. Works in chunks of `step` bytes, and checks that decryption
// gives the text back. All buffers are just as large as they must be, for the sanitizers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cryptile/aead.h"

#define CHECK(condition)                      \
  do {                                        \
    if (!(condition)) {                       \
      fprintf(stderr, "line %d\n", __LINE__); \
      exit(1);                                \
    }                                         \
  } while (0)

typedef struct {
  uint8_t *bytes;
  size_t len;
} data_t;

static data_t parse(const char *text) {
  size_t len = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
  data_t data = {malloc(len), len};
  for (size_t i = 0; i < len; ++i) {
    unsigned byte;
    CHECK(sscanf(text + 2 * i, "%2x", &byte) == 1);
    data.bytes[i] = (uint8_t)byte;
  }
  return data;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

int main(void) {
  static char alg_name[32], texts[4][4096];
  size_t step;
  while (scanf("%31s %4095s %4095s %4095s %4095s %zu", alg_name, texts[0], texts[1], texts[2],
               texts[3], &step) == 6) {
    const cryptile_aead_alg_t *alg = strcmp(alg_name, "gcm") == 0      ? &cryptile_aes_gcm
                                     : strcmp(alg_name, "chacha") == 0 ? &cryptile_chacha20_poly1305
                                                                       : &cryptile_ascon_aead128;
    data_t key = parse(texts[0]), nonce = parse(texts[1]), aad = parse(texts[2]);
    data_t text = parse(texts[3]);
    uint8_t *out = malloc(text.len), *back = malloc(text.len), *tag = malloc(16);
    cryptile_aead_params_t params = {key.bytes, key.len, nonce.bytes, nonce.len, 16};
    cryptile_aead_ctx_t *ctx = malloc(sizeof *ctx);
    CHECK(cryptile_aead_init(ctx, alg, CRYPTILE_ENCRYPT, &params) == CRYPTILE_OK);
    for (size_t at = 0; at < aad.len; at += step) {
      CHECK(cryptile_aead_aad(ctx, aad.bytes + at, least(step, aad.len - at)) == CRYPTILE_OK);
    }
    for (size_t at = 0; at < text.len; at += step) {
      size_t len = least(step, text.len - at);
      CHECK(cryptile_aead_update(ctx, text.bytes + at, out + at, len) == CRYPTILE_OK);
    }
    CHECK(cryptile_aead_finish(ctx, tag) == CRYPTILE_OK);
    CHECK(cryptile_aead_decrypt(alg, &params, aad.bytes, aad.len, out, text.len, tag, back) ==
          CRYPTILE_OK);
    CHECK(text.len == 0 || memcmp(back, text.bytes, text.len) == 0);
    for (size_t i = 0; i < text.len; ++i) {
      printf("%02x", out[i]);
    }
    for (size_t i = 0; i < 16; ++i) {
      printf("%02x", tag[i]);
    }
    printf("\n");
    void *all[] = {key.bytes, nonce.bytes, aad.bytes, text.bytes, out, back, tag, ctx};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
      free(all[i]);
    }
  }
  return 0;
}
