// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Hash functions: SHA-2 and SHA-3.
#include "absorb.h"

typedef struct {
  const char *name;  // of the tile
  const char *soft;  // of OpenSSL
} digest_alg_t;

typedef struct {
  absorb_t message;
  const digest_alg_t *alg;
  EVP_MD_CTX *soft;
} digest_t;

static bool soft_begin(absorb_t *message) {
  digest_t *digest = (digest_t *)message;
  EVP_MD *found = NULL;
  if (digest->soft == NULL) {
    found = EVP_MD_fetch(message->provider->software, digest->alg->soft, NULL);
    digest->soft = found != NULL ? EVP_MD_CTX_new() : NULL;
  }
  bool begun = digest->soft != NULL && EVP_DigestInit_ex2(digest->soft, found, NULL);
  EVP_MD_free(found);
  return begun;
}

static bool soft_update(absorb_t *message, const uint8_t *in, size_t len) {
  return EVP_DigestUpdate(((digest_t *)message)->soft, in, len);
}

static bool soft_final(absorb_t *message, uint8_t *out, size_t len) {
  unsigned made = 0;
  return EVP_DigestFinal_ex(((digest_t *)message)->soft, out, &made) && made == len;
}

static const absorb_software_t kSoftware = {soft_begin, soft_update, soft_final};

static void *digest_new(const provider_t *provider, const digest_alg_t *alg) {
  digest_t *digest = OPENSSL_zalloc(sizeof(*digest));
  if (digest != NULL) {
    digest->message.provider = provider;
    digest->message.software = &kSoftware;
    digest->message.tile = cry_tile_alg(alg->name);
    digest->alg = alg;
  }
  return digest;
}

static void digest_free(void *context) {
  digest_t *digest = context;
  if (digest != NULL) {
    EVP_MD_CTX_free(digest->soft);
    OPENSSL_clear_free(digest, sizeof(*digest));
  }
}

static void *digest_dup(void *context) {
  digest_t *from = context, *digest = OPENSSL_memdup(from, sizeof(*from));
  if (digest != NULL && from->soft != NULL) {
    digest->soft = EVP_MD_CTX_dup(from->soft);
    if (digest->soft == NULL) {
      digest_free(digest);
      return NULL;
    }
  }
  return digest;
}

static int digest_init(void *context, const OSSL_PARAM params[]) {
  digest_t *digest = context;
  (void)params;
  return absorb_begin(&digest->message);
}

static int digest_update(void *context, const uint8_t *in, size_t len) {
  digest_t *digest = context;
  return absorb_update(&digest->message, in, len) || FAIL(ERR_R_OPERATION_FAIL);
}

static int digest_final(void *context, uint8_t *out, size_t *out_len, size_t room) {
  digest_t *digest = context;
  size_t bytes = digest->message.tile->tag_bytes;
  if (room < bytes) {
    return FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  *out_len = bytes;
  return absorb_final(&digest->message, out, bytes) || FAIL(ERR_R_OPERATION_FAIL);
}

static const OSSL_PARAM *gettable_params(void *context) {
  static const OSSL_PARAM kParams[] = {
      OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
      OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL), OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
      OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL), OSSL_PARAM_END};
  (void)context;
  return kParams;
}

static int digest_get_params(const digest_alg_t *alg, OSSL_PARAM params[]) {
  const tile_alg_t *tile = cry_tile_alg(alg->name);
  return set_size(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, tile->block) &&
         set_size(params, OSSL_DIGEST_PARAM_SIZE, tile->tag_bytes) &&
         set_int(params, OSSL_DIGEST_PARAM_XOF, 0) &&
         set_int(params, OSSL_DIGEST_PARAM_ALGID_ABSENT, 1);
}

#define DIGESTS(ROW)                                                                  \
  ROW(sha224, "sha224", "SHA2-224", "SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4") \
  ROW(sha256, "sha256", "SHA2-256", "SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1") \
  ROW(sha384, "sha384", "SHA2-384", "SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2") \
  ROW(sha512, "sha512", "SHA2-512", "SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3") \
  ROW(sha512_224, "sha512-224", "SHA2-512/224",                                       \
      "SHA2-512/224:SHA-512/224:SHA512-224:2.16.840.1.101.3.4.2.5")                   \
  ROW(sha512_256, "sha512-256", "SHA2-512/256",                                       \
      "SHA2-512/256:SHA-512/256:SHA512-256:2.16.840.1.101.3.4.2.6")                   \
  ROW(sha3_224, "sha3-224", "SHA3-224", "SHA3-224:2.16.840.1.101.3.4.2.7")            \
  ROW(sha3_256, "sha3-256", "SHA3-256", "SHA3-256:2.16.840.1.101.3.4.2.8")            \
  ROW(sha3_384, "sha3-384", "SHA3-384", "SHA3-384:2.16.840.1.101.3.4.2.9")            \
  ROW(sha3_512, "sha3-512", "SHA3-512", "SHA3-512:2.16.840.1.101.3.4.2.10")

#define DISPATCH(word, tile, soft, names)                       \
  static const digest_alg_t k_##word = {tile, soft};            \
  static void *word##_new(void *provider) {                     \
    return digest_new(provider, &k_##word);                     \
  }                                                             \
  static int word##_params(OSSL_PARAM params[]) {               \
    return digest_get_params(&k_##word, params);                \
  }                                                             \
  static const OSSL_DISPATCH k_##word##_dispatch[] = {          \
      ENTRY(OSSL_FUNC_DIGEST_NEWCTX, word##_new),               \
      ENTRY(OSSL_FUNC_DIGEST_FREECTX, digest_free),             \
      ENTRY(OSSL_FUNC_DIGEST_DUPCTX, digest_dup),               \
      ENTRY(OSSL_FUNC_DIGEST_INIT, digest_init),                \
      ENTRY(OSSL_FUNC_DIGEST_UPDATE, digest_update),            \
      ENTRY(OSSL_FUNC_DIGEST_FINAL, digest_final),              \
      ENTRY(OSSL_FUNC_DIGEST_GET_PARAMS, word##_params),        \
      ENTRY(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, gettable_params), \
      LAST_ENTRY};
DIGESTS(DISPATCH)

#define LISTED(word, tile, soft, names) {names, PROPERTIES, k_##word##_dispatch, NULL},
const OSSL_ALGORITHM kDigests[] = {DIGESTS(LISTED){NULL, NULL, NULL, NULL}};
