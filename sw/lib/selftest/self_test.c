// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/self_test.h"

#include "selftest/self_test_parts.h"

static const self_test_t *const kTopics[] = {
    cry_self_test_hashes, cry_self_test_ciphers, cry_self_test_aeads,
    cry_self_test_curves, cry_self_test_nistp,   cry_self_test_rsa,
};

// The test of a number; null from the number of tests on.
static const self_test_t *test(unsigned index) {
  for (size_t topic = 0; topic < sizeof kTopics / sizeof kTopics[0]; topic++) {
    for (const self_test_t *one = kTopics[topic]; one->name; one++) {
      if (index-- == 0) {
        return one;
      }
    }
  }
  return NULL;
}

const char *cryptile_self_test_name(unsigned index) {
  const self_test_t *one = test(index);
  return one ? one->name : NULL;
}

cryptile_status_t cryptile_self_test(const char **failed) {
  const self_test_t *one;
  unsigned index = 0;
  do {
    one = test(index++);
  } while (one && one->is_right());
  if (failed) {
    *failed = one ? one->name : NULL;
  }
  return one ? CRYPTILE_ERR_FAULT : CRYPTILE_OK;
}
