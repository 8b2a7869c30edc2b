// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The self test of the tile and its driver.
#ifndef CRYPTILE_APPS_SELFTEST_TILE_H
#define CRYPTILE_APPS_SELFTEST_TILE_H

#include "tile.h"

enum { SelftestTileExitNoTile = 2, SelftestTileExitBadInput = 3 };

// What the driver does beyond single jobs: many in flight, rings that wrap, lists, errors, key
// slots, interrupts, time-outs, and the API of cryptile.h on top of it. Prints a line for each test
// and returns how many failed. Opens the ring of queue 0 anew.
unsigned selftest_tile_driver(tile_ring_t *ring);

#endif  // CRYPTILE_APPS_SELFTEST_TILE_H
