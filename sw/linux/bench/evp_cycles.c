// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Times messages through OpenSSL's EVP calls: `cryptile bench linux`.
//
//   evp_cycles PATH PROVIDER [BYTES ROUNDS]... -- digest|cipher ALGORITHM [...]
//
// PATH: a word for the figures. All in one process, as OpenSSL's beginning takes tens of millions
// of cycles; what has been measured so far standard error tells at once.
// The key is set once. A call is all that a message takes: IV, message, end and tag, or a digest.
// Data are in ordinary memory, in place.
#include <openssl/evp.h>
#include <stdbool.h>
#include <string.h>

#include "counters.h"

enum { MostKey = 64, MostIv = 16, FullTag = 16 };

static EVP_CIPHER_CTX *cipher_ctx;
static EVP_MD_CTX *md_ctx;
static EVP_MD *md;
static uint8_t *data;
static size_t data_len;
static bool authenticated;

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "evp_cycles: %s\n", what);
    exit(2);
  }
}

static void encrypt(void) {
  static const uint8_t kIv[MostIv] = {5};
  uint8_t tag[FullTag];
  int made, rest;
  need(EVP_EncryptInit_ex2(cipher_ctx, NULL, NULL, kIv, NULL) &&
           EVP_EncryptUpdate(cipher_ctx, data, &made, data, (int)data_len) &&
           EVP_EncryptFinal_ex(cipher_ctx, data + made, &rest) &&
           (!authenticated || EVP_CIPHER_CTX_ctrl(cipher_ctx, EVP_CTRL_AEAD_GET_TAG, FullTag, tag)),
       "a message failed");
}

static void digest(void) {
  uint8_t made[EVP_MAX_MD_SIZE];
  need(EVP_DigestInit_ex2(md_ctx, md, NULL) && EVP_DigestUpdate(md_ctx, data, data_len) &&
           EVP_DigestFinal_ex(md_ctx, made, NULL),
       "a message failed");
}

static bool set_key(const char *name, const char *where) {
  uint8_t key[MostKey];
  memset(key, 2, sizeof(key));
  key[MostKey - 1] = 3;  // the halves of a key of XTS must differ
  key[31] = 4;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, where);
  cipher_ctx = EVP_CIPHER_CTX_new();
  bool set = cipher != NULL && cipher_ctx != NULL && EVP_CIPHER_get_key_length(cipher) <= MostKey &&
             EVP_EncryptInit_ex2(cipher_ctx, cipher, key, NULL, NULL) &&
             EVP_CIPHER_CTX_set_padding(cipher_ctx, 0);
  authenticated = set && (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
  EVP_CIPHER_free(cipher);
  return set;
}

static void measure(const char *path, const char *name, size_t bytes, unsigned rounds) {
  static counters_t took[MostRounds];
  need(bytes != 0 && bytes < 1u << 30 && rounds != 0 && rounds <= MostRounds, "no such number");
  data_len = bytes;
  data = malloc(bytes + EVP_MAX_BLOCK_LENGTH);
  need(data != NULL, "no memory");
  memset(data, 1, bytes);
  void (*call)(void) = md != NULL ? digest : encrypt;
  call();  // caches, TLBs, and pages that were never touched
  for (unsigned i = 0; i < rounds; i++) {
    counters_t begin = counters_now();
    call();
    took[i] = counters_since(begin);
  }
  counters_tell(path, name, bytes, 1, took, rounds);
  fflush(stdout);
  fprintf(stderr, "evp_cycles: %s %s %zu\n", path, name, bytes);
  free(data);
}

// A fetch makes a table of all algorithms of its kind: of the wrong one for nothing.
static bool open_alg(const char *kind, const char *name, const char *where) {
  if (strcmp(kind, "digest") != 0) {
    return strcmp(kind, "cipher") == 0 && set_key(name, where);
  }
  md = EVP_MD_fetch(NULL, name, where);
  md_ctx = EVP_MD_CTX_new();
  return md != NULL && md_ctx != NULL;
}

static void close_alg(void) {
  EVP_CIPHER_CTX_free(cipher_ctx);
  EVP_MD_CTX_free(md_ctx);
  EVP_MD_free(md);
  cipher_ctx = NULL;
  md_ctx = NULL;
  md = NULL;
}

int main(int count, char **words) {
  int sizes = 3, algs = 3;
  while (algs < count && strcmp(words[algs], "--") != 0) {
    algs++;
  }
  need(algs < count && (algs - sizes) % 2 == 0 && (count - algs) % 2 == 1,
       "usage: evp_cycles PATH PROVIDER [BYTES ROUNDS]... -- digest|cipher ALGORITHM [...]");
  char where[64];
  snprintf(where, sizeof(where), "provider=%s", words[2]);
  for (int alg = algs + 1; alg < count; alg += 2) {
    const char *name = words[alg + 1];
    need(open_alg(words[alg], name, where), "no such algorithm");
    fprintf(stderr, "evp_cycles: %s %s\n", words[1], name);
    for (int i = sizes; i < algs; i += 2) {
      measure(words[1], name, strtoul(words[i], NULL, 0), (unsigned)strtoul(words[i + 1], NULL, 0));
    }
    close_alg();
  }
  return 0;
}
