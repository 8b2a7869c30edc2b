// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Contexts of the provider `cryptile` that are used again in unusual ways, and memory of a child in
// the place of the parent's ring. Prints a line for each, `name: what came of it`.
//
//   provider_again
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Part = 21, Parts = 4, MaxPlaces = 8 };

static const char *const kCiphers[] = {"AES-256-CTR", "AES-128-CBC", "AES-192-ECB", "AES-128-GCM",
                                       "AES-256-GCM"};
static const char *const kAeads[] = {"AES-128-GCM", "ChaCha20-Poly1305"};

static const uint8_t kKey[64] = {1, 2, 3}, kOther[64] = {4, 5, 6}, kIv[16] = {7, 8, 9},
                     kZeros[Part];
static OSSL_LIB_CTX *software;

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "provider_again: %s\n", what);
    exit(2);
  }
}

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

int main(void) {
  need(pthread_atfork(NULL, NULL, take_places) == 0, "atfork");
  software = OSSL_LIB_CTX_new();
  OSSL_PROVIDER *ours = OSSL_PROVIDER_load(NULL, "cryptile");
  need(ours != NULL, "the provider does not load");
  need(software != NULL && OSSL_PROVIDER_load(software, "default") != NULL, "no default provider");
  for (unsigned i = 0; i < sizeof(kCiphers) / sizeof(kCiphers[0]); i++) {
    compare(kCiphers[i]);
  }
  for (unsigned i = 0; i < sizeof(kAeads) / sizeof(kAeads[0]); i++) {
    once_only(kAeads[i]);
  }
  child();
  OSSL_PROVIDER_unload(ours);
  OSSL_LIB_CTX_free(software);
  return 0;
}
