// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// MACs: HMAC with SHA-2, CMAC with AES. With another hash function or cipher, with a key of HMAC
// that the tile does not take, and for TLS' records with CBC it is OpenSSL's own.
#include "absorb.h"

typedef struct {
  const char *tile;   // the tile's name of the whole
  const char *inner;  // OpenSSL's of the hash function, or of the cipher
} mac_alg_t;

typedef struct {
  const char *name;   // OpenSSL's
  const char *param;  // that says which hash function or cipher
  bool is_hash;
  const mac_alg_t *algs;  // the last one has no name
} mac_kind_t;

typedef struct {
  absorb_t message;
  const mac_kind_t *kind;
  const mac_alg_t *alg;  // null: OpenSSL's alone
  EVP_MAC_CTX *soft;     // has the parameters, but the key only when it is needed
  uint8_t *key;          // as it was given
  size_t key_len;
  uint8_t tile_key[TileMaxKey];
} mac_t;

static const mac_alg_t kHmacs[] = {{"hmac-sha224", "SHA2-224"},
                                   {"hmac-sha256", "SHA2-256"},
                                   {"hmac-sha384", "SHA2-384"},
                                   {"hmac-sha512", "SHA2-512"},
                                   {"hmac-sha512-224", "SHA2-512/224"},
                                   {"hmac-sha512-256", "SHA2-512/256"},
                                   {NULL, NULL}};
static const mac_alg_t kCmacs[] = {{"aes-128-cmac", "AES-128-CBC"},
                                   {"aes-192-cmac", "AES-192-CBC"},
                                   {"aes-256-cmac", "AES-256-CBC"},
                                   {NULL, NULL}};
static const mac_kind_t kHmac = {"HMAC", OSSL_MAC_PARAM_DIGEST, true, kHmacs};
static const mac_kind_t kCmac = {"CMAC", OSSL_MAC_PARAM_CIPHER, false, kCmacs};

static bool soft_begin(absorb_t *message) {
  mac_t *mac = (mac_t *)message;
  return EVP_MAC_init(mac->soft, mac->key, mac->key_len, NULL);
}

static bool soft_update(absorb_t *message, const uint8_t *in, size_t len) {
  return EVP_MAC_update(((mac_t *)message)->soft, in, len);
}

static bool soft_final(absorb_t *message, uint8_t *out, size_t len) {
  size_t made = 0;
  return EVP_MAC_final(((mac_t *)message)->soft, out, &made, len) && made == len;
}

static const absorb_software_t kSoftware = {soft_begin, soft_update, soft_final};

static void mac_free(void *context) {
  mac_t *mac = context;
  if (mac != NULL) {
    EVP_MAC_CTX_free(mac->soft);
    OPENSSL_clear_free(mac->key, mac->key_len);
    OPENSSL_clear_free(mac, sizeof(*mac));
  }
}

static void *mac_new(const provider_t *provider, const mac_kind_t *kind) {
  mac_t *mac = OPENSSL_zalloc(sizeof(*mac));
  EVP_MAC *found = EVP_MAC_fetch(provider->software, kind->name, NULL);
  if (mac != NULL) {
    mac->message.provider = provider;
    mac->message.software = &kSoftware;
    mac->message.key = mac->tile_key;
    mac->message.in_software = true;  // until a key is there
    mac->kind = kind;
    mac->soft = found != NULL ? EVP_MAC_CTX_new(found) : NULL;
  }
  EVP_MAC_free(found);
  if (mac != NULL && mac->soft == NULL) {
    mac_free(mac);
    return NULL;
  }
  return mac;
}

// OpenSSL does not copy what has no key yet, as long as the tile works.
static EVP_MAC_CTX *soft_dup(const mac_t *mac) {
  if (mac->message.in_software) {
    return EVP_MAC_CTX_dup(mac->soft);
  }
  EVP_MAC_CTX *soft = EVP_MAC_CTX_new(EVP_MAC_CTX_get0_mac(mac->soft));
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(mac->kind->param, (char *)mac->alg->inner, 0),
      OSSL_PARAM_construct_end()};
  if (soft != NULL && !EVP_MAC_CTX_set_params(soft, params)) {
    EVP_MAC_CTX_free(soft);
    return NULL;
  }
  return soft;
}

static void *mac_dup(void *context) {
  mac_t *from = context, *mac = OPENSSL_memdup(from, sizeof(*from));
  if (mac == NULL) {
    return NULL;
  }
  mac->message.key = mac->tile_key;
  mac->soft = soft_dup(from);
  mac->key = from->key != NULL ? OPENSSL_memdup(from->key, from->key_len + 1) : NULL;
  if (mac->soft == NULL || (mac->key == NULL && from->key != NULL)) {
    mac_free(mac);
    return NULL;
  }
  return mac;
}

// Which of the tile's algorithms it is with a hash function or cipher, by any of its names.
static const mac_alg_t *find(const mac_t *mac, const char *name) {
  OSSL_LIB_CTX *software = mac->message.provider->software;
  EVP_MD *hash = mac->kind->is_hash ? EVP_MD_fetch(software, name, NULL) : NULL;
  EVP_CIPHER *cipher = mac->kind->is_hash ? NULL : EVP_CIPHER_fetch(software, name, NULL);
  const mac_alg_t *alg = mac->kind->algs;
  while (alg->tile != NULL && !(hash != NULL && EVP_MD_is_a(hash, alg->inner)) &&
         !(cipher != NULL && EVP_CIPHER_is_a(cipher, alg->inner))) {
    alg++;
  }
  EVP_MD_free(hash);
  EVP_CIPHER_free(cipher);
  return alg->tile != NULL ? alg : NULL;
}

// For the next message: the key as the tile takes it, if it does.
static bool choose(mac_t *mac) {
  absorb_t *message = &mac->message;
  const tile_alg_t *tile = mac->alg != NULL ? cry_tile_alg(mac->alg->tile) : NULL;
  const uint8_t *key = mac->key;
  size_t len = mac->key_len;
  uint8_t digest[EVP_MAX_MD_SIZE];
  message->tile = NULL;
  message->in_software = true;
  OPENSSL_cleanse(mac->tile_key, sizeof(mac->tile_key));
  if (tile == NULL) {
    return true;
  }
  if (!mac->kind->is_hash && len != tile->key_bytes) {
    return FAIL(PROV_R_INVALID_KEY_LENGTH);
  }
  // By the definition of HMAC.
  if (mac->kind->is_hash && len > tile->block) {
    if (!EVP_Q_digest(message->provider->software, mac->alg->inner, NULL, key, len, digest, &len)) {
      return FAIL(ERR_R_OPERATION_FAIL);
    }
    key = digest;
  }
  if (len != 0 && len <= sizeof(mac->tile_key)) {
    memcpy(mac->tile_key, key, len);
    message->key_len = len;
    message->tile = tile;
  }
  OPENSSL_cleanse(digest, sizeof(digest));
  return true;
}

static int set_key(mac_t *mac, const uint8_t *key, size_t len) {
  uint8_t *copy = OPENSSL_malloc(len + 1);  // an empty key is one, too
  if (copy == NULL) {
    return FAIL(ERR_R_MALLOC_FAILURE);
  }
  if (len != 0) {
    memcpy(copy, key, len);
  }
  OPENSSL_clear_free(mac->key, mac->key_len);
  mac->key = copy;
  mac->key_len = len;
  return 1;
}

// Software has them all but the key; and not by which properties a hash function is found, as it
// looks for it among OpenSSL's alone.
static bool pass(mac_t *mac, const OSSL_PARAM params[]) {
  enum { Most = 16 };
  OSSL_PARAM passed[Most];
  size_t count = 0;
  for (; params->key != NULL; params++) {
    if (strcmp(params->key, OSSL_MAC_PARAM_KEY) == 0 ||
        strcmp(params->key, OSSL_MAC_PARAM_PROPERTIES) == 0) {
      continue;
    }
    if (count + 1 == Most) {
      return FAIL(PROV_R_FAILED_TO_SET_PARAMETER);
    }
    passed[count++] = *params;
  }
  passed[count] = OSSL_PARAM_construct_end();
  return EVP_MAC_CTX_set_params(mac->soft, passed);
}

// For the next message.
static int set(mac_t *mac, const OSSL_PARAM params[]) {
  if (params == NULL || params->key == NULL) {
    return 1;
  }
  if (!pass(mac, params)) {
    return 0;
  }
  if (locate_const(params, OSSL_MAC_PARAM_TLS_DATA_SIZE) != NULL) {
    mac->alg = NULL;  // what hides the length of a message is OpenSSL's
  }
  const OSSL_PARAM *inner = locate_const(params, mac->kind->param);
  if (inner != NULL) {
    if (inner->data_type != OSSL_PARAM_UTF8_STRING) {
      return FAIL(PROV_R_FAILED_TO_GET_PARAMETER);
    }
    mac->alg = find(mac, inner->data);
  }
  const OSSL_PARAM *key = locate_const(params, OSSL_MAC_PARAM_KEY);
  if (key != NULL) {
    if (key->data_type != OSSL_PARAM_OCTET_STRING) {
      return FAIL(PROV_R_FAILED_TO_GET_PARAMETER);
    }
    return set_key(mac, key->data, key->data_size);
  }
  return 1;
}

static int mac_set_params(void *context, const OSSL_PARAM params[]) {
  mac_t *mac = context;
  if (params == NULL || params->key == NULL) {
    return 1;
  }
  const bool other = locate_const(params, mac->kind->param) != NULL ||
                     locate_const(params, OSSL_MAC_PARAM_TLS_DATA_SIZE) != NULL;
  // The message that has begun goes on as OpenSSL's would: it is computed there.
  if (other && mac->key != NULL && !absorb_to_software(&mac->message)) {
    return FAIL(ERR_R_OPERATION_FAIL);
  }
  if (!set(mac, params)) {
    return 0;
  }
  // Another key begins another message.
  return locate_const(params, OSSL_MAC_PARAM_KEY) == NULL ||
         (choose(mac) && absorb_begin(&mac->message));
}

static int mac_init(void *context, const uint8_t *key, size_t len, const OSSL_PARAM params[]) {
  mac_t *mac = context;
  if (!set(mac, params)) {
    return 0;
  }
  if (key != NULL && !set_key(mac, key, len)) {
    return 0;
  }
  if (mac->key == NULL) {
    return FAIL(PROV_R_NO_KEY_SET);
  }
  return choose(mac) && absorb_begin(&mac->message);
}

static int mac_update(void *context, const uint8_t *in, size_t len) {
  mac_t *mac = context;
  return absorb_update(&mac->message, in, len) || FAIL(ERR_R_OPERATION_FAIL);
}

static int mac_final(void *context, uint8_t *out, size_t *out_len, size_t room) {
  mac_t *mac = context;
  const tile_alg_t *tile = mac->message.tile;  // that the message began with
  size_t bytes = tile != NULL ? tile->tag_bytes : EVP_MAC_CTX_get_mac_size(mac->soft);
  *out_len = bytes;
  if (room < bytes) {
    return FAIL(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  return absorb_final(&mac->message, out, bytes) || FAIL(ERR_R_OPERATION_FAIL);
}

static int mac_get_params(void *context, OSSL_PARAM params[]) {
  mac_t *mac = context;
  if (mac->alg == NULL) {
    return EVP_MAC_CTX_get_params(mac->soft, params);
  }
  const tile_alg_t *tile = cry_tile_alg(mac->alg->tile);
  return set_size(params, OSSL_MAC_PARAM_SIZE, tile->tag_bytes) &&
         set_size(params, OSSL_MAC_PARAM_BLOCK_SIZE, tile->block);
}

static const OSSL_PARAM *gettable(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
                                       OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL),
                                       OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

static const OSSL_PARAM *hmac_settable(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, NULL, 0),
                                       OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, NULL, 0),
                                       OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
                                       OSSL_PARAM_int(OSSL_MAC_PARAM_DIGEST_NOINIT, NULL),
                                       OSSL_PARAM_int(OSSL_MAC_PARAM_DIGEST_ONESHOT, NULL),
                                       OSSL_PARAM_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, NULL),
                                       OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

static const OSSL_PARAM *cmac_settable(void *context, void *provider) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_CIPHER, NULL, 0),
                                       OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, NULL, 0),
                                       OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
                                       OSSL_PARAM_END};
  (void)context;
  (void)provider;
  return kParams;
}

#define MACS(ROW)          \
  ROW(hmac, kHmac, "HMAC") \
  ROW(cmac, kCmac, "CMAC")

#define DISPATCH(word, kind, names)                              \
  static void *word##_new(void *provider) {                      \
    return mac_new(provider, &(kind));                           \
  }                                                              \
  static const OSSL_DISPATCH k_##word##_dispatch[] = {           \
      ENTRY(OSSL_FUNC_MAC_NEWCTX, word##_new),                   \
      ENTRY(OSSL_FUNC_MAC_FREECTX, mac_free),                    \
      ENTRY(OSSL_FUNC_MAC_DUPCTX, mac_dup),                      \
      ENTRY(OSSL_FUNC_MAC_INIT, mac_init),                       \
      ENTRY(OSSL_FUNC_MAC_UPDATE, mac_update),                   \
      ENTRY(OSSL_FUNC_MAC_FINAL, mac_final),                     \
      ENTRY(OSSL_FUNC_MAC_GET_CTX_PARAMS, mac_get_params),       \
      ENTRY(OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, gettable),        \
      ENTRY(OSSL_FUNC_MAC_SET_CTX_PARAMS, mac_set_params),       \
      ENTRY(OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, word##_settable), \
      LAST_ENTRY};
MACS(DISPATCH)

#define LISTED(word, kind, names) {names, PROPERTIES, k_##word##_dispatch, NULL},
const OSSL_ALGORITHM kCodes[] = {MACS(LISTED){NULL, NULL, NULL, NULL}};
