// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Messages through ciphers of the provider with a sealed key, in hexadecimal digits: prints what
// comes of each of them, or at what it fails.
//
//   provider_sealed NAME ALGORITHM TOKEN IV MESSAGE encrypt|decrypt
//
// The message comes in pieces of any length, amidst which the context is copied.
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Piece = 37 };

static void need(bool right, const char *name, const char *what) {
  if (!right) {
    printf("%s: %s\n", name, what);
    exit(1);
  }
}

static uint8_t *digits(const char *word, size_t *len) {
  long made = 0;
  uint8_t *bytes = *word != '-' ? OPENSSL_hexstr2buf(word, &made) : calloc(1, 1);
  need(bytes != NULL, word, "no digits");
  *len = (size_t)made;
  return bytes;
}

int main(int count, char **words) {
  need(count == 7, "provider_sealed", "usage: NAME ALGORITHM TOKEN IV MESSAGE encrypt|decrypt");
  const char *name = words[1];
  size_t token_len, iv_len, len, done = 0;
  uint8_t *token = digits(words[3], &token_len), *iv = digits(words[4], &iv_len);
  uint8_t *text = digits(words[5], &len), *out = malloc(len + EVP_MAX_BLOCK_LENGTH);
  need(OSSL_PROVIDER_load(NULL, "cryptile") != NULL, name, "no provider");
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, words[2], "provider=cryptile");
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  need(out != NULL && cipher != NULL && ctx != NULL, name, "no cipher");
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string("cryptile-token", token, token_len),
      OSSL_PARAM_construct_end()};
  need(EVP_CipherInit_ex2(ctx, cipher, NULL, iv_len != 0 ? iv : NULL,
                          strcmp(words[6], "encrypt") == 0, params),
       name, "token");
  bool unit = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_XTS_MODE;
  int made = 0;
  fflush(stdout);
  for (size_t at = 0, piece; at < len; at += piece) {
    piece = unit || len - at < Piece ? len - at : Piece;
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_dup(ctx);
    EVP_CIPHER_CTX_free(ctx);
    ctx = copy;
    // A child that asks for something else with the same context, and its file, disturbs nothing.
    pid_t child = at == 0 && !unit ? fork() : -1;
    if (child == 0) {
      uint8_t other[3 * Piece] = {0}, dropped[4 * Piece];
      _exit(!EVP_CipherUpdate(ctx, dropped, &made, other, sizeof(other)));
    }
    need(EVP_CipherUpdate(ctx, out + done, &made, text + at, (int)piece), name, "message");
    done += (size_t)made;
    int status = 0;
    need(child < 0 || (waitpid(child, &status, 0) == child && status == 0), name, "child");
  }
  need(EVP_CipherFinal_ex(ctx, out + done, &made), name, "end");
  done += (size_t)made;
  printf("%s: ", name);
  for (size_t i = 0; i < done; i++) {
    printf("%02x", out[i]);
  }
  printf("\n");
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(cipher);
  return 0;
}
