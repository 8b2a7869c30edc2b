// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Contexts of the provider `cryptile` that are used again in unusual ways, also behind an update
// that fails, what of a message stays in OpenSSL's memory, and memory of a child in the place of
// the parent's ring. Prints a line for each,
// `name: what came of it`.
//
//   provider_again SCRIPT    SCRIPT: run amidst, by the shell; all jobs behind it shall fail
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider_guest.h"

enum { Part = 21, Parts = 4, MaxPlaces = 8, Long = 2000 };

static const char *const kCiphers[] = {"AES-256-CTR", "AES-128-CBC", "AES-192-ECB", "AES-128-GCM",
                                       "AES-256-GCM"};
static const char *const kAeads[] = {"AES-128-GCM", "ChaCha20-Poly1305"};

static const uint8_t kKey[64] = {1, 2, 3}, kOther[64] = {4, 5, 6}, kIv[16] = {7, 8, 9},
                     kZeros[Part];
static OSSL_LIB_CTX *software;
static OSSL_PROVIDER *ours;
static bool denied;  // memory

// A block of OpenSSL's memory: these are in a ring.
typedef struct block {
  struct block *next, *last;
  size_t len;
  _Alignas(16) uint8_t bytes[];
} block_t;

static block_t blocks = {&blocks, &blocks, 0};

static EVP_CIPHER_CTX *begun(const char *name, OSSL_LIB_CTX *library, const char *properties) {
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, properties);
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  need(cipher != NULL && ctx != NULL && EVP_EncryptInit_ex2(ctx, cipher, kKey, kIv, NULL), name);
  EVP_CIPHER_free(cipher);
  return ctx;
}

// Begins again amidst blocks: as it is, with another IV, and with another key alone if the
// algorithm has no tag. Returns how many bytes came out.
static int begin_again(const char *name, OSSL_LIB_CTX *library, const char *properties,
                       uint8_t *out) {
  EVP_CIPHER_CTX *ctx = begun(name, library, properties);
  bool aead = strstr(name, "GCM") != NULL;
  uint8_t *to = out;
  for (unsigned part = 0; part < Parts; part++) {
    int made = 0;
    const uint8_t *key = part == 3 && !aead ? kOther : NULL, *iv = part == 2 ? kIv + 1 : NULL;
    need(part == 0 || EVP_EncryptInit_ex2(ctx, NULL, key, iv, NULL), "begin again");
    need(EVP_EncryptUpdate(ctx, to, &made, kZeros, Part), "update");
    to += made;
  }
  EVP_CIPHER_CTX_free(ctx);
  return (int)(to - out);
}

static void compare(const char *name) {
  uint8_t ours[Parts * Part], theirs[Parts * Part];
  int made = begin_again(name, NULL, "provider=cryptile", ours);
  int wanted = begin_again(name, software, NULL, theirs);
  bool same = made == wanted && memcmp(ours, theirs, (size_t)made) == 0;
  printf("%s again: %s\n", name, same ? "same" : "differs");
}

// The same key once more, and no IV: no key stream may come twice.
static void once_only(const char *name) {
  EVP_CIPHER_CTX *ctx = begun(name, NULL, "provider=cryptile");
  uint8_t first[Part], second[Part] = {0};
  int made;
  need(EVP_EncryptUpdate(ctx, first, &made, kZeros, Part), "update");
  bool goes_on = EVP_EncryptInit_ex2(ctx, NULL, kKey, NULL, NULL) &&
                 EVP_EncryptUpdate(ctx, second, &made, kZeros, Part);
  bool twice = goes_on && memcmp(first, second, Part) == 0;
  printf("%s without IV: %s\n", name,
         twice     ? "the same key stream"
         : goes_on ? "goes on"
                   : "refused");
  EVP_CIPHER_CTX_free(ctx);
}

static block_t *block_of(void *at) {
  return (block_t *)((uint8_t *)at - offsetof(block_t, bytes));
}

static void *link_in(block_t *block, size_t len) {
  if (block == NULL) {
    return NULL;
  }
  *block = (block_t){blocks.next, &blocks, len};
  block->next->last = block->last->next = block;
  return block->bytes;
}

static void link_out(block_t *block) {
  block->next->last = block->last;
  block->last->next = block->next;
}

static void *take(size_t len, const char *file, int line) {
  (void)file;
  (void)line;
  return denied ? NULL : link_in(malloc(sizeof(block_t) + len), len);
}

static void *resize(void *at, size_t len, const char *file, int line) {
  if (at == NULL || denied) {
    return take(len, file, line);
  }
  link_out(block_of(at));
  return link_in(realloc(block_of(at), sizeof(block_t) + len), len);
}

static void give(void *at, const char *file, int line) {
  (void)file;
  (void)line;
  if (at != NULL) {
    link_out(block_of(at));
    free(block_of(at));
  }
}

static bool has_memory(const uint8_t *bytes, size_t len) {
  for (const block_t *block = blocks.next; block != &blocks; block = block->next) {
    if (memmem(block->bytes, block->len, bytes, len) != NULL) {
      return true;
    }
  }
  return false;
}

static bool makes_tag(EVP_CIPHER_CTX *ctx) {
  uint8_t rest[Part], tag[16];
  int made;
  return EVP_EncryptFinal_ex(ctx, rest, &made) &&
         EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, sizeof(tag), tag);
}

// An update fails for want of memory: nothing behind it has a tag.
static void no_memory(const char *name, bool associated) {
  EVP_CIPHER_CTX *ctx = begun(name, NULL, "provider=cryptile");
  uint8_t text[Part];
  int made;
  need(EVP_EncryptUpdate(ctx, associated ? NULL : text, &made, kZeros, Part), "update");
  denied = true;
  bool fails = !EVP_EncryptUpdate(ctx, associated ? NULL : text, &made, kZeros, Part);
  denied = false;
  need(fails, "an update without memory does not fail");
  bool goes_on = EVP_EncryptUpdate(ctx, text, &made, kZeros, Part);
  bool tag = makes_tag(ctx);
  printf("%s without memory%s: %s\n", name, associated ? " (associated data)" : "",
         tag       ? "a tag"
         : goes_on ? "goes on"
                   : "refused");
  EVP_CIPHER_CTX_free(ctx);
}

static EVP_MAC_CTX *begun_mac(const char *name, const char *param, const char *inner,
                              size_t key_len) {
  EVP_MAC *mac = EVP_MAC_fetch(NULL, name, "provider=cryptile");
  EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(param, (char *)inner, 0),
                               OSSL_PARAM_construct_end()};
  need(ctx != NULL && EVP_MAC_init(ctx, kKey, key_len, params), name);
  EVP_MAC_free(mac);
  return ctx;
}

// A block of a message that waits is wiped when the tile has it, but where other bytes wait.
static void wiped(const char *name, size_t block, bool (*update)(void *, const void *, size_t),
                  void *ctx) {
  enum { Most = 300, Rest = 4 };
  static const uint8_t kRest[Most];
  uint8_t text[Most];
  for (size_t i = 0; i < block; i++) {
    text[i] = (uint8_t)(i * 89 + 1);
  }
  need(update(ctx, text, block) && has_memory(text + Rest, block - Rest), "nothing waits");
  need(update(ctx, kRest, block + Rest), "update");
  printf("%s has waited: %s\n", name, has_memory(text + Rest, 16 - Rest) ? "there" : "wiped");
}

static bool update_digest(void *ctx, const void *bytes, size_t len) {
  return EVP_DigestUpdate(ctx, bytes, len);
}

static bool update_mac(void *ctx, const void *bytes, size_t len) {
  return EVP_MAC_update(ctx, bytes, len);
}

static void what_has_waited(void) {
  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  EVP_MD *sha2 = EVP_MD_fetch(NULL, "SHA2-256", "provider=cryptile");
  EVP_MAC_CTX *hmac = begun_mac("HMAC", OSSL_MAC_PARAM_DIGEST, "SHA256", 32);
  EVP_MAC_CTX *cmac = begun_mac("CMAC", OSSL_MAC_PARAM_CIPHER, "AES-128-CBC", 16);
  need(EVP_DigestInit_ex2(digest, sha2, NULL), "SHA2-256");
  wiped("SHA2-256", 64, update_digest, digest);
  wiped("HMAC", 64, update_mac, hmac);
  wiped("CMAC", 16, update_mac, cmac);
  EVP_MD_free(sha2);
  EVP_MD_CTX_free(digest);
  EVP_MAC_CTX_free(hmac);
  EVP_MAC_CTX_free(cmac);
}

static void need_tile(void) {
  const uint64_t before = provider_count(ours, "jobs");
  for (unsigned i = 0; provider_count(ours, "jobs") == before; i++) {
    uint8_t text[Part];
    int made;
    EVP_CIPHER_CTX *ctx = begun("AES-256-CTR", NULL, "provider=cryptile");
    need(i < 2000 && EVP_EncryptUpdate(ctx, text, &made, kZeros, Part), "no job any more");
    EVP_CIPHER_CTX_free(ctx);
  }
}

// The tile fails amidst messages, and then works again: none of them has a result.
static void no_tile(const char *script) {
  static const uint8_t kText[Long];
  uint8_t out[Long];
  size_t len;
  int made;
  EVP_CIPHER_CTX *aead = begun("AES-256-GCM", NULL, "provider=cryptile");
  EVP_MAC_CTX *hmac = begun_mac("HMAC", OSSL_MAC_PARAM_DIGEST, "SHA256", 32);
  EVP_MAC_CTX *cmac = begun_mac("CMAC", OSSL_MAC_PARAM_CIPHER, "AES-128-CBC", 16);
  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  EVP_MD *sha3 = EVP_MD_fetch(NULL, "SHA3-256", "provider=cryptile");
  need(EVP_DigestInit_ex2(digest, sha3, NULL) && EVP_DigestUpdate(digest, kText, Long) &&
           EVP_MAC_update(hmac, kText, Long) && EVP_MAC_update(cmac, kText, Long) &&
           EVP_EncryptUpdate(aead, out, &made, kText, Long),
       "update");
  need(system(script) == 0, "the script failed");
  need(!EVP_EncryptUpdate(aead, out, &made, kText, Long) && !EVP_MAC_update(hmac, kText, Long) &&
           !EVP_MAC_update(cmac, kText, Long) && !EVP_DigestUpdate(digest, kText, Long),
       "an update without the tile does not fail");
  need_tile();
  printf("AES-256-GCM without the tile: %s\n", makes_tag(aead) ? "a tag" : "refused");
  printf("HMAC without the tile: %s\n", EVP_MAC_final(hmac, out, &len, Long) ? "a tag" : "refused");
  printf("CMAC without the tile: %s\n", EVP_MAC_final(cmac, out, &len, Long) ? "a tag" : "refused");
  printf("SHA3-256 without the tile: %s\n",
         EVP_DigestFinal_ex(digest, out, NULL) ? "a digest" : "refused");
  need(EVP_DigestInit_ex2(digest, NULL, NULL) && EVP_DigestUpdate(digest, kText, Long) &&
           EVP_DigestFinal_ex(digest, out, NULL) && EVP_MAC_init(hmac, NULL, 0, NULL) &&
           EVP_MAC_update(hmac, kText, Long) && EVP_MAC_final(hmac, out, &len, Long),
       "no new message behind a lost one");
  EVP_MD_free(sha3);
  EVP_MD_CTX_free(digest);
  EVP_MAC_CTX_free(cmac);
  EVP_MAC_CTX_free(hmac);
  EVP_CIPHER_CTX_free(aead);
}

typedef struct {
  uint8_t *at;
  size_t bytes;
} place_t;

static place_t places[MaxPlaces];
static unsigned place_count;

// Where the ring of this process lies.
static void find_places(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[256];
  need(maps != NULL, "maps");
  while (fgets(line, sizeof(line), maps) != NULL) {
    unsigned long from, to;
    if (strstr(line, "/dev/cryptile") != NULL && sscanf(line, "%lx-%lx", &from, &to) == 2 &&
        place_count < MaxPlaces) {
      places[place_count++] = (place_t){(uint8_t *)from, to - from};
    }
  }
  fclose(maps);
}

// Runs in the child before the provider's own.
static void take_places(void) {
  for (unsigned i = 0; i < place_count; i++) {
    if (mmap(places[i].at, places[i].bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != places[i].at) {
      _exit(3);
    }
  }
}

static void child(void) {
  find_places();
  fflush(NULL);
  pid_t pid = fork();
  need(pid >= 0, "fork");
  if (pid == 0) {
    for (unsigned i = 0; i < place_count; i++) {
      memset(places[i].at, 1, places[i].bytes);
    }
    _exit(0);
  }
  int status;
  need(waitpid(pid, &status, 0) == pid, "wait");
  printf("memory of a child: %u places, status %d\n", place_count, status);
}

int main(int count, char **words) {
  need(count == 2, "SCRIPT");
  need(CRYPTO_set_mem_functions(take, resize, give), "memory is not ours");
  need(pthread_atfork(NULL, NULL, take_places) == 0, "atfork");
  software = OSSL_LIB_CTX_new();
  ours = OSSL_PROVIDER_load(NULL, "cryptile");
  need(ours != NULL, "the provider does not load");
  CRYPTO_malloc_fn memory;
  CRYPTO_get_mem_functions(&memory, NULL, NULL);
  need(memory == take, "the provider has replaced the program's memory functions");
  need(software != NULL && OSSL_PROVIDER_load(software, "default") != NULL, "no default provider");
  for (unsigned i = 0; i < sizeof(kCiphers) / sizeof(kCiphers[0]); i++) {
    compare(kCiphers[i]);
  }
  for (unsigned i = 0; i < sizeof(kAeads) / sizeof(kAeads[0]); i++) {
    once_only(kAeads[i]);
    no_memory(kAeads[i], true);
  }
  no_memory("AES-128-GCM", false);
  what_has_waited();
  no_tile(words[1]);
  child();
  OSSL_PROVIDER_unload(ours);
  OSSL_LIB_CTX_free(software);
  return 0;
}
