// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A self-test: the algorithms of the library, but P-384, P-521 and RSA, compute answers that
// standards print.
//
// For a start-up test, and after a new compiler, linker script or core. It finds what is wrong with
// the code, its tables and the core that runs it; it does not prove them right.
#ifndef CRYPTILE_SELF_TEST_H
#define CRYPTILE_SELF_TEST_H

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Tests one algorithm after another, in the order of cryptile_self_test_name(), until an answer is
// wrong. `failed` may be null; else it gets that algorithm's name, or null if all are right.
//
// Keys and messages are public: nothing is wiped. Single-threaded or not: there is no state.
// Size: 12,774 bytes of code and constants of its own, 273,460 with what it calls of the library.
// Time: 266,285,331 cycles, most of them for curves (RV64IM: 79,955,346).
// Stack: 9120 bytes.
// These are for RV32IM, GCC 12 -O2, the simulator's timing model loaduse2.
// Returns CRYPTILE_OK, or CRYPTILE_ERR_FAULT if an answer is wrong.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_self_test(const char **failed);

// Returns the name of the test `index`, from 0 on, such as "X25519"; null from the number of tests
// on. The names last as long as the program. Stack: 16 bytes.
const char *cryptile_self_test_name(unsigned index);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_SELF_TEST_H
