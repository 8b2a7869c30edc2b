// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tests of cryptile_self_test() by topic.
#ifndef CRYPTILE_LIB_SELF_TEST_PARTS_H
#define CRYPTILE_LIB_SELF_TEST_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A known answer: whether the library gives it.
typedef struct {
  const char *name;
  bool (*is_right)(void);
} self_test_t;

// The tests of a topic; one without a name ends them.
extern const self_test_t cry_self_test_hashes[], cry_self_test_ciphers[], cry_self_test_aeads[],
    cry_self_test_curves[], cry_self_test_nistp[], cry_self_test_rsa[];

// Whether what was computed is what the standard prints: arrays of one length.
#define SELF_TEST_SAME(found, wanted) (memcmp((found), (wanted), sizeof(wanted)) == 0)

#endif  // CRYPTILE_LIB_SELF_TEST_PARTS_H
