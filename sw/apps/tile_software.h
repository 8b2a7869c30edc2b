// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile's algorithms by the software library, to compare with.
#ifndef CRYPTILE_APPS_TILE_SOFTWARE_H
#define CRYPTILE_APPS_TILE_SOFTWARE_H

#include "tile_prepare.h"

// Tells whether the library has the algorithm.
bool tile_software_has(const tile_alg_t *alg);

// Works on a whole message. Returns as the library's functions.
CRYPTILE_MUST_CHECK cryptile_status_t tile_software(const tile_alg_t *alg,
                                                    const tile_message_t *message);

#endif  // CRYPTILE_APPS_TILE_SOFTWARE_H
