// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The provider `cryptile` of OpenSSL 3: its beginning, its parameters, and what it has.
//
//   [cryptile_sect]            # of openssl.cnf; all but `activate` may be left out
//   module = /path/cryptile.so # that of OpenSSL's folder of modules
//   activate = 1
//   min_bytes = 64             # shorter messages, or parts of them, are computed in software
//   device = /dev/cryptile0
//   shared = 0                 # 1: take turns with others when no hardware queue is free
//   arena_bytes = 0x100000     # of a process with OPENSSL_malloc() from here (memory.h)
//
// The values are those that hold where nothing is said.
#include "provider.h"

#include <openssl/provider.h>
#include <stdlib.h>

#include "ciphers.h"

// From 64 bytes on the tile is faster with all algorithms that were measured (sw/linux/README.md).
enum { MinBytes = 64, ArenaBytes = 1 << 20 };

#define DECLARED(word, names) extern const OSSL_DISPATCH k_##word##_dispatch[];
CIPHERS(DECLARED)
#define LISTED(word, names) {names, PROPERTIES, k_##word##_dispatch, NULL},
static const OSSL_ALGORITHM kCiphers[] = {CIPHERS(LISTED){NULL, NULL, NULL, NULL}};

static const OSSL_PARAM *gettable_params(void *context) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                       OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
                                       OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                       OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
                                       OSSL_PARAM_utf8_ptr("queue", NULL, 0),
                                       OSSL_PARAM_uint64("jobs", NULL),
                                       OSSL_PARAM_uint64("bytes", NULL),
                                       OSSL_PARAM_uint64("copied", NULL),
                                       OSSL_PARAM_uint64("cycles", NULL),
                                       OSSL_PARAM_uint64("refused", NULL),
                                       OSSL_PARAM_uint64("failed", NULL),
                                       OSSL_PARAM_uint64("paused", NULL),
                                       OSSL_PARAM_uint64("most_paused", NULL),
                                       OSSL_PARAM_END};
  (void)context;
  return kParams;
}

static int get_params(void *context, OSSL_PARAM params[]) {
  device_counts_t counts = device_counts();
  const struct {
    const char *name, *value;
  } texts[] = {{OSSL_PROV_PARAM_NAME, "Cryptile tile provider"},
               {OSSL_PROV_PARAM_VERSION, "1"},
               {OSSL_PROV_PARAM_BUILDINFO, "libcryptile-ring"},
               {"queue", device_queue()}};
  const struct {
    const char *name;
    uint64_t value;
  } numbers[] = {{"jobs", counts.jobs},     {"bytes", counts.bytes},     {"copied", counts.copied},
                 {"cycles", counts.cycles}, {"refused", counts.refused}, {"failed", counts.failed},
                 {"paused", counts.paused}, {"most_paused", counts.most}};
  (void)context;
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    OSSL_PARAM *param = locate(params, texts[i].name);
    if (param != NULL && !OSSL_PARAM_set_utf8_ptr(param, texts[i].value)) {
      return 0;
    }
  }
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    OSSL_PARAM *param = locate(params, numbers[i].name);
    if (param != NULL && !OSSL_PARAM_set_uint64(param, numbers[i].value)) {
      return 0;
    }
  }
  return set_int(params, OSSL_PROV_PARAM_STATUS, 1);
}

static const OSSL_ALGORITHM *query(void *context, int operation, int *no_cache) {
  (void)context;
  *no_cache = 0;
  switch (operation) {
    case OSSL_OP_CIPHER:
      return kCiphers;
    case OSSL_OP_DIGEST:
      return kDigests;
    case OSSL_OP_MAC:
      return kCodes;
    default:
      return NULL;
  }
}

static void teardown(void *context) {
  provider_t *provider = context;
  device_detach();
  OSSL_LIB_CTX_free(provider->software);
  OPENSSL_free(provider);
}

// Reads a number, if there is one.
static bool read_number(const char *text, size_t *number) {
  if (text == NULL) {
    return true;
  }
  char *end;
  *number = strtoul(text, &end, 0);
  return end != text && *end == 0;
}

// What the configuration file says.
static bool configure(provider_t *provider, OSSL_FUNC_core_get_params_fn *core_get_params,
                      device_config_t *device) {
  char *bytes = NULL, *path = NULL, *shared = NULL, *arena = NULL;
  size_t arena_bytes = ArenaBytes;
  OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr("min_bytes", &bytes, 0),
                         OSSL_PARAM_utf8_ptr("device", &path, 0),
                         OSSL_PARAM_utf8_ptr("shared", &shared, 0),
                         OSSL_PARAM_utf8_ptr("arena_bytes", &arena, 0), OSSL_PARAM_END};
  if (core_get_params != NULL && !core_get_params(provider->handle, params)) {
    return false;
  }
  provider->min_bytes = MinBytes;
  if (!read_number(bytes, &provider->min_bytes) || !read_number(arena, &arena_bytes) ||
      (path != NULL && strlen(path) >= DevicePath)) {
    return false;
  }
  *device = (device_config_t){
      .path = path, .shared = shared != NULL && atoi(shared) != 0, .arena_bytes = arena_bytes};
  return true;
}

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle,
                                                              const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out,
                                                              void **context) {
  static const OSSL_DISPATCH kDispatch[] = {
      ENTRY(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
      ENTRY(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
      ENTRY(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
      ENTRY(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query), LAST_ENTRY};
  OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
  for (; in->function_id != 0; in++) {
    if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS) {
      core_get_params = OSSL_FUNC_core_get_params(in);
    }
  }
  provider_t *provider = OPENSSL_zalloc(sizeof(*provider));
  if (provider == NULL) {
    return 0;
  }
  device_config_t device;
  provider->handle = handle;
  provider->software = OSSL_LIB_CTX_new();
  if (provider->software == NULL || !configure(provider, core_get_params, &device) ||
      OSSL_PROVIDER_load(provider->software, "default") == NULL) {
    OSSL_LIB_CTX_free(provider->software);
    OPENSSL_free(provider);
    return 0;
  }
  device_attach(&device);
  *out = kDispatch;
  *context = provider;
  return 1;
}
