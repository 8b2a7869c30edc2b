// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Self test: one line per test on the console, exit code 1 if any failed.
#ifndef CRYPTILE_APPS_SELFTEST_H
#define CRYPTILE_APPS_SELFTEST_H

#include <stdbool.h>

#include "cryptile.h"

// Begins a test; the verdict on the one before is printed.
void test_begin(const char *name, const char *subject);

// Fails the test that was begun if `good` is false; `line` tells where.
void test_check(bool good, int line);
#define CHECK(good) test_check((good), __LINE__)

// Known answers and errors through cryptile.h, on one implementation.
void test_api(const cryptile_cipher_impl_t *impl);

// What only the engine's driver has: jobs in flight, errors, time limits, interrupts.
void test_engine(void);

#endif  // CRYPTILE_APPS_SELFTEST_H
