// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// OPENSSL_malloc() of a process whose memory the tile reaches (LD_PRELOAD): blocks are as those of
// the C library, also in children of fork(), and what overlaps is encrypted as if it did not.
//
//   provider_memory [SCRIPT]    SCRIPT: run amidst, by the shell
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider_guest.h"

enum { Blocks = 64, MostBlock = 60000, Steps = 4000, Threads = 3, Length = 4096, Shift = 40 };

typedef struct {
  uint8_t *bytes;
  size_t len;
  uint8_t with;
} block_t;

static OSSL_PROVIDER *provider;

static bool is_whole(const block_t *block, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (block->bytes[i] != block->with) {
      return false;
    }
  }
  return true;
}

// Takes, grows, shrinks and frees at random; more than the window has room for.
static void *churn(void *argument) {
  static _Atomic unsigned next;
  uint64_t state = (uintptr_t)argument;
  block_t blocks[Blocks] = {0};
  for (unsigned step = 0; step < Steps; step++) {
    block_t *block = &blocks[draw(&state, Blocks)];
    size_t len = draw(&state, 8) == 0 ? 0 : 1 + draw(&state, MostBlock);
    need(is_whole(block, block->len), "a block has changed");
    size_t kept = block->len < len ? block->len : len;
    if (draw(&state, 2) == 0) {
      block->bytes = OPENSSL_realloc(block->bytes, len);
      need(kept == 0 || is_whole(block, kept), "a block was not kept");
    } else {
      OPENSSL_clear_free(block->bytes, block->len);
      block->bytes = OPENSSL_zalloc(len);
      block->with = 0;
      need(is_whole(block, len), "a block is not zero");
    }
    need((block->bytes != NULL) == (len != 0), "no memory");
    need((uintptr_t)block->bytes % _Alignof(max_align_t) == 0, "a block is not aligned");
    block->len = len;
    block->with = (uint8_t)++next;
    if (len != 0) {
      memset(block->bytes, block->with, len);
    }
  }
  for (unsigned i = 0; i < Blocks; i++) {
    need(is_whole(&blocks[i], blocks[i].len), "a block has changed at last");
    OPENSSL_free(blocks[i].bytes);
  }
  return NULL;
}

static bool encrypt(const char *where, uint8_t *out, const uint8_t *in, int len) {
  static const uint8_t kKey[16] = {1}, kIv[16] = {2};
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-128-CTR", where);
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  int made = 0;
  bool good = EVP_EncryptInit_ex2(ctx, cipher, kKey, kIv, NULL) &&
              EVP_EncryptUpdate(ctx, out, &made, in, len) && made == len;
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(cipher);
  return good;
}

// Bytes that the provider copies for a message, and whether it is right.
static unsigned copied(uint8_t *out, const uint8_t *in, const uint8_t *right) {
  uint64_t before = provider_count(provider, "copied");
  need(encrypt("provider=cryptile", out, in, Length), "no encryption");
  need(memcmp(out, right, Length) == 0, "the ciphertext differs");
  return (unsigned)(provider_count(provider, "copied") - before);
}

static void messages(const char *who) {
  static uint8_t right[Length], elsewhere[Length];
  uint8_t *block = OPENSSL_malloc(3 * Length), *text = block + 3;
  need(block != NULL, "no memory");
  memset(elsewhere, 5, Length);
  need(encrypt("provider=default", right, elsewhere, Length), "OpenSSL's own fails");
  memset(text, 5, Length);
  printf("%s: %u apart", who, copied(text + Length + 1, text, right));
  printf(" %u in", copied(elsewhere, text, right));
  memset(elsewhere, 5, Length);
  printf(" %u out", copied(text + Length + 1, elsewhere, right));
  printf(" %u forward", copied(text + Shift, text, right));
  memset(text + Shift, 5, Length);
  printf(" %u backward", copied(text, text + Shift, right));
  memset(text, 5, Length);
  printf(" %u in place\n", copied(text, text, right));
  fflush(stdout);
  OPENSSL_free(block);
}

// A child, and its child, find a block of ours, and free it; they have their own messages.
static void children(block_t *block, unsigned depth) {
  fflush(NULL);
  pid_t child = fork();
  need(child >= 0, "fork");
  if (child == 0) {
    need(is_whole(block, block->len), "a block is not in the child");
    memset(block->bytes, ++block->with, block->len);
    block->bytes = OPENSSL_realloc(block->bytes, ++block->len);
    block->bytes[block->len - 1] = block->with;
    messages(depth == 0 ? "grandchild" : "child");
    if (depth != 0) {
      children(block, depth - 1);
    }
    OPENSSL_free(block->bytes);
    OSSL_PROVIDER_unload(provider);
    exit(0);
  }
  int status;
  need(waitpid(child, &status, 0) == child && status == 0, "a child failed");
}

int main(int count, char **words) {
  uint8_t *early = OPENSSL_malloc(MostBlock);
  provider = OSSL_PROVIDER_load(NULL, "cryptile");
  need(provider != NULL && OSSL_PROVIDER_load(NULL, "default") != NULL, "no provider");
  messages("parent");
  pthread_t threads[Threads];
  for (uintptr_t i = 0; i < Threads; i++) {
    need(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)) == 0, "no thread");
  }
  for (unsigned i = 0; i < Threads; i++) {
    need(pthread_join(threads[i], NULL) == 0, "a thread does not end");
  }
  block_t block = {.bytes = OPENSSL_malloc(MostBlock), .len = MostBlock, .with = 9};
  memset(block.bytes, block.with, block.len);
  children(&block, 1);
  need(is_whole(&block, block.len), "a child changed our block");
  messages("again");
  if (count > 1) {
    need(system(words[1]) == 0, "the script failed");
    uint8_t *text = OPENSSL_zalloc(Length), *out = OPENSSL_malloc(Length);
    bool in_place = encrypt("provider=cryptile", text, text, Length);
    printf("behind: in place %s", in_place ? "done" : "fails");
    memset(text, 0, Length);
    for (unsigned i = 0; provider_count(provider, "refused") == 0 || i < 2; i++) {
      need(encrypt("provider=cryptile", out, text, Length), "no encryption in software");
    }
    uint64_t jobs = provider_count(provider, "jobs");
    for (unsigned i = 0; provider_count(provider, "jobs") == jobs; i++) {
      need(i < 2000 && encrypt("provider=cryptile", out, text, Length), "no job any more");
    }
    printf(", then the tile again\n");
    OPENSSL_free(text);
    OPENSSL_free(out);
  }
  // Memory outlives the provider, and is the ring's again with the next one.
  OSSL_PROVIDER_unload(provider);
  need(is_whole(&block, block.len), "a block went with the provider");
  provider = OSSL_PROVIDER_load(NULL, "cryptile");
  need(provider != NULL, "the provider does not load again");
  messages("once more");
  OPENSSL_free(block.bytes);
  OPENSSL_free(early);
  return 0;
}
