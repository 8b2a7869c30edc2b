// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One message through the provider `cryptile`, and no other: `cryptile crypt --soc linux`.
//
//   crypt_file REQUEST MESSAGE    writes the output to standard output when all of it is right
//
// REQUEST: request_t, key, IV, associated data. The tag of authenticated encryption stands behind
// the ciphertext. Exit status: 0 done, 1 wrong tag or padding, 2 anything else, 3 the tile refuses
// a sealed key. Tells on standard error what the tile has done.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/proverr.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxParts = 8192, Block = 16, MostMessage = 1 << 26 };

typedef struct {
  char algorithm[32];                          // as OpenSSL names it
  uint32_t digest, decrypt, pad, sealed;       // sealed: the key is a token
  uint32_t key_len, iv_len, aad_len, tag_len;  // tag_len 0: no authenticated encryption
} request_t;

static struct {
  request_t head;
  uint8_t parts[MaxParts];
} request;

// What has failed first, it says.
static bool token_is_refused(void) {
  return request.head.sealed && ERR_GET_REASON(ERR_peek_error()) == PROV_R_INVALID_KEY;
}

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "crypt_file: %s\n", what);
    exit(token_is_refused() ? 3 : 2);
  }
}

static uint8_t *read_file(const char *path, size_t room, size_t *len) {
  uint8_t *bytes = malloc(room);
  FILE *file = fopen(path, "rb");
  need(bytes != NULL && file != NULL, "cannot read");
  *len = fread(bytes, 1, room, file);
  need(*len < room && ferror(file) == 0, "the file is too long");
  fclose(file);
  return bytes;
}

static bool set_up(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, size_t len, uint8_t *tag) {
  const request_t *head = &request.head;
  const uint8_t *key = request.parts, *iv = key + head->key_len, *aad = iv + head->iv_len;
  bool ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
  int encrypt = !head->decrypt, made;
  const OSSL_PARAM token[] = {
      OSSL_PARAM_construct_octet_string("cryptile-token", request.parts, head->key_len),
      OSSL_PARAM_construct_end()};
  return EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, encrypt, NULL) &&
         (head->sealed || EVP_CIPHER_CTX_get_key_length(ctx) == (int)head->key_len) &&
         (head->tag_len == 0 ||
          EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)head->iv_len, NULL)) &&
         (head->tag_len == 0 || (encrypt && !ccm) ||
          EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)head->tag_len,
                              encrypt ? NULL : tag)) &&
         EVP_CipherInit_ex2(ctx, NULL, head->sealed ? NULL : key, head->iv_len != 0 ? iv : NULL,
                            encrypt, head->sealed ? token : NULL) &&
         EVP_CIPHER_CTX_set_padding(ctx, (int)head->pad) &&
         (!ccm || EVP_CipherUpdate(ctx, NULL, &made, NULL, (int)len)) &&
         (head->aad_len == 0 || EVP_CipherUpdate(ctx, NULL, &made, aad, (int)head->aad_len));
}

// Returns the exit status; what is to be written lies in `out`.
static int crypt(const uint8_t *in, size_t len, uint8_t *out, size_t *out_len) {
  const request_t *head = &request.head;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, head->algorithm, "provider=cryptile");
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  uint8_t tag[Block] = {0};
  int made = 0, rest = 0;
  need(cipher != NULL && ctx != NULL, "no such cipher");
  need(head->tag_len <= Block && (!head->decrypt || len >= head->tag_len), "no room for a tag");
  if (head->decrypt && head->tag_len != 0) {
    len -= head->tag_len;
    memcpy(tag, in + len, head->tag_len);
  }
  need(set_up(ctx, cipher, len, tag), "the provider refuses key, IV or tag");
  bool good =
      EVP_CipherUpdate(ctx, out, &made, in, (int)len) && EVP_CipherFinal_ex(ctx, out + made, &rest);
  *out_len = (size_t)made + (size_t)rest;
  if (good && !head->decrypt && head->tag_len != 0) {
    good = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)head->tag_len, out + *out_len);
    *out_len += head->tag_len;
  }
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(cipher);
  return good ? 0 : token_is_refused() ? 3 : head->decrypt ? 1 : 2;
}

static int digest(const uint8_t *in, size_t len, uint8_t *out, size_t *out_len) {
  EVP_MD *md = EVP_MD_fetch(NULL, request.head.algorithm, "provider=cryptile");
  unsigned made = 0;
  need(md != NULL, "no such hash function");
  bool good = EVP_Digest(in, len, out, &made, md, NULL);
  *out_len = made;
  EVP_MD_free(md);
  return good ? 0 : 2;
}

int main(int count, char **words) {
  need(count == 3, "usage: crypt_file REQUEST MESSAGE");
  size_t len, got;
  uint8_t *given = read_file(words[1], sizeof(request) + 1, &got);
  need(got >= sizeof(request.head), "the request is too short");
  memcpy(&request, given, got);
  OPENSSL_cleanse(given, got);
  free(given);
  const request_t *head = &request.head;
  need(memchr(head->algorithm, 0, sizeof(head->algorithm)) != NULL && head->key_len <= MaxParts &&
           head->iv_len <= MaxParts && head->aad_len <= MaxParts &&
           got == sizeof(*head) + head->key_len + head->iv_len + head->aad_len,
       "the request is malformed");
  uint8_t *in = read_file(words[2], MostMessage, &len);
  size_t room = len + EVP_MAX_MD_SIZE, made = 0;
  uint8_t *out = malloc(room);
  OSSL_PROVIDER *provider = OSSL_PROVIDER_load(NULL, "cryptile");
  need(out != NULL && provider != NULL, "the provider does not load");
  int status = head->digest ? digest(in, len, out, &made) : crypt(in, len, out, &made);
  if (status == 0) {
    need(fwrite(out, 1, made, stdout) == made && fflush(stdout) == 0, "cannot write");
  }
  uint64_t jobs = 0, cycles = 0, refused = 0, failed = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_uint64("jobs", &jobs), OSSL_PARAM_uint64("cycles", &cycles),
                         OSSL_PARAM_uint64("refused", &refused),
                         OSSL_PARAM_uint64("failed", &failed), OSSL_PARAM_END};
  need(OSSL_PROVIDER_get_params(provider, params), "no parameters of the provider");
  fprintf(stderr, "crypt_file: jobs %llu cycles %llu refused %llu failed %llu\n",
          (unsigned long long)jobs, (unsigned long long)cycles, (unsigned long long)refused,
          (unsigned long long)failed);
  OPENSSL_cleanse(&request, sizeof(request));
  OPENSSL_cleanse(in, len);
  OPENSSL_cleanse(out, room);
  free(in);
  free(out);
  OSSL_PROVIDER_unload(provider);
  return status;
}
