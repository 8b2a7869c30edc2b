// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What programs that test the provider have in common.
#ifndef CRYPTILE_TESTS_PROVIDER_GUEST_H
#define CRYPTILE_TESTS_PROVIDER_GUEST_H

#include <errno.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program unless something is right that no test is about.
static inline void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    ERR_print_errors_fp(stderr);
    exit(2);
  }
}

// A count that the provider keeps.
static inline uint64_t provider_count(const OSSL_PROVIDER *provider, const char *name) {
  uint64_t value = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint64(name, &value), OSSL_PARAM_construct_end()};
  need(OSSL_PROVIDER_get_params(provider, params), name);
  return value;
}

// A number below `below`, the next one of a state.
static inline uint32_t draw(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % below);
}

#endif  // CRYPTILE_TESTS_PROVIDER_GUEST_H
