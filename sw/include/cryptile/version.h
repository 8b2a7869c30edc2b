// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// Which version of Cryptile this is: of the headers, and of the library that is linked.
#ifndef CRYPTILE_VERSION_H
#define CRYPTILE_VERSION_H

#define CRYPTILE_VERSION_MAJOR 0
#define CRYPTILE_VERSION_MINOR 2
#define CRYPTILE_VERSION_PATCH 0
#define CRYPTILE_VERSION       "0.2.0"

// A number that a later version has larger, for #if.
#define CRYPTILE_VERSION_NUMBER \
  (CRYPTILE_VERSION_MAJOR << 16 | CRYPTILE_VERSION_MINOR << 8 | CRYPTILE_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

// Returns the version of the library: CRYPTILE_VERSION of the headers that it was built with.
// Stack: none.
const char *cryptile_version(void);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_VERSION_H
