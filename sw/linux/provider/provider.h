// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the files of the provider share.
//
// A context of any algorithm holds all of its state in memory of its own, key included; it is wiped
// when the context is freed. Steps depend on lengths and algorithms, never on keys or data; whether
// a tag or a padding was right shows in the result.
#ifndef CRYPTILE_PROVIDER_PROVIDER_H
#define CRYPTILE_PROVIDER_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "device.h"

#define PROPERTIES "provider=cryptile"

// Parameter of a cipher's context: a sealed key, in the place of a key. Octets.
#define TOKEN "cryptile-token"

// An instance of the provider, in one library context.
typedef struct {
  const OSSL_CORE_HANDLE *handle;
  OSSL_LIB_CTX *software;  // a library context of its own, with OpenSSL's default provider
  size_t min_bytes;        // shorter messages, or parts of them, are computed in software
} provider_t;

extern const OSSL_ALGORITHM kDigests[];
extern const OSSL_ALGORITHM kCodes[];

// Ends a function with an error in OpenSSL's queue.
#define FAIL(reason) (ERR_raise(ERR_LIB_PROV, (reason)), 0)

// Finds a parameter; null: it is not there. As OSSL_PARAM_locate_const(), which compares each name
// as a whole: most are told by their first letter.
static inline const OSSL_PARAM *locate_const(const OSSL_PARAM params[], const char *name) {
  for (; params != NULL && params->key != NULL; params++) {
    if (params->key[0] == name[0] && strcmp(params->key, name) == 0) {
      return params;
    }
  }
  return NULL;
}

static inline OSSL_PARAM *locate(OSSL_PARAM params[], const char *name) {
  return (OSSL_PARAM *)locate_const(params, name);
}

// Sets a parameter, if it is asked for; false: it cannot be.
static inline bool set_size(OSSL_PARAM params[], const char *name, size_t value) {
  OSSL_PARAM *param = locate(params, name);
  return param == NULL || OSSL_PARAM_set_size_t(param, value) ||
         FAIL(PROV_R_FAILED_TO_SET_PARAMETER);
}

static inline bool set_int(OSSL_PARAM params[], const char *name, int value) {
  OSSL_PARAM *param = locate(params, name);
  return param == NULL || OSSL_PARAM_set_int(param, value) || FAIL(PROV_R_FAILED_TO_SET_PARAMETER);
}

static inline bool set_uint(OSSL_PARAM params[], const char *name, unsigned value) {
  OSSL_PARAM *param = locate(params, name);
  return param == NULL || OSSL_PARAM_set_uint(param, value) || FAIL(PROV_R_FAILED_TO_SET_PARAMETER);
}

// Sets bytes, if they are asked for. `*bytes` must last as long as the context, as the caller may
// ask for a pointer.
static inline bool set_bytes(OSSL_PARAM params[], const char *name, const uint8_t *bytes,
                             size_t len) {
  OSSL_PARAM *param = locate(params, name);
  return param == NULL || OSSL_PARAM_set_octet_ptr(param, bytes, len) ||
         OSSL_PARAM_set_octet_string(param, bytes, len) || FAIL(PROV_R_FAILED_TO_SET_PARAMETER);
}

// Reads a parameter, if it is there; false: it is of another kind.
static inline bool get_uint(const OSSL_PARAM params[], const char *name, unsigned *value) {
  const OSSL_PARAM *param = locate_const(params, name);
  return param == NULL || OSSL_PARAM_get_uint(param, value) || FAIL(PROV_R_FAILED_TO_GET_PARAMETER);
}

static inline bool get_size(const OSSL_PARAM params[], const char *name, size_t *value) {
  const OSSL_PARAM *param = locate_const(params, name);
  return param == NULL || OSSL_PARAM_get_size_t(param, value) ||
         FAIL(PROV_R_FAILED_TO_GET_PARAMETER);
}

// An entry of a dispatch table.
#define ENTRY(number, function) \
  { (number), (void (*)(void))(function) }
#define LAST_ENTRY \
  { 0, NULL }

#endif  // CRYPTILE_PROVIDER_PROVIDER_H
